"""Cards and hands, and the neighbours that must stay off the meter."""

from meter_server.domain.requirements.row import INFERRED, Requirement

HANDS = (
    Requirement(
        "HND-1",
        "Five-card hands of a 52-card deck rank from no pair up to royal flush; suits are equal.",
        "WSOP 3.5, 3.6.1; Crown Poker 3.2.2; Gazette Poker 3.2.1",
    ),
    Requirement(
        "HND-2",
        "An ace is high or low in a straight or straight flush, and never in the middle.",
        "WSOP 3.6.1(e); Three Card 1.1",
    ),
    Requirement(
        "HND-3",
        "Ace to ten of one suit is a royal flush only, never a straight flush as well.",
        "WSOP 3.6.1(i), (j); Three Card 1.1",
    ),
    Requirement(
        "HND-4",
        "The three-card order of Three Card decides its other bets, never a jackpot.",
        "Three Card 3.6, 1.1",
    ),
    Requirement(
        "HND-5",
        "Stripped decks rank a flush over a full house; no jackpot game uses one.",
        "Gazette Poker 3.1.2-3.1.4, 3.2.2; WSOP 3.1; Three Card 3.1",
    ),
    Requirement(
        "HND-6",
        "High-low, Omaha, Manila and stud hands are out of scope.",
        INFERRED,
    ),
)

NEIGHBOURS = (
    Requirement(
        "TRN-1",
        "A table designated for a tournament takes no Jackpot wagers; its chips never feed a "
        "meter.",
        "WSOP 13.2.5, 13.4.4(a); Three Card 12.2.5, 12.4.4(a); the refusal is inferred",
    ),
    Requirement(
        "TRN-2",
        "The prize pool that tournament players share is not the one that royals share.",
        "WSOP 13.4.7; Three Card 12.4.7, Table 5",
    ),
    Requirement(
        "BPZ-1",
        "Crown Poker bonus prizes are cash, goods or services on a sign, verified by a TG Higher "
        "Duties Dealer, lost by a folded hand.",
        "Crown Poker 11.1-11.4",
    ),
    Requirement(
        "BPZ-2",
        "Those prizes touch no meter and need no wager; they are not the bonus payouts of a "
        "jackpot.",
        "Crown Poker 11; WSOP 9.3.3; Three Card 6.3.3",
    ),
)
