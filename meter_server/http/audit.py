"""The audit trail, for those who look after us."""

from typing import Any

from pydantic import Field

from meter_server.access.permissions import Permission
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import PAGE_MAX, Instant, Page, Shown, Strict
from meter_server.http.api.pages import page
from meter_server.http.api.people import Staff, permitted
from meter_server.storage import audit_trail
from meter_server.storage.audit_trail import Line

family = Family("audit", "The audit trail")


class TrailQuery(Strict):
    after: int = Field(default=0, ge=0, le=2**53 - 1, description="The `next` of the page before.")
    limit: int = Field(default=50, ge=1, le=PAGE_MAX, description="How many items at most.")


class LineShown(Shown):
    id: int
    at: Instant
    tag: str = Field(description="source:subject:action")
    person: str | None
    device: str | None
    address: str
    request_id: str
    subject: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    allowed: bool
    reason: str | None = Field(description="Why it was refused.")

    @classmethod
    def of(cls, row: tuple[int, Line]) -> "LineShown":
        line_id, line = row
        return cls(
            id=line_id,
            at=line.at,
            tag=line.tag,
            person=line.person,
            device=line.device,
            address=line.address,
            request_id=line.request_id,
            subject=line.subject,
            before=line.before,
            after=line.after,
            allowed=line.reason is None,
            reason=line.reason,
        )


@family.get(
    "/v1/audit-trail",
    permitted(Permission.READ_TRAIL),
    "Every action and every refusal, oldest first.",
)
def list_lines(caller: Staff, query: TrailQuery) -> Page[LineShown]:
    with caller.parts.desk.database.connection() as connection:
        found = audit_trail.page(connection, query.after, query.limit + 1)
    return page(found, query.limit, LineShown.of, lambda line: str(line.id))
