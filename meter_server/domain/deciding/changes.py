"""Notices and the changes they allow: moves of tables, closures, new terms."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from meter_server.domain.commands import (
    ActOnNotice,
    ConfirmDisplay,
    DraftNotice,
    ReportDarkSign,
    WithdrawNotice,
)
from meter_server.domain.deciding.systems import (
    HIGHER_MINIMUM,
    check_systems,
    refuse_grouped,
    refuse_wrong_limits,
    terms_json,
)
from meter_server.domain.entries import Account, EntryKind
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Meter, MeterState, Posting, under_new_terms
from meter_server.domain.money import dollars
from meter_server.domain.notices import (
    AddTable,
    Change,
    ChangeTerms,
    CloseSystem,
    Notice,
    NoticeState,
    RaiseMinimum,
    RemoveTable,
    TransferTable,
)
from meter_server.domain.people import Context, require_on_systems, require_second
from meter_server.domain.refusals import Kind, Refused, several
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits, Table

_RULES: Mapping[type, str] = {
    AddTable: "WSOP 9.1.1(h); Three Card 6.1.1(h)",
    RemoveTable: "WSOP 9.1.1(h); Three Card 6.1.1(h)",
    TransferTable: "WSOP 9.1.1(h); Three Card 6.1.1(h)",
    CloseSystem: "WSOP 9.1.1(i); Three Card 6.1.1(i)",
    ChangeTerms: "WSOP 9.1.1(g); Three Card 6.1.1(g)",
    RaiseMinimum: HIGHER_MINIMUM,
}
_CLOSURE_TRANSFER = "WSOP 9.1.1(j); Three Card 6.1.1(j)"
_OPEN_ANOTHER = "No other one is open: open one first, then draft a notice that names it."
_WHOLE_BP = 10_000


def draft_notice(draft: Draft, command: DraftNotice, context: Context) -> None:
    """Draft a notice for the signs; the change itself is checked now and when it is made."""
    person = require_on_systems(context)
    require_second(context)
    draft.refuse_known("notice", command.notice_id)
    _check_change(draft, command.change, context.readings)
    if isinstance(command.change, CloseSystem):
        _refuse_nowhere_to_transfer(draft, command.change)
    draft.put(Notice(command.notice_id, command.change, person.staff_number))


def confirm_display(draft: Draft, command: ConfirmDisplay, context: Context) -> None:
    """A sign shows the notice: its clock starts; a second report does not restart it (SYS-7)."""
    if command.by_hand_reason is not None:
        require_on_systems(context, Action.CONFIRM_SIGN)
    notice = _open_notice(draft, command.notice_id)
    draft.table(command.table_id)
    if command.table_id in notice.dark_since_us:
        dark_from_us = notice.dark_since_us[command.table_id]
        draft.put(notice.lit_again(command.table_id, dark_from_us, context.at_us))
        return
    shown = {command.table_id: context.at_us, **notice.shown_since_us}
    draft.put(replace(notice, shown_since_us=shown))


def report_dark_sign(draft: Draft, command: ReportDarkSign, _context: Context) -> None:
    """A sign is dark, or was: under a minute its clock runs on (A-35)."""
    notice, table_id = _open_notice(draft, command.notice_id), command.table_id
    if table_id not in notice.shown_since_us:
        return
    if command.lit_again_us is None:
        draft.put(notice.dark(table_id, command.dark_from_us))
    else:
        draft.put(notice.lit_again(table_id, command.dark_from_us, command.lit_again_us))


def withdraw_notice(draft: Draft, command: WithdrawNotice, context: Context) -> None:
    """Withdraw a notice; tables that were draining for it play on."""
    require_on_systems(context)
    notice = _open_notice(draft, command.notice_id)
    draft.put(replace(notice, state=NoticeState.WITHDRAWN))
    for table in tables_of(draft, notice.change):
        if table.draining_for == notice.id:
            draft.put(replace(table, draining_for=None))


def act_on_notice(draft: Draft, command: ActOnNotice, context: Context) -> None:
    """Make the announced change once its notice has stood; drain open games first (SYS-6)."""
    require_on_systems(context)
    notice = _open_notice(draft, command.notice_id)
    tables = tables_of(draft, notice.change)
    _refuse_lapsed(notice, tables, context)
    _check_change(draft, notice.change, context.readings)
    _refuse_before_time(notice, tables, context)
    if isinstance(notice.change, CloseSystem):
        # Before its tables drain: none is stopped for a closure that is refused afterwards.
        _refuse_undetermined(draft, notice.change)
        _refuse_nowhere_to_transfer(draft, notice.change)
    # A table's own bets are no Jackpot wagers: its game need not end for new limits.
    held = [] if isinstance(notice.change, RaiseMinimum) else tables
    if _drain(draft, notice, held, command.offline_tables):
        draft.draining = True
        return
    _make(draft, notice)
    draft.put(replace(notice, state=NoticeState.USED))
    for table in held:
        draft.put(replace(draft.table(table.id), draining_for=None))


def _open_notice(draft: Draft, notice_id: str) -> Notice:
    notice = draft.notice(notice_id)
    if notice.state is not NoticeState.DRAFTED:  # a sign is for one action
        raise Refused(
            Kind.NOTICE_ENDED,
            f"Notice {notice.id} is {notice.state} already.",
            rule=_RULES[type(notice.change)],
            remedy="Draft a new notice; each one serves one change.",
        )
    return notice


def _refuse_lapsed(notice: Notice, tables: Iterable[Table], context: Context) -> None:
    names = [table.id for table in tables]
    if not names or notice.missing(names):
        return
    ready = notice.ready_at_us(names, context.readings)
    if context.at_us > ready + context.readings.notice_life_us:
        raise Refused(
            Kind.NOTICE_ENDED,
            f"Notice {notice.id} has lapsed: nobody acted on it in time.",
            rule=_RULES[type(notice.change)],
            remedy="Withdraw it and draft a new one.",
        )


def _refuse_before_time(notice: Notice, tables: Iterable[Table], context: Context) -> None:
    """Refused at 19:59, allowed at 20:00, counted from the last sign (SYS-7, SYS-8, A-35, A-36)."""
    rule = _RULES[type(notice.change)]
    names = [table.id for table in tables]
    if not names:  # a system without tables has nobody to give notice to
        return
    missing = notice.missing(names)
    if missing:
        raise Refused(
            Kind.NOTICE_NOT_DISPLAYED,
            f"The sign of table {missing[0]} does not show notice {notice.id} just now.",
            rule=rule,
            remedy="Show it there, or have a TG Area Manager confirm it by hand.",
        )
    ready = notice.ready_at_us(names, context.readings)
    if context.at_us < ready:
        seconds = -((context.at_us - ready) // 1_000_000)
        raise Refused(
            Kind.NOTICE_TOO_EARLY,
            f"Notice {notice.id} must stand for another {seconds} seconds.",
            rule=rule,
            remedy="Wait until its period is over.",
        )


def _drain(draft: Draft, notice: Notice, tables: Iterable[Table], offline: frozenset[str]) -> bool:
    """A game at a table that cannot be reached holds up every change but new terms (SYS-6, A-34).

    It settles under the terms it began with, but on the meter it began with.
    """
    passed_over = offline if isinstance(notice.change, ChangeTerms) else frozenset[str]()
    waiting = [table for table in tables if table.game_open and table.id not in passed_over]
    for table in tables if waiting else ():
        draft.put(replace(table, draining_for=notice.id))
    return bool(waiting)


def tables_of(draft: Draft, change: Change) -> list[Table]:
    """The tables whose signs must show a notice, and whose games must end first."""
    match change:
        case AddTable() | RemoveTable() | TransferTable() | RaiseMinimum():
            return [draft.table(change.table_id)]
        case CloseSystem():
            return draft.tables_of(change.meter_id)
        case ChangeTerms():
            return [table for meter_id in change.terms for table in draft.tables_of(meter_id)]


def _check_change(draft: Draft, change: Change, readings: Readings) -> None:
    match change:
        case AddTable():
            table = draft.table(change.table_id)
            draft.open_meter(change.to_meter_id)
            _refuse_clash(draft, readings, replace(table, meter_id=change.to_meter_id))
            refuse_grouped(table)
        case RemoveTable():
            _grouped(draft.table(change.table_id))
        case TransferTable():
            table = draft.table(change.table_id)
            target = draft.open_meter(change.to_meter_id)
            _refuse_clash(draft, readings, replace(table, meter_id=target.id))
            source = draft.meter(_grouped(table))
            _refuse_training_mix(source, target)
            if source.id == target.id:
                refuse_grouped(table)
        case CloseSystem():
            _check_closure(draft, change)
        case ChangeTerms():
            meters = {meter_id: draft.open_meter(meter_id) for meter_id in change.terms}
            changed = (
                replace(meter, terms=change.terms[meter_id]) for meter_id, meter in meters.items()
            )
            _refuse_clash(draft, readings, *changed)
        case RaiseMinimum():
            _check_raise(draft.table(change.table_id), change.limits)


def _check_raise(table: Table, limits: Limits) -> None:
    """A sign that announces less than it should would be no notice of anything (SGN-5)."""
    refuse_wrong_limits(limits)
    if not limits.raise_minimum_of(table):
        raise Refused(
            Kind.NOTICE_NOT_NEEDED,
            f"The minimum at table {table.id} would not rise by this.",
            rule=HIGHER_MINIMUM,
            remedy="Set the limits at once; only a higher minimum needs a notice.",
        )


def _refuse_clash(draft: Draft, readings: Readings, *changed: Meter | Table) -> None:
    """Look at the systems as they would be: nobody waits a day for a change that cannot be."""
    trial = draft.trial()
    trial.put(*changed)
    check_systems(trial, readings)


def _grouped(table: Table) -> str:
    if table.meter_id is None:
        raise Refused(
            Kind.TABLE_IN_NO_GROUP,
            f"Table {table.id} belongs to no prize meter system.",
            rule=table.game.rules.group,
            remedy="Add it to a system instead.",
        )
    return table.meter_id


def _refuse_training_mix(source: Meter, target: Meter) -> None:
    if source.training != target.training:
        raise Refused(
            Kind.TRAINING_MIXED,
            f"One of {source.id} and {target.id} is for training only.",
            rule="house control",
            remedy="Keep training apart from play.",
        )


def _check_closure(draft: Draft, change: CloseSystem) -> None:
    """Shares of the surplus are whole, and go to other open systems (SYS-9, A-34)."""
    closing = draft.open_meter(change.meter_id)
    targets = [draft.open_meter(meter_id) for meter_id in change.shares_bp]
    for target in targets:
        _refuse_training_mix(closing, target)
    if closing in targets:
        raise _shares_not_whole("The surplus cannot stay in the system that closes.")
    if any(share <= 0 for share in change.shares_bp.values()):
        raise _shares_not_whole("Every share is more than nothing.")
    if change.shares_bp and sum(change.shares_bp.values()) != _WHOLE_BP:
        raise _shares_not_whole("The shares do not add up to 100.00%.")


def _refuse_undetermined(draft: Draft, change: CloseSystem) -> None:
    undecided = draft.undecided(change.meter_id)
    if undecided:
        raise Refused(
            Kind.PRIZE_UNDETERMINED,
            f"Prize {undecided[0].id} of the system {change.meter_id} is not determined.",
            rule=_CLOSURE_TRANSFER,
            remedy="Determine every prize before the system closes.",
        )


def _refuse_nowhere_to_transfer(draft: Draft, change: CloseSystem) -> None:
    """A surplus goes to the systems that the notice names, and to no others (SYS-9, A-34)."""
    closing = draft.meter(change.meter_id)
    if change.shares_bp or not _surplus(closing):
        return
    others = [
        meter.id
        for meter in draft.open_meters()
        if meter.id != closing.id and meter.training == closing.training
    ]
    receiving = f"Draft one with the receiving systems' shares; open are {several(sorted(others))}."
    raise Refused(
        Kind.NOWHERE_TO_TRANSFER,
        f"The system {closing.id} has a surplus of {dollars(_surplus(closing))}, "
        "and the notice names no system to receive it.",
        rule=_CLOSURE_TRANSFER,
        remedy=receiving if others else _OPEN_ANOTHER,
    )


def _surplus(meter: Meter) -> int:
    return meter.value_micros - meter.terms.reseed_micros


def _shares_not_whole(reason: str) -> Refused:
    return Refused(
        Kind.SHARES_NOT_WHOLE,
        reason,
        rule=_CLOSURE_TRANSFER,
        remedy="Give each receiving system a share, 100.00% in all.",
    )


def _make(draft: Draft, notice: Notice) -> None:
    change = notice.change
    match change:
        case AddTable() | TransferTable():
            table = draft.table(change.table_id)
            draft.put(replace(table, meter_id=change.to_meter_id))
        case RemoveTable():
            draft.put(replace(draft.table(change.table_id), meter_id=None))
        case CloseSystem():
            _close_system(draft, change, notice.id)
        case ChangeTerms():
            for meter_id, terms in sorted(change.terms.items()):
                _change_terms(draft, draft.meter(meter_id), terms, notice.id)
        case RaiseMinimum():
            draft.put(replace(draft.table(change.table_id), limits=change.limits))


def _change_terms(draft: Draft, meter: Meter, terms: Terms, notice_id: str) -> None:
    """The meter keeps its value and is raised to the new seed x cost if under it (A-37)."""
    changed = under_new_terms(meter, terms)
    draft.put(changed)
    raised = max(terms.reseed_micros - changed.value_micros, 0)
    draft.post(
        meter.id,
        Posting(
            EntryKind.CHANGE,
            raised,
            ((Account.SEED_FUNDING, -raised),) if raised else (),
            rule=_RULES[ChangeTerms],
            detail={
                "from": terms_json(meter.terms),
                "notice": notice_id,
                "to": terms_json(terms),
            },
        ),
    )


def _close_system(draft: Draft, change: CloseSystem, notice_id: str) -> None:
    """Transfer exactly meter - seed x cost, then give the seed back (SYS-9)."""
    meter = draft.meter(change.meter_id)
    for target, amount in split_surplus(_surplus(meter), change.shares_bp).items():
        if amount:
            _transfer(draft, meter.id, target, amount, notice_id)
    seed = draft.meter(meter.id).value_micros
    draft.post(
        meter.id,
        Posting(
            EntryKind.CLOSING,
            -seed,
            ((Account.SEED_FUNDING, seed),),
            rule=_RULES[CloseSystem],
            detail={
                "notice": notice_id,
                "shares": [[target, share] for target, share in sorted(change.shares_bp.items())],
            },
        ),
    )
    draft.put(replace(draft.meter(meter.id), state=MeterState.CLOSED))
    for table in draft.tables_of(meter.id):
        draft.put(replace(table, meter_id=None))


def split_surplus(surplus_micros: int, shares_bp: Mapping[str, int]) -> dict[str, int]:
    """The surplus by shares, exact to the millionth; what cannot be shared goes to the first."""
    parts = {
        meter_id: surplus_micros * share // _WHOLE_BP
        for meter_id, share in sorted(shares_bp.items())
    }
    for meter_id in parts:
        parts[meter_id] += surplus_micros - sum(parts.values())
        break
    return parts


def _transfer(draft: Draft, source: str, target: str, amount: int, notice_id: str) -> None:
    draft.post(
        source,
        Posting(
            EntryKind.TRANSFER_OUT,
            -amount,
            ((Account.TRANSFERS, amount),),
            rule=_CLOSURE_TRANSFER,
            detail={"notice": notice_id, "to": target},
        ),
    )
    draft.post(
        target,
        Posting(
            EntryKind.TRANSFER_IN,
            amount,
            ((Account.TRANSFERS, -amount),),
            rule=_CLOSURE_TRANSFER,
            detail={"from": source, "notice": notice_id},
        ),
    )
