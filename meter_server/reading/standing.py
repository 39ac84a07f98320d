"""How one table stands at one moment: what its console begins from."""

from dataclasses import dataclass

from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.reading.shown import concerns
from meter_server.storage import standing
from meter_server.storage.database import Database
from meter_server.storage.devices import Device
from meter_server.storage.standing import StandingRow


@dataclass(frozen=True, slots=True)
class Standing:
    row: StandingRow
    open_round: Round | None
    last_round: Round | None
    notices: list[Notice]
    """Drafted ones that concern the table."""


def of_table(database: Database, table_id: str, device: Device, checkpoint: int | None) -> Standing:
    with database.connection() as connection:
        row = standing.of_table(connection, table_id, device, checkpoint)
    table = row.table
    return Standing(
        row=row,
        open_round=_round(row, table.open_round_id),
        last_round=_round(row, table.last_round_id),
        notices=[notice for notice in row.notices if concerns(notice.change, table)],
    )


def _round(row: StandingRow, round_id: str | None) -> Round | None:
    return None if round_id is None else row.rounds[round_id]
