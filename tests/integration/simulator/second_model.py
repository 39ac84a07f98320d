"""The second model lives through the evening too, from what the tables said and nothing else."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from deploy.simulator.ledger import System
from deploy.simulator.table import Event
from tests.independent import books, state
from tests.independent.model import take
from tests.independent.transcription import ASSISTANT, DEALER

_BETS = (1_000, 50_000)
_SEATS = 9


class Growing(books.Books):
    """Added up as it grows: an evening has too many lines to begin from the first at each."""

    def write(self, *event: Any) -> None:
        kind, system, *rest = event
        books._ADD[kind](self._added_up, system, *rest)

    def now(self) -> books.Totals:
        return self._added_up


def lived_through(before: Sequence[System], events: Sequence[Event]) -> state.Floor:
    floor = state.Floor(books=Growing())
    for system in before:
        for table, game in system.games.items():
            _ask(floor, do="define table", table=table, game=game, seats=_SEATS, bets=_BETS)
            _ask(floor, do="open table", table=table)
        terms = (system.terms.option_number, system.terms.seed_dollars, system.terms.cost_cents)
        _ask(
            floor,
            do="open system",
            system=system.name,
            terms=terms,
            tables=list(system.games),
            value=system.value_micros,
            training=False,
        )
        said = [one for one in events if one.table in system.games]
        for event in sorted(said, key=lambda one: one.answer["head"]["seq"]):
            _ask(floor, **_request(event))
    return floor


def _request(event: Event) -> dict[str, Any]:
    message, command = event.message, event.message["command"]
    agent_at = datetime.fromisoformat(message["agent_at"])
    person = {
        "who": (message["actor"], DEALER),
        # Who stood behind a grant is not in the message: the server judged it, not we.
        "approver": None if message["grant"] is None else ("somebody", ASSISTANT),
        "agent_at": round(agent_at.timestamp() * 1_000_000),
        "paper": None,
    }
    match command["kind"]:
        case "register-wagers":
            return {**person, **command, "do": "register"}
        case "record-outcome":
            return {**person, **command, "do": "record", **_hands(command)}
        case "declare-irregularity":
            return {**person, **command, "do": "irregularity", "round": None}
        case _:
            hands = {one["seat"]: one["hand"] for one in command["hands"]}
            return {**person, **command, "do": "correct bonus", "hands": hands}


def _hands(command: dict[str, Any]) -> dict[str, Any]:
    return {
        "hands": {one["seat"]: {**one, "cards": one["cards"].split()} for one in command["hands"]},
        "shared": command["shared_cards"].split(),
    }


def _ask(floor: state.Floor, **request: Any) -> None:
    usual = {
        "at": 0,
        "agent_at": None,
        "who": ("manager", ASSISTANT),
        "approver": None,
        "second": ("second", ASSISTANT),
    }
    reasons = take(floor, {**usual, **request})
    assert not reasons, f"the server accepted what the rules refuse for {reasons}: {request}"
