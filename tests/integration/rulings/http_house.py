"""A house that hears everything over HTTP: tables through signed agents, managers through sessions.

The rules core hears the same beside it, so that after every command both must have the same books.
Names differ: a round on the wire is named after the device that began it, and is told back in the
words of the story.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from pokerkit import Card

from meter_server import bootstrap
from meter_server.contract.device.errors import Refused as HttpRefused
from meter_server.domain import commands, notices
from meter_server.domain.commands import Command
from meter_server.domain.entries import Entry
from meter_server.domain.floor import Floor
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal
from meter_server.domain.rulebook.authority import AREA_MANAGER
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.tables import Gate, Limits
from meter_server.http.app import create_app
from meter_server.recording.door import Door, Status, Submission
from meter_server.recording.ports import staff_key
from meter_server.storage import codec
from meter_server.storage.floor import PostgresFloor
from tests.integration.devices.floor import Agent
from tests.integration.inside import settings
from tests.integration.office import PASSWORD, Client, Office
from tests.scenarios.house import Answer, Core
from tests.scenarios.language import microseconds

SECOND = "area-manager-9"
"""Confirms where the story names a second person of too low a rank for the back office."""
ENROLLING = ("area-manager-8", SECOND)
_PUTTING_RIGHT = (commands.CorrectSettlement, commands.VoidSettlement, commands.GrantTopUp)
FOUNDED_AT_US = microseconds("00:00:01", 1)
SAID_WITHOUT_WORDS = "it was not said why"


class StoryClock:
    """Stands where the story is."""

    at_us = FOUNDED_AT_US

    def now_us(self) -> int:
        return self.at_us


class Switchboard:
    """One port for all stories; each has an application of its own behind it."""

    application: Any = None

    def __call__(self, environ: Any, start_response: Any) -> Any:
        return self.application(environ, start_response)


class HttpHouse:
    def __init__(
        self, board: Switchboard, port: int, urls: tuple[str, str], folder: Path, readings: Readings
    ) -> None:
        self.core = Core()
        self.clock = StoryClock()
        self.past_http: list[Command] = []
        """What went straight to the door, because nobody can say it over HTTP."""
        self._folder = folder
        self._wire: dict[str, str] = {}
        self._agents: dict[str, Agent] = {}
        self._standing: dict[str, str] = {}
        self._tokens = count(1)
        self.counter = count(1)
        loaded = settings(
            *urls,
            folder,
            split_basis=readings.split_basis,
            payable_unit_dollars=f"{readings.payable_unit_micros / 1_000_000:.2f}",
            scope=readings.scope,
            session_hours_max=24,
            session_idle_minutes=1440,
        )
        self._database = bootstrap.database(loaded)
        self._database.open()
        parts = bootstrap.web_parts(loaded, self._database, self.clock)
        for gate in Gate:
            parts.watch.gates.open(gate)  # nobody watches a clock that stands where the story is
        self._door = Door(PostgresFloor(self._database), self.clock, readings)
        board.application = create_app(bootstrap.health_check(loaded), "0", parts)
        self._office = Office(port, urls[0])

    def close(self) -> None:
        self._database.close()

    # The house of a story

    def submit(self, command: Command, context: Context) -> Answer:
        command, context = _with_words(command), _as_heard(command, context)
        self.clock.at_us = context.at_us
        expected = self.core.submit(command, context)
        answer = self._say(command, context, expected)
        assert self.books() == self.core.books(), f"other books after {command}"
        return answer

    def books(self) -> Floor:
        """What PostgreSQL holds, told in the words of the story."""
        with self._database.connection() as connection:
            [(tables, rounds, awards, kept, meters, entries)] = connection.execute(
                "SELECT (SELECT json_agg(body) FROM gaming_table)::text,"
                " (SELECT json_agg(body) FROM round)::text,"
                " (SELECT json_agg(body) FROM award)::text,"
                " (SELECT json_agg(body) FROM notice)::text,"
                " (SELECT array_agg(id) FROM meter),"
                " (SELECT json_agg(convert_from(body, 'UTF8') ORDER BY meter_id, seq)"
                " FROM entry)::text"
            ).fetchall()
        history: dict[str, tuple[Entry, ...]] = {}
        for body in json.loads(entries or "[]"):
            entry = codec.entry_from_body(self._told(body))
            history[entry.meter_id] = (*history.get(entry.meter_id, ()), entry)
        return Floor(
            meters=self._meters(meters or []),
            tables={one.id: one for one in map(codec.TABLE.validate_python, self._read(tables))},
            rounds={one.id: one for one in map(codec.ROUND.validate_python, self._read(rounds))},
            awards={one.id: one for one in map(codec.AWARD.validate_python, self._read(awards))},
            notices={one.id: one for one in map(codec.notice_from_json, self._read(kept))},
            history=history,
        )

    def _read(self, text: str | None) -> list[Any]:
        return list(json.loads(self._told(text or "[]")))

    def _meters(self, names: list[str]) -> Mapping[str, Any]:
        from meter_server.storage.rows import Needs

        return PostgresFloor(self._database).load(Needs(meters=frozenset(names))).floor.meters

    # Names on the wire and in the story

    def _told(self, text: str) -> str:
        for name, wire in sorted(self._wire.items(), key=lambda pair: -len(pair[1])):
            text = re.sub(re.escape(wire) + r"(?![0-9])", name, text)
        return text

    def name(self, name: str, wire: str) -> None:
        """A round that was refused, and is begun elsewhere or on paper, gets another name."""
        if self._wire.get(name) not in self._begun():
            self._wire[name] = wire

    def _begun(self) -> set[str]:
        with self._database.connection() as connection:
            return {str(name) for (name,) in connection.execute("SELECT id FROM round").fetchall()}

    def _round(self, name: str) -> str:
        return self._wire.get(name, f"nowhere/1/{1 + sum(map(ord, name))}")

    def _prize(self, name: str) -> str:
        """``R1/3+R2``: a round and a seat, perhaps with the round that it was granted after."""
        parts = []
        for part in name.split("+"):
            round_id, slash, seat = part.rpartition("/")
            known = slash and part not in self._wire
            parts.append(f"{self._round(round_id)}/{seat}" if known else self._round(part))
        return "+".join(parts)

    # Speaking

    def _say(self, command: Command, context: Context, expected: Answer) -> Answer:
        say = _SENTENCES.get(type(command))
        if say is None or context.at_us == FOUNDED_AT_US or not _sayable(command):
            self.past_http.append(command)
            return self._at_the_door(command, context)
        try:
            return self._answer(say(self, command, context))
        except NotHeardError:
            if expected.refusal is None:
                raise
            return expected  # refused before the rules were asked, and by the rules too

    def _answer(self, told: dict[str, Any]) -> Answer:
        if told.get("answer") == "refused" or told.get("status", 0) >= 400:
            return Answer(refusal=_refusal(told))
        history = self.books().history
        entries = tuple(history[one["meter"]][one["seq"] - 1] for one in told["entries"])
        return Answer(entries, told["draining"])

    def _at_the_door(self, command: Command, context: Context) -> Answer:
        key = staff_key(context.actor.staff_number, f"d{next(self._tokens)}")
        [answer] = self._door.step(
            [
                Submission(
                    key,
                    key.text.encode().ljust(32)[:32],
                    self._on_the_wire(command),
                    context.actor,
                    context.approver,
                    context.second,
                    context.agent_at_us,
                )
            ]
        )
        assert answer.status is Status.ANSWERED
        return self._answer(json.loads(answer.body))

    def _on_the_wire(self, command: Command) -> Command:
        if isinstance(command, commands.RegisterWagers | commands.RecordOutcome):
            return replace(command, round_id=self._round(command.round_id))
        return command

    # At a table

    def _agent(self, table_id: str) -> Agent:
        if table_id not in self._agents:
            folder = self._folder / f"agent-{table_id}-{uuid4().hex}"
            self._agents[table_id] = self._enrolled(folder, table_id)
        return self._agents[table_id]

    def _enrolled(self, folder: Path, table_id: str) -> Agent:
        from meter_server.contract.device import enrolment
        from meter_server.contract.device.identity import Folder as AgentFolder

        device = f"a-{table_id}"
        first, second = (self._person(number) for number in ENROLLING)
        body = {"device": device, "kind": "agent", "table": table_id}
        confirmed = first.confirmed_by(second, "/v1/devices", body)
        assert confirmed.status == 200, confirmed.text
        kept, code = AgentFolder(folder, "table-agent"), confirmed.json()["once"]["code"]
        enrolment.enrol(kept, f"http://127.0.0.1:{self._office.port}", device, code, at_table=True)
        return Agent(kept, folder, self._office)

    def at_table(
        self, table_id: str, context: Context, kind: str, action: str | None, **words: Any
    ) -> dict[str, Any]:
        """A message of the table's agent, in the actor's name and with the approver's grant."""
        if table_id not in self.core.books().tables:
            raise NotHeardError(f"no agent stands at {table_id}")
        agent, actor = self._agent(table_id), context.actor.staff_number
        if self._standing.get(table_id) != actor:
            agent.sign_on(actor)
            self._standing[table_id] = actor
        grant = None
        if context.approver is not None and action is not None:
            grant = agent.authorise(action, context.approver.staff_number)
        agent.last_number += 1
        message = {
            "number": agent.last_number,
            "agent_at": _instant(context.agent_at_us or context.at_us),
            "actor": actor,
            "grant": grant,
            "command": {"kind": kind, **words},
        }
        try:
            [answered] = agent.link.send([message])
        except HttpRefused as refused:
            agent.last_number -= 1
            raise NotHeardError(str(refused)) from refused
        return answered.answer

    # In the back office

    def _person(self, number: str) -> Client:
        people = self._office._signed_in
        client = people.get(number)
        if client is None or client.get("/v1/session").status == 401:
            people[number] = self._office.sign_in(number)
        return people[number]

    def command(self, context: Context, path: str, body: object = None) -> dict[str, Any]:
        answer = self._person(_acting(context).staff_number).command(path, body)
        return _heard(answer)

    def two_persons(self, context: Context, path: str, body: object) -> dict[str, Any]:
        actor = _acting(context)
        proposed = self._person(actor.staff_number).post(path, body)
        if proposed.status != 202:
            return _heard(proposed)
        second = _confirming(actor, context.second)
        confirmed = self._person(second).post(f"/v1/proposals/{proposed.json()['id']}/confirmation")
        if confirmed.status != 200:
            return _heard(confirmed)
        return dict(confirmed.json()["proposal"]["result"])


