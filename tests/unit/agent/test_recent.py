"""What a dealer is asked about is told whatever was said, also what the rules refuse."""

from typing import Any

import pytest

from table_agent import recent
from table_agent.outbox import Item
from tests.unit.agent.test_outbox import AT, WAGERS

DECLARED = {
    "kind": "declare-irregularity",
    "table": "T1",
    "seats": [],
    "joining": [],
    "reason": "",
}


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ({**WAGERS, "seats": []}, "Wagers of no seat"),
        ({**WAGERS, "seats": [3]}, "Wagers of seat 3"),
        ({**WAGERS, "seats": [6, 1]}, "Wagers of seats 1 and 6"),
        ({**WAGERS, "seats": [6, 1, 4]}, "Wagers of seats 1, 4 and 6"),
        ({**DECLARED, "case": "begun-by-mistake"}, "The jackpot game was begun by mistake"),
        ({**DECLARED, "case": "fire-alarm"}, "Case fire-alarm"),
    ],
)
def test_a_message_is_told_as_it_was_said(command: dict[str, Any], what: str) -> None:
    message = {"number": 1, "agent_at": AT, "actor": "1001", "grant": None, "command": command}
    answer = {"answer": "refused", "reason": "No."}
    [line] = recent.rounds([Item(message, answer)])
    assert (line["what"], line["sentence"]) == (what, "No.")
