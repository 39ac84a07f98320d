"""Every refusal as the source writes it: whole sentences, and every kind in use."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from meter_server.domain.refusals import Kind

ROOT = Path(__file__).resolve().parents[3]
REFUSALS = Path("meter_server/domain/refusals.py")
SOURCES = sorted(
    path.relative_to(ROOT)
    for folder in ("meter_server", "table_agent")
    for path in (ROOT / folder).rglob("*.py")
    if path.relative_to(ROOT) != REFUSALS
)


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
    """The rules' own refusals, which begin with their kind; another room may use the word too."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node).startswith("Refused(Kind."):
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
