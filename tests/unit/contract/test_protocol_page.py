"""The protocol page and the code say the same."""

import json
import re
from collections import defaultdict
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from meter_server.contract.receipts import Receipt, Result
from meter_server.domain import deciding, writing
from meter_server.domain.awards import AwardState, Caution
from meter_server.domain.deciding.rulings import Ruled
from meter_server.domain.entries import FORMAT, MAY_LOWER, Account, EntryKind
from meter_server.domain.hands import Hand
from meter_server.domain.notices import NoticeState
from meter_server.domain.refusals import Kind
from meter_server.domain.rounds import RoundState, SeatState
from meter_server.domain.rulebook import VERSION
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, SplitBasis
from tests.unit.contract import every_detail
from tests.unit.contract.vectors import read

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def section(heading: str, text: str = PAGE) -> str:
    """What stands under a heading, up to the next of its rank or above."""
    hashes = heading.split(" ")[0]
    _, found, rest = text.partition(f"\n{heading}\n")
    assert found, f"the page has no section {heading!r}"
    return re.split(rf"\n#{{1,{len(hashes)}}} ", rest)[0]


def first_cells(text: str, head: str) -> list[str]:
    """The words in code type in the first column of the table with this head."""
    _, found, rest = text.partition(f"| {head} |")
    assert found, f"the page has no table headed {head!r}"
    rows = rest.split("\n\n")[0].splitlines()[2:]
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1])]


