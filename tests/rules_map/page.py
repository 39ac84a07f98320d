"""Writes the map as one Markdown page."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from meter_server.domain.requirements import REGISTER, SUBJECTS
from meter_server.domain.requirements.row import DOCUMENTS, Requirement
from tests.rules_map.scan import Mention

PATH = "docs/rules-map.md"

_OPENING = """\
# Rules map

Every requirement, rank, case and reading of the register (`meter_server/domain/requirements`),
the code that decides it and the tests that prove it. Where the rules leave a doubt, the row asks
the question and the reading we follow stands in bold.

This page is generated from citations in the code and `@rule` markers on the tests (in a
scenario its `rules:` line): change those, then run `python -m tests.rules_map`. A row that no code
cites is *planned*.
"""


def render(cited: set[Mention], marked: set[Mention]) -> str:
    served = {mention.key for mention in cited}
    lines = [_OPENING, *_documents(), *_summary(served)]
    for subject, rows in SUBJECTS.items():
        lines += ["", f"## {subject}", ""]
        lines += ["| key | what the rules ask | rule | decided by | proved by |"]
        lines += ["|---|---|---|---|---|"]
        lines += [_row(row, cited, marked) for row in rows]
    return "\n".join(lines) + "\n"


def _documents() -> Iterator[str]:
    yield "| cited as | document |"
    yield "|---|---|"
    for short, title in DOCUMENTS.items():
        yield f"| {short} | {title} |"
    yield ""


def _summary(served: set[str]) -> Iterator[str]:
    yield "| subject | rows | served | planned |"
    yield "|---|---:|---:|---:|"
    for subject, rows in SUBJECTS.items():
        yield _count(subject, rows, served)
    yield _count("**all**", REGISTER, served)


def _count(name: str, rows: tuple[Requirement, ...], served: set[str]) -> str:
    done = sum(row.key in served for row in rows)
    return f"| {name} | {len(rows)} | {done} | {len(rows) - done} |"


def _row(row: Requirement, cited: set[Mention], marked: set[Mention]) -> str:
    says = f"{row.says} **{row.reading}**" if row.reading else row.says
    code = _links(row.key, cited, _dotted) or "*planned*"
    return f"| {row.key} | {says} | {row.cites} | {code} | {_links(row.key, marked, _node_id)} |"


def _links(key: str, mentions: Iterable[Mention], label: Callable[[Mention], str]) -> str:
    links = {f"[`{label(m)}`](../{m.path})" for m in mentions if m.key == key}
    return "<br>".join(sorted(links))


def _dotted(mention: Mention) -> str:
    module = PurePosixPath(mention.path).with_suffix("")
    parts = [part for part in module.parts if part != "__init__"]
    return ".".join([*parts, mention.name] if mention.name else parts)


def _node_id(mention: Mention) -> str:
    """As pytest names it; a marker on the whole module is named by the file alone."""
    path = mention.path.removeprefix("tests/")
    return path if mention.name in ("", "pytestmark") else f"{path}::{mention.name}"
