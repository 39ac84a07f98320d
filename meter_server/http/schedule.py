"""Changes that are made by themselves as soon as their notices have stood."""

from http import HTTPStatus

from pydantic import Field

from meter_server.access import audit
from meter_server.access.permissions import Permission, require
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.notices import NoticeState
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Name, Page, PageQuery, Shown
from meter_server.http.api.pages import page
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.storage import scheduled
from meter_server.storage.scheduled import Scheduled

family = Family("schedule", "Scheduled changes")


class ScheduledShown(Shown):
    notice: str
    scheduled_by: str = Field(description="On whose word, and in whose rank, it is done.")
    attempts: int
    last_answer: str | None = Field(description="done, draining, or why it was refused.")
    attempted_at: Instant | None

    @classmethod
    def of(cls, one: Scheduled) -> "ScheduledShown":
        return cls(
            notice=one.notice_id,
            scheduled_by=one.by,
            attempts=one.attempts,
            last_answer=one.last_answer,
            attempted_at=one.attempted_at,
        )


@family.get(
    "/v1/scheduled-changes",
    permitted(Permission.READ_FLOOR),
    "List the changes that wait for their notices.",
)
def list_scheduled(caller: Staff, query: PageQuery) -> Page[ScheduledShown]:
    with caller.parts.desk.database.connection() as connection:
        waiting = scheduled.waiting(connection)
    found = [one for one in waiting if one.notice_id > (query.after or "")]
    return page(found[: query.limit + 1], query.limit, ScheduledShown.of, lambda one: one.notice)


@family.post(
    "/v1/notices/<notice_id>/schedule",
    SIGNED_IN,
    "Make the change as soon as its notice has stood.",
    refuses=[HTTPStatus.NOT_FOUND],
)
def put(caller: Staff, notice_id: Name) -> ScheduledShown:
    desk, by = caller.parts.desk, caller.account
    with audit.watched(
        desk, caller.origin, "notice:schedule", person=by.number, subject=notice_id
    ) as deed:
        require(by, Permission.MANAGE_SYSTEMS)
        with desk.database.transaction() as connection:
            if scheduled.state_of_notice(connection, notice_id) != NoticeState.DRAFTED:
                raise Denied(
                    Kind.UNKNOWN,
                    f"No notice {notice_id} stands.",
                    remedy="Draft it, or look at the list.",
                )
            scheduled.put(connection, notice_id, by.number, desk.now())
            deed.done(connection, after={"scheduled_by": by.number})
            [found] = [one for one in scheduled.waiting(connection) if one.notice_id == notice_id]
    return ScheduledShown.of(found)
