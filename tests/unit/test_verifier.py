"""The verifier reads checkpoints and their lists as the vectors have them, of either version."""

from typing import Any

import pytest

from deploy.verify.jackpot_verify import (
    Bad,
    Checkpoint,
    Contradicted,
    Journal,
    Messages,
    Unexplained,
    open_note,
    read_checkpoint,
    read_key,
    require_growth,
)
from tests.unit.contract.vectors import read

VECTORS = read("checkpoints")
KEYS = [read_key(VECTORS["verifier_key"])]
FIRST, SECOND, THIRD, FOURTH = (
    read_checkpoint(open_note(vector["note"], KEYS)) for vector in VECTORS["notes"]
)


@pytest.fixture
def messages() -> Messages:
    """When all lists of the vectors have been read."""
    found = Messages(Journal())
    for checkpoint, vector in zip((SECOND, THIRD, FOURTH), VECTORS["notes"][1:], strict=True):
        found.take_list(vector["messages"], checkpoint)
    return found


def _require_listed(messages: Messages, row: dict[str, Any]) -> None:
    messages._require_listed(messages.listed.get(row["key"]), row, {})


def test_checkpoints_grow_through_both_versions_and_never_back() -> None:
    for earlier, later in ((FIRST, SECOND), (SECOND, THIRD), (THIRD, FOURTH)):
        require_growth(earlier, later)
    back = Checkpoint(**{**FOURTH._asdict(), "covers": ""})
    with pytest.raises(Bad, match="lists no messages"):
        require_growth(THIRD, back)


def test_every_message_of_the_vectors_is_as_it_is_listed(messages: Messages) -> None:
    recorded = [one for vector in VECTORS["notes"][1:] for one in vector["recorded"]]
    for row in recorded:
        _require_listed(messages, row)
    assert len(recorded) == len(messages.listed)
    assert messages.not_listed == 0


@pytest.mark.parametrize("changed", ["answer", "at", "digest", "request"])
def test_a_message_that_was_changed_is_contradicted(messages: Messages, changed: str) -> None:
    row = VECTORS["notes"][1]["recorded"][0]
    with pytest.raises(Contradicted, match="a checkpoint lists it with"):
        _require_listed(messages, {**row, changed: "x"})


def test_a_message_in_no_list_is_new_or_not_explained(messages: Messages) -> None:
    row = {**VECTORS["notes"][3]["recorded"][0], "key": "staff:4001:other"}
    _require_listed(messages, row)  # of the moment of the last checkpoint: it may be in the next
    assert messages.not_listed == 1
    with pytest.raises(Unexplained, match="no checkpoint lists it"):
        _require_listed(messages, {**row, "at": FIRST.at})
    made = {"entries": [{"meter": "one", "seq": 19}]}
    with pytest.raises(Bad, match="has the head of what it made"):
        messages._require_listed(None, row, made)
    messages._require_listed(None, row, {"entries": [{"meter": "one", "seq": 20}]})


@pytest.mark.parametrize("change", [lambda text: text[:-1], lambda text: text * 2, lambda _: ""])
def test_a_list_is_the_one_that_was_signed(change: Any) -> None:
    with pytest.raises(Bad, match="list of messages"):
        Messages(Journal()).take_list(change(VECTORS["notes"][1]["messages"]), SECOND)
