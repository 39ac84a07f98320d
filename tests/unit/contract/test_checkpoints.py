"""Checkpoints: as the vectors have them, one after the other, and heads only ever grow."""

from typing import Any

import pytest
from pydantic import ValidationError

from meter_server.contract.checkpoints import (
    Checkpoint,
    Covered,
    Head,
    Recorded,
    check_growth,
    checkpoint_digest,
    checkpoint_text,
    first_previous,
    message_list,
    open_checkpoint,
    sign_checkpoint,
    split_notes,
)
from meter_server.contract.notes import NotTrusted
from tests.unit.contract.keys import KEY, ORIGIN, SIGNER, signer
from tests.unit.contract.vectors import read

VECTORS = read("checkpoints")["notes"]
FIRST, SECOND, THIRD, FOURTH = (open_checkpoint(vector["note"], [KEY]) for vector in VECTORS)
TEXT = VECTORS[1]["text"]


@pytest.mark.parametrize("vector", VECTORS, ids=["first", "second", "third", "fourth"])
def test_a_checkpoint_is_signed_and_opened_as_its_vector_says(vector: dict[str, str]) -> None:
    checkpoint = open_checkpoint(vector["note"], [KEY])
    assert checkpoint_text(checkpoint) == vector["text"]
    assert checkpoint_digest(checkpoint) == vector["digest"]
    assert sign_checkpoint(checkpoint, SIGNER) == vector["note"]


@pytest.mark.parametrize("vector", VECTORS[1:], ids=["second", "third", "fourth"])
def test_messages_are_listed_as_the_vector_says(vector: dict[str, Any]) -> None:
    recorded = [Recorded(**one) for one in vector["recorded"]]
    assert message_list(reversed(recorded)) == vector["messages"]
    covered = open_checkpoint(vector["note"], [KEY]).messages
    assert covered == Covered.of(vector["messages"])
    assert covered.count == len(recorded)


@pytest.mark.parametrize("changed", Recorded._fields)
def test_whatever_is_stored_of_a_message_is_in_its_line(changed: str) -> None:
    one = Recorded(**VECTORS[1]["recorded"][0])
    assert one._replace(**{changed: "x"}).line() != one.line()


def test_the_first_version_spoke_of_no_messages() -> None:
    assert FIRST.messages is None
    assert FOURTH.heads == THIRD.heads
    with pytest.raises(NotTrusted, match="no longer signs the messages"):
        check_growth(SECOND, _like(THIRD, messages=None, previous=THIRD.previous))


def test_a_log_is_taken_apart_into_its_notes() -> None:
    notes = [vector["note"] for vector in VECTORS]
    assert split_notes("".join(notes)) == notes


def test_heads_are_those_of_the_life() -> None:
    meters = read("life")["meters"]
    assert {head.meter: (head.seq, head.hash) for head in THIRD.heads} == {
        name: (meter["seq"], meter["head"]) for name, meter in meters.items()
    }


LINES = TEXT.splitlines()


@pytest.mark.parametrize(
    "lines",
    [
        LINES[:4],
        LINES[:5],
        LINES[1:],
        ["prize-meter checkpoint 1", *LINES[1:]],
        ["prize-meter checkpoint 3", *LINES[1:]],
        ["prize-meter receipt 1", *LINES[1:]],
        [*LINES[:2], "02", *LINES[3:]],
        [*LINES[:2], "0", *LINES[3:]],
        [*LINES[:2], "+2", *LINES[3:]],
        [*LINES[:2], "\N{ARABIC-INDIC DIGIT TWO}", *LINES[3:]],
        [*LINES[:2], str(2**53), *LINES[3:]],
        [*LINES[:3], "2027-03-01", *LINES[4:]],
        [*LINES[:4], "0" * 63, *LINES[5:]],
        [*LINES[:5], *LINES[6:]],
        [*LINES[:5], f"0{LINES[5]}", *LINES[6:]],
        [*LINES[:5], f"-{LINES[5]}", *LINES[6:]],
        [*LINES[:5], LINES[5][:-1], *LINES[6:]],
        [*LINES[:6], *reversed(LINES[6:])],
        [*LINES, LINES[-1]],
        [*LINES[:-1], LINES[-1] + " "],
        [*LINES[:-1], LINES[-1].replace(" ", "  ")],
        [*LINES[:-1], LINES[-1].upper()],
        [*LINES, "more"],
        [*LINES, "zero 0 " + "0" * 64],
        [*LINES[:2], "1", *LINES[3:]],
    ],
)
def test_a_signed_text_of_another_shape_is_no_checkpoint(lines: list[str]) -> None:
    note = SIGNER.sign("".join(f"{line}\n" for line in lines))
    with pytest.raises(NotTrusted, match="not a checkpoint"):
        open_checkpoint(note, [KEY])


