"""Entries as bytes: one form each, nothing that misleads a reader, every change seen."""

import hashlib
import json
import random
from dataclasses import replace
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain import writing
from meter_server.domain.entries import (
    MAY_LOWER,
    Account,
    Entry,
    EntryKind,
    Json,
    Stamp,
    canonical_bytes,
    canonical_json,
    chain_hash,
    genesis_hash,
    timestamp,
)
from tests.independent import protocol_life
from tests.rules import rule
from tests.unit.contract.floor_life import microseconds
from tests.unit.contract.vectors import read

EDGES = read("entries")["rows"]
LIFE = read("life")["rows"]
NOT_WRITTEN = read("not-written")


def entry_of(told: dict[str, Any]) -> Entry:
    return Entry(
        meter_id=told["meter"],
        seq=told["seq"],
        kind=EntryKind(told["kind"]),
        amount_micros=told["amount"],
        before_micros=told["before"],
        after_micros=told["after"],
        epoch=told["epoch"],
        lines=tuple((Account(account), micros) for account, micros in told["lines"]),
        rule=told["rule"],
        table_id=told["table"],
        round_id=told["round"],
        detail=told["detail"],
    )


def stamp_of(told: dict[str, Any]) -> Stamp:
    return Stamp(
        at_us=microseconds(told["at"]),
        actor=told["actor"],
        approver=told["approver"],
        second=told["second"],
        agent_at_us=None if told["agent_at"] is None else microseconds(told["agent_at"]),
        message=told["message"],
        request_digest=told["request"],
        rulebook=told["rulebook"],
        readings=told["readings"],
    )


ENTRY = entry_of(json.loads(EDGES[0]["entry"]))
STAMP = stamp_of(json.loads(EDGES[0]["entry"]))


@pytest.mark.parametrize("row", EDGES, ids=lambda row: row["case"])
def test_an_entry_has_the_bytes_and_the_hash_of_its_vector(row: dict[str, Any]) -> None:
    told = json.loads(row["entry"])
    written = canonical_bytes(entry_of(told), stamp_of(told))
    assert written.decode("ascii") == row["entry"]
    assert chain_hash(genesis_hash(told["meter"]), written).hex() == row["hash"]


def test_every_byte_and_every_bit_of_an_entry_counts() -> None:
    for row in (*EDGES, LIFE[6]):
        previous, written = bytes.fromhex(row["previous"]), row["entry"].encode()
        hashes = {chain_hash(previous, written)}
        for place in range(len(written)):
            for bit in range(8):
                changed = bytearray(written)
                changed[place] ^= 1 << bit
                hashes.add(chain_hash(previous, bytes(changed)))
        assert len(hashes) == 8 * len(written) + 1


@rule("MET-6")
def test_the_kinds_that_may_lower_a_meter_are_a_closed_list() -> None:
    lowering = {json.loads(row["entry"])["kind"] for row in LIFE if _amount(row) < 0}
    assert {*lowering, "correction"} == MAY_LOWER


def _amount(row: dict[str, Any]) -> int:
    amount: int = json.loads(row["entry"])["amount"]
    return amount


class TestChain:
    """What a reader of the rows and of one known head finds out."""

    rows = tuple(row["entry"].encode() for row in LIFE if row["meter"] == "one")
    head = next(row["hash"] for row in reversed(LIFE) if row["meter"] == "one")

    def rechained(self, rows: tuple[bytes, ...], meter: str = "one") -> str:
        head = genesis_hash(meter)
        for row in rows:
            head = chain_hash(head, row)
        return head.hex()

    def test_it_holds_as_it_was_written(self) -> None:
        assert self.rechained(self.rows) == self.head

    def test_every_deletion_is_seen(self) -> None:
        for place in range(len(self.rows)):
            assert self.rechained(self.rows[:place] + self.rows[place + 1 :]) != self.head

    def test_every_cut_of_the_tail_is_seen(self) -> None:
        for length in range(len(self.rows)):
            assert self.rechained(self.rows[:length]) != self.head

    def test_every_swap_is_seen(self) -> None:
        for one in range(len(self.rows)):
            for other in range(one + 1, len(self.rows)):
                swapped = list(self.rows)
                swapped[one], swapped[other] = swapped[other], swapped[one]
                assert self.rechained(tuple(swapped)) != self.head

    def test_every_insertion_is_seen(self) -> None:
        for place in range(len(self.rows) + 1):
            for row in self.rows:
                inserted = (*self.rows[:place], row, *self.rows[place:])
                assert self.rechained(inserted) != self.head

    def test_rows_cannot_become_another_meters(self) -> None:
        assert self.rechained(self.rows, "five") != self.head

    def test_two_rows_cannot_be_run_together(self) -> None:
        joined = self.rows[0] + self.rows[1]
        assert self.rechained((joined, *self.rows[2:])) != self.head

    def test_a_hash_is_whole(self) -> None:
        with pytest.raises(ValueError, match="whole hash"):
            chain_hash(b"short", self.rows[0])


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-writing.INTEGER_MAX, writing.INTEGER_MAX)
    | st.text(st.sampled_from('ab"\\/<é𝄞—√ '), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,3}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON_VALUES)