class NotHeardError(Exception):
    """It did not come as far as the rules."""


def _heard(answer: Any) -> dict[str, Any]:
    told = dict(answer.json())
    if answer.status >= 400 and "kind" not in told:
        raise NotHeardError(told["detail"])
    if told.get("kind") == "not-acceptable":
        raise NotHeardError(told["detail"])
    return told


def _refusal(told: Mapping[str, Any]) -> Refusal:
    reason = told.get("reason") or told["detail"].partition(" [")[0]
    return Refusal(Kind(told["kind"]), reason, told["rule"], told["remedy"])


def _as_heard(command: Command, context: Context) -> Context:
    """Whoever puts a settlement right over HTTP does it in their own name; who confirms has one."""
    if isinstance(command, _PUTTING_RIGHT) and context.approver is not None:
        context = replace(context, actor=context.approver, approver=None)
    if context.second is not None:
        confirming = _confirming(_acting(context), context.second)
        context = replace(context, second=replace(context.second, staff_number=confirming))
    return context


def _acting(context: Context) -> Person:
    """In the back office nobody lends a grant: whoever has the rank acts."""
    return context.approver or context.actor


def _confirming(actor: Person, second: Person | None) -> str:
    if second is None:
        return actor.staff_number
    if second.rank.level < AREA_MANAGER.level and second.staff_number != actor.staff_number:
        return SECOND
    return second.staff_number


