"""Tables: defined, opened, closed, set apart. The door decides who may, for each game."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from pydantic import Field

from meter_server.access.permissions import Permission
from meter_server.domain.commands import (
    CloseTable,
    Command,
    DefineTable,
    OpenTable,
    SetLimits,
    SetTournament,
)
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.tables import Gate, Limits, TableState
from meter_server.http.api.commands import Recorded, command
from meter_server.http.api.endpoints import Family
from meter_server.http.api.models import Cents, Name, Page, PageQuery, Shown, Strict
from meter_server.http.api.pages import page
from meter_server.http.api.people import COMMANDING, Commander, Staff, permitted
from meter_server.http.problems import Problem
from meter_server.reading import floor
from meter_server.storage.floor_lists import TableRow
from meter_server.watching.gates import Gates

family = Family("tables", "Tables")

_REFUSED = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
SEATS_MAX = max(game.seats_max for game in GAMES.values())


class TableShown(Shown):
    table: str
    game: GameKey
    seats: int
    minimum_cents: int | None = Field(
        description="Of the table's own bets; null where it was defined before limits were kept."
    )
    maximum_cents: int | None
    system: str | None
    training: bool = Field(description="For training only: no money is behind its meter.")
    state: TableState
    hands_left: int | None = Field(description="Until it closes, once that is announced.")
    tournament: bool
    manual: bool
    failing: list[Gate] = Field(description="Why no wager is taken just now.")
    draining_for: str | None = Field(description="The notice whose change waits for its game.")
    open_round: str | None
    carried: list[int] = Field(description="Seats whose wagers stand for the next round.")

    @classmethod
    def of(cls, row: TableRow, gates: Gates) -> "TableShown":
        table, limits = row.table, row.table.limits
        return cls(
            table=table.id,
            game=table.game_key,
            seats=table.seats,
            minimum_cents=None if limits is None else limits.minimum_cents,
            maximum_cents=None if limits is None else limits.maximum_cents,
            system=table.meter_id,
            training=row.training,
            state=table.state,
            hands_left=table.hands_left,
            tournament=table.tournament,
            manual=table.manual,
            failing=sorted(table.failing | gates.failing_at(table.id)),
            draining_for=table.draining_for,
            open_round=table.open_round_id,
            carried=[] if table.carry is None else sorted(table.carry.stakes),
        )


class Definition(Strict):
    table: Name
    game: GameKey
    seats: int = Field(ge=1, le=SEATS_MAX)
    minimum_cents: Cents = Field(description="Of the table's own bets.", examples=[1_000])
    maximum_cents: Cents = Field(examples=[50_000])


class NewLimits(Strict):
    minimum_cents: Cents = Field(description="No higher than the one that stands.", examples=[500])
    maximum_cents: Cents = Field(examples=[50_000])


class Closing(Strict):
    players_present: bool = Field(
        description="With players, three hands' notice is given; without, it closes at once."
    )


class Switch(Strict):
    on: bool


@family.get("/v1/tables", permitted(Permission.READ_FLOOR), "List the tables.")
def list_tables(caller: Staff, query: PageQuery) -> Page[TableShown]:
    found = floor.tables(caller.parts.desk.database, query.after or "", query.limit + 1)
    gates = caller.parts.watch.gates
    return page(
        found, query.limit, lambda row: TableShown.of(row, gates), lambda table: table.table
    )


@family.get("/v1/tables/<table_id>", permitted(Permission.READ_FLOOR), "Show one table.")
def show(caller: Staff, table_id: Name) -> TableShown:
    found = floor.table(caller.parts.desk.database, table_id)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no table {table_id}: see the list.")
    return TableShown.of(found, caller.parts.watch.gates)


@family.post("/v1/tables", COMMANDING, "Define a table, closed at first.", refuses=_REFUSED)
def define(caller: Commander, body: Definition) -> Recorded:
    limits = Limits(body.minimum_cents, body.maximum_cents)
    wanted = DefineTable(body.table, body.game, body.seats, limits)
    return _command(caller, "define", wanted, body.table)


@family.post("/v1/tables/<table_id>/opening", COMMANDING, "Open a table.", refuses=_REFUSED)
def open_table(caller: Commander, table_id: Name) -> Recorded:
    return _command(caller, "open", OpenTable(table_id), table_id)


@family.post("/v1/tables/<table_id>/closing", COMMANDING, "Close a table.", refuses=_REFUSED)
def close(caller: Commander, table_id: Name, body: Closing) -> Recorded:
    return _command(caller, "close", CloseTable(table_id, body.players_present), table_id)


@family.post(
    "/v1/tables/<table_id>/tournament",
    COMMANDING,
    "Set a table apart for a tournament, or end that.",
    refuses=_REFUSED,
)
def set_tournament(caller: Commander, table_id: Name, body: Switch) -> Recorded:
    return _command(caller, "set-tournament", SetTournament(table_id, body.on), table_id)


@family.post(
    "/v1/tables/<table_id>/limits",
    COMMANDING,
    "Change a table's limits at once; a higher minimum takes a notice first.",
    refuses=_REFUSED,
)
def set_limits(caller: Commander, table_id: Name, body: NewLimits) -> Recorded:
    wanted = SetLimits(table_id, Limits(body.minimum_cents, body.maximum_cents))
    return _command(caller, "set-limits", wanted, table_id)


def look_at(caller: Staff, table_id: str) -> Callable[[], dict[str, Any] | None]:
    """Shows the table, for the trail: once before a command and once after it."""

    def look() -> dict[str, Any] | None:
        found = floor.table(caller.parts.desk.database, table_id)
        if found is None:
            return None
        return TableShown.of(found, caller.parts.watch.gates).model_dump(mode="json")

    return look


def _command(caller: Commander, action: str, wanted: Command, table_id: str) -> Recorded:
    return command(caller, f"table:{action}", table_id, wanted, look_at(caller, table_id))
