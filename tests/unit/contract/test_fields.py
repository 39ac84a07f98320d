"""What travels and what is written agree on names, texts, numbers and times."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from meter_server.contract import canonical, fields
from meter_server.domain import entries, writing
from tests.unit.contract.vectors import read
from tests.unit.domain.test_entries import JSON_VALUES

NOT_WRITTEN = read("not-written")


def takes(kind: Any, value: object) -> bool:
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def written(text: str) -> bool:
    try:
        writing.require_json(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (fields.Name, NOT_WRITTEN["names"]),
        (fields.RoundId, [*NOT_WRITTEN["rounds"], "t1", "t1/2", "t1/2/0", "t1/02/1", "t1/a/1"]),
        (fields.Count, [0, -1, 2**53, True, 1.0, "1"]),
        (fields.Instant, NOT_WRITTEN["instants"]),
        (fields.Digest, ["", "0" * 63, "0" * 65, "A" * 64, "0" * 63 + "\n"]),
        (fields.Origin, ["", "A", "a b", "a+b", "/a", "a\n"]),
    ],
    ids=["name", "round", "count", "instant", "digest", "origin"],
)
def test_what_is_never_written_does_not_travel(kind: Any, values: list[object]) -> None:
    assert [value for value in values if takes(kind, value)] == []


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (fields.Name, "x" * 40),
        (fields.RoundId, "t1-a/2/118"),
        (fields.Count, 2**53 - 1),
        (fields.Instant, "2027-03-01T23:59:59.999999Z"),
        (fields.Digest, "0123456789abcdef" * 4),
        (fields.Origin, "casino.example/prize-meter"),
    ],
)
def test_what_is_in_order_travels(kind: Any, value: object) -> None:
    assert takes(kind, value)


@given(st.text(max_size=45) | st.from_regex(writing.NAME))
def test_both_sides_take_the_same_names(text: str) -> None:
    assert takes(fields.Name, text) == (writing.NAME.fullmatch(text) is not None)


@given(st.text(st.characters(), max_size=6))
def test_a_text_that_travels_can_be_written(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert takes(fields.Text, text) == written(composed)


def test_a_text_arrives_composed() -> None:
    decomposed = NOT_WRITTEN["texts"]["not composed"]
    assert not written(decomposed)
    assert TypeAdapter(fields.Text).validate_python(decomposed) == "Zo\u00eb"


@given(JSON_VALUES)
def test_both_sides_write_the_same_bytes(value: entries.Json) -> None:
    assert canonical.canonical_json(value) == entries.canonical_json(value)