def _with_words(command: Command) -> Command:
    """Over HTTP a reason, and the reference of an older meter, are never empty."""
    match command:
        case commands.OpenSystem(reference="") if command.value_micros is not None:
            return replace(command, reference=SAID_WITHOUT_WORDS)
        case (
            commands.TopUpMeter(reason="")
            | commands.CorrectSettlement(reason="")
            | commands.VoidSettlement(reason="")
            | commands.DecideOrder(reason="")
            | commands.WithholdPrize(reason="")
        ):
            return replace(command, reason=SAID_WITHOUT_WORDS)
        case commands.DeclareIrregularity(reason="", paper=str()):
            return replace(command, reason=SAID_WITHOUT_WORDS)
        case _:
            return command


def _sayable(command: Command) -> bool:
    """Amounts over HTTP are whole cents, above nought."""
    match command:
        case commands.OpenSystem():
            value = command.value_micros
            return value is None or (value > 0 and value % MICROS_PER_CENT == 0)
        case commands.TopUpMeter():
            return command.amount_micros > 0 and command.amount_micros % MICROS_PER_CENT == 0
        case commands.ConfirmDisplay():
            return command.by_hand_reason is not None
        case _:
            return True


def _instant(at_us: int) -> str:
    instant = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at_us)
    return instant.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(f"{card.rank}{card.suit}" for card in cards)


def _hands(hands: Mapping[int, commands.HandReport]) -> list[dict[str, Any]]:
    return [
        {
            "seat": seat,
            "hand": None if report.hand is None else report.hand.value,
            "cards": _cards(report.own_cards),
            "folded": report.folded,
        }
        for seat, report in hands.items()
    ]


