"""Scheduled changes: a notice that has stood is acted on, on the word of the person who asked.

A task brings the command, the door decides it: nothing about the change is decided here. The rank
of the person is looked up when it runs: somebody who was suspended since changes nothing.
"""

import json
from datetime import datetime, timedelta
from hashlib import sha256

import structlog

from meter_server.access.desk import Desk
from meter_server.access.permissions import person_of
from meter_server.access.refusals import Denied
from meter_server.domain.commands import ActOnNotice
from meter_server.domain.notices import Notice
from meter_server.domain.people import Person
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.tables import Table
from meter_server.reading.shown import concerns
from meter_server.recording.door import Submission
from meter_server.recording.ports import MessageKey
from meter_server.storage import scheduled, shown, staff
from meter_server.storage.scheduled import Scheduled
from meter_server.watching.displays import Submit

DRAINING = "draining"
DONE = "done"
REFUSED_PAUSE = timedelta(minutes=1)

_log = structlog.get_logger(__name__)


def act_on_due(desk: Desk, readings: Readings, submit: Submit) -> list[str]:
    """Act on every scheduled notice whose time has come; gives their names."""
    with desk.database.connection() as connection:
        waiting = scheduled.waiting(connection)
        floor = shown.floor(connection) if waiting else None
    if floor is None:
        return []
    notices = {notice.id: notice for notice in floor.notices}
    now = desk.now()
    due = [
        one
        for one in waiting
        if one.notice_id in notices
        and _is_due(notices[one.notice_id], floor.tables, readings, desk.clock.now_us())
        and not _rests(one, now)
    ]
    for one in due:
        answer = _act(desk, one, submit)
        _log.info("a scheduled change", notice=one.notice_id, answer=answer)
        with desk.database.connection() as connection:
            scheduled.attempted(connection, one.notice_id, one.attempts + 1, answer, now)
    return [one.notice_id for one in due]


def _is_due(notice: Notice, tables: list[Table], readings: Readings, now_us: int) -> bool:
    concerned = [table.id for table in tables if concerns(notice.change, table)]
    if notice.missing(concerned):
        return False
    ready = notice.ready_at_us(concerned, readings)
    return ready <= now_us <= ready + readings.notice_life_us


def _rests(one: Scheduled, now: datetime) -> bool:
    """A refusal will not be another one a few seconds later; open games may end at any time."""
    if one.attempted_at is None or one.last_answer == DRAINING:
        return False
    return now - one.attempted_at < REFUSED_PAUSE


def _act(desk: Desk, one: Scheduled, submit: Submit) -> str:
    """One attempt under a key of its own: a task that is delivered twice acts once."""
    try:
        person = _person(desk, one.by)
    except Denied as denied:
        return denied.refusal.sentence
    key = f"notice:{one.notice_id}:{one.attempts + 1}"
    submission = Submission(
        key=MessageKey(key),
        digest=sha256(key.encode()).digest(),
        command=ActOnNotice(one.notice_id),
        actor=person,
    )
    [answer] = submit([submission])
    told = json.loads(answer.body)
    if told["answer"] == "refused":
        return str(told["reason"])
    return DRAINING if told["draining"] else DONE


def _person(desk: Desk, number: str) -> Person:
    with desk.database.connection() as connection:
        account = staff.find(connection, number)
    assert account is not None  # noqa: S101 - the database keeps who scheduled it
    return person_of(account)
