"""The people of the demo, one of each role, and the secrets they share."""

import os
import secrets
import string
from dataclasses import dataclass

from deploy.demo.folder import DataFolder


@dataclass(frozen=True)
class DemoPerson:
    number: str
    name: str
    role: str
    purpose: str


# In the order in which a server takes its first people: the administrator last.
FIRST = (
    DemoPerson(
        "4001",
        "Ann Hall",
        "assistant-casino-manager",
        "Determines prizes, changes systems.",
    ),
    DemoPerson(
        "3001",
        "Ben Roy",
        "area-manager",
        "Reads meters as at a settlement.",
    ),
    DemoPerson("9001", "Cy Lane", "administrator", "Makes accounts; may not touch a meter."),
)
OTHERS = (
    DemoPerson("2001", "Di Fox", "higher-duties", "Approves what a dealer may not do alone."),
    DemoPerson("1001", "Eve Lund", "dealer", "Takes wagers and records outcomes at a console."),
    DemoPerson("9002", "Fay Orr", "audit", "Reads the audit trail and the history."),
    DemoPerson("9003", "Gus Petri", "cage", "Pays prizes that are determined."),
    DemoPerson("9004", "Hal Quist", "compliance", "Sees to it that people and rules agree."),
    DemoPerson("9005", "Ida Rask", "inspector", "Reads for the regulator and changes nothing."),
)


def password(folder: DataFolder) -> str:
    """One for all of them; made anew with every fresh data folder and easy to type."""
    return folder.secret("people", lambda: "-".join(_letters() for _ in range(3))).read_text()


def pin(folder: DataFolder) -> str:
    """For consoles."""
    return folder.secret("consoles", _pin).read_text()


def are_known(folder: DataFolder) -> bool:
    """Whether we may read their secrets; whoever only asks must not make new ones."""
    return all(
        os.access(folder.path / f"{name}.password", os.R_OK) for name in ("people", "consoles")
    )


def _letters() -> str:
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(5))


def _pin() -> str:
    """Low and high digits take turns, none twice: never a run, and nobody's number."""
    chance = secrets.SystemRandom()
    pairs = zip(chance.sample("1234", 3), chance.sample("6789", 3), strict=True)
    return "".join(low + high for low, high in pairs)
