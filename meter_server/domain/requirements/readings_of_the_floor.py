"""Doubts about systems, irregularities and words: each question, and the reading followed."""

from meter_server.domain.requirements.row import INFERRED, Requirement

READINGS_OF_SYSTEMS = (
    Requirement(
        "A-30",
        "May a group mix games?",
        "WSOP 9.1.1(b); Three Card 6.1.1(b)",
        "Yes; each table settles by the rules of its own game.",
    ),
    Requirement(
        "A-31",
        "Do different costs and the one option bind across the rule books?",
        "WSOP 9.1.1(e), (f); Three Card 6.1.1(e), (f)",
        "Yes, unless the one setting for it narrows them to each rule book.",
    ),
    Requirement(
        "A-32",
        "Must systems share the seed, or only the option?",
        "WSOP 9.1.1(f); Three Card 6.1.1(f)",
        "The same row: seed, rate and payouts.",
    ),
    Requirement(
        "A-33",
        "What of references that point to the wrong rule or to none?",
        "WSOP 9.1.1(f), (g); Three Card 6.1.1(g), 7.4.3",
        "They are read by their plain sense: the seed and rate tables and the payouts.",
    ),
    Requirement(
        "A-34",
        "What is passed on at closure, and what if no other system is open?",
        "WSOP 9.1.1(j); Three Card 6.1.1(j)",
        "Value less (seed times cost), in shares that add up exactly; refused with nowhere to go, "
        "or with a game, carry or undetermined prize open.",
    ),
    Requirement(
        "A-35",
        "How are the twenty minutes of a sign counted?",
        "WSOP 9.1.1(h), (i); Three Card 6.1.1(h), (i)",
        "From 20:00 on it is served; one sign is for one action, and over a minute dark starts it "
        "again.",
    ),
    Requirement(
        "A-36",
        "How long is a reasonable period?",
        "WSOP 9.1.1(g); Three Card 6.1.1(g)",
        "A setting, 24 hours unless set, never under 20 minutes.",
    ),
    Requirement(
        "A-37",
        "May the seed row or the cost change within an option?",
        "Casino Control Act s 66(2); otherwise inferred",
        "Like an option change: noticed, everywhere, with no game open. The meter stays, or rises "
        "to the new seed times cost; a dearer wager needs its 20-minute sign.",
    ),
    Requirement(
        "A-47",
        "Does a tournament table leave its group?",
        "WSOP 13.2.5; Three Card 12.2.5",
        "No; its Jackpot wagers are suspended, and no sign is needed.",
    ),
    Requirement(
        "A-56",
        "At which rate do earlier wagers count after an option change?",
        "WSOP 9.1.1(g), 9.3.2; Three Card 6.1.1(g), 6.3.2",
        "At the rate in force when each was registered; the literal reading is shown beside it, "
        "and a voluntary top-up is offered.",
    ),
    Requirement(
        "A-57",
        "Who declares manual arrangements, and how do paper records come in?",
        "WSOP 9.2.1, 10.2.2, 10.2.4; Three Card 6.2.1, 7.3.2, 7.3.4",
        "A TG Area Manager; two persons key them in through the same door, in the order of keying, "
        "and a prize keyed late is order contested.",
    ),
)

