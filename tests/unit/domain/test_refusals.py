"""Refusals: sentences with a rule and a remedy, every kind in use, one order of precedence."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from meter_server.domain.refusals import Kind, Refusal, Refused

ROOT = Path(__file__).resolve().parents[3]
REFUSALS = Path("meter_server/domain/refusals.py")
SOURCES = sorted(
    path.relative_to(ROOT)
    for path in (ROOT / "meter_server" / "domain").rglob("*.py")
    if path.relative_to(ROOT) != REFUSALS
)
"""The rules refuse here; other rooms have refusals of their own."""


def test_a_refusal_is_told_as_reason_rule_and_remedy() -> None:
    refused = Refused(Kind.NO_SEATS, "Nobody wagers.", rule="WSOP 9.2.2", remedy="Name a seat.")
    assert refused.refusal == Refusal(Kind.NO_SEATS, "Nobody wagers.", "WSOP 9.2.2", "Name a seat.")
    assert str(refused) == refused.refusal.sentence == "Nobody wagers. [WSOP 9.2.2] Name a seat."


def test_kinds_travel_as_the_words_they_are_named_by() -> None:
    assert {kind.value for kind in Kind} == {kind.name.lower().replace("_", "-") for kind in Kind}


def test_precedence_begins_with_who_asks_and_what_is_named() -> None:
    assert list(Kind)[:4] == [
        Kind.NOT_AUTHORISED,
        Kind.SECOND_PERSON_NEEDED,
        Kind.OWN_OUTCOME,
        Kind.UNKNOWN,
    ]


def test_every_kind_is_used() -> None:
    """A kind that nothing refuses with is a promise to whoever maps it."""
    used = {
        node.attr
        for path in SOURCES
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Kind"
    }
    assert {kind.name for kind in Kind} - used == set()


def _refusals(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refused":
            yield node


def _written(node: ast.expr) -> list[str]:
    """The words of a string as far as they are written in the source; none for a variable."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        return ["".join(str(part) for part in parts)]
    return []


def _sentences() -> Iterator[tuple[str, str]]:
    for path in SOURCES:
        for call in _refusals(path):
            place = f"{path.as_posix()}:{call.lineno}"
            keywords = {word.arg: word.value for word in call.keywords}
            for text in (*_written(call.args[1]), *_written(keywords["remedy"])):
                yield place, text


SENTENCES = list(_sentences())


def test_there_are_sentences_to_look_at() -> None:
    assert len(SENTENCES) > 100


@pytest.mark.parametrize(("place", "text"), SENTENCES)
def test_reason_and_remedy_are_sentences(place: str, text: str) -> None:
    assert text[0].isupper() or text[0].isdigit(), place
    assert text.endswith((".", "?")), place
    assert "  " not in text, place
