"""Notices on the signs, and the changes they allow: drafted by two persons, acted on in time."""

from http import HTTPStatus
from typing import Any

from pydantic import Field

from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler, Handlers
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.commands import (
    ActOnNotice,
    Command,
    ConfirmDisplay,
    DraftNotice,
    WithdrawNotice,
)
from meter_server.domain.notices import NoticeState
from meter_server.domain.refusals import Kind as RefusalKind
from meter_server.domain.refusals import Refusal, Refused
from meter_server.http.api.commands import Recorded, carried_out, command
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Instant, Name, Page, PageQuery, Shown, Strict, Text
from meter_server.http.api.pages import page
from meter_server.http.api.parts import Submit
from meter_server.http.api.people import COMMANDING, SIGNED_IN, Commander, Staff, permitted
from meter_server.http.changes_sent import ChangeSent, CloseSystem, change_of, words_of
from meter_server.http.problems import Problem
from meter_server.http.proposals import ProposalShown, propose
from meter_server.http.trying import tried_for
from meter_server.reading import notices
from meter_server.reading.notices import NoticeView, Sign
from meter_server.storage.database import Connection
from meter_server.storage.staff import Account

family = Family("notices", "Notices and the changes they allow")

_REFUSED = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
_TABLES_MAX = 500


class SignShown(Shown):
    table: str
    shown_since: Instant | None = Field(description="Null while the sign has not shown it.")
    dark_since: Instant | None
    draining: bool = Field(description="It takes no new Jackpot wagers until the change is made.")
    game_open: bool = Field(description="A game, or carried wagers, must end first.")

    @classmethod
    def of(cls, sign: Sign) -> "SignShown":
        return cls(
            table=sign.table_id,
            shown_since=sign.shown_since,
            dark_since=sign.dark_since,
            draining=sign.is_draining,
            game_open=sign.game_open,
        )


class NoticeShown(Shown):
    notice: str
    change: ChangeSent
    state: NoticeState
    drafted_by: str
    signs: list[SignShown]
    ready_at: Instant | None = Field(
        description="When the change may be made; null while a sign does not show the notice."
    )
    lapses_at: Instant | None = Field(description="Afterwards it can only be withdrawn.")

    @classmethod
    def of(cls, view: NoticeView) -> "NoticeShown":
        return cls(
            notice=view.notice.id,
            change=words_of(view.notice.change),
            state=view.notice.state,
            drafted_by=view.notice.drafted_by,
            signs=[SignShown.of(sign) for sign in view.signs],
            ready_at=view.ready_at,
            lapses_at=view.lapses_at,
        )


class NoticesQuery(PageQuery):
    state: NoticeState | None = Field(default=None, description="Only those in this state.")


class Drafting(Strict):
    notice: Name
    change: ChangeSent


class ByHand(Strict):
    """The word of a named TG Area Manager for a sign that cannot speak for itself."""

    table: Name
    reason: Text


class Acting(Strict):
    offline_tables: list[Name] = Field(
        max_length=_TABLES_MAX,
        description="Tables that cannot be reached: new terms need not wait for their games.",
    )


@family.get("/v1/notices", permitted(Permission.READ_FLOOR), "List the notices.")
def list_notices(caller: Staff, query: NoticesQuery) -> Page[NoticeShown]:
    parts = caller.parts
    found = notices.page(
        parts.desk.database, parts.readings, query.state, query.after or "", query.limit + 1
    )
    return page(found, query.limit, NoticeShown.of, lambda notice: notice.notice)


@family.get(
    "/v1/notices/<notice_id>",
    permitted(Permission.READ_FLOOR),
    "Show a notice: which signs show it since when, and when its change may be made.",
)
def show(caller: Staff, notice_id: Name) -> NoticeShown:
    found = notices.find(caller.parts.desk.database, caller.parts.readings, notice_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no notice {notice_id}: see the list.")
    return NoticeShown.of(found)


@family.post(
    "/v1/notices",
    SIGNED_IN,
    "Propose a notice for the signs.",
    status=HTTPStatus.ACCEPTED,
    refuses=[HTTPStatus.CONFLICT],
)
def draft(caller: Staff, body: Drafting) -> ProposalShown:
    return propose(caller, "draft-notice", body, lambda: _refuse_nowhere_to_transfer(caller, body))


def _refuse_nowhere_to_transfer(caller: Staff, body: Drafting) -> None:
    """Other faults are in the words; for this one a system is to be opened, so it is told first."""
    if not isinstance(body.change, CloseSystem):
        return
    found = tried_for(caller, DraftNotice(body.notice, change_of(body.change)))
    if isinstance(found, Refusal) and found.kind is RefusalKind.NOWHERE_TO_TRANSFER:
        raise Refused(found.kind, found.reason, rule=found.rule, remedy=found.remedy)


@family.post(
    "/v1/notices/<notice_id>/displays",
    COMMANDING,
    "Confirm by hand that a table's sign shows the notice.",
    refuses=_REFUSED,
)
def confirm_display(caller: Commander, notice_id: Name, body: ByHand) -> Recorded:
    wanted = ConfirmDisplay(notice_id, body.table, body.reason)
    return _command(caller, "confirm-display", wanted, notice_id)


@family.post(
    "/v1/notices/<notice_id>/withdrawal", COMMANDING, "Withdraw a notice.", refuses=_REFUSED
)
def withdraw(caller: Commander, notice_id: Name) -> Recorded:
    return _command(caller, "withdraw", WithdrawNotice(notice_id), notice_id)


@family.post(
    "/v1/notices/<notice_id>/action",
    COMMANDING,
    "Make the announced change, or begin to drain its tables; then ask again when they are.",
    refuses=_REFUSED,
)
def act(caller: Commander, notice_id: Name, body: Acting) -> Recorded:
    wanted = ActOnNotice(notice_id, frozenset(body.offline_tables))
    return _command(caller, "act", wanted, notice_id)


def handlers(submit: Submit) -> Handlers:
    """What is done at the door when the second person has confirmed it."""

    def drafted(_connection: Connection, confirmed: Confirmed[Drafting]) -> Done:
        body = confirmed.body
        return carried_out(submit, confirmed, DraftNotice(body.notice, change_of(body.change)))

    propose_it, confirm_it = Permission.MANAGE_SYSTEMS, Permission.CONFIRM_SYSTEMS
    return {
        "draft-notice": Handler(Drafting, propose_it, confirm_it, drafted, _check_terms),
    }


def _check_terms(_connection: Connection, _person: Account, body: Drafting) -> None:
    try:
        change_of(body.change)
    except ValueError as error:
        raise Denied(
            Kind.NOT_ACCEPTABLE, str(error), remedy="Correct it and propose it again."
        ) from None


def _command(caller: Commander, action: str, wanted: Command, notice_id: str) -> Recorded:
    def look() -> dict[str, Any] | None:
        found = notices.find(caller.parts.desk.database, caller.parts.readings, notice_id)
        return None if found is None else NoticeShown.of(found).model_dump(mode="json")

    return command(caller, f"notice:{action}", notice_id, wanted, look)