def _register(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    if command.paper is not None:
        house.name(command.round_id, f"paper/{command.table_id}/{command.round_id}")
        body = {
            "line": command.round_id,
            "seats": sorted(command.seats),
            "cost_cents": command.cost_cents,
            "paper": command.paper,
            "at": _instant(context.agent_at_us or context.at_us),
        }
        return house.two_persons(context, f"/v1/tables/{command.table_id}/paper", body)
    house.name(command.round_id, f"a-{command.table_id}/1/{next(house.counter)}")
    return house.at_table(
        command.table_id,
        context,
        "register-wagers",
        "register-wagers",
        round=house._round(command.round_id),
        table=command.table_id,
        seats=sorted(command.seats),
        cost_cents=command.cost_cents,
    )


def _place(house: HttpHouse, round_id: str) -> str:
    known = house.core.books().rounds.get(round_id)
    if known is None:
        raise NotHeardError(f"nobody stands where {round_id} was played")
    return known.table_id


def _record(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    words = {
        "hands": _hands(command.hands),
        "shared_cards": _cards(command.shared_cards),
        "case": command.case,
    }
    if command.paper is not None:
        at = _instant(context.agent_at_us or context.at_us)
        path = f"/v1/rounds/{house._round(command.round_id)}/paper"
        return house.two_persons(context, path, {**words, "paper": command.paper, "at": at})
    action = "confirm-exceptional-hand"
    round_id = house._round(command.round_id)
    table = _place(house, command.round_id)
    return house.at_table(table, context, "record-outcome", action, round=round_id, **words)


def _declare(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    if command.paper is not None:
        return _declare_on_paper(house, command, context)
    case = CASES.get(command.case)
    rulings = [] if case is None else list(case.rulings.values())
    return house.at_table(
        command.table_id,
        context,
        "declare-irregularity",
        rulings[0].action if rulings else None,
        table=command.table_id,
        case=command.case,
        seats=sorted(command.seats),
        joining=sorted(command.joining),
        reason=command.reason,
    )


def _declare_on_paper(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {
        "round": house._round(command.round_id),
        "case": command.case,
        "seats": sorted(command.seats),
        "joining": sorted(command.joining),
        "reason": command.reason,
        "paper": command.paper,
        "at": _instant(context.agent_at_us or context.at_us),
    }
    return house.two_persons(context, f"/v1/tables/{command.table_id}/paper/irregularities", body)


def _correct_bonus(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    hands = [
        {"seat": seat, "hand": None if hand is None else hand.value}
        for seat, hand in command.hands.items()
    ]
    round_id, table = house._round(command.round_id), _place(house, command.round_id)
    action = "correct-bonus"
    return house.at_table(table, context, "correct-bonus", action, round=round_id, hands=hands)


def _gates(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    words = {"table": command.table_id, "failing": sorted(command.failing)}
    return house.at_table(command.table_id, context, "report-gates", None, **words)


def _open_table(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    return house.command(context, f"/v1/tables/{command.table_id}/opening")


def _close_table(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {"players_present": command.players_present}
    return house.command(context, f"/v1/tables/{command.table_id}/closing", body)


def _define(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {
        "table": command.table_id,
        "game": command.game.value,
        "seats": command.seats,
        **_bets(command.limits),
    }
    return house.command(context, "/v1/tables", body)


def _bets(limits: Limits) -> dict[str, int]:
    return {"minimum_cents": limits.minimum_cents, "maximum_cents": limits.maximum_cents}


def _limits(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    return house.command(context, f"/v1/tables/{command.table_id}/limits", _bets(command.limits))


def _tournament(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    return house.command(context, f"/v1/tables/{command.table_id}/tournament", {"on": command.on})


def _manual(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    path = f"/v1/tables/{command.table_id}/manual"
    if command.on:
        return house.command(context, path, {"reason": "told"})
    return house.command(context, f"{path}/end", {"paper_rounds": 0, "paper_wagers": 0})


def _open_system(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    value = None if command.value_micros is None else command.value_micros // MICROS_PER_CENT
    body = {
        "system": command.meter_id,
        "tables": list(command.tables),
        "value_cents": value,
        "reference": command.reference or None,
        "training": command.training,
        **_terms(command.terms),
    }
    return house.two_persons(context, "/v1/systems", body)


def _terms(terms: Any) -> dict[str, Any]:
    return {
        "option": terms.option_number,
        "seed_dollars": terms.seed_dollars,
        "cost_cents": terms.cost_cents,
    }


def _top_up(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    cents = command.amount_micros // MICROS_PER_CENT
    body = {"amount_cents": cents, "reason": command.reason}
    return house.two_persons(context, f"/v1/systems/{command.meter_id}/top-ups", body)


def _correct(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {
        "hands": _hands(command.hands),
        "shared_cards": _cards(command.shared_cards),
        "admitted": sorted(command.admitted),
        "reason": command.reason,
        "seen_seq": command.seen_seq,
    }
    path = f"/v1/rounds/{house._round(command.round_id)}/corrections"
    return house.two_persons(context, path, body)


def _void(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {
        "reason": command.reason,
        "invalidated": command.invalidated,
        "seen_seq": command.seen_seq,
    }
    return house.two_persons(context, f"/v1/rounds/{house._round(command.round_id)}/voids", body)


def _grant(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {"corrected_round": house._round(command.corrected_round_id)}
    return house.two_persons(context, f"/v1/prizes/{house._prize(command.award_id)}/top-ups", body)


def _order(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    rounds = [house._round(name) for name in command.round_ids]
    return house.command(context, "/v1/orders", {"rounds": rounds, "reason": command.reason})


def _determine(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {
        "amount_cents": command.amount_micros // MICROS_PER_CENT,
        "meter_seq": max(command.meter_seq, 1),
        "password": PASSWORD,
    }
    return house.command(
        context, f"/v1/prizes/{house._prize(command.award_id)}/determination", body
    )


def _withhold(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    path = f"/v1/prizes/{house._prize(command.award_id)}/withholding"
    return house.command(context, path, {"reason": command.reason})


def _pay(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    path = f"/v1/prizes/{house._prize(command.award_id)}/payment"
    return house.command(context, path, {"method": command.method, "reference": command.reference})


def _notice(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {"notice": command.notice_id, "change": _change(command.change)}
    return house.two_persons(context, "/v1/notices", body)


def _change(change: notices.Change) -> dict[str, Any]:
    match change:
        case notices.AddTable():
            return {"kind": "add-table", "table": change.table_id, "system": change.to_meter_id}
        case notices.RemoveTable():
            return {"kind": "remove-table", "table": change.table_id}
        case notices.TransferTable():
            moved = {"table": change.table_id, "system": change.to_meter_id}
            return {"kind": "transfer-table", **moved}
        case notices.CloseSystem():
            shares = dict(change.shares_bp)
            return {"kind": "close-system", "system": change.meter_id, "shares_bp": shares}
        case notices.ChangeTerms():
            terms = {name: _terms(one) for name, one in change.terms.items()}
            return {"kind": "change-terms", "terms": terms}
        case notices.RaiseMinimum():
            return {"kind": "raise-minimum", "table": change.table_id, **_bets(change.limits)}


def _show(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {"table": command.table_id, "reason": command.by_hand_reason}
    return house.command(context, f"/v1/notices/{command.notice_id}/displays", body)


def _withdraw(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    return house.command(context, f"/v1/notices/{command.notice_id}/withdrawal")


def _act(house: HttpHouse, command: Any, context: Context) -> dict[str, Any]:
    body = {"offline_tables": sorted(command.offline_tables)}
    return house.command(context, f"/v1/notices/{command.notice_id}/action", body)


_SENTENCES: dict[type, Callable[[HttpHouse, Any, Context], dict[str, Any]]] = {
    commands.RegisterWagers: _register,
    commands.RecordOutcome: _record,
    commands.DeclareIrregularity: _declare,
    commands.CorrectBonus: _correct_bonus,
    commands.ReportGates: _gates,
    commands.OpenTable: _open_table,
    commands.CloseTable: _close_table,
    commands.DefineTable: _define,
    commands.SetTournament: _tournament,
    commands.SetManual: _manual,
    commands.SetLimits: _limits,
    commands.OpenSystem: _open_system,
    commands.TopUpMeter: _top_up,
    commands.CorrectSettlement: _correct,
    commands.VoidSettlement: _void,
    commands.GrantTopUp: _grant,
    commands.DecideOrder: _order,
    commands.DeterminePrize: _determine,
    commands.WithholdPrize: _withhold,
    commands.PayPrize: _pay,
    commands.DraftNotice: _notice,
    commands.ConfirmDisplay: _show,
    commands.WithdrawNotice: _withdraw,
    commands.ActOnNotice: _act,
}
"""What can be said over HTTP; that a sign is dark or lit, a gateway says."""
