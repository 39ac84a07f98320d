"""The people of the demo, one of each role, and the secrets they share."""

import secrets
import string
from dataclasses import dataclass

from deploy.demo.folder import DataFolder


@dataclass(frozen=True)
class DemoPerson:
    number: str
    name: str
    role: str


# In the order in which a server takes its first people: the administrator last.
FIRST = (
    DemoPerson("4001", "Ann Hall", "assistant-casino-manager"),
    DemoPerson("3001", "Ben Roy", "area-manager"),
    DemoPerson("9001", "Cy Lane", "administrator"),
)
OTHERS = (
    DemoPerson("2001", "Di Fox", "higher-duties"),
    DemoPerson("1001", "Eve Lund", "dealer"),
    DemoPerson("9002", "Fay Orr", "audit"),
    DemoPerson("9003", "Gus Petri", "cage"),
    DemoPerson("9004", "Hal Quist", "compliance"),
    DemoPerson("9005", "Ida Rask", "inspector"),
)


def password(folder: DataFolder) -> str:
    """One for all of them; made anew with every fresh data folder and easy to type."""
    return folder.secret("people", lambda: "-".join(_letters() for _ in range(3))).read_text()


def pin(folder: DataFolder) -> str:
    """For consoles."""
    return folder.secret("consoles", _pin).read_text()


def _letters() -> str:
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(5))


def _pin() -> str:
    """Low and high digits take turns, none twice: never a run, and nobody's number."""
    chance = secrets.SystemRandom()
    pairs = zip(chance.sample("1234", 3), chance.sample("6789", 3), strict=True)
    return "".join(low + high for low, high in pairs)
