"""Who may do what at a table and in the back of the house; "or above" always applies."""

from meter_server.domain.requirements.row import INFERRED, Requirement

AUTHORITY = (
    Requirement(
        "AUT-1",
        "A Dealer records the outcome of a round and determines its bonus payouts.",
        "WSOP 10.2.2, 10.1.2; Three Card 7.3.2, 7.1.2",
    ),
    Requirement(
        "AUT-2",
        "A TG Assistant Casino Manager determines royal and straight flush payouts.",
        "WSOP 10.1.1; Three Card 7.1.1",
    ),
    Requirement(
        "AUT-3",
        "A TG Higher Duties Dealer cancels a jackpot game that was begun by mistake.",
        "WSOP 11.14; Three Card 11.18",
    ),
    Requirement(
        "AUT-4",
        "A Dealer may declare the misdeal for exposed cards; no higher rank is named.",
        "WSOP 11.1; Three Card 11.2, 11.3",
    ),
    Requirement(
        "AUT-5",
        "The misdeal for a wrong number of cards at a player's area is directed by a TG Area "
        "Manager in WSOP and Ultimate, by a TG Higher Duties Dealer in Three Card.",
        "WSOP 11.2; Three Card 11.4, 11.5",
    ),
    Requirement(
        "AUT-6",
        "A wrong count on the flop, turn, river or Dealer's hand goes to a TG Higher Duties "
        "Dealer; in WSOP and Ultimate a TG Area Manager is told as well.",
        "WSOP 11.3, 11.4; Three Card 11.6",
    ),
    Requirement(
        "AUT-7",
        "Cards at an area without a wager: a TG Higher Duties Dealer directs the misdeal or offers "
        "retraction in WSOP and Ultimate; Three Card names nobody, so the Dealer acts.",
        "WSOP 11.5, 11.6; Three Card 11.7, 11.8",
    ),
    Requirement(
        "AUT-8",
        "A TG Higher Duties Dealer reconstructs wrongly dealt Jackpot Cards, or all is refunded.",
        "Three Card 11.9",
    ),
    Requirement(
        "AUT-9",
        "A TG Higher Duties Dealer rules when a player has viewed a hand to be played blind.",
        "WSOP 11.12; Three Card 11.11",
    ),
    Requirement(
        "AUT-10",
        "Disruption from outside (riot, fire, robbery and the like): a TG Higher Duties Dealer "
        "invalidates the outcome.",
        "WSOP 14.3.1; Three Card 13.4",
    ),
    Requirement(
        "AUT-11",
        "Fraud: a TG Higher Duties Dealer invalidates the outcome in WSOP and Ultimate, only a TG "
        "Assistant Casino Manager in Three Card.",
        "WSOP 14.3.2; Three Card 13.3",
    ),
    Requirement(
        "AUT-12",
        "A TG Assistant Casino Manager voids a player's wager, excludes the player or holds back "
        "winnings.",
        "WSOP 14.2; Three Card 13.2",
    ),
    Requirement(
        "AUT-13",
        "A TG Area Manager reads the meter as at any time for settlement.",
        "WSOP 9.5.3; Three Card 6.5.3",
    ),
    Requirement(
        "AUT-14",
        "A TG Area Manager has the final word in a dispute.",
        "WSOP 14.10; Three Card 13.10",
    ),
    Requirement(
        "AUT-15",
        "A TG Higher Duties Dealer orders a deck check, a change of cards or a reshuffle.",
        "WSOP 3.3, 3.4, 4.1.1; Three Card 3.3, 3.4, 4.1.1",
    ),
    Requirement(
        "AUT-16",
        "A TG Higher Duties Dealer closes a gaming table on three hands' notice.",
        "WSOP 14.7; Three Card 13.8",
    ),
    Requirement(
        "AUT-17",
        "A TG Assistant Casino Manager opens, closes and regroups prize meter systems and changes "
        "the option; the rules name nobody.",
        INFERRED,
    ),
    Requirement(
        "AUT-18",
        "A TG Area Manager declares and ends manual arrangements; the rules name nobody.",
        INFERRED,
    ),
)
