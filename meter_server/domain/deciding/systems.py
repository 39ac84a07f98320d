"""Systems and tables: opened, defined, closed, set apart."""

from dataclasses import replace
from itertools import combinations

from meter_server.domain.commands import (
    CloseTable,
    DefineTable,
    OpenSystem,
    OpenTable,
    ReportGates,
    SetLimits,
    SetManual,
    SetTournament,
    TopUpMeter,
)
from meter_server.domain.deciding.closing import close
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Meter, Posting
from meter_server.domain.money import MICROS_PER_CENT, dollars
from meter_server.domain.people import Context, require, require_on_systems, require_second
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.readings import Readings, Scope
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import CLOSING_HANDS, Limits, Table, TableState

HIGHER_MINIMUM = "Casino Control Act s 66; WSOP 6.1; Three Card 8.1"


def open_system(draft: Draft, command: OpenSystem, context: Context) -> None:
    """Open a system at seed x cost, or higher where the operator wishes (SYS-1, A-5)."""
    require_on_systems(context)
    require_second(context)
    tables = [draft.table(table_id) for table_id in command.tables]
    draft.refuse_known("prize meter system", command.meter_id)
    terms = command.terms
    draft.put(Meter(command.meter_id, terms, training=command.training))
    draft.put(*(replace(table, meter_id=command.meter_id) for table in tables))
    check_systems(draft, context.readings)
    value = terms.reseed_micros if command.value_micros is None else command.value_micros
    if value < terms.reseed_micros:
        raise Refused(
            Kind.OPENING_BELOW_SEED,
            f"A meter under these terms records no less than {dollars(terms.reseed_micros)}.",
            rule="WSOP 9.3.1; Three Card 6.3.1",
            remedy="Open it at that value or higher.",
        )
    for table in tables:
        refuse_grouped(table)
    draft.post(
        command.meter_id,
        Posting(
            EntryKind.OPENING,
            value,
            ((Account.SEED_FUNDING, -value),),
            rule="WSOP 9.3.1; Three Card 6.3.1",
            detail={
                **terms_json(terms),
                "reference": command.reference,
                "tables": sorted(set(command.tables)),
                "training": command.training,
            },
        ),
    )


def refuse_grouped(table: Table) -> None:
    """A table is in at most one group (SYS-3)."""
    if table.meter_id is not None:
        raise Refused(
            Kind.TABLE_IN_A_GROUP,
            f"Table {table.id} belongs to the system {table.meter_id} already.",
            rule=table.game.rules.one_group,
            remedy="Transfer it, in one step, after its notice.",
        )


def check_systems(draft: Draft, readings: Readings) -> None:
    """Between systems every cost differs and all else is the same (SYS-4, SYS-5, A-31, A-32)."""
    systems = [meter for meter in draft.open_meters() if not meter.training]
    together = [
        (one, other)
        for one, other in combinations(systems, 2)
        if _together(draft, one, other, readings.scope)
    ]
    for one, other in together:
        _refuse_same_cost(one, other)
    for one, other in together:
        _refuse_other_terms(one, other)


def _together(draft: Draft, one: Meter, other: Meter, scope: Scope) -> bool:
    if scope is Scope.CASINO:
        return True
    books = [{table.game.book for table in draft.tables_of(meter.id)} for meter in (one, other)]
    return bool(books[0] & books[1])


def _refuse_same_cost(one: Meter, other: Meter) -> None:
    if one.terms.cost_cents == other.terms.cost_cents:
        raise Refused(
            Kind.COST_TAKEN,
            f"The systems {one.id} and {other.id} would have the same cost of the Jackpot wager.",
            rule="WSOP 9.1.1(e); Three Card 6.1.1(e)",
            remedy="Choose another cost.",
        )


def _refuse_other_terms(one: Meter, other: Meter) -> None:
    if (one.terms.option_number, one.terms.seed_dollars) != (
        other.terms.option_number,
        other.terms.seed_dollars,
    ):
        raise Refused(
            Kind.TERMS_DIFFER,
            f"The systems {one.id} and {other.id} would run different options or seeds.",
            rule="WSOP 9.1.1(f); Three Card 6.1.1(f)",
            remedy="Use the option and seed that the other systems run, or change all together.",
        )


def terms_json(terms: Terms) -> dict[str, Json]:
    return {
        "cost_cents": terms.cost_cents,
        "option": terms.option_number,
        "rate_bp": terms.rate_bp,
        "seed": terms.seed_dollars,
    }