def test_any_value_has_the_bytes_that_another_encoder_gives_it(value: Json) -> None:
    assert canonical_json(value).decode("ascii") == protocol_life.canonical(value)


@given(JSON_VALUES, JSON_VALUES)
def test_different_values_have_different_bytes(one: Json, other: Json) -> None:
    same = canonical_json(one) == canonical_json(other)
    assert same == (protocol_life.canonical(one) == protocol_life.canonical(other))
    assert json.loads(canonical_json(one)) == one


@pytest.mark.parametrize("text", NOT_WRITTEN["texts"].values(), ids=NOT_WRITTEN["texts"])
def test_a_text_that_misleads_is_not_written(text: str) -> None:
    with pytest.raises(ValueError, match="text"):
        canonical_bytes(replace(ENTRY, detail={"reason": text}), STAMP)


def test_a_text_may_be_as_long_as_the_page_says() -> None:
    assert canonical_json("a" * 500) == b'"' + b"a" * 500 + b'"'
    assert canonical_json("é" * 500) == b'"' + b"\\u00e9" * 500 + b'"'
    with pytest.raises(ValueError, match="a text of 501 characters is too long"):
        canonical_json("a" * 501)


@pytest.mark.parametrize("number", NOT_WRITTEN["integers"])
def test_a_number_that_some_readers_cannot_hold_is_not_written(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} is beyond what every reader holds"):
        canonical_bytes(replace(ENTRY, amount_micros=number), STAMP)


def test_a_word_of_an_enumeration_is_written_as_the_text_it_is() -> None:
    words = StrEnum("words", {"GOOD": "café", "BAD": "a\nb"})
    assert canonical_json(words.GOOD) == b'"caf\\u00e9"'
    with pytest.raises(ValueError, match="cannot be written as text"):
        canonical_json(words.BAD)


@pytest.mark.parametrize(
    "value",
    [0.5, float("nan"), {1: "a"}, {"A": 1}, {"": 1}, {"a b": 1}, b"bytes", {1, 2}],
    ids=repr,
)
def test_what_has_no_single_json_form_is_not_written(value: Any) -> None:
    with pytest.raises(ValueError, match=r"no JSON form|cannot be a key"):
        canonical_json([{"inner": value}])


@pytest.mark.parametrize("name", NOT_WRITTEN["names"])
def test_a_bad_name_is_not_written(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be written as a meter"):
        canonical_bytes(replace(ENTRY, meter_id=name), STAMP)
    with pytest.raises(ValueError, match="cannot be written as a meter"):
        genesis_hash(name)
    with pytest.raises(ValueError, match="cannot be written as a table"):
        canonical_bytes(replace(ENTRY, table_id=name), STAMP)
    for stamp in (
        replace(STAMP, actor=name),
        replace(STAMP, approver=name),
        replace(STAMP, second=name),
    ):
        with pytest.raises(ValueError, match="cannot be written as a person"):
            canonical_bytes(ENTRY, stamp)


@pytest.mark.parametrize("name", NOT_WRITTEN["rounds"])
def test_a_bad_name_of_a_round_is_not_written(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be written as a round"):
        canonical_bytes(replace(ENTRY, round_id=name), STAMP)


@pytest.mark.parametrize("key", NOT_WRITTEN["messages"])
def test_a_bad_key_of_a_message_is_not_written(key: str) -> None:
    with pytest.raises(ValueError, match="cannot be written as the key of a message"):
        canonical_bytes(ENTRY, replace(STAMP, message=key))


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64])
def test_a_digest_is_64_lower_case_digits(digest: str) -> None:
    with pytest.raises(ValueError, match="cannot be written as a digest"):
        canonical_bytes(ENTRY, replace(STAMP, request_digest=digest))


@pytest.mark.parametrize("at_us", [-1, 253_402_300_800_000_000, 2**63])
def test_a_time_outside_four_digit_years_is_not_written(at_us: int) -> None:
    with pytest.raises(ValueError, match="no time of a journal"):
        timestamp(at_us)


@given(st.integers(0, 253_402_300_799_999_999))
def test_an_instant_is_written_in_one_way_and_kept_to_the_microsecond(at_us: int) -> None:
    assert microseconds(timestamp(at_us)) == at_us
    assert len(timestamp(at_us)) == 27


def test_the_genesis_is_the_hash_of_its_purpose_and_the_meters_name() -> None:
    assert genesis_hash("one") == hashlib.sha256(b"prize-meter journal 1\none").digest()


def test_keys_stand_in_the_order_of_their_bytes_whatever_order_they_came_in() -> None:
    detail = {f"k{number}": number for number in range(20)}
    shuffled = list(detail.items())
    random.Random(1).shuffle(shuffled)  # noqa: S311 - an order, not a secret.
    one = canonical_bytes(replace(ENTRY, detail=detail), STAMP)
    assert one == canonical_bytes(replace(ENTRY, detail=dict(shuffled)), STAMP)
