"""Reads scenario files: plain text, one event on a line with its expected answer.

README.md beside this file explains the language to whoever writes scenarios.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from meter_server.domain.rulebook.games import GameKey

FOLDER = Path(__file__).parent / "floor"
SUFFIX = ".scenario"

_FIRST_DAY = datetime(2026, 3, 2, tzinfo=UTC)
_TIME = r"\d\d:\d\d:\d\d(?:\.\d{1,6})?"
_EVENT = re.compile(
    rf"(?P<at>{_TIME})(?: \[(?P<agent_at>{_TIME})\])? (?P<people>[^:\"]+): (?P<sentence>.+)"
)
_ANSWER = " -> "


class ScenarioError(Exception):
    """A scenario that cannot be read; the message names its file and line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with the place it stands at, for whoever has to find it."""

    path: Path
    number: int
    text: str

    def wrong(self, why: str) -> ScenarioError:
        return ScenarioError(f"{self.path.name}:{self.number}: {why}\n    {self.text}")


@dataclass(frozen=True, slots=True)
class Founding:
    """A line that nobody of the floor says: it sets the floor up, or the house's readings."""

    line: Line


@dataclass(frozen=True, slots=True)
class Event:
    line: Line
    at_us: int
    agent_at_us: int
    people: str
    sentence: str
    answer: str


@dataclass(frozen=True, slots=True)
class Scenario:
    path: Path
    title: str
    rules: tuple[str, ...]
    readings: str
    game: GameKey | None
    steps: tuple[Founding | Event, ...]

    @property
    def changes_readings(self) -> bool:
        return any(step.line.text.startswith("readings ") for step in self.steps)

    @property
    def name(self) -> str:
        name = f"{self.path.stem}: {self.title}"
        return name if self.game is None else f"{name} ({self.game})"


def all_scenarios() -> list[Scenario]:
    return [scenario for path in sorted(FOLDER.glob("*" + SUFFIX)) for scenario in read(path)]


def read(path: Path) -> Iterator[Scenario]:
    """Every scenario of a file; one that names several games is told once for each."""
    for title, block in _blocks(path):
        headers, body = _headers(block)
        games: list[GameKey | None] = [GameKey(word) for word in headers.get("games", "").split()]
        for game in games or [None]:
            lines = [_for_game(line, game) for line in body]
            yield Scenario(
                path,
                title.text.removeprefix("scenario:").strip(),
                tuple(headers.get("rules", "").split()),
                headers.get("readings", ""),
                game,
                tuple(_steps(lines)),
            )


def _blocks(path: Path) -> Iterator[tuple[Line, list[Line]]]:
    block: list[Line] = []
    title: Line | None = None
    for line in _joined(path):
        if line.text.startswith("scenario:"):
            if title is not None:
                yield title, block
            title, block = line, []
        elif title is None:
            raise line.wrong("A file begins with 'scenario: ' and a title.")
        else:
            block.append(line)
    if title is not None:
        yield title, block


def _joined(path: Path) -> Iterator[Line]:
    """Lines without comments; an indented line continues the one above it."""
    held: Line | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = raw.rstrip()
        if not text or text.lstrip().startswith("#"):
            continue
        if text.startswith(" ") and held is not None:
            held = Line(path, held.number, f"{held.text} {text.strip()}")
            continue
        if held is not None:
            yield held
        held = Line(path, number, text)
    if held is not None:
        yield held


def _headers(block: list[Line]) -> tuple[dict[str, str], list[Line]]:
    headers: dict[str, str] = {}
    for place, line in enumerate(block):
        word, colon, rest = line.text.partition(":")
        if not colon or word not in ("rules", "games", "readings"):
            return headers, block[place:]
        headers[word] = rest.strip()
    return headers, []


def _for_game(line: Line, game: GameKey | None) -> Line:
    if game is None:
        return line
    return Line(line.path, line.number, line.text.replace("GAME", game.value))


def _steps(lines: list[Line]) -> Iterator[Founding | Event]:
    day = 1
    for line in lines:
        if line.text.startswith("day "):
            day = int(line.text.split()[1])
        elif line.text.startswith(("system ", "table ", "readings ")):
            yield Founding(line)
        else:
            yield _event(line, day)


def _event(line: Line, day: int) -> Event:
    told, arrow, answer = line.text.partition(_ANSWER)
    match = _EVENT.fullmatch(" ".join(told.split()))
    if match is None or not arrow:
        raise line.wrong("An event is 'time person: what they do -> the answer'.")
    at_us = microseconds(match["at"], day)
    agent_at = match["agent_at"]
    return Event(
        line,
        at_us,
        at_us if agent_at is None else microseconds(agent_at, day),
        match["people"],
        match["sentence"],
        answer.strip(),
    )


def microseconds(clock: str, day: int) -> int:
    """A time of a day of the story as the system counts it."""
    hours, minutes, seconds = clock.split(":")
    whole, _, part = seconds.partition(".")
    instant = _FIRST_DAY + timedelta(
        days=day - 1,
        hours=int(hours),
        minutes=int(minutes),
        seconds=int(whole),
        microseconds=int(part.ljust(6, "0") or "0"),
    )
    return (instant - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def same_day(at_us: int, clock: str) -> int:
    """Another time of the day that an event happens on."""
    day_us = 24 * 3600 * 1_000_000
    return at_us - at_us % day_us + microseconds(clock, 1) % day_us