def test_a_receipt_is_no_checkpoint() -> None:
    for vector in read("receipts")["notes"]:
        with pytest.raises(NotTrusted, match="not a checkpoint"):
            open_checkpoint(vector["note"], [KEY])


def test_an_installation_speaks_for_itself_alone() -> None:
    elsewhere = signer(name="other.example/prize-meter")
    with pytest.raises(ValueError, match="its own checkpoints"):
        sign_checkpoint(FIRST, elsewhere)
    with pytest.raises(NotTrusted, match="signed by another"):
        open_checkpoint(elsewhere.sign(TEXT), [KEY, elsewhere.verifier])


def test_checkpoints_grow() -> None:
    check_growth(FIRST, SECOND)
    check_growth(SECOND, THIRD)
    check_growth(FIRST, THIRD)
    check_growth(SECOND, SECOND)


def _like(checkpoint: Checkpoint, **changed: object) -> Checkpoint:
    return Checkpoint.model_validate(dict(checkpoint) | changed)


def _head(head: Head, **changed: object) -> Head:
    return Head.model_validate(dict(head) | changed)


def test_a_replayed_or_older_checkpoint_is_noticed() -> None:
    with pytest.raises(NotTrusted, match="Checkpoint 2 is older than 3"):
        check_growth(THIRD, SECOND)


def test_a_second_history_is_noticed() -> None:
    forked = _like(SECOND, at=THIRD.at)
    with pytest.raises(NotTrusted, match="two checkpoints number 2"):
        check_growth(SECOND, forked)
    with pytest.raises(NotTrusted, match="does not follow this number 2"):
        check_growth(forked, THIRD)


def test_a_meter_that_lost_its_tail_is_noticed() -> None:
    five, one = THIRD.heads
    shrunk = _like(THIRD, number=9, heads=(five, _head(one, seq=one.seq - 1)))
    with pytest.raises(NotTrusted, match=r"meter one had 19 entries and has lost some"):
        check_growth(THIRD, shrunk)


def test_a_meter_left_out_is_noticed() -> None:
    with pytest.raises(NotTrusted, match="meter five had 6 entries"):
        check_growth(THIRD, _like(THIRD, number=9, heads=THIRD.heads[1:]))


def test_an_entry_replaced_is_noticed() -> None:
    five, one = THIRD.heads
    replaced = _like(THIRD, number=9, heads=(_head(five, hash="0" * 64), one))
    with pytest.raises(NotTrusted, match="entry 6 of the meter five has been replaced"):
        check_growth(THIRD, replaced)


def test_two_installations_have_nothing_to_do_with_each_other() -> None:
    other = _like(SECOND, origin="other.example/prize-meter")
    with pytest.raises(NotTrusted, match="two installations"):
        check_growth(FIRST, other)


def test_the_first_checkpoint_begins_its_own_chain() -> None:
    assert FIRST.previous == first_previous(ORIGIN)
    with pytest.raises(ValidationError, match="begins the chain"):
        _like(FIRST, previous="0" * 64)
