"""What a round pays: prizes from the meter, and bonus payouts beside it."""

from meter_server.domain.requirements.row import Requirement

SETTLEMENT = (
    Requirement(
        "SET-1",
        "The rounded meter value j is the meter at the time for settlement, raised to a whole "
        "dollar.",
        "WSOP 10.2.1; Three Card 7.3.1",
    ),
    Requirement(
        "SET-2",
        "The time for settlement is when the Dealer records the outcome; every round has one, with "
        "or without winners.",
        "WSOP 10.2.2, 9.5.2; Three Card 7.3.2, 6.5.2",
    ),
    Requirement(
        "SET-3",
        "All hands of a round at a table are one simultaneous outcome, recorded once.",
        "WSOP 10.2.3; Three Card 7.3.3",
    ),
    Requirement(
        "SET-4",
        "Outcomes at different tables of a system come one after the other, as recorded.",
        "WSOP 10.2.4; Three Card 7.3.4",
    ),
    Requirement(
        "SET-5",
        "A single royal takes all of j, a single straight flush a tenth of it.",
        "WSOP Tables 4, 5; Three Card Tables 3, 4",
    ),
    Requirement(
        "SET-6",
        "R royals with S straight flushes share j + r(R-1), in 10R + S parts: ten to a royal, one "
        "to a straight flush.",
        "WSOP 10.3.1; Three Card 7.4.1, 7.4.2",
    ),
    Requirement(
        "SET-7",
        "Several royals alone share j + r(R-1) equally (Three Card only).",
        "Three Card 7.4.1, Table 6",
    ),
    Requirement(
        "SET-8",
        "S straight flushes alone get (j - r)(1 - 0.9^S)/S + r/10 each.",
        "WSOP 10.3.2; Three Card 7.4.3",
    ),
    Requirement(
        "SET-9",
        "The reseed value r is seed times cost.",
        "WSOP 9.4.1, 10.3; Three Card 6.4.1, 7.4",
    ),
    Requirement(
        "SET-10",
        "Only a hand that made the Flop bet (WSOP) or Play bet (Ultimate, Three Card) can win; a "
        "folded hand cannot.",
        "WSOP 1.1, 5.11, 12.4.5; Three Card 5.10",
    ),
    Requirement(
        "SET-11",
        "The hand is the two hole cards and the flop, or the three cards and the two Jackpot "
        "Cards; nothing else counts.",
        "WSOP 5.11.1, 12.4.5; Three Card 5.10.1(b)",
    ),
    Requirement(
        "SET-12",
        "The Dealer declares each hand's best value for each wager; jackpot hands lie face up "
        "until all are checked.",
        "WSOP 8.1.1, 8.1.2(d); Three Card 10.1.4",
    ),
    Requirement(
        "SET-13",
        "A prize that chips cannot pay exactly is paid up to the next payable amount.",
        "by analogy with WSOP 6.2.3; Three Card 8.2.3",
    ),
)

BONUS = (
    Requirement(
        "BON-1",
        "A bonus payout is its table amount times the cost; the stake is not added.",
        "WSOP Tables 4, 5; Three Card Tables 3, 4",
    ),
    Requirement(
        "BON-2",
        "Bonus payouts are paid in full beside any prize and touch neither the meter nor j, R "
        "or S.",
        "WSOP 9.3.3; Three Card 6.3.3",
    ),
)