def top_up_meter(draft: Draft, command: TopUpMeter, context: Context) -> None:
    """A voluntary extra is an entry of its own (A-5)."""
    require_on_systems(context)
    require_second(context)
    meter = draft.open_meter(command.meter_id)
    if command.amount_micros <= 0:
        raise Refused(
            Kind.NOTHING_ADDED,
            f"A top-up of {dollars(command.amount_micros)} adds nothing to the meter.",
            rule="WSOP 9.3; Three Card 6.3",
            remedy="Name an amount above nought; a meter is lowered by prizes and closure only.",
        )
    draft.post(
        meter.id,
        Posting(
            EntryKind.EXTRA,
            command.amount_micros,
            ((Account.SEED_FUNDING, -command.amount_micros),),
            rule="WSOP 9.3; Three Card 6.3",
            detail={"reason": command.reason},
        ),
    )


def define_table(draft: Draft, command: DefineTable, context: Context) -> None:
    """Define a table with what its sign must show; it opens when it is opened (WAG-1)."""
    require_on_systems(context)
    draft.refuse_known("table", command.table_id)
    game = GAMES[GameKey(command.game)]
    if not 1 <= command.seats <= game.seats_max:
        raise Refused(
            Kind.SEAT_NOT_AT_TABLE,
            f"A {game.title} table has 1 to {game.seats_max} places, not {command.seats}.",
            rule="WSOP 2.1; Three Card 2.1",
            remedy="Correct the number of places.",
        )
    refuse_wrong_limits(command.limits)
    draft.put(
        Table(
            command.table_id,
            command.game,
            command.seats,
            command.limits,
            state=TableState.CLOSED,
        )
    )


def refuse_wrong_limits(limits: Limits) -> None:
    if 0 < limits.minimum_cents <= limits.maximum_cents:
        return
    least, most = (
        dollars(cents * MICROS_PER_CENT) for cents in (limits.minimum_cents, limits.maximum_cents)
    )
    raise Refused(
        Kind.WRONG_LIMITS,
        f"Bets from {least} to {most} cannot be placed at any table.",
        rule="WSOP 6.1; Three Card 8.1",
        remedy="Name a minimum above nought and a maximum that is no lower.",
    )


def set_limits(draft: Draft, command: SetLimits, context: Context) -> None:
    """Other limits at once, as long as nobody at the table must bet more than before (SGN-5)."""
    table = draft.table(command.table_id)
    require(context, Action.SET_LIMITS, table.game_key)
    refuse_wrong_limits(command.limits)
    if command.limits.raise_minimum_of(table):
        raise Refused(
            Kind.NOTICE_NEEDED,
            f"The minimum at table {table.id} rises only after its sign announced it.",
            rule=HIGHER_MINIMUM,
            remedy="Draft a notice of the higher minimum; it must stand for 20 minutes.",
        )
    draft.put(replace(table, limits=command.limits))


def open_table(draft: Draft, command: OpenTable, context: Context) -> None:
    table = draft.table(command.table_id)
    require(context, Action.OPEN_TABLE, table.game_key)
    draft.put(replace(table, state=TableState.OPEN, hands_left=None))


def close_table(draft: Draft, command: CloseTable, context: Context) -> None:
    """Three hands' notice where players are present, at once where none is (AUT-16)."""
    table = draft.table(command.table_id)
    require(context, Action.CLOSE_TABLE, table.game_key)
    if command.players_present:
        if table.hands_left is None and table.state is TableState.OPEN:
            # A hand that is being played has begun without notice: it is not one of the three.
            under_way = table.open_round_id is not None
            draft.put(replace(table, hands_left=CLOSING_HANDS + under_way))
        return
    _refuse_open_round(table)
    close(draft, table)


def set_tournament(draft: Draft, command: SetTournament, context: Context) -> None:
    """Set a table apart for a tournament; it stays in its group but takes no wagers (A-47)."""
    table = draft.table(command.table_id)
    require(context, Action.SET_TOURNAMENT, table.game_key)
    if command.on:
        _refuse_open_game(table)
    draft.put(replace(table, tournament=command.on))


def set_manual(draft: Draft, command: SetManual, context: Context) -> None:
    """Declare or end manual arrangements (A-57, AUT-18)."""
    table = draft.table(command.table_id)
    require(context, Action.DECLARE_MANUAL, table.game_key)
    draft.put(replace(table, manual=command.on))


def report_gates(draft: Draft, command: ReportGates, context: Context) -> None:
    """What monitoring found; it never touches an open round."""
    table = draft.table(command.table_id)
    require(context, Action.REGISTER_WAGERS, table.game_key)
    draft.put(replace(table, failing=command.failing))


def _refuse_open_round(table: Table) -> None:
    if table.open_round_id is not None:
        raise Refused(
            Kind.GAME_OPEN,
            f"Round {table.open_round_id} is open at table {table.id}.",
            rule=table.game.rules.time_for_settlement,
            remedy="Record its outcome first.",
        )


def _refuse_open_game(table: Table) -> None:
    _refuse_open_round(table)
    if table.carry is not None:
        raise Refused(
            Kind.GAME_OPEN,
            f"Wagers are carried to the next round at table {table.id}.",
            rule=table.game.rules.misdeal,
            remedy="Play the next round, or return the wagers first.",
        )
