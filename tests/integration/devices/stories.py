"""The language of the stories about devices: one event on a line, with its expected answer.

Capital letters stand for names that are each story's own: D, E and G are devices, T is a table.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "scenarios" / "devices"


@dataclass(frozen=True)
class Line:
    place: str
    event: str
    answer: str | None


@dataclass(frozen=True)
class Story:
    file: str
    title: str
    lines: tuple[Line, ...]


def all_stories() -> list[Story]:
    return [story for path in sorted(FOLDER.glob("*.scenario")) for story in _read(path)]


def _read(path: Path) -> list[Story]:
    stories: list[Story] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.startswith("scenario: "):
            stories.append(Story(path.stem, text.removeprefix("scenario: "), ()))
        elif text and not text.startswith("#"):
            event, _, answer = text.partition(" -> ")
            line = Line(f"{path.name}:{number}", event, answer or None)
            last = stories.pop()
            stories.append(Story(last.file, last.title, (*last.lines, line)))
    return stories


Event = Callable[..., str | None]


class Events:
    """Which sentence calls which function; what a sentence names is given by its groups."""

    def __init__(self) -> None:
        self._events: list[tuple[re.Pattern[str], Event]] = []

    def say(self, sentence: str) -> Callable[[Event], Event]:
        """``{name}`` is one word, ``{name*}`` is the rest."""
        pattern = re.sub(
            r"\{(\w+)(\*?)\}",
            lambda found: f"(?P<{found[1]}>{'.+' if found[2] else '[^ ]+'})",
            sentence,
        )

        def remember(event: Event) -> Event:
            self._events.append((re.compile(pattern), event))
            return event

        return remember

    def play(self, story: object, line: Line) -> None:
        found = [
            (event, match)
            for pattern, event in self._events
            if (match := pattern.fullmatch(line.event))
        ]
        assert len(found) == 1, f"{line.place}: {len(found)} meanings of '{line.event}'"
        [(event, match)] = found
        assert event(story, **match.groupdict()) == line.answer, line.place
