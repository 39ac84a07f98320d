"""What was done already for a request that the straight way has left to Flask."""

from dataclasses import dataclass, field
from time import perf_counter

from flask import request

from meter_server.recording.door import Unavailable
from meter_server.storage.errors import StorageError

KEY = "prize_meter.left"
"""In the environment of the request."""


@dataclass(slots=True)
class Left:
    request_id: str = ""
    began: float = field(default_factory=perf_counter)
    counted: set[str] = field(default_factory=set)
    """By which limits, by their names."""
    failure: StorageError | Unavailable | None = None
    """What kept it from being recorded: trying again at once would only be the same again."""


def left() -> Left:
    """For this request; of one that took no other way before, nothing is done yet."""
    found: Left | None = request.environ.get(KEY)
    return found or Left()
