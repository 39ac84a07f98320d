"""What the endpoints work with, joined in ``bootstrap`` for each server process."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from meter_server.access.desk import Desk
from meter_server.access.proposals import Handlers
from meter_server.access.together import Together
from meter_server.contract.notes import Signer
from meter_server.domain.rulebook.readings import Readings
from meter_server.feed.publisher import Publisher
from meter_server.http.api.limits import RateLimits
from meter_server.http.arrivals import Arrivals
from meter_server.recording.door import Answer, Submission
from meter_server.storage.devices import Known
from meter_server.watching.watch import Watch

Submit = Callable[[Sequence[Submission]], list[Answer]]
"""The door, or the writer in front of it: durable when it answers."""
Send = Callable[[Sequence[Submission]], "Future[list[Answer]]"]
"""The writer, for whoever has no thread to wait in."""


@dataclass(frozen=True)
class Parts:
    desk: Desk
    submit: Submit
    send: Send
    arrivals: Arrivals
    """Brings what was sent, and the keys, to whoever waits on the event loop."""
    handlers: Handlers
    """What takes two persons, by the name of the action."""
    watch: Watch
    """Knows which conditions for taking wagers fail at every table."""
    limits: RateLimits
    keys: Together[str, Known]
    """Whose key signed a request."""
    readings: Readings
    """As the door decides by them."""
    signer: Signer | None
    """The installation's own key; without it no device can be answered."""
    secure_cookies: bool
    """Off only for a look on this machine, where there is no TLS."""
    feed: Publisher
    """What signs show, read now or on its way to Redis."""
