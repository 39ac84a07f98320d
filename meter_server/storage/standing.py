"""How one table stands: one query, one snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from meter_server.domain.awards import Award
from meter_server.domain.meter import Meter
from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table
from meter_server.storage import codec
from meter_server.storage.calls import Call
from meter_server.storage.database import Connection
from meter_server.storage.devices import Device
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class StandingRow:
    table: Table
    meter: Meter | None
    """As it is shown; its sums are not read."""
    rounds: Mapping[str, Round]
    """The open one and the last one."""
    awards: list[Award]
    """Of both rounds."""
    notices: list[Notice]
    """All that are drafted, of whatever table."""
    calls: list[Call]
    """To which nobody has come; the longest waiting first."""
    last_number: int
    """The device's last message that is in here."""
    checkpoint: str | None


def of_table(
    connection: Connection, table_id: str, device: Device, checkpoint: int | None
) -> StandingRow:
    """``checkpoint``: which one comes along, if any."""
    table, meter, rounds, awards, notices, last_number, calls, note = queries.table_standing(
        connection,
        table_id=table_id,
        device_id=device.id,
        epoch=device.epoch,
        checkpoint=checkpoint,
    )
    found = [codec.ROUND.validate_python(body) for body in rounds or []]
    return StandingRow(
        table=codec.TABLE.validate_python(table),
        meter=None if meter is None else codec.METER.validate_python(meter),
        rounds={round_.id: round_ for round_ in found},
        awards=[codec.AWARD.validate_python(body) for body in awards or []],
        notices=[codec.notice_from_json(body) for body in notices or []],
        calls=[
            Call(**{**row, "called_at": datetime.fromisoformat(row["called_at"])})
            for row in calls or []
        ],
        last_number=last_number or 0,
        checkpoint=note,
    )
