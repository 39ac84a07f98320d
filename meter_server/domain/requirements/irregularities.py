"""What an irregularity at the table does to the Jackpot wagers: carry, regroup, refund or none."""

from meter_server.domain.requirements.row import INFERRED, Requirement

IRREGULARITIES = (
    Requirement(
        "IRR-1",
        "A cancelled game's contributions come off the meter only as far as they are still on it.",
        "inferred from WSOP 9.3.2; Three Card 6.3.2",
    ),
    Requirement(
        "IRR-2",
        "A hand that plays on a carried wager cannot add another in that round.",
        "WSOP 9.2.2, 11.13; Three Card 6.2.2, 11.15",
    ),
    Requirement(
        "IRR-3",
        "A cancel tells its case and rule, who ordered it in which rank, and what became of each "
        "seat.",
        INFERRED,
    ),
    Requirement(
        "IRR-4",
        "No game is cancelled twice or settled twice, and none is settled while it is carried.",
        INFERRED,
    ),
)

CASES = (
    Requirement(
        "CASE-1",
        "Exposed card: any one in the initial deal carries all in WSOP and Ultimate; in Three Card "
        "one is turned down and play goes on, two or any of the Dealer's carry all.",
        "WSOP 11.1; Three Card 11.1-11.3",
    ),
    Requirement(
        "CASE-2",
        "No cards or the wrong number at an area with a wager: carry all (Three Card: found before "
        "the Play-or-Fold call, the Dealer's hand included).",
        "WSOP 11.2; Three Card 11.4",
    ),
    Requirement(
        "CASE-3",
        "The same found after the call and the deck count is wrong: carry all.",
        "Three Card 11.5.1",
    ),
    Requirement(
        "CASE-4",
        "The same found after the call and the deck count is right: that player's wager goes back, "
        "others may retract, the rest is regrouped for the round in progress.",
        "Three Card 11.5.2",
    ),
    Requirement(
        "CASE-5",
        "Wrong number of flop cards whose order cannot be told: carry all.",
        "WSOP 11.3.2",
    ),
    Requirement(
        "CASE-6",
        "Wrong number of turn, river or Dealer's cards whose order cannot be told: WSOP and "
        "Ultimate settle the jackpot on hole cards and flop, Three Card carries all.",
        "WSOP 11.4.2; Three Card 11.6.2",
    ),
    Requirement(
        "CASE-7",
        "A wager on the layout was missed, or booked to another seat: regroup for the round in "
        "progress until the outcome is recorded, a dispute afterwards.",
        "inferred from WSOP 9.2.3, 14.10; Three Card 6.2.3, 13.10",
    ),
    Requirement(
        "CASE-8",
        "The order of miscounted cards can be told: play on, no jackpot effect.",
        "WSOP 11.3.1, 11.4.1; Three Card 11.6.1",
    ),
    Requirement(
        "CASE-9",
        "Cards dealt to an area without a wager, found before anyone looked or was called: carry "
        "all.",
        "WSOP 11.5; Three Card 11.7",
    ),
    Requirement(
        "CASE-10",
        "The same found late: those cards are burnt, players may retract, the rest is regrouped "
        "for the round in progress.",
        "WSOP 11.6, 11.6.1; Three Card 11.8, 11.8.1",
    ),
    Requirement(
        "CASE-11",
        "The Dealer took a player's cards: wagers taken with them go back, and a hand that cannot "
        "come back is regrouped away.",
        "WSOP 11.7; Three Card 11.10",
    ),
    Requirement(
        "CASE-12",
        "Community cards exposed too early: play on, no jackpot effect.",
        "WSOP 11.8",
    ),
    Requirement(
        "CASE-13",
        "The deck does not hold 52 cards: the round is void, carry all.",
        "WSOP 11.9; Three Card 11.12",
    ),
    Requirement(
        "CASE-14",
        "A player cannot make the bet that continues the hand: WSOP and Ultimate carry that hand's "
        "wager, Three Card returns it and regroups the rest.",
        "WSOP 11.10; Three Card 11.13",
    ),
    Requirement(
        "CASE-15",
        "A continuing bet of the wrong size is noticed at settlement: no jackpot effect.",
        "WSOP 11.11; Three Card 11.14",
    ),
    Requirement(
        "CASE-16",
        "A player viewed more than one hand: WSOP and Ultimate carry the voided hands' wagers, "
        "Three Card returns them; the others may retract and are regrouped.",
        "WSOP 11.12; Three Card 11.11",
    ),
    Requirement(
        "CASE-17",
        "A misdeal and every player stays: carry all.",
        "WSOP 11.13; Three Card 11.15",
    ),
    Requirement(
        "CASE-18",
        "A misdeal and a player leaves: that wager goes back, the rest is regrouped for the next "
        "round.",
        "WSOP 11.13.1; Three Card 11.15.1",
    ),
    Requirement(
        "CASE-19",
        "A misdeal and a player joins: the game is cancelled and regrouped for the next round with "
        "the newcomer.",
        "WSOP 11.13.2; Three Card 11.15.2",
    ),
    Requirement(
        "CASE-20",
        "A jackpot game begun by mistake: refund all, then everyone may wager again.",
        "WSOP 11.14; Three Card 11.18",
    ),
    Requirement(
        "CASE-21",
        "Jackpot Cards miscounted or mixed with a player's and not reconstructable: refund all, "
        "the hand itself is finished.",
        "Three Card 11.9, 11.17",
    ),
    Requirement(
        "CASE-22",
        "A player's cards mixed with the Dealer's: as a miscounted Dealer's hand.",
        "Three Card 11.16, 11.6",
    ),
    Requirement(
        "CASE-23",
        "The shuffling device cannot verify the deck and the count is wrong: carry all.",
        "WSOP 11.16; Three Card 11.20",
    ),
    Requirement(
        "CASE-24",
        "The outcome is invalidated: refund all.",
        "WSOP 14.3, 14.4; Three Card 13.3-13.5",
    ),
    Requirement(
        "CASE-25",
        "A player's wager is declared void: regroup without it.",
        "WSOP 14.2.1; Three Card 13.2.1",
    ),
    Requirement(
        "CASE-26",
        "Players exchange card information: forfeiture reaches the Jackpot wager in Three Card "
        "only; what is forfeited is lost and its contribution stays.",
        "WSOP 7.4.1(a); Three Card 9.5.1(a)",
    ),
)
