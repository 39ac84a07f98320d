"""What holds on every floor after every command, re-added from the entries alone."""

from collections.abc import Iterator

from meter_server.domain.awards import AwardState
from meter_server.domain.entries import Account, Entry, EntryKind
from meter_server.domain.floor import Floor
from meter_server.domain.meter import MeterState


def faults(books: Floor) -> Iterator[str]:
    for meter_id, meter in books.meters.items():
        entries = books.history.get(meter_id, ())
        yield from _chain(meter_id, entries)
        if entries and entries[-1].after_micros != meter.value_micros:
            yield f"the meter {meter_id} is not where its last entry left it"
        seed = meter.terms.reseed_micros
        if meter.state is MeterState.OPEN and meter.value_micros < seed:
            yield f"the meter {meter_id} stands below its seed"
        if meter.state is MeterState.CLOSED and meter.value_micros:
            yield f"the closed meter {meter_id} still holds money"
        yield from _prizes(meter_id, books)
    if _total(books, Account.TRANSFERS):
        yield "what left one system did not all arrive in others"


def _chain(meter_id: str, entries: tuple[Entry, ...]) -> Iterator[str]:
    value = 0
    for seq, entry in enumerate(entries, start=1):
        if entry.seq != seq or entry.before_micros != value:
            yield f"entry {seq} of {meter_id} does not follow the one before it"
        value += entry.amount_micros
        if entry.after_micros != value or sum(micros for _, micros in entry.lines) != 0:
            yield f"entry {seq} of {meter_id} does not add up"
        if entry.kind is EntryKind.SETTLEMENT and entry.amount_micros:
            yield f"the settlement {seq} of {meter_id} moves the meter itself"


def _prizes(meter_id: str, books: Floor) -> Iterator[str]:
    """Every dollar that left a meter as a prize is somebody's, and nobody's twice."""
    awarded = sum(
        award.amount_micros
        for award in books.awards.values()
        if award.meter_id == meter_id and award.state is not AwardState.VOIDED
    )
    booked = sum(
        micros
        for entry in books.history.get(meter_id, ())
        for account, micros in entry.lines
        if account is Account.PRIZES
    )
    if awarded != booked:
        yield f"{meter_id} booked {booked} millionths of prizes, and {awarded} are awarded"


def _total(books: Floor, wanted: Account) -> int:
    return sum(
        micros
        for entries in books.history.values()
        for entry in entries
        for account, micros in entry.lines
        if account is wanted
    )