def blocks(info: str) -> list[str]:
    return re.findall(rf"^```{info}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_every_kind_of_entry_has_its_section() -> None:
    kinds = re.findall(r"^### ([a-z-]+)$", section("## 5. Entries"), re.MULTILINE)
    assert set(kinds) == {kind.value for kind in EntryKind}
    assert len(kinds) == len(EntryKind)


@pytest.mark.parametrize(
    ("heading", "head", "values"),
    [
        ("## 4. Accounts", "account", Account),
        ("### Rounds", "round state", RoundState),
        ("### Rounds", "seat state", SeatState),
        ("### Prizes", "prize state", AwardState),
        ("### Notices", "notice state", NoticeState),
        ("## 11. Refusals", "kind", Kind),
    ],
)
def test_every_value_of_the_code_stands_in_its_table(
    heading: str, head: str, values: type[StrEnum]
) -> None:
    assert set(first_cells(section(heading), head)) == {value.value for value in values}


def test_refusals_stand_in_order_of_precedence() -> None:
    assert first_cells(section("## 11. Refusals"), "kind") == [kind.value for kind in Kind]


def test_every_example_is_one_of_the_vectors() -> None:
    entries = {row["entry"] + "\n" for row in read("life")["rows"]}
    notes = {note["note"] for name in ("receipts", "checkpoints") for note in read(name)["notes"]}
    assert len(blocks("entry")) == len(EntryKind)
    assert [example for example in blocks("entry") if example not in entries] == []
    assert len(blocks("note")) == 4
    assert [example for example in blocks("note") if example not in notes] == []


def test_every_section_of_a_kind_shows_an_entry_of_that_kind() -> None:
    for kind in EntryKind:
        shown = section(f"### {kind.value}", section("## 5. Entries"))
        assert f'"kind":"{kind.value}"' in shown


def test_every_hash_on_the_page_is_one_of_the_vectors() -> None:
    known = "".join(str(read(name)) for name in ("life", "receipts", "checkpoints"))
    assert [found for found in re.findall(r"\b[0-9a-f]{64}\b", PAGE) if found not in known] == []


def test_the_numbers_on_the_page_are_those_of_the_vectors() -> None:
    rows = re.findall(r"^\| (\d+) \| `([0-9a-f]{8})` \| (\w+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert rows == [
        (str(one["number"]), one["digest"][:8], one["place"], str(one["last"]))
        for one in read("numbers")["messages"]
    ]


def test_the_keys_on_the_page_are_those_of_the_vectors() -> None:
    keys = read("receipts")
    assert f"{keys['verifier_key']}\n{keys['other_verifier_key']}\n" in blocks("text")


def test_every_vector_file_is_listed() -> None:
    listed = set(re.findall(r"\(vectors/([a-z-]+\.json)\)", PAGE))
    folder = Path(__file__).resolve().parents[3] / "docs" / "vectors"
    assert listed == {path.name for path in folder.iterdir()}


@cache
def details() -> dict[str, set[str]]:
    """The fields of every detail that the code was seen to write, by kind and by correction."""
    found: dict[str, set[str]] = defaultdict(set)
    for entry in every_detail.entries():
        what = entry.detail.get("what")
        found[entry.kind.value if what is None else f"{entry.kind.value} {what}"] |= {*entry.detail}
    return found


WHATS = ("bonus", "settlement", "void", "order")
PLAIN = [kind for kind in EntryKind if kind not in (EntryKind.CORRECTION, EntryKind.RULING)]


def test_every_kind_of_entry_of_correction_and_of_ruling_was_seen() -> None:
    plain = {kind.value for kind in PLAIN}
    corrections = {f"correction {what}" for what in WHATS}
    assert set(details()) == plain | corrections | {f"ruling {what}" for what in Ruled}


@pytest.mark.parametrize("kind", PLAIN)
def test_a_detail_has_the_fields_that_the_page_lists(kind: EntryKind) -> None:
    listed = first_cells(section(f"### {kind.value}", section("## 5. Entries")), "detail")
    assert set(listed) == details()[kind.value]


@pytest.mark.parametrize("what", WHATS)
def test_a_correction_has_the_fields_that_the_page_lists(what: str) -> None:
    listed = first_cells(section("### correction"), f"detail of {what}")
    assert set(listed) == details()[f"correction {what}"]


@pytest.mark.parametrize("what", Ruled)
def test_a_ruling_has_the_fields_that_the_page_lists(what: Ruled) -> None:
    told = section("### ruling")
    assert f"**`{what.value}`**" in told
    head = "detail of played-on, carried, forfeited"
    if what.value not in head:
        head = f"detail of {what.value}"
    assert set(first_cells(told, head)) == details()[f"ruling {what.value}"]


def _settlements() -> list[Any]:
    return [
        entry.detail["statement"]
        for entry in every_detail.entries()
        if entry.kind is EntryKind.SETTLEMENT
    ]


def test_a_statement_and_its_shares_have_the_fields_that_the_page_lists() -> None:
    for statement in _settlements():
        assert set(statement) == set(first_cells(PAGE, "statement"))
    shares = [share for statement in _settlements() for share in statement["shares"]]
    assert shares
    for share in shares:
        assert set(share) == set(first_cells(PAGE, "share"))


def test_terms_have_the_fields_that_the_page_lists() -> None:
    changes = [entry for entry in every_detail.entries() if entry.kind is EntryKind.CHANGE]
    opening = section("### opening")
    for terms in (changes[0].detail["from"], changes[0].detail["to"]):
        assert isinstance(terms, dict)
        assert set(terms) <= set(first_cells(opening, "detail"))


def test_an_entry_and_a_receipt_have_the_fields_that_the_page_lists() -> None:
    entry = json.loads(read("entries")["rows"][0]["entry"])
    fields = first_cells(section("## 5. Entries").split("\n### ")[0], "field")
    assert set(fields) == set(entry)
    receipt = first_cells(section("## 8. Receipts"), "field")
    assert set(receipt) == set(Receipt.model_fields)


def test_the_constants_of_the_code_stand_on_the_page() -> None:
    lowering = (
        section("## 5. Entries").split("\n### ")[0].partition("Only ")[2].partition(" may")[0]
    )
    assert set(re.findall(r"`([a-z-]+)`", lowering)) == MAY_LOWER
    assert FORMAT == 1
    assert writing.INTEGER_MAX == 2**53 - 1
    assert f"at most {writing.TEXT_MAX} characters" in PAGE
    assert f"`{VERSION}`" in PAGE
    for part in (*DEFAULT_READINGS.label().split(";"), SplitBasis.PRINTED.value):
        assert f"`{part}`" in PAGE
    for value in (*Caution, *Result):
        assert f"`{value.value}`" in PAGE
    for hand in Hand:
        assert f"`{hand.value}`" in PAGE


def test_cases_that_no_person_declares_stand_on_the_page() -> None:
    folder = Path(deciding.__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    named = set(re.findall(r'"case": "([a-z-]+)"|_named_case\(table, "([a-z-]+)"\)', code))
    cases = {one or other for one, other in named} - set(CASES)
    listed = re.search(r"one that no person declares: ([^|]*)\|", PAGE)
    assert listed
    assert set(re.findall(r"`([a-z-]+)`", listed[1])) == cases