READINGS_OF_IRREGULARITIES = (
    Requirement(
        "A-20",
        "A turn, river or Dealer misdeal: carry, or settle since wagers stay eligible?",
        "WSOP 11.4.2, 11.13, 12.5.1",
        "Settle on hole cards and flop; without a flop yet, carry. An Ultimate hand that has only "
        "checked is eligible.",
    ),
    Requirement(
        "A-21",
        "A hand void for a short bet: what happens to which Jackpot wagers?",
        "WSOP 11.10, 11.13; Three Card 11.13, 11.15",
        "WSOP and Ultimate carry that hand's alone; Three Card returns it and the others "
        "are regrouped at once.",
    ),
    Requirement(
        "A-22",
        "What of misdeals and voids that do not mention Jackpot wagers?",
        "WSOP 11.7.3, 11.16; Three Card 11.2, 11.3, 11.10.3, 11.11.2, 11.20",
        "A void round carries; a single void hand has its wager returned and the rest regrouped.",
    ),
    Requirement(
        "A-23",
        "Does the wager of a player dealt wrong cards include the Jackpot wager?",
        "Three Card 11.5.2",
        "Yes.",
    ),
    Requirement(
        "A-24",
        "Do folded players get their Jackpot wager back when the Jackpot Cards fail?",
        "Three Card 11.9",
        "Yes, all are returned.",
    ),
    Requirement(
        "A-25",
        "After a misdeal, do wagers of hands already folded carry?",
        "WSOP 11.13; Three Card 11.15",
        "Yes; a void round has no folds.",
    ),
    Requirement(
        "A-26",
        "What of a wrong amount on the jackpot spot?",
        "WSOP 9.2.3, 6.2; Three Card 6.2.3, 8.2",
        "Nothing but the cost is registered: what is over goes back, what is short is no wager.",
    ),
    Requirement(
        "A-43",
        "Does forfeiture for exchanging information reach the Jackpot wager?",
        "WSOP 7.4.1(a); Three Card 9.5.1(a)",
        "Each document as it stands: not in WSOP and Ultimate, yes in Three Card.",
    ),
    Requirement(
        "A-45",
        "Which rank invalidates an outcome for fraud?",
        "WSOP 14.3.2; Three Card 13.3",
        "The rank of the game in play, never a global one.",
    ),
    Requirement(
        "A-54",
        "What do withheld winnings do to the meter?",
        "WSOP 14.2.3; Three Card 13.2.3",
        "Nothing: the prize is withheld and its effect on the meter stands.",
    ),
    Requirement(
        "A-55",
        "The Dealer missed a wager or booked it to another seat: who puts it right?",
        "WSOP 9.2.3, 14.10; Three Card 6.2.3, 13.10",
        "A TG Higher Duties Dealer regroups until the outcome is recorded; after that it "
        "is a dispute, decided on the meter of that time for settlement.",
    ),
)

READINGS_OF_WORDS = (
    Requirement(
        "A-40",
        'What does "bonus" mean?',
        "WSOP 5.11, 9.3.3, Tables 4, 5; Three Card 5.10, 6.3.3; Crown Poker 11",
        "The fixed payouts of the payout tables; Crown Poker's prizes are another thing, and "
        "winning a jackpot includes royal and straight flush.",
    ),
    Requirement(
        "A-41",
        "Does an amount for each dollar include the stake?",
        "WSOP Tables 4, 5; Three Card Tables 3, 4",
        "Yes; nothing is added to it.",
    ),
    Requirement(
        "A-42",
        "Is the option of the Ante payout the jackpot option?",
        "WSOP 5.7",
        "No.",
    ),
    Requirement(
        "A-44",
        "In what order do the ranks stand?",
        "WSOP 1.1, 1.2, 11.2; Three Card 1.1, 1.2, 11.5",
        "Dealer, TG Higher Duties Dealer, TG Area Manager, TG Assistant Casino Manager.",
    ),
    Requirement(
        "A-48",
        "Do seven cards or three-card ranks ever make a jackpot hand?",
        "WSOP 5.11.1, 12.4.5; Three Card 3.6, 5.10.1(b)",
        "No.",
    ),
    Requirement(
        "A-49",
        "Ante folded but Pair Plus kept: does the Jackpot wager live?",
        "Three Card 5.10, 9.5.2(b)",
        "No; it needs a Play wager.",
    ),
    Requirement(
        "A-50",
        "Do two hands of one player count once or twice?",
        "WSOP 5.12, 9.2.2; Three Card 5.11, 6.2.2",
        "Twice, in R and in S.",
    ),
    Requirement(
        "A-51",
        "The documents number their tables differently: how are they told apart?",
        INFERRED,
        "A citation always names its document.",
    ),
    Requirement(
        "A-52",
        "Does a table's maximum payout cap a jackpot?",
        "WSOP Table 9 note",
        "Never.",
    ),
)
