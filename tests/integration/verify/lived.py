"""A floor on which something happened: played by real agents through a real server."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from deploy.verify.jackpot_verify import Key, read_key
from tests.integration.devices.floor import (
    AREA_MANAGER,
    DEALER,
    Agent,
    open_system,
    open_table,
    unique,
)
from tests.integration.office import Office

DEALT: tuple[tuple[dict[int, str], str], ...] = (
    ({1: "As Ks", 3: "2d 3d"}, "Ts Js Qs"),  # a royal flush
    ({2: "Kd Qd", 4: "8d 9d"}, "Td Jd 7d"),  # a flush, and a straight flush
    ({1: "2c 2d", 2: "Ah 7s"}, "2h Kc Kd"),  # a full house
    ({}, ""),
)
SEATS = (1, 2, 3, 4)
ROUNDS = 16


@dataclass(frozen=True)
class Lived:
    """What an auditor is given: the database, and what is kept outside of it."""

    database_url: str
    key: Key
    log: Path
    receipts: str

    @property
    def checkpoints(self) -> str:
        return self.log.read_text(encoding="utf-8")


@dataclass
class _Player:
    agent: Agent
    table: str
    cost_cents: int
    notes: list[str] = field(default_factory=list)

    def do(self, kind: str, **more: Any) -> None:
        answered = self.agent.do(kind, **more)
        self.notes.append(answered.note)

    def play(self, dealt: tuple[dict[int, str], str]) -> None:
        cards, shared = dealt
        round_id = self._begin()
        hands = [
            {"seat": seat, "hand": None, "cards": own, "folded": False}
            for seat, own in cards.items()
        ]
        self.do("record-outcome", round=round_id, hands=hands, shared_cards=shared, case=None)

    def declare(self, case: str) -> None:
        self._begin()
        told = {"seats": [], "joining": [], "reason": "the \u201ccamera\u201d shows it"}
        self.agent.sign_on(AREA_MANAGER)
        self.do("declare-irregularity", actor=AREA_MANAGER, table=self.table, case=case, **told)
        self.agent.sign_on(DEALER)

    def refused(self) -> None:
        self.do("record-outcome", round="no-such/1/1", hands=[], shared_cards="", case=None)

    def _begin(self) -> str:
        round_id = self.agent.next_round()
        wagers = {"seats": list(SEATS), "cost_cents": self.cost_cents}
        self.do("register-wagers", round=round_id, table=self.table, **wagers)
        return round_id


def live(office: Office, folder: Path, log_folder: Path, random: Random) -> Lived:
    """Two meters, three tables, prizes and resets, rounds carried and taken back, refusals."""
    tables = [open_table(office) for _ in range(3)]
    costs = [open_system(office, tables[:2])[1]] * 2 + [open_system(office, tables[2:])[1]]
    players = []
    for table, cost in zip(tables, costs, strict=True):
        agent = Agent.enrolled(office, folder / table, unique("t"), table)
        agent.sign_on(DEALER)
        players.append(_Player(agent, table, cost))
    for number in range(ROUNDS):
        player = players[number % len(players)]
        player.play(DEALT[number] if number < len(DEALT) else random.choice(DEALT))
        if number % 5 == 2:
            player.refused()
            player.declare("begun-by-mistake" if number % 2 else "cards-exposed")
    [log] = log_folder.glob("*.log")
    key = read_key(players[0].agent.identity.server_key)
    return Lived(office.database_url, key, log, "".join(n for p in players for n in p.notes))
