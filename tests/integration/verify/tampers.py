"""Ways to change an export by hand: every kind of field, and rows away, in, twice and elsewhere.

The one who does it counts: the last line says truly how many rows there are.
"""

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

Row = dict[str, Any]
Path = tuple[str | int, ...]

UNSIGNED = {
    ("key", "from"),  # written by the server at the enrolment, and by nobody else
    ("key", "to"),
    ("request", "at"),
}
"""Evidence that nothing vouches for: docs/verify.md tells the auditor so."""


@dataclass(frozen=True)
class Tampered:
    what: str
    lines: list[str]
    at: frozenset[str]
    """Any of these words, or lines, names the place."""


def rows_of(lines: list[str]) -> list[Row]:
    return [json.loads(line) for line in lines]


def written(rows: list[Row]) -> list[str]:
    """As the server would write it, with a true count at the end."""
    counts = Counter(row["row"] for row in rows[1:-1])
    counted = [*rows[:-1], {**rows[-1], "rows": dict(counts)}]
    return [_canonical(row) for row in counted]


def places(row: Row, line: int) -> set[str]:
    """The words by which a finding may name a row."""
    named = {f"line {line}"}
    match row.get("row"):
        case "entry":
            named |= {f"meter {row['meter']} seq {row['seq']}"}
            named |= {f"entry {row['seq']} of {row['meter']}", f"seq should be {row['seq']}"}
        case "message":
            named |= {row["key"]}
        case "request":
            named |= {row["digest"]}
        case "key":
            named |= {row["id"]}
        case "device":
            named |= {f"device:{row['device']}:", f"device {row['device']} "}
        case "meter":
            named |= {f"meter {row['meter']}"}
        case "checkpoint":
            named |= {f"checkpoint {row['number']}"}
    return named


def change_a_field(rows: list[Row], random: Random) -> Tampered:
    rows = deepcopy(rows)
    while True:
        number = random.randrange(1, len(rows))
        path = random.choice(list(_leaves(_opened(rows[number]))))
        if (rows[number]["row"], *path[:1]) not in UNSIGNED:
            break
    before = rows[number]
    rows[number] = _closed(_changed(_opened(before), path, random))
    what = f"{before['row']} {'/'.join(map(str, path))}"
    lines = [_canonical(row) for row in rows] if number == len(rows) - 1 else written(rows)
    return Tampered(what, lines, frozenset(places(before, number + 1)))


def _opened(row: Row) -> Row:
    """With what is inside its texts laid open, so that every field of an entry has its turn."""
    laid = dict(row)
    if row["row"] in ("entry", "message"):
        inside = "body" if row["row"] == "entry" else "answer"
        laid[inside] = json.loads(row[inside])
    if row["row"] == "request":
        laid["body"] = json.loads(base64.b64decode(row["body"]))
    return laid


def _closed(row: Row) -> Row:
    shut = dict(row)
    if row["row"] == "request":
        shut["body"] = base64.b64encode(_canonical(row["body"]).encode()).decode()
    for inside in ("body", "answer"):
        if isinstance(shut.get(inside), dict):
            shut[inside] = _canonical(row[inside])
    return shut


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every value that is no object, lists also as a whole."""
    if not isinstance(value, dict):
        yield path
    inside: dict[Any, Any] = value if isinstance(value, dict) else {}
    if isinstance(value, list):
        inside = dict(enumerate(value))
    for key, one in inside.items():
        yield from _leaves(one, (*path, key))


def _changed(row: Row, path: Path, random: Random) -> Row:
    row = deepcopy(row)
    holder: Any = row
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = _other(holder[path[-1]], random)
    return row


def _other(value: Any, random: Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, 1_000_000))
    if isinstance(value, list):
        return [*value, 1] if len(value) < 2 or random.random() < 0.5 else value[1:]
    if value is None:
        return "x"
    place = random.randrange(len(value) + 1)
    other = "8" if value[place : place + 1] == "7" else "7"
    return f"{value[:place]}{other}{value[place + 1 :]}"


def take_a_row_away(rows: list[Row], random: Random) -> Tampered:
    number = random.randrange(1, len(rows) - 1)
    gone = rows[number]
    lines = written([*rows[:number], *rows[number + 1 :]])
    return Tampered(f"without a {gone['row']}", lines, frozenset(places(gone, number + 1)))


def put_a_row_twice(rows: list[Row], random: Random) -> Tampered:
    source, number = random.randrange(1, len(rows) - 1), random.randrange(1, len(rows) - 1)
    copied = rows[source]
    lines = written([*rows[:number], copied, *rows[number:]])
    named = places(copied, number + 1) | places(copied, source + 1 + (source >= number))
    return Tampered(f"a {copied['row']} twice", lines, frozenset(named))


def invent_a_message(rows: list[Row], random: Random) -> Tampered:
    """Somebody asked for something long before everything else, and was refused."""
    number = next(n for n, row in enumerate(rows) if row.get("row") in ("request", "message"))
    key, at = f"staff:4001:{random.randrange(10**9)}", "2020-01-01T00:00:00.000000Z"
    row: Row = {"row": "message", "key": key, "digest": random.randbytes(32).hex(), "at": at}
    row |= {"answer": refusal(key, at), "request": None}
    lines = written([*rows[:number], row, *rows[number:]])
    return Tampered("a message invented", lines, frozenset(places(row, number + 1)))


def refusal(key: str, at: str) -> str:
    told = {"reason": "The system is closed.", "remedy": "Open one.", "rule": "WSOP 9.1.1"}
    named = {"answer": "refused", "at": at, "kind": "system-closed", "message": key, "head": None}
    return _canonical(told | named)


def swap_two_rows(rows: list[Row], random: Random) -> Tampered:
    one, other = sorted(random.sample(range(1, len(rows) - 1), 2))
    swapped = list(rows)
    swapped[one], swapped[other] = rows[other], rows[one]
    named = places(rows[one], other + 1) | places(rows[other], one + 1)
    what = f"a {rows[one]['row']} and a {rows[other]['row']} swapped"
    return Tampered(what, written(swapped), frozenset(named))


def move_a_row(rows: list[Row], random: Random) -> Tampered:
    source, number = random.sample(range(1, len(rows) - 1), 2)
    rest = [*rows[:source], *rows[source + 1 :]]
    rest.insert(number, rows[source])
    named = places(rows[source], number + 1) | {f"line {source + 1}"}
    return Tampered(f"a {rows[source]['row']} elsewhere", written(rest), frozenset(named))


def cut_the_file(rows: list[Row], random: Random) -> Tampered:
    left = random.randrange(1, len(rows))
    lines = [_canonical(row) for row in rows[:left]]
    return Tampered("cut off", lines, frozenset({f"line {left}"}))


TAMPERS: tuple[Callable[[list[Row], Random], Tampered], ...] = (
    *(change_a_field,) * 5,
    take_a_row_away,
    put_a_row_twice,
    invent_a_message,
    swap_two_rows,
    move_a_row,
    cut_the_file,
)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
