"""What goes into the store and comes out of it, as values; a simulated store speaks them too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from meter_server.domain.awards import Award
from meter_server.domain.entries import Entry
from meter_server.domain.floor import Accepted, Floor
from meter_server.domain.meter import Meter
from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Needs:
    """Names of what must be loaded; what hangs on them (a round's table, its meter) comes along."""

    tables: frozenset[str] = _NONE
    rounds: frozenset[str] = _NONE
    awards: frozenset[str] = _NONE
    notices: frozenset[str] = _NONE
    meters: frozenset[str] = _NONE
    awards_of_rounds: frozenset[str] = _NONE
    contested_rounds: frozenset[str] = _NONE
    """Rounds whose meter's standing prizes are looked at: for their order, or for a replay."""
    history_of_rounds: frozenset[str] = _NONE
    """Rounds whose meter's history is replayed: from their settlement on, or from the first that
    was put right since the last royal before them, which a reset parts from all before it."""
    messages: frozenset[str] = _NONE
    devices: frozenset[str] = _NONE
    all_systems: bool = False
    undecided: bool = False
    last_rounds: bool = False
    """Whether the rounds that ended last at the tables are looked at too."""

    @staticmethod
    def of_all(needs: Sequence["Needs"]) -> "Needs":
        """What a whole batch needs, each thing once."""
        named: dict[str, Any] = {}
        for field_ in fields(Needs):
            wanted = [getattr(one, field_.name) for one in needs]
            is_flag = isinstance(wanted[0], bool)
            named[field_.name] = any(wanted) if is_flag else _NONE.union(*wanted)
        return Needs(**named)


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a meter's journal."""

    hash: bytes
    at_us: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """One snapshot of what a batch needs."""

    floor: Floor
    versions: Mapping[tuple[str, str], int]
    """By kind and id: which version of a table, round, prize or notice was read."""
    heads: Mapping[str, Head]
    answers: Mapping[str, tuple[bytes, bytes]]
    """By message key: the digest of the message and the answer it was given."""
    last_numbers: Mapping[tuple[str, int], int]
    floor_version: int
    """Moves whenever the set of systems changes."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    entry: Entry
    at_us: int
    message: str
    body: bytes
    previous: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A request as it came, with what proves whose it is; kept once, whatever it brought."""

    digest: bytes
    """SHA-256 of the body."""
    body: bytes
    key_id: str
    signature_input: str
    signature: str


@dataclass(frozen=True, slots=True)
class StoredMessage:
    key: str
    digest: bytes
    at_us: int
    answer: bytes
    request: SignedRequest | None = None


@dataclass(slots=True)
class Write:
    """Everything a batch changes, with what it was read as: stored together or not at all."""

    read: Loaded
    moves_systems: bool = False
    """Whether a decision looked at all systems and changed something."""
    meters: dict[str, Meter] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    rounds: dict[str, Round] = field(default_factory=dict)
    awards: dict[str, Award] = field(default_factory=dict)
    notices: dict[str, Notice] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)
    entries: list[StoredEntry] = field(default_factory=list)
    messages: list[StoredMessage] = field(default_factory=list)
    numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    """The last number of each device the batch heard from, replays included: its row is locked,
    so that even a repeated answer comes from a transaction that a standby has seen."""
    repeats_to_people: bool = False
    """The same for somebody who has no such row."""

    def include(self, accepted: Accepted) -> None:
        self.meters.update(accepted.meters)
        self.tables.update(accepted.tables)
        self.rounds.update(accepted.rounds)
        self.awards.update(accepted.awards)
        self.notices.update(accepted.notices)


class OutcomeUnknown(Exception):  # noqa: N818 - nobody erred; nobody knows.
    """The store may or may not have kept a write; only reading again tells."""
