"""Places where a test may kill this process, to see that nothing acknowledged is lost by it.

A place that is reached costs one comparison. Only where ``PRIZE_METER_FAILPOINT`` names it, with a
count and a file, as in ``committed:7:/tmp/deaths``, does the process end there the seventh time: at
once, by SIGKILL, with no clean-up, after one line in the file that says where it died.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from pathlib import Path

import structlog

from meter_server.errors import SettingsError

VARIABLE = "PRIZE_METER_FAILPOINT"

_STORING_SECONDS_MAX = 0.004
"""About as long as a commit takes: such a death falls before it, into it or after it."""
_HALF_SENT_SECONDS = 0.05
"""Enough for the first half of a reply to leave the process."""

_log = structlog.get_logger(__name__)


class Place(StrEnum):
    LOADING = "loading"
    """Nothing has been read yet."""
    LOCKED = "locked"
    """The meters are held by an open transaction."""
    DECIDED = "decided"
    """Between the decision and its statement."""
    STORING = "storing"
    """The statement is on its way, or its answer is."""
    COMMITTED = "committed"
    """Durable, and nobody knows."""
    SIGNED = "signed"
    """The receipt is made and has not left."""
    REPLYING = "replying"
    """Half of the reply has left."""


@dataclass(frozen=True, slots=True)
class _Armed:
    place: Place
    nth: int
    file: Path
    hits: "count[int]" = field(default_factory=lambda: count(1))


_armed: _Armed | None = None


def arm(environment: Mapping[str, str] = os.environ) -> None:
    """As the environment says; without a word of it, nothing can ever die here."""
    global _armed
    words = environment.get(VARIABLE)
    if words is None:
        return
    try:
        place, nth, file = words.split(":", 2)
        _armed = _Armed(Place(place), int(nth), Path(file))
    except ValueError:
        raise SettingsError(
            f"{VARIABLE} is '{words}': unset it, it is for tests alone; they write PLACE:NTH:FILE."
        ) from None
    _log.warning("this process will kill itself, as a test wants it", place=place, nth=nth)


def reach(place: Place) -> None:
    """Die here, if this is where and when."""
    if _armed is not None and _is_due(place):
        _die()


def begin(place: Place) -> None:
    """Die a moment later, in the middle of what follows."""
    if _armed is not None and _is_due(place):
        seconds = random.uniform(0, _STORING_SECONDS_MAX)  # noqa: S311 - no secret
        threading.Timer(seconds, _die).start()


def written(place: Place, text: str) -> str | Iterator[str]:
    """The text; or half of it, and death."""
    return _torn(text) if _armed is not None and _is_due(place) else text


def _torn(text: str) -> Iterator[str]:
    yield text[: len(text) // 2]
    time.sleep(_HALF_SENT_SECONDS)
    _die()


def _is_due(place: Place) -> bool:
    return _armed is not None and place is _armed.place and next(_armed.hits) == _armed.nth


def _die() -> None:
    assert _armed is not None  # noqa: S101 - only what is due dies
    # What was written to a file outlives the process, though not the machine.
    with _armed.file.open("a", encoding="ascii") as deaths:
        deaths.write(f"{_armed.place}\n")
    os.kill(os.getpid(), signal.SIGKILL)
