"""What monitoring reads of the database at each scrape."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from meter_server.storage.database import Connection
from meter_server.storage.queries import queries


@dataclass(frozen=True, slots=True)
class MeterGauge:
    id: str
    training: bool
    value_micros: int
    minimum_micros: int
    """The least it must record, prizes that are not determined yet counted as paid (A-39)."""
    undetermined_micros: int
    """Such prizes since the last reset."""

    @property
    def margin_micros(self) -> int:
        return self.value_micros - self.minimum_micros

    @property
    def margin_without_undetermined_micros(self) -> int:
        """As if those prizes had not been paid: the meter would have to hold them still."""
        return self.margin_micros - self.undetermined_micros


@dataclass(frozen=True, slots=True)
class Gauges:
    at: datetime
    """By the database's clock."""
    meters: list[MeterGauge]
    heartbeat_ages: Mapping[str, float]
    """Seconds since a table's agent was heard, by table."""
    violations: Mapping[str, int]
    last_checkpoint: int | None
    checkpoint_age: Decimal | None


def read(connection: Connection) -> Gauges:
    at, meters, ages, violations, number, age = queries.read_gauges(connection)
    return Gauges(at, [_meter(row) for row in meters], ages, violations, number, age)


def _meter(row: dict[str, Any]) -> MeterGauge:
    return MeterGauge(**row)
