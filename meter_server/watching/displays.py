"""What the screens report: kept as proof, and counted as the word of the signs.

A sign that shows a notice confirms it; one that has not reported it for a while is dark (A-35).
What a sign says goes through the one door like everything else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from meter_server.access import screens as pairing
from meter_server.access.desk import Desk
from meter_server.contract.displays import Batch, Display
from meter_server.domain.commands import ConfirmDisplay, ReportDarkSign
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import Rank
from meter_server.recording.door import Answer, Submission
from meter_server.recording.ports import MessageKey
from meter_server.storage import screens
from meter_server.storage.database import Database
from meter_server.storage.screens import OnSign
from meter_server.watching.gates import Gates

Submit = Callable[[Sequence[Submission]], list[Answer]]

GONE = timedelta(seconds=30)
"""Without a report for so long, a display is gone; a page reports every ten seconds."""

_FORGOTTEN_AT_ONCE = 10_000
"""Small enough that nobody waits for it."""

_A_SIGN = Rank(0, "sign", "Sign")
"""Below every rank: a sign may say what it shows, and nothing else."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What the signs' words come to: a command, and what makes it another one than the last."""

    command: ConfirmDisplay | ReportDarkSign
    at: datetime

    def submission(self, by: str) -> Submission:
        command, us = self.command, round(self.at.timestamp() * 1_000_000)
        kind = "dark" if isinstance(command, ReportDarkSign) else "shown"
        key = f"sign:{kind}:{command.notice_id}:{command.table_id}:{us}"
        return Submission(
            key=MessageKey(key),
            digest=sha256(repr(command).encode()).digest(),
            command=command,
            actor=Person(by, _A_SIGN),
        )


def take(desk: Desk, gateway_id: str, batch: Batch) -> list[Submission]:
    """Keep what the screens report; gives what the signs have to say at the door."""
    now = desk.now()
    with desk.database.transaction() as connection:
        pairing.offer(connection, desk, gateway_id, list(batch.asking))
        on_signs = screens.notices_on_signs(connection) if batch.displays else []
        tables = screens.tables_of(connection, [one.screen for one in batch.displays])
        known = [one for one in batch.displays if one.screen in tables]
        screens.keep_reports(
            connection,
            gateway_id,
            [_seen(one, now) for one in known],
            [row for one in known for row in _displayed(one, now)],
        )
    shown = {
        (notice, table): _at(one, now)
        for one in known
        if (table := tables[one.screen]) is not None
        for notice in one.notices
    }
    return [said.submission(gateway_id) for said in _confirming(on_signs, shown)]


def looking(desk: Desk, gates: Gates, submit: Submit) -> Callable[[], None]:
    """A look of the watch: which tables have no display, and which signs have gone dark."""

    def look() -> None:
        if gates.watches_displays:
            gates.darken(dark_tables(desk.database, desk.now()))
        said = going_dark(desk.database, desk.now())
        if said:
            submit(said)

    return look


def going_dark(database: Database, now: datetime) -> list[Submission]:
    """Signs that showed a notice, and have not reported it for a while."""
    with database.connection() as connection:
        on_signs = screens.notices_on_signs(connection)
    return [said.submission("watch") for said in _darkening(on_signs, now)]


def dark_tables(database: Database, now: datetime) -> frozenset[str]:
    """Tables of a system without a display that shows its meter (SGN-1, SGN-3)."""
    with database.connection() as connection:
        return screens.tables_without_display(connection, now - GONE)


def forget_old(database: Database, now: datetime, kept: timedelta) -> int:
    """Of meters only: what showed a notice is proof of why a change was made, and stays."""
    forgotten = 0
    while True:
        with database.transaction() as connection:
            some = screens.forget_displays(connection, now - kept, _FORGOTTEN_AT_ONCE)
        forgotten += some
        if some < _FORGOTTEN_AT_ONCE:
            return forgotten


def _confirming(
    on_signs: Iterable[OnSign], shown: dict[tuple[str, str], datetime]
) -> Iterator[_Said]:
    notices = {one.notice.id: one.notice for one in on_signs}
    last = {(one.notice.id, one.table_id): one.last_at for one in on_signs}
    for (notice_id, table), at in shown.items():
        notice = notices.get(notice_id)
        if notice is None:
            continue
        before = last.get((notice_id, table))
        if table not in notice.shown_since_us or table in notice.dark_since_us:
            yield _Said(ConfirmDisplay(notice_id, table), at)
        elif before is not None and at - before > GONE:  # nobody was there to see it go dark
            yield _Said(ReportDarkSign(notice_id, table, _us(before), _us(at)), at)


def _darkening(on_signs: Iterable[OnSign], now: datetime) -> Iterator[_Said]:
    for one in on_signs:
        table, last_at, notice = one.table_id, one.last_at, one.notice
        if table is None or last_at is None or now - last_at <= GONE:
            continue
        since = notice.shown_since_us.get(table)
        # What was confirmed by hand after the last report stands for a sign that cannot speak.
        if since is None or table in notice.dark_since_us or _us(last_at) < since:
            continue
        yield _Said(ReportDarkSign(notice.id, table, _us(last_at)), last_at)


def _seen(display: Display, now: datetime) -> dict[str, Any]:
    showing = {
        "meters": {one.meter: one.to_seq for one in display.meters},
        "notices": list(display.notices),
    }
    return {"screen": display.screen, "at": _at(display, now).isoformat(), "showing": showing}


def _displayed(display: Display, now: datetime) -> Iterator[dict[str, Any]]:
    common = {"screen": display.screen, "at": _at(display, now).isoformat()}
    for one in display.meters:
        yield common | {
            "kind": "meter",
            "subject": one.meter,
            "from_seq": one.from_seq,
            "to_seq": one.to_seq,
            "value_micros": one.value_micros,
        }
    for notice in display.notices:
        yield common | {"kind": "notice", "subject": notice}


def _at(display: Display, now: datetime) -> datetime:
    return now - timedelta(milliseconds=display.age_ms)


def _us(at: datetime) -> int:
    return round(at.timestamp() * 1_000_000)
