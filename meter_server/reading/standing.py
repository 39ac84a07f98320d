"""How one table stands at one moment: what its console begins from."""

from dataclasses import dataclass

from meter_server.domain.awards import Award
from meter_server.domain.floor import Floor
from meter_server.domain.meter import Meter
from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table
from meter_server.reading.shown import concerns
from meter_server.storage import floor_lists
from meter_server.storage.database import Database
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.rows import Needs


@dataclass(frozen=True, slots=True)
class Standing:
    table: Table
    meter: Meter | None
    open_round: Round | None
    last_round: Round | None
    awards: tuple[Award, ...]
    """Of both rounds."""
    notices: tuple[Notice, ...]
    """Drafted ones that concern the table."""
    last_number: int
    """The device's last message that is in here."""


def standing(database: Database, table_id: str, device_id: str, epoch: int) -> Standing:
    """Everything but the notices and the states of prizes is one snapshot with the number."""
    store = PostgresFloor(database)
    loaded = store.load(Needs(tables=frozenset({table_id}), devices=frozenset({device_id})))
    table = loaded.floor.tables[table_id]
    rounds = [_round(loaded.floor, key) for key in (table.open_round_id, table.last_round_id)]
    known = frozenset(round_.id for round_ in rounds if round_ is not None)
    awards = store.load(Needs(awards_of_rounds=known)).floor.awards if known else {}
    with database.connection() as connection:
        drafted = floor_lists.drafted_notices(connection)
    return Standing(
        table=table,
        meter=None if table.meter_id is None else loaded.floor.meters[table.meter_id],
        open_round=rounds[0],
        last_round=rounds[1],
        awards=tuple(award for _, award in sorted(awards.items())),
        notices=tuple(notice for notice in drafted if concerns(notice.change, table)),
        last_number=loaded.last_numbers.get((device_id, epoch), 0),
    )


def _round(floor: Floor, round_id: str | None) -> Round | None:
    return None if round_id is None else floor.rounds[round_id]
