"""A table with its agent in a system of its own, ready to be played at."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meter_server.contract.device.link import Json
from table_agent.link import Answered
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.office import PIN, ROLES, Client, Office

MANAGER = "assistant-casino-manager"
SHARED = {"wsop": "Ts Js Qs", "ultimate": "Ts Js Qs", "three-card": "Ts Js"}
ROYAL = {"wsop": "As Ks", "ultimate": "As Ks", "three-card": "As Ks Qs"}
STRAIGHT_FLUSH = {"wsop": "9s 8s", "ultimate": "9s 8s", "three-card": "9s 8s 7s"}


@dataclass
class Played:
    """One table of a game, with its agent, its system and the cost of a wager there."""

    office: Office
    table: str
    game: str
    system: str
    cost: int
    agent: Agent

    @classmethod
    def begin(cls, office: Office, path: Path, game: str = "wsop") -> "Played":
        return cls.group(office, path, [game])[0]

    @classmethod
    def group(cls, office: Office, path: Path, games: list[str]) -> "list[Played]":
        """Several tables of one system."""
        tables = [open_table(office, game) for game in games]
        system, cost = open_system(office, tables)
        played = []
        for table, game in zip(tables, games, strict=True):
            agent = Agent.enrolled(office, path / table, unique("t"), table)
            agent.sign_on()
            played.append(cls(office, table, game, system, cost, agent))
        return played

    def register(self, *seats: int, **more: Any) -> str:
        round_id = self.agent.next_round()
        answered = self.agent.do(
            "register-wagers",
            round=round_id,
            table=self.table,
            seats=list(seats),
            cost_cents=self.cost,
            **more,
        )
        accepted(answered)
        return round_id

    def record(self, round_id: str, *hands: Json, shared: str = "", **more: Any) -> Json:
        answered = self.agent.do(
            "record-outcome",
            round=round_id,
            hands=list(hands),
            shared_cards=shared,
            **{"case": None, **more},
        )
        return accepted(answered)

    def royal(self, seat: int = 1) -> str:
        """A whole round in which this seat alone wins the meter; gives the prize."""
        round_id = self.register(seat, seat + 1)
        won = self.record(round_id, hand(seat, cards=ROYAL[self.game]), shared=SHARED[self.game])
        return str(won["prizes"][0]["id"])

    def straight_flush(self, seat: int = 1) -> str:
        round_id = self.register(seat)
        won = self.record(
            round_id, hand(seat, cards=STRAIGHT_FLUSH[self.game]), shared=SHARED[self.game]
        )
        return str(won["prizes"][0]["id"])

    def declare(self, case: str, *seats: int, **more: Any) -> Json:
        return self.agent.do(
            "declare-irregularity",
            table=self.table,
            case=case,
            seats=list(seats),
            **{"joining": [], "reason": "seen", **more},
        ).answer


def hand(seat: int, cards: str = "", name: str | None = None, *, folded: bool = False) -> Json:
    return {"seat": seat, "hand": name, "cards": cards, "folded": folded}


def accepted(answered: Answered) -> Json:
    assert answered.answer["answer"] == "accepted", answered.answer
    return answered.answer


def file_of(person: Client, prize: str) -> Any:
    shown = person.get(f"/v1/prizes/{prize}")
    assert shown.status == 200, shown.text
    return shown.json()


def as_seen(person: Client, prize: str) -> dict[str, Any]:
    """What a manager confirms: the amount and its place, with the PIN."""
    seen = file_of(person, prize)["prize"]
    return {"amount_cents": seen["amount_cents"], "meter_seq": seen["meter_seq"], "pin": PIN}


def determine(person: Client, prize: str) -> Any:
    return person.command(f"/v1/prizes/{prize}/determination", as_seen(person, prize))


def number_of(role: str) -> str:
    return ROLES[role]
