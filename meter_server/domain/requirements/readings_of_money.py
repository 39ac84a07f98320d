"""Doubts about splits, the meter and timing: each question, and the reading followed."""

from meter_server.domain.requirements.row import INFERRED, Requirement

READINGS_OF_SPLITS = (
    Requirement(
        "A-1",
        "Which axis of the split tables is R, when the corner label is turned round?",
        "Three Card Tables 6, 7",
        "Columns are R and rows are S, as the printed figures show; index by (R, S).",
    ),
    Requirement(
        "A-2",
        "Do the printed three decimals or the formula below them decide a share?",
        "WSOP Tables 6-8; Three Card Tables 6-8",
        "The exact formula, as one setting of the rule set; the printed figure is shown beside it.",
    ),
    Requirement(
        "A-3",
        "Over what does the sum without bounds in the straight flush formula run?",
        "WSOP Table 8; Three Card Table 8",
        "Over k = 1 to S of 9^(k-1)/10^k, which is 1 - 0.9^S, then divided by S.",
    ),
    Requirement(
        "A-4",
        "What is the reseed value when the cost is not one dollar?",
        "WSOP 9.4.1, 10.3; Three Card 6.4.1, 7.4",
        "Seed times cost, the amount to which the meter is reset.",
    ),
    Requirement(
        "A-5",
        'What does "no less than" the seed leave to the operator?',
        "WSOP 9.3, 9.4.1; Three Card 6.3, 6.4",
        "A voluntary extra is allowed as an entry of its own; r in the splits stays seed times "
        "cost.",
    ),
    Requirement(
        "A-6",
        "The two documents word the rounding of the meter differently: one rounding or two?",
        "WSOP 10.2.1; Three Card 7.3.1",
        "One: up to the whole dollar; a value already whole stays as it is.",
    ),
    Requirement(
        "A-7",
        "Is the meter rounded before or after it is split?",
        "WSOP 10.3; Three Card 7.4",
        "Before: pool, tenth and every share start from j.",
    ),
    Requirement(
        "A-8",
        "How is a share that is no payable amount paid?",
        "WSOP 6.2.3; Three Card 8.2.3",
        "Kept as an exact fraction, then paid up to the installation's payable unit; the meter is "
        "debited what was paid.",
    ),
    Requirement(
        "A-9",
        "Is a prize taken off the exact meter or off its rounded value?",
        "WSOP 9.3.3; Three Card 6.3.3",
        "Off the exact meter: m less what was paid.",
    ),
    Requirement(
        "A-10",
        "Are all prizes ever paid subtracted, or those since the reset?",
        "WSOP 9.3.3; Three Card 6.3.3",
        "Those since the meter was last reset.",
    ),
    Requirement(
        "A-11",
        "Does the straight flush formula also hold for a single one?",
        "WSOP Tables 4, 5, 8; Three Card Tables 3, 4, 8",
        "Yes; it gives the same tenth of j, so there is one path.",
    ),
    Requirement(
        "A-12",
        "When does a paying round reset the meter?",
        "WSOP 9.4.1; Three Card 6.4",
        "Always after a royal; after straight flushes alone only if the meter ends below seed "
        "times cost.",
    ),
    Requirement(
        "A-13",
        "Is a meter exactly on seed times cost below it?",
        "WSOP 9.4.1; Three Card 6.4.1",
        "No; there is no reset entry.",
    ),
    Requirement(
        "A-14",
        "What does the separate reset after several royals add?",
        "Three Card 6.4.2",
        "Nothing in money; the reset is recorded under that rule when R is over one.",
    ),
    Requirement(
        "A-27",
        "Which hands do R and S count?",
        "WSOP 5.11, 10.3; Three Card 5.10, 7.4",
        "Hands still in the game that hold a valid Jackpot wager, and no others.",
    ),
    Requirement(
        "A-28",
        "What of combinations that one deck cannot deal?",
        "WSOP 10.3, 11.9, 14.10; Three Card 7.4, 11.12",
        "WSOP and Ultimate refuse them; Three Card records them on a TG Higher Duties Dealer's "
        "confirmation, by the printed formula, held with a deck-check warning.",
    ),
    Requirement(
        "A-29",
        "The printed grid reaches more winners than a table has places: how far does it hold?",
        "WSOP 2.1; Three Card 2.1, Tables 6, 7",
        "R + S never exceeds the wagers placed; more is refused.",
    ),
)

READINGS_OF_THE_METER = (
    Requirement(
        "A-15",
        "Which tables' wagers does j hold?",
        "WSOP 9.3.2, 10.2.1; Three Card 6.3.2, 7.3.1",
        "Every wager registered until then: of this round, and of rounds in play at other tables.",
    ),
    Requirement(
        "A-16",
        "When does a wager count?",
        "WSOP 9.3.2; Three Card 6.3.2",
        "At registration; losing or folding later changes nothing.",
    ),
    Requirement(
        "A-17",
        "Does a carried wager contribute again?",
        "WSOP 11.13; Three Card 11.15",
        "No; it contributed once, and wins from the meter as at the later settlement.",
    ),
    Requirement(
        "A-18",
        "A game is cancelled after another table's prize reset the meter: what comes off?",
        "WSOP 9.3.2, 9.4.1; Three Card 6.3.2, 6.4.1",
        "What the game added since the reset; should that leave less than the seed, the meter is "
        "reset to the seed.",
    ),
    Requirement(
        "A-19",
        "Does a wager re-registered after a reset contribute again?",
        "WSOP 11.6.1, 11.13; Three Card 11.5.2, 11.15",
        "Yes, unlike a carried one. The seed is the floor after the cancel and after the "
        "re-registration.",
    ),
    Requirement(
        "A-38",
        "What is the order of outcomes across tables when messages travel?",
        "WSOP 10.2.4; Three Card 7.3.4",
        "The order of commit on the server; a prize that arrives late is marked order contested "
        "and held, with the other one, for the TG Assistant Casino Manager.",
    ),
    Requirement(
        "A-39",
        "Does the meter move when the outcome is recorded or when the prize is determined?",
        "WSOP 10.1.1, 10.2.2; Three Card 7.1.1, 7.3.2",
        "When it is recorded; the determination releases the payment, and a rejection is undone by "
        "a visible entry.",
    ),
    Requirement(
        "A-46",
        "What figure does a display show?",
        "WSOP 9.1.1(k); Three Card 6.1.1(k)",
        "The meter cut to the cent, never more than is recorded; j only as what a royal pays.",
    ),
    Requirement(
        "A-53",
        "Where do transfers in stand, which the required minimum does not mention?",
        "WSOP 9.1.1(j), 9.3; Three Card 6.1.1(j), 6.3",
        "Above the minimum; they are part of j and go with the next reset.",
    ),
    Requirement(
        "A-58",
        "How is a settlement voided or put right?",
        INFERRED,
        "By new entries at the original meter value, never an edit; later prizes that would differ "
        "are listed with proposed top-ups, and nothing paid is taken back.",
    ),
    Requirement(
        "A-59",
        "How is an overlooked or mis-keyed bonus hand put right?",
        INFERRED,
        "At the console, by a TG Higher Duties Dealer, while no new game has begun; the time for "
        "settlement stays. What touches the meter is a correction instead.",
    ),
)
