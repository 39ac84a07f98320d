"""One row of the register: what the rules ask, where, and how a doubtful rule is read."""

from dataclasses import dataclass

DOCUMENTS = {
    "WSOP": "WSOP Bonus Texas Holdem Rules, version 10.0 (rule 12 is Ultimate Texas Holdem)",
    "Three Card": "Three Card Poker Rules, version 4.0",
    "Crown Poker": "Crown Poker Rules",
    "Gazette Poker": "Rules of the Game: Poker, Victoria Government Gazette S 241 of 2003",
    "Casino Control Act": "Casino Control Act 1991 (Victoria)",
}
"""The short names that citations begin with."""

INFERRED = "inferred"
"""The citation of a row that no rule states; it fills a gap between rules."""


@dataclass(frozen=True)
class Requirement:
    """What the rules ask, in our own words; `reading` is set where the rules leave a doubt."""

    key: str
    says: str
    cites: str
    reading: str = ""
