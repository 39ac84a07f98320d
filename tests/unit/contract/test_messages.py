"""The words of messages are those of the rules, and a message has one form."""

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from meter_server.contract import messages
from meter_server.contract.messages import Messages
from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.games import GAMES
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.tables import Gate
from meter_server.domain.writing import TEXT_MAX


def _register(**more: Any) -> dict[str, Any]:
    command = {
        "kind": "register-wagers",
        "round": "t1-a/1/1",
        "table": "T1",
        "seats": [1, 2],
        "cost_cents": 500,
    }
    return {
        "number": 1,
        "agent_at": "2027-03-01T02:09:59.870000Z",
        "actor": "1007",
        "grant": None,
        "command": {**command, **more},
    }


def _request(*sent: dict[str, Any]) -> dict[str, Any]:
    return {"device": "t1-a", "epoch": 1, "messages": list(sent)}


def test_the_words_are_those_of_the_rules() -> None:
    assert set(get_args(messages.Hand)) == {hand.value for hand in Hand}
    assert set(get_args(messages.Gate)) == {gate.value for gate in Gate}
    assert max(game.seats_max for game in GAMES.values()) == messages.SEATS_MAX
    for case in CASES:
        command = {"kind": "declare-irregularity", "table": "T1", "case": case}
        rest: dict[str, Any] = {"seats": [], "joining": [], "reason": "a" * TEXT_MAX}
        Messages.model_validate(_request({**_register(), "command": {**command, **rest}}))


def test_a_message_is_as_it_was_sent() -> None:
    sent = _request(_register(), {**_register(), "number": 2})
    assert Messages.model_validate(sent).model_dump(mode="json") == sent


@pytest.mark.parametrize("field", ["number", "agent_at", "actor", "grant", "command"])
def test_every_field_is_always_there(field: str) -> None:
    without = {name: value for name, value in _register().items() if name != field}
    with pytest.raises(ValidationError, match="Field required"):
        Messages.model_validate(_request(without))


@pytest.mark.parametrize(
    "change",
    [
        {"seats": [1, 1]},
        {"seats": [0]},
        {"seats": [10]},
        {"seats": ["1"]},
        {"seats": [1.0]},
        {"cost_cents": 0},
        {"cost_cents": 2**53},
        {"round": "t1-a"},
        {"round": "t1-a/01/1"},
        {"table": "T 1"},
        {"paper": "P7"},
    ],
)
def test_what_does_not_fit_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Messages.model_validate(_request(_register(**change)))


@pytest.mark.parametrize("reason", ["a" * (TEXT_MAX + 1), "a\nb", "a\u202eb"])
def test_text_is_one_printable_line(reason: str) -> None:
    command = {"kind": "declare-irregularity", "table": "T1", "case": "misdeal"}
    rest: dict[str, Any] = {"seats": [], "joining": [], "reason": reason}
    with pytest.raises(ValidationError, match="reason"):
        Messages.model_validate(_request({**_register(), "command": {**command, **rest}}))


@pytest.mark.parametrize("cards", ["AsKs", "As  Ks", "10s", "as", "As Ks Qs Js Ts 9s", "Xx", " As"])
def test_cards_are_written_in_one_way(cards: str) -> None:
    hand = {"seat": 1, "hand": None, "cards": cards, "folded": False}
    command = {"kind": "record-outcome", "round": "t1-a/1/1", "hands": [hand], "case": None}
    rest: dict[str, Any] = {"shared_cards": ""}
    with pytest.raises(ValidationError, match="cards"):
        Messages.model_validate(_request({**_register(), "command": {**command, **rest}}))
