"""The life of the vectors' two meters as commands, for the product to decide."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.deciding import decide, stamp
from meter_server.domain.entries import Entry, Stamp
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.hands import Hand
from meter_server.domain.notices import ChangeTerms, CloseSystem
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import (
    AREA_MANAGER,
    ASSISTANT_CASINO_MANAGER,
    DEALER,
    HIGHER_DUTIES,
)
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits

RANKS = {"1": DEALER, "2": HIGHER_DUTIES, "3": AREA_MANAGER, "4": ASSISTANT_CASINO_MANAGER}

LIFE: dict[str, Command] = {
    "staff:4001:a1": commands.OpenSystem("one", Terms(1, 10_000, 100), ("T1",)),
    "staff:4001:a2": commands.OpenSystem("five", Terms(1, 10_000, 500), ("T2",)),
    "device:t1-a:2:1": commands.RegisterWagers("t1-a/2/1", "T1", frozenset({1, 2, 3}), 100),
    "device:t1-a:2:2": commands.RecordOutcome(
        "t1-a/2/1", {2: HandReport(Hand.FLUSH), 3: HandReport(folded=True)}
    ),
    "device:t1-a:2:3": commands.RegisterWagers("t1-a/2/2", "T1", frozenset({1, 2, 5}), 100),
    "device:t1-a:2:4": commands.RecordOutcome(
        "t1-a/2/2",
        {
            1: HandReport(own_cards=parse_cards("Ad Kd")),
            5: HandReport(own_cards=parse_cards("9d 8d")),
        },
        parse_cards("Td Jd Qd"),
    ),
    "staff:4001:a3": commands.TopUpMeter("one", 5_000_250_000, "Grand opening — Noël"),
    "device:t1-a:2:5": commands.RegisterWagers("t1-a/2/3", "T1", frozenset({1, 4}), 100),
    "device:t1-a:2:6": commands.DeclareIrregularity(
        "T1", "begun-by-mistake", reason='Lit before the players were "in"'
    ),
    "device:t1-a:2:7": commands.RegisterWagers("t1-a/2/4", "T1", frozenset({7}), 100),
    "device:t1-a:2:8": commands.RecordOutcome(
        "t1-a/2/4", {7: HandReport(own_cards=parse_cards("9h 8h"))}, parse_cards("Th Jh Qh")
    ),
    "staff:4001:a4": commands.VoidSettlement("t1-a/2/4", "The camera shows the eight of spades"),
    "notice:N-1": commands.ActOnNotice("N-1"),
    "device:t2-a:1:1": commands.RegisterWagers("t2-a/1/1", "T2", frozenset({1}), 500),
    "device:t2-a:1:2": commands.RecordOutcome("t2-a/1/1"),
    "notice:N-2": commands.ActOnNotice("N-2"),
    "staff:4002:b1": commands.DeterminePrize("t1-a/2/2/1", 9_093_640_000, 5),
    "staff:1007:c1": commands.PayPrize("t1-a/2/2/1", "cheque", "000077"),
}

_NOTICES = {
    "notice:N-1": commands.DraftNotice(
        "N-1", ChangeTerms({"one": Terms(2, 20_000, 100), "five": Terms(2, 20_000, 500)})
    ),
    "notice:N-2": commands.DraftNotice("N-2", CloseSystem("five", {"one": 10_000})),
}

DAY_US = 24 * 60 * 60 * 1_000_000


@dataclass
class Play:
    """A floor that commands are put to, one after the other."""

    floor: Floor

    def do(self, command: Command, context: Context) -> tuple[Entry, ...]:
        decision = decide(self.floor, command, context)
        assert isinstance(decision, Accepted), decision
        self.floor = apply(self.floor, decision)
        return decision.entries


def context_of(entry: dict[str, Any]) -> Context:
    """Who, when and by which message, as a stored entry tells."""
    return Context(
        at_us=microseconds(entry["at"]),
        actor=person(entry["actor"]),
        approver=entry["approver"] and person(entry["approver"]),
        second=entry["second"] and person(entry["second"]),
        agent_at_us=entry["agent_at"] and microseconds(entry["agent_at"]),
        message=entry["message"],
        request_digest=entry["request"],
    )


def person(staff_number: str) -> Person:
    """Staff numbers begin with the rank's place on the ladder."""
    return Person(staff_number, RANKS[staff_number[0]])


def microseconds(instant: str) -> int:
    seconds, part = instant.removesuffix("Z").split(".")
    return int(datetime.fromisoformat(f"{seconds}+00:00").timestamp()) * 1_000_000 + int(part)


def two_tables() -> Play:
    play = Play(Floor())
    manager = Context(0, person("4001"))
    for table, game in (("T1", GameKey.WSOP), ("T2", GameKey.THREE_CARD)):
        play.do(commands.DefineTable(table, game, 9, Limits(1_000, 50_000)), manager)
        play.do(commands.OpenTable(table), manager)
    return play


def lived(rows: list[dict[str, Any]]) -> Iterator[tuple[Entry, Stamp]]:
    """What the product makes of the life, each message in its recorded circumstances."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        entry = json.loads(row["entry"])
        first.setdefault(entry["message"], entry)
    play = two_tables()
    for message, entry in first.items():
        context = context_of(entry)
        if message in _NOTICES:
            _announce(play, _NOTICES[message], context)
        for made in play.do(LIFE[message], context):
            yield made, stamp(context)


def _announce(play: Play, draft: commands.DraftNotice, context: Context) -> None:
    """The notice has stood at both tables for as long as any notice must."""
    earlier = replace(context, at_us=context.at_us - DAY_US, second=person("3001"))
    play.do(draft, earlier)
    for table in ("T1", "T2"):
        play.do(commands.ConfirmDisplay(draft.notice_id, table), earlier)
