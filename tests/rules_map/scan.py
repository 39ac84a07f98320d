"""Reads the source: which code cites which key, and which tests carry which marker."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.rules_map.keys import cited_in
from tests.rules_map.places import innermost, named_places

CODE = ("deploy", "meter_server", "signage", "table_agent")
REGISTER = "meter_server/domain/requirements"
TESTS = "tests"
SCENARIO = ".scenario"


@dataclass(frozen=True, order=True)
class Mention:
    """A key, and the named thing in a file (relative to the repository) that mentions it."""

    key: str
    path: str
    name: str


def citations(root: Path) -> set[Mention]:
    """Every key cited by a comment, docstring or other string of the code.

    The register itself does not count: it says what is asked, not what is done.
    """
    files = (path for folder in CODE for path in (root / folder).rglob("*.py"))
    return {
        mention
        for path in files
        if not path.relative_to(root).as_posix().startswith(REGISTER)
        for mention in _citations_in(path, root)
    }


def markers(root: Path) -> set[Mention]:
    """Every key that a test claims to prove with the `rule` marker, or a scenario in its header."""
    tests = (root / TESTS).rglob("*.py")
    scenarios = (root / TESTS).rglob("*" + SCENARIO)
    return {
        *(mention for path in tests for mention in _markers_in(path, root)),
        *(mention for path in scenarios for mention in _headers_in(path, root)),
    }


def _citations_in(path: Path, root: Path) -> Iterator[Mention]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    places = named_places(tree)
    for line, text in (*_strings(tree), *_comments(source)):
        for key in cited_in(text):
            yield Mention(key, path.relative_to(root).as_posix(), innermost(places, line))


def _strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments with the line they speak of: their own, or the one straight below them."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            while line <= len(lines) and lines[line - 1].lstrip().startswith("#"):
                line += 1
            yield line, token.string


def _markers_in(path: Path, root: Path) -> Iterator[Mention]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    places = named_places(tree)
    relative = path.relative_to(root).as_posix()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("rule", "pytest.mark.rule"):
            for argument in call.args:
                name = innermost(places, call.lineno)
                yield Mention(_written_key(argument), relative, name)


def _headers_in(path: Path, root: Path) -> Iterator[Mention]:
    """The keys of each scenario's `rules:` line, under the title that stands above it."""
    title = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        header, _, text = line.partition(":")
        if header == "scenario":
            title = text.strip()
        elif header == "rules":
            for key in text.split():
                yield Mention(key, path.relative_to(root).as_posix(), title)


def _written_key(argument: ast.expr) -> str:
    """The key itself; an expression stays as written, which no register holds."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    return ast.unparse(argument)
