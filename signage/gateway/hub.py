"""The latest floor, and everybody who looks at it.

Each view is written once and sent to all its screens. A screen that cannot take it is passed over
and later told everything anew, so nothing queues up here however slow a screen is.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from meter_server.contract.frames import Floor
from signage.gateway.views import Picture, Shown, View, event

PACE_SECONDS = 0.2
"""From one frame to the next: five a second. One may come early by as much, or a frame that was
held up once would hold up all that follow it at that pace, as the server's frames do."""
BEAT_SECONDS = 1.0
"""Between two frames at most, whether or not anything is new."""
STALE_SECONDS = 5.0
FORGET_SECONDS = 30.0
"""So long without a floor that is not older, and any floor is believed: a restored database begins
at a lower order, and signs have said for long that they are not available."""

_WAITING = event("waiting", {})
"""The gateway is there, and has no values to tell yet."""


class Screen(Protocol):
    view: View

    def send(self, event: bytes) -> None: ...

    @property
    def is_stuck(self) -> bool: ...


class Hub:
    def __init__(
        self,
        on_sent: Callable[[float], None] = lambda _seconds: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.floor: Floor | None = None
        self._picture: Picture | None = None
        """The floor as screens are told of it."""
        self.heard_at = float("-inf")
        """When a floor came that was no older than ours."""
        self._read_at = self._sent_at = self._next_at = float("-inf")
        self._screens: dict[View, set[Screen]] = {}
        self._shown: dict[View, Shown] = {}
        self._on_sent = on_sent
        self._now = now
        self._due: asyncio.TimerHandle | None = None

    @property
    def age_seconds(self) -> float:
        """Since the database was read for the floor that is shown."""
        return self._now() - self._read_at

    @property
    def silent_seconds(self) -> float:
        return self._now() - self.heard_at

    @property
    def screens(self) -> int:
        return sum(map(len, self._screens.values()))

    @property
    def stale_screens(self) -> int:
        """Which no longer show what is true: those that take nothing, or all when nothing comes."""
        if self.age_seconds > STALE_SECONDS:
            return self.screens
        return sum(screen.is_stuck for screens in self._screens.values() for screen in screens)

    def take(self, floor: Floor, age_seconds: float = 0) -> bool:
        """A floor came; False where it is older than the one we have."""
        now = self._now()
        if self.floor is not None and floor.order < self.floor.order:
            if self.silent_seconds < FORGET_SECONDS:
                return False
            self._read_at = float("-inf")
        self._read_at = max(self._read_at, now - age_seconds)
        self.heard_at = now
        self.floor, self._picture = floor, Picture(floor)
        self._send_soon()
        return True

    def add(self, screen: Screen, last_event_id: str | None) -> None:
        self._screens.setdefault(screen.view, set()).add(screen)
        shown = self._shown_to(screen.view)
        if shown is None:
            screen.send(_WAITING)
        else:
            known = shown.digest == last_event_id
            screen.send((shown.values if known else shown.whole)(*self._stamp()))

    def catch_up(self, screen: Screen) -> None:
        """A screen that was passed over can take something again."""
        shown = self._shown_to(screen.view)
        if shown is not None:
            screen.send(shown.whole(*self._stamp()))

    def remove(self, screen: Screen) -> None:
        screens = self._screens.get(screen.view, set())
        screens.discard(screen)
        if not screens:
            self._screens.pop(screen.view, None)
            self._shown.pop(screen.view, None)

    async def beat(self) -> None:
        """For ever: a screen hears from us every second, also that nothing is new."""
        while True:
            await asyncio.sleep(BEAT_SECONDS / 4)
            if self._now() - self._sent_at >= BEAT_SECONDS:
                self._send()

    def _send_soon(self) -> None:
        if self._due is None:
            wait = self._next_at - PACE_SECONDS - self._now()
            self._due = asyncio.get_running_loop().call_later(max(wait, 0), self._send)

    def _send(self) -> None:
        began = self._now()
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._sent_at = began
        self._next_at = max(self._next_at, began) + PACE_SECONDS
        if self._picture is None:
            self._send_waiting()
            return
        stamp = self._stamp()
        for view, screens in self._screens.items():
            before, shown = self._shown.get(view), view.of(self._picture)
            self._shown[view] = shown
            known = before is not None and before.digest == shown.digest
            written = (shown.values if known else shown.whole)(*stamp)
            for screen in tuple(screens):
                screen.send(written)
        self._on_sent(self._now() - began)

    def _send_waiting(self) -> None:
        for screens in self._screens.values():
            for screen in tuple(screens):
                screen.send(_WAITING)

    def _shown_to(self, view: View) -> Shown | None:
        if self._picture is not None and view not in self._shown:
            self._shown[view] = view.of(self._picture)
        return self._shown.get(view)

    def _stamp(self) -> tuple[int, int]:
        """The age of the values, and a time that a screen can tell our delays by."""
        return int(self.age_seconds * 1000), int(self._now() * 1000)
