"""Who the screens are, what they report, and the codes of those that nobody has paired yet.

A screen is known by the secret token in its cookie; here, as on the server, only by the digest.
The server owns the roster: a copy is kept on disk, so that a gateway that starts while the server
is away still knows what its screens are for.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from meter_server.contract.displays import (
    SCREENS_MAX,
    Asking,
    Batch,
    Display,
    MeterSeen,
    Roster,
    Screen,
    Seen,
)
from signage.gateway.views import View, event

COOKIE = "screen"
BATCH_BYTES_MAX = 200_000
"""Well under what the server takes at once, signature and all."""
REPORT_SECONDS_MAX = 60.0
"""Older reports are forgotten when the server cannot be reached: they confirm nothing any more."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_NOWHERE = View(table="")


class Stream(Protocol):
    def send(self, event: bytes) -> None: ...


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Screens:
    def __init__(self, file: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._now = now
        self._known: dict[str, Screen] = {}
        self._version: str | None = None
        self._codes: dict[str, str] = {}
        self._streams: dict[str, set[Stream]] = {}
        self._reports: dict[str, tuple[Seen, float]] = {}
        self._batched_at = 0.0
        self._remember()

    def find(self, token: str) -> Screen | None:
        return self._known.get(digest_of(token))

    def code(self, token: str) -> str:
        """What a screen shows until somebody pairs it."""
        digest = digest_of(token)
        if digest not in self._codes:
            self._codes[digest] = "".join(secrets.choice(_LETTERS) for _ in range(6))
        return self._codes[digest]

    def view(self, token: str) -> View:
        screen = self.find(token)
        if screen is None:
            return _NOWHERE
        return View(table=screen.role.table, meters=screen.role.meters)

    def add(self, token: str, stream: Stream) -> None:
        """A screen looks, and is told who it is."""
        self._streams.setdefault(digest_of(token), set()).add(stream)
        stream.send(self._told(digest_of(token), token))

    def remove(self, token: str, stream: Stream) -> None:
        digest = digest_of(token)
        streams = self._streams.get(digest, set())
        streams.discard(stream)
        if not streams:
            self._streams.pop(digest, None)
            self._codes.pop(digest, None)

    def report(self, token: str, seen: Seen) -> bool:
        """What a page has painted; False where it is of no screen of the house."""
        screen = self.find(token)
        if screen is None:
            return False
        before = self._reports.get(screen.screen)
        self._reports[screen.screen] = (_joined(before[0], seen) if before else seen, self._now())
        return True

    @property
    def has_reports(self) -> bool:
        return bool(self._reports)

    @property
    def has_news(self) -> bool:
        return bool(self._reports) or any(digest in self._codes for digest in self._streams)

    def batch(self) -> Batch:
        """What the server should hear next, and no longer waits here."""
        asking = [
            Asking(code=code, token=digest)
            for digest, code in self._codes.items()
            if digest in self._streams
        ][:SCREENS_MAX]
        room = BATCH_BYTES_MAX - sum(map(_bytes_of, asking))
        displays = list(self._displays(room))
        for display in displays:
            del self._reports[display.screen]
        return Batch(displays=displays, asking=asking, roster=self._version)

    def _displays(self, room: int) -> Iterator[Display]:
        """As many as there is room for; the one that waited longest first."""
        self._batched_at = now = self._now()
        self._reports = {
            screen: (seen, at)
            for screen, (seen, at) in self._reports.items()
            if now - at < REPORT_SECONDS_MAX
        }
        for screen, (seen, at) in islice(self._reports.items(), SCREENS_MAX):
            age_ms = int((now - at) * 1000)
            told = Display(screen=screen, age_ms=age_ms, meters=seen.meters, notices=seen.notices)
            room -= _bytes_of(told)
            if room < 0:
                return
            yield told

    def not_heard(self, batch: Batch) -> None:
        """The server did not take it: it waits on, under what came since."""
        for display in batch.displays:
            seen = Seen(meters=display.meters, notices=display.notices)
            later = self._reports.get(display.screen)
            self._reports[display.screen] = (
                (_joined(seen, later[0]), later[1])
                if later
                else (seen, self._batched_at - display.age_ms / 1000)
            )

    def take(self, roster: Roster) -> None:
        """What the server says of the screens; those whose part changed are told."""
        if roster.screens is None:  # as they were
            return
        known = {screen.token: screen for screen in roster.screens}
        before, self._known, self._version = self._known, known, roster.version
        for digest, streams in self._streams.items():
            if before.get(digest) != known.get(digest):
                for stream in tuple(streams):
                    stream.send(self._told(digest, None))
        self._keep(roster)

    def _told(self, digest: str, token: str | None) -> bytes:
        screen = self._known.get(digest)
        if screen is not None:
            role = screen.role.model_dump(mode="json")
            return event("screen", {"screen": screen.screen, "role": role, "code": None})
        code = self._codes.get(digest) if token is None else self.code(token)
        return event("screen", {"screen": None, "role": None, "code": code})

    def _keep(self, roster: Roster) -> None:
        fresh = self._file.with_suffix(".new")
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.write_text(roster.model_dump_json(), encoding="utf-8")
        fresh.replace(self._file)

    def _remember(self) -> None:
        try:
            roster = Roster.model_validate_json(self._file.read_bytes())
        except (OSError, ValidationError):
            return
        self._version = roster.version
        self._known = {screen.token: screen for screen in roster.screens or ()}


def _bytes_of(told: Display | Asking) -> int:
    return len(told.model_dump_json()) + len(",")


def _joined(first: Seen, then: Seen) -> Seen:
    """One report of two: all that was painted, and what is on the screen at the end."""
    began = {one.meter: one for one in first.meters}
    meters: list[MeterSeen] = []
    for one in then.meters:
        earlier = began.get(one.meter)
        from_seq = min(one.from_seq, earlier.from_seq) if earlier else one.from_seq
        meters.append(one.model_copy(update={"from_seq": from_seq}))
    return Seen(meters=meters, notices=then.notices)
