"""The prize meter of one system: its value, its epoch, and the sums of rule 9.3.

Value = base + credits - reversals + transfers + extras - prizes, all since the last reset; the base
is what the meter stood at when the sums began (MET-1, MET-6).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from meter_server.domain.entries import MAY_LOWER, Account, Entry, EntryKind, Json
from meter_server.domain.rulebook.terms import Terms


class MeterState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Sums:
    """What has happened to the meter since its last reset, in millionths."""

    credited: int = 0
    reversed: int = 0
    prizes: int = 0
    transferred: int = 0
    extra: int = 0
    turnover: int = 0
    """Wagers taken less wagers returned: for the literal reading of 9.3.2 (A-56)."""

    @property
    def net_micros(self) -> int:
        return self.credited - self.reversed - self.prizes + self.transferred + self.extra


@dataclass(frozen=True, slots=True)
class Meter:
    """A prize meter system and its meter; the two are one (SYS-1)."""

    id: str
    terms: Terms
    training: bool = False
    state: MeterState = MeterState.OPEN
    value_micros: int = 0
    seq: int = 0
    epoch: int = 0
    base_micros: int = 0
    sums: Sums = field(default_factory=Sums)

    @property
    def minimum_micros(self) -> int:
        """The least the meter must record now (MET-1, A-9, A-10).

        Transfers in and voluntary extras sit above it (A-53).
        """
        sums = self.sums
        return self.terms.reseed_micros + sums.credited - sums.reversed - sums.prizes

    @property
    def margin_micros(self) -> int:
        """How far the meter stands above the least it must record."""
        return self.value_micros - self.minimum_micros

    @property
    def literal_minimum_micros(self) -> int:
        """The least by today's rate over all turnover since the reset (A-56)."""
        by_rate, rest = divmod(self.sums.turnover * self.terms.rate_bp, 10_000)
        return self.terms.reseed_micros + by_rate + (rest > 0) - self.sums.prizes

    @property
    def below_seed(self) -> bool:
        """Exactly at seed x cost is not below it (A-13)."""
        return self.value_micros < self.terms.reseed_micros


@dataclass(frozen=True, slots=True)
class Posting:
    """One entry to be: its amount on the meter and the other accounts' lines."""

    kind: EntryKind
    amount_micros: int
    against: tuple[tuple[Account, int], ...]
    rule: str
    detail: Mapping[str, Json]
    table_id: str | None = None
    round_id: str | None = None
    turnover_micros: int = 0


def post(meter: Meter, posting: Posting) -> tuple[Meter, Entry]:
    """Apply one posting; one that does not balance, or lowers a meter unlisted, is a bug."""
    lines = ((Account.METER, posting.amount_micros), *posting.against)
    if sum(micros for _, micros in lines):
        raise ValueError(f"a {posting.kind} entry of {meter.id} does not balance: {lines}")
    if posting.amount_micros < 0 and posting.kind not in MAY_LOWER:
        raise ValueError(f"a {posting.kind} entry may not lower the meter {meter.id}")
    after = meter.value_micros + posting.amount_micros
    epoch, base_micros, sums = _summed(meter, posting)
    changed = replace(
        meter,
        value_micros=after,
        seq=meter.seq + 1,
        epoch=epoch,
        base_micros=base_micros,
        sums=sums,
    )
    entry = Entry(
        meter_id=meter.id,
        seq=changed.seq,
        kind=posting.kind,
        amount_micros=posting.amount_micros,
        before_micros=meter.value_micros,
        after_micros=after,
        epoch=changed.epoch,
        lines=lines,
        rule=posting.rule,
        table_id=posting.table_id,
        round_id=posting.round_id,
        detail=posting.detail,
    )
    return changed, entry


def _summed(meter: Meter, posting: Posting) -> tuple[int, int, Sums]:
    """The epoch, its base and its sums with one posting more."""
    sums, amount = meter.sums, posting.amount_micros
    turnover = sums.turnover + posting.turnover_micros
    match posting.kind:
        case EntryKind.OPENING | EntryKind.RESET | EntryKind.CLOSING:
            return meter.epoch + 1, meter.value_micros + amount, Sums()
        case EntryKind.CREDIT:
            sums = replace(sums, credited=sums.credited + amount, turnover=turnover)
        case EntryKind.REVERSAL:
            sums = replace(sums, reversed=sums.reversed - amount, turnover=turnover)
        case EntryKind.PRIZE | EntryKind.CORRECTION:
            # A correction is a prize that was more or less than recorded, net of its reset.
            sums = replace(sums, prizes=sums.prizes - amount)
        case EntryKind.TRANSFER_IN | EntryKind.TRANSFER_OUT:
            sums = replace(sums, transferred=sums.transferred + amount)
        case EntryKind.EXTRA | EntryKind.CHANGE:
            sums = replace(sums, extra=sums.extra + amount)
        case EntryKind.SETTLEMENT | EntryKind.RULING:
            pass
    return meter.epoch, meter.base_micros, sums


def under_new_terms(meter: Meter, terms: Terms) -> Meter:
    """The meter under other terms; its sums begin anew where seed x cost changes (A-37).

    With another seed the old sum of 9.3 has lost its first term. The value is kept; wagers of this
    epoch can still be reversed.
    """
    if terms.reseed_micros == meter.terms.reseed_micros:
        return replace(meter, terms=terms)
    return replace(meter, terms=terms, base_micros=meter.value_micros, sums=Sums())


def check(meter: Meter) -> None:
    """The invariants that hold after the last entry of every command (MET-1, MET-6)."""
    if meter.state is MeterState.CLOSED:
        return
    if meter.value_micros != meter.base_micros + meter.sums.net_micros:
        raise ValueError(f"the meter {meter.id} does not equal its sums")
    if meter.below_seed or meter.margin_micros < 0:
        raise ValueError(f"the meter {meter.id} stands below the least it must record")
