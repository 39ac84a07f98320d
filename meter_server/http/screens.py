"""Signs and boards: paired by a code, given a role, replaced, and what they have displayed."""

from hashlib import sha256
from http import HTTPStatus
from typing import Literal

from pydantic import Field

from meter_server.access import screens
from meter_server.access.permissions import Permission
from meter_server.contract.displays import Batch, Code, Layout, Role, Roster
from meter_server.contract.displays import Screen as KnownScreen
from meter_server.domain.writing import INTEGER_MAX
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import (
    PAGE_MAX,
    Instant,
    InstantAsked,
    Name,
    Page,
    PageQuery,
    Shown,
    Strict,
)
from meter_server.http.api.pages import page
from meter_server.http.api.people import SIGNED_IN, Staff, permitted
from meter_server.http.api.signed import GATEWAY, Machine
from meter_server.storage import screens as stored
from meter_server.storage.screens import Display, Paired, Screen
from meter_server.watching import displays

family = Family("screens", "Signs and boards")

_NOT_FOUND = [HTTPStatus.NOT_FOUND]


class ScreenShown(Shown):
    screen: str
    layout: Layout
    table: str | None = Field(description="Whose sign it is; null for a board.")
    meters: list[str] = Field(description="Of a board; empty for all of them.")
    paired_by: str
    paired_at: Instant
    gateway: str | None = Field(description="Through which it last reported.")
    seen_at: Instant | None = Field(description="When it last reported what it shows.")
    shows_meters: dict[str, int] = Field(description="Each with the seq that was painted.")
    shows_notices: list[str]

    @classmethod
    def of(cls, screen: Screen) -> "ScreenShown":
        showing = screen.showing or {}
        return cls(
            screen=screen.id,
            layout=screen.layout,  # type: ignore[arg-type]  # the database allows no other
            table=screen.table_id,
            meters=screen.meters,
            paired_by=screen.paired_by,
            paired_at=screen.paired_at,
            gateway=screen.gateway_id,
            seen_at=screen.seen_at,
            shows_meters=showing.get("meters", {}),
            shows_notices=showing.get("notices", []),
        )


class DisplayShown(Shown):
    """A stretch of time in which a screen reported that it showed a meter or a notice."""

    display: int
    screen: str
    table: str | None
    kind: Literal["meter", "notice"]
    subject: str
    from_seq: int | None
    to_seq: int | None
    value_micros: int | None = Field(description="The last figure on the screen.")
    from_at: Instant
    to_at: Instant

    @classmethod
    def of(cls, display: Display) -> "DisplayShown":
        return cls(
            display=display.id,
            screen=display.screen_id,
            table=display.table_id,
            kind=display.kind,  # type: ignore[arg-type]  # the database allows no other
            subject=display.subject,
            from_seq=display.from_seq,
            to_seq=display.to_seq,
            value_micros=display.value_micros,
            from_at=display.from_at,
            to_at=display.to_at,
        )


class Pairing(Role):
    screen: Name
    code: Code = Field(description="As the screen shows it.")


class Replacement(Strict):
    code: Code = Field(description="As the new screen shows it.")


class DisplaysQuery(Strict):
    after: int = Field(
        default=0, ge=0, le=INTEGER_MAX, description="The `next` of the page before."
    )
    limit: int = Field(default=50, ge=1, le=PAGE_MAX)
    screen: Name | None = None
    kind: Literal["meter", "notice"] | None = None
    subject: Name | None = Field(default=None, description="A meter or a notice.")
    since: InstantAsked | None = None
    until: InstantAsked | None = None


@family.get("/v1/screens", permitted(Permission.READ_DEVICES), "List the screens.")
def list_screens(caller: Staff, query: PageQuery) -> Page[ScreenShown]:
    with caller.parts.desk.database.connection() as connection:
        found = stored.page(connection, query.after or "", query.limit + 1)
    return page(found, query.limit, ScreenShown.of, lambda screen: screen.screen)


@family.get("/v1/screens/<screen_id>", permitted(Permission.READ_DEVICES), "Show one screen.")
def show(caller: Staff, screen_id: Name) -> ScreenShown:
    with caller.parts.desk.database.connection() as connection:
        return ScreenShown.of(screens.find(connection, screen_id))


@family.post(
    "/v1/screens",
    SIGNED_IN,
    "Pair the screen that shows this code: name it and say what it is for.",
    status=HTTPStatus.CREATED,
    refuses=[HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT],
)
def pair(caller: Staff, body: Pairing) -> ScreenShown:
    desk, by = caller.parts.desk, caller.account
    return ScreenShown.of(screens.pair(desk, caller.origin, by, body.screen, body.code, body))


@family.post(
    "/v1/screens/<screen_id>/role", SIGNED_IN, "Say what a screen is for.", refuses=_NOT_FOUND
)
def assign(caller: Staff, screen_id: Name, body: Role) -> ScreenShown:
    desk, by = caller.parts.desk, caller.account
    return ScreenShown.of(screens.assign(desk, caller.origin, by, screen_id, body))


@family.post(
    "/v1/screens/<screen_id>/replacement",
    SIGNED_IN,
    "Let another screen take the name and the role of one that failed.",
    refuses=_NOT_FOUND,
)
def replace(caller: Staff, screen_id: Name, body: Replacement) -> ScreenShown:
    desk, by = caller.parts.desk, caller.account
    return ScreenShown.of(screens.replace(desk, caller.origin, by, screen_id, body.code))


@family.post("/v1/screens/<screen_id>/removal", SIGNED_IN, "Unpair a screen.", refuses=_NOT_FOUND)
def remove(caller: Staff, screen_id: Name) -> ScreenShown:
    return ScreenShown.of(
        screens.remove(caller.parts.desk, caller.origin, caller.account, screen_id)
    )


@family.get(
    "/v1/displays",
    permitted(Permission.READ_HISTORY),
    "Proof of display: what was on which screen, from when to when.",
)
def list_displays(caller: Staff, query: DisplaysQuery) -> Page[DisplayShown]:
    with caller.parts.desk.database.connection() as connection:
        found = stored.displays_page(
            connection,
            query.after,
            query.limit + 1,
            screen_id=query.screen,
            kind=query.kind,
            subject=query.subject,
            from_at=query.since,
            to_at=query.until,
        )
    return page(found, query.limit, DisplayShown.of, lambda display: str(display.display))


@family.post("/v1/displays", GATEWAY, "A gateway reports what its screens display.")
def report(caller: Machine, body: Batch) -> Roster:
    desk = caller.parts.desk
    said = displays.take(desk, caller.device.id, body)
    if said:
        caller.parts.submit(said)
    with desk.database.connection() as connection:
        paired = stored.roster(connection)
    version = sha256(repr(paired).encode()).hexdigest()
    screens = None if version == body.roster else [_known(one) for one in paired]
    return Roster(version=version, screens=screens)


def _known(paired: Paired) -> KnownScreen:
    role = Role.model_validate(
        {"layout": paired.layout, "table": paired.table_id, "meters": paired.meters}
    )
    return KnownScreen(screen=paired.id, token=paired.token.hex(), role=role)
