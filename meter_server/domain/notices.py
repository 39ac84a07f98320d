"""Notices on table signs, and the clocks they start.

drafted -> used | withdrawn; a notice lapses when nobody acts on it in time. The clock runs from the
moment the last sign concerned shows the notice (SYS-7, SYS-8, A-35).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from meter_server.domain.rulebook.readings import DARK_SIGN_US, TABLE_NOTICE_US, Readings
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits


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


@dataclass(frozen=True, slots=True)
class RaiseMinimum:
    """New limits of a table's own bets, with a minimum above the one that stands (SGN-5)."""

    table_id: str
    limits: Limits


Change = AddTable | RemoveTable | TransferTable | CloseSystem | ChangeTerms | RaiseMinimum


class NoticeState(StrEnum):
    DRAFTED = "drafted"
    USED = "used"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Notice:
    """What the signs must show before a change, and since when they have shown it (SGN-4)."""

    id: str
    change: Change
    drafted_by: str
    state: NoticeState = NoticeState.DRAFTED
    shown_since_us: Mapping[str, int] = field(default_factory=dict)
    """Since when each table's sign has been showing it without a gap of over a minute."""
    dark_since_us: Mapping[str, int] = field(default_factory=dict)
    """Since when the signs that are dark just now have been dark."""

    def period_us(self, readings: Readings) -> int:
        """Twenty minutes, or the 'reasonable period' for a change of terms (A-36)."""
        if isinstance(self.change, ChangeTerms):
            return readings.terms_notice_us
        return TABLE_NOTICE_US

    def missing(self, tables: Iterable[str]) -> list[str]:
        """The tables whose signs do not show it just now."""
        lit = self.shown_since_us.keys() - self.dark_since_us.keys()
        return sorted(table for table in tables if table not in lit)

    def dark(self, table_id: str, from_us: int) -> "Notice":
        """The sign has gone dark; what was seen before it was lit says nothing new."""
        if table_id in self.dark_since_us or from_us < self.shown_since_us[table_id]:
            return self
        return replace(self, dark_since_us={**self.dark_since_us, table_id: from_us})

    def lit_again(self, table_id: str, dark_from_us: int, at_us: int) -> "Notice":
        """A sign dark for over a minute starts its clock again, and never turns it back (A-35)."""
        since = self.shown_since_us[table_id]
        # A later report of the same darkness cannot shorten it.
        dark_from_us = min(dark_from_us, self.dark_since_us.get(table_id, dark_from_us))
        if at_us - dark_from_us > DARK_SIGN_US:
            since = max(since, at_us)
        return replace(
            self,
            shown_since_us={**self.shown_since_us, table_id: since},
            dark_since_us={
                table: from_us
                for table, from_us in self.dark_since_us.items()
                if table != table_id or from_us > at_us
            },
        )

    def ready_at_us(self, tables: Iterable[str], readings: Readings) -> int:
        """When the change may take effect: the last sign's clock decides (SYS-8)."""
        last = max((self.shown_since_us[table] for table in tables), default=0)
        return last + self.period_us(readings)
