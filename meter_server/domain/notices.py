"""Notices on table signs, and the clocks they start.

drafted -> used | withdrawn; a notice lapses when nobody acts on it in time. The clock runs from the
moment the last sign concerned shows the notice (SYS-7, SYS-8, A-35).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from meter_server.domain.rulebook.readings import TABLE_NOTICE_US, Readings
from meter_server.domain.rulebook.terms import Terms


@dataclass(frozen=True, slots=True)
class AddTable:
    table_id: str
    to_meter_id: str


@dataclass(frozen=True, slots=True)
class RemoveTable:
    table_id: str


@dataclass(frozen=True, slots=True)
class TransferTable:
    table_id: str
    to_meter_id: str


@dataclass(frozen=True, slots=True)
class CloseSystem:
    """Close a system; the surplus goes to others in hundredths of a percent, 10,000 in all."""

    meter_id: str
    shares_bp: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ChangeTerms:
    """New option, seed or cost, for every system named, all at once (SYS-6, A-37)."""

    terms: Mapping[str, Terms]


Change = AddTable | RemoveTable | TransferTable | CloseSystem | ChangeTerms


class NoticeState(StrEnum):
    DRAFTED = "drafted"
    USED = "used"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Notice:
    id: str
    change: Change
    drafted_by: str
    state: NoticeState = NoticeState.DRAFTED
    shown_since_us: Mapping[str, int] = field(default_factory=dict)
    """Since when each table's sign has been showing it without a gap."""

    def period_us(self, readings: Readings) -> int:
        """Twenty minutes, or the 'reasonable period' for a change of terms (A-36)."""
        if isinstance(self.change, ChangeTerms):
            return readings.terms_notice_us
        return TABLE_NOTICE_US

    def missing(self, tables: Iterable[str]) -> list[str]:
        return sorted(table for table in tables if table not in self.shown_since_us)

    def ready_at_us(self, tables: Iterable[str], readings: Readings) -> int:
        """When the change may take effect: the last sign's clock decides (SYS-8)."""
        last = max((self.shown_since_us[table] for table in tables), default=0)
        return last + self.period_us(readings)
