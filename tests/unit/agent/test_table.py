"""The table as the dealer lives it agrees with the rules, whatever is said there.

Random rounds are played through the rules themselves (`decide`), and beside it the agent works the
table out from the messages: open round, live seats, carried seats and bonus payouts must agree,
from whatever moment the server's word is taken.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from meter_server.contract.messages import Message
from meter_server.contract.tables import (
    CarryTold,
    MeterTold,
    RoundTold,
    SeatTold,
    TableTold,
    TermsTold,
)
from meter_server.domain.commands import DefineTable, OpenSystem, OpenTable, RegisterWagers
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.people import Context, Person
from meter_server.domain.rounds import Round, SeatState
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from meter_server.http.commands_sent import command_of
from table_agent.outbox import Item
from table_agent.table import Table, table
from tests.counts import count

MANAGER = Person("4001", ASSISTANT_CASINO_MANAGER)
SECOND = Person("4002", ASSISTANT_CASINO_MANAGER)
TERMS = Terms(1, 10_000, 500)
AT = "2027-03-01T02:00:00.000000Z"
BONUS = ["four-of-a-kind", "full-house", "flush", "straight", "two-pair"]


class Play:
    """A floor with one table, to which things are said at random."""

    def __init__(self, seed: int, game: GameKey) -> None:
        self.chance = Random(seed)  # noqa: S311 - a test
        self.game = game
        self.floor = Floor()
        self.items: list[Item] = []
        self._clock = 0
        for command in (
            DefineTable("T1", game, 7, Limits(1_000, 50_000)),
            OpenSystem("one", TERMS, ("T1",)),
            OpenTable("T1"),
        ):
            assert self._decided(command), command

    def _decided(self, command: Any) -> bool:
        self._clock += 1_000_000
        context = Context(self._clock, MANAGER, second=SECOND, agent_at_us=self._clock)
        decision = decide(self.floor, command, context)
        if isinstance(decision, Accepted):
            self.floor = apply(self.floor, decision)
        return isinstance(decision, Accepted)

    def say(self) -> None:
        number = len(self.items) + 1
        message = {
            "number": number,
            "agent_at": AT,
            "actor": "4001",
            "grant": None,
            "command": self._anything(number),
        }
        words = Message.model_validate(message).command
        accepted = self._decided(command_of(words))
        answer = {"answer": "accepted", "prizes": []} if accepted else {"answer": "refused"}
        self.items.append(Item(message, answer))

    def _anything(self, number: int) -> dict[str, Any]:
        held = self.floor.tables["T1"]
        what = self.chance.random()
        if held.open_round_id is None:
            if what < 0.15 and held.last_round_id is not None:
                return self._correction(held.last_round_id)
            if what < 0.3:
                return self._irregularity()
            return {
                "kind": "register-wagers",
                "round": f"t1-a/1/{number}",
                "table": "T1",
                "seats": self._seats(1)
                if what < 0.7 or held.carry is None
                else sorted(held.carry.stakes),
                "cost_cents": 500,
            }
        return self._irregularity() if what < 0.6 else self._outcome(held.open_round_id)

    def _seats(self, least: int = 0) -> list[int]:
        return sorted(self.chance.sample(range(1, 8), self.chance.randint(least, 5)))

    def _irregularity(self) -> dict[str, Any]:
        live = self._live()
        some = self.chance.sample(live, self.chance.randint(0, min(2, len(live))))
        case = self.chance.choice(sorted(CASES))
        return {
            "kind": "declare-irregularity",
            "table": "T1",
            "case": case,
            "seats": sorted(some),
            "joining": [self.chance.randint(1, 7)] if case == "wager-not-registered" else [],
            "reason": "",
        }

    def _live(self) -> list[int]:
        open_id = self.floor.tables["T1"].open_round_id
        if open_id is None:
            return []
        return sorted(self.floor.rounds[open_id].in_state(SeatState.LIVE))

    def _outcome(self, round_id: str) -> dict[str, Any]:
        hands = [
            {
                "seat": seat,
                "hand": self.chance.choice(BONUS),
                "cards": "",
                "folded": self.chance.random() < 0.2,
            }
            for seat in self._live()
            if self.chance.random() < 0.4
        ]
        return {
            "kind": "record-outcome",
            "round": round_id,
            "hands": hands,
            "shared_cards": "",
            "case": None,
        }

    def _correction(self, round_id: str) -> dict[str, Any]:
        hands = [{"seat": self.chance.randint(1, 7), "hand": self.chance.choice(BONUS)}]
        return {"kind": "correct-bonus", "round": round_id, "hands": hands}

    def told(self) -> TableTold:
        """As the server would tell it now."""
        held, meter = self.floor.tables["T1"], self.floor.meters["one"]
        terms = TermsTold(option=1, seed_dollars=10_000, cost_cents=500)
        carry = held.carry
        return TableTold(
            device="t1-a",
            epoch=1,
            last_number=len(self.items),
            table="T1",
            game=self.game.value,
            seats=7,
            open=True,
            hands_left=None,
            tournament=False,
            manual=False,
            failing=[],
            draining_for=None,
            meter=MeterTold(
                system="one",
                training=False,
                open=True,
                terms=terms,
                value_micros=meter.value_micros,
                seq=meter.seq,
            ),
            open_round=self._round(held.open_round_id),
            last_round=self._round(held.last_round_id),
            carry=None
            if carry is None
            else CarryTold(round=carry.round_id, seats=sorted(carry.stakes), whole=carry.whole),
            notices=[],
            calls=[],
            signed_on=None,
            readings="split=formula;unit=0.01",
            checkpoint=None,
            at=AT,
        )

    def _round(self, round_id: str | None) -> RoundTold | None:
        if round_id is None:
            return None
        found: Round = self.floor.rounds[round_id]
        return RoundTold(
            round=round_id,
            state=found.state.value,
            terms=TermsTold(option=1, seed_dollars=10_000, cost_cents=500),
            seats=[
                SeatTold(
                    seat=seat,
                    state=held.state.value,
                    hand=None if held.hand is None else held.hand.value,
                )
                for seat, held in found.seats.items()
            ],
            bonus=[] if found.settled is None else sorted(found.settled.bonus_micros.items()),
            prizes=[],
            settled_at=None,
        )

    def agrees(self, worked_out: Table) -> None:
        held = self.floor.tables["T1"]
        opened = worked_out.open_round
        assert (None if opened is None else opened.id) == held.open_round_id
        assert sorted(() if opened is None else opened.seats) == self._live()
        carried = set() if held.carry is None else set(held.carry.stakes)
        assert worked_out.carried == carried
        assert worked_out.carried_whole == (held.carry is not None and held.carry.whole)
        if held.last_round_id is None:
            assert worked_out.last_round is None
            return
        last, known = worked_out.last_round, self.floor.rounds[held.last_round_id]
        assert last is not None
        assert (last.id, last.ended.value) == (known.id, known.state.value)
        if known.settled is not None:
            assert dict(last.bonus_micros) == dict(known.settled.bonus_micros)
            # Those who are proposed again: not whose wager went back or stands for the next round.
            stayed = {SeatState.LIVE, SeatState.FOLDED}
            assert last.seats == {seat for seat, one in known.seats.items() if one.state in stayed}


@pytest.mark.parametrize("game", GameKey)
def test_the_table_is_what_the_rules_made_of_it(game: GameKey) -> None:
    said = 0
    for seed in range(count(reduced=40, full=2_000)):
        play = Play(seed, game)
        told = play.told()
        for _ in range(25):
            play.say()
            play.agrees(table(told, play.items))
            if play.chance.random() < 0.15:
                told = play.told()
                play.agrees(table(told, play.items))
        said += sum(item.answer == {"answer": "accepted", "prizes": []} for item in play.items)
    assert said > 10 * count(reduced=40, full=2_000), "too little of it was in order"


@pytest.mark.parametrize("game", GameKey)
@pytest.mark.parametrize(
    "command",
    [
        {
            "kind": "record-outcome",
            "round": "t1-a/1/1",
            "hands": [{"seat": 7, "hand": "flush", "cards": "", "folded": False}],
            "shared_cards": "",
            "case": None,
        },
        {
            "kind": "declare-irregularity",
            "table": "T1",
            "case": "fire-alarm",
            "seats": [],
            "joining": [],
            "reason": "",
        },
    ],
    ids=["a seat without a wager", "a case that no rule has"],
)
def test_what_the_server_will_refuse_changes_nothing_while_it_waits(
    game: GameKey, command: dict[str, Any]
) -> None:
    """Somebody typed it past the console; the table must be told all the same."""
    play = Play(1, game)
    play._decided(RegisterWagers("t1-a/1/1", "T1", frozenset({1, 2}), 500))
    told = play.told()
    message = {
        "number": told.last_number + 1,
        "agent_at": AT,
        "actor": "4001",
        "grant": None,
        "command": command,
    }
    waiting = table(told, [Item(message, None)])
    assert waiting == replace(table(told, []), queued=1)
