"""Who may place a Jackpot wager, on what, when and for how much."""

from meter_server.domain.requirements.row import Requirement

WAGERS = (
    Requirement(
        "WAG-1",
        "Jackpot wagers are offered only at tables fitted with the electronic equipment.",
        "WSOP 2.4; Three Card 2.4",
    ),
    Requirement(
        "WAG-2",
        "The Dealer calls for and accepts them only while the equipment operates properly or "
        "manual arrangements stand.",
        "WSOP 9.2.1; Three Card 6.2.1",
    ),
    Requirement(
        "WAG-3",
        "Operating properly means that amounts and times for settlement can be recorded and the "
        "meter can be read as at any of those times.",
        "WSOP 9.5; Three Card 6.5",
    ),
    Requirement(
        "WAG-4",
        "Each hand has at most one Jackpot wager a round, and a table at most nine places.",
        "WSOP 9.2.2, 2.1; Three Card 6.2.2, 2.1",
    ),
    Requirement(
        "WAG-5",
        "A Jackpot wager is exactly the system's cost, in chips, on its spot.",
        "WSOP 9.2.3, 5.1; Three Card 6.2.3, 5.1",
    ),
    Requirement(
        "WAG-6",
        "A Jackpot wager needs an Ante, in Ultimate a Blind too; Pair Plus alone is not enough.",
        "WSOP 7.3.1, 12.4.1, 12.5.1; Three Card 5.5.1(a)",
    ),
    Requirement(
        "WAG-7",
        "It is placed before the first card, or before the first set leaves a shuffling shoe; "
        "later only a cancel or regroup changes it.",
        "WSOP 5.2, 5.4; Three Card 5.2, 5.4.1, 5.5",
    ),
    Requirement(
        "WAG-8",
        "One player may play several hands with a wager each; all but one are played blind.",
        "WSOP 5.12, 12.4.7; Three Card 5.11",
    ),
    Requirement(
        "WAG-9",
        "A table's maximum payout does not limit a jackpot.",
        "WSOP Table 9 note",
    ),
)
