"""The readings in force where the rules leave a choice that an installation makes by a setting."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeVar

from meter_server import settings
from meter_server.bootstrap import readings
from meter_server.cli.rules.table import Table, spaced
from meter_server.domain.money import MICROS_PER_DOLLAR, dollars
from meter_server.domain.requirements import REGISTER
from meter_server.domain.rulebook.readings import HOUR_US, Readings, Scope, SplitBasis

_ASKED = {row.key: row for row in REGISTER}
_SPLITS = {
    SplitBasis.FORMULA: "formula: shares are exact, the printed percentage stands beside them",
    SplitBasis.PRINTED: "printed: shares are the three decimals of the printed tables",
}
_SCOPES = {
    Scope.CASINO: "casino: over all systems of the casino",
    Scope.BOOK: "book: over the systems of each rule book alone",
}


class Reading(NamedTuple):
    """A reading that can be set, as this installation has it."""

    key: str
    setting: str
    in_force: str
    other: str


def readings_of(chosen: Readings) -> list[Reading]:
    most = dollars(settings.PAYABLE_UNIT_DOLLARS_MAX * MICROS_PER_DOLLAR)
    hours = chosen.terms_notice_us // HOUR_US
    return [
        Reading(
            "A-2",
            "split_basis",
            _SPLITS[chosen.split_basis],
            _others(_SPLITS, chosen.split_basis),
        ),
        Reading(
            "A-8",
            "payable_unit_dollars",
            f"up to the next {dollars(chosen.payable_unit_micros)}",
            f"any whole number of cents up to {most}",
        ),
        Reading("A-31", "scope", _SCOPES[chosen.scope], _others(_SCOPES, chosen.scope)),
        Reading(
            "A-36",
            "terms_notice_hours",
            "1 hour" if hours == 1 else f"{hours:,} hours",
            f"any other number from 1 to {settings.TERMS_NOTICE_HOURS_MAX:,} hours",
        ),
    ]


Choice = TypeVar("Choice", bound=StrEnum)


def _others(words: Mapping[Choice, str], chosen: Choice) -> str:
    return "; ".join(word for choice, word in words.items() if choice is not chosen)


def reading_records() -> list[dict[str, object]]:
    loaded = settings.load_readings()
    return [
        {
            "reading": reading.key,
            "question": _ASKED[reading.key].says,
            "in_force": reading.in_force,
            "other_choice": reading.other,
            "setting": settings.variable(reading.setting),
            "value": str(getattr(loaded, reading.setting)),
            "set_in": settings.set_in(loaded, reading.setting),
            "rule": _ASKED[reading.key].cites,
        }
        for reading in readings_of(readings(loaded))
    ]


def reading_tables() -> Iterator[Table]:
    records = reading_records()
    yield Table(
        "Readings in force where the rules leave a choice",
        ("", "question", "in force", "other choice"),
        [spaced(_row(record)) for record in records],
        "\n".join(_sources(records)),
    )


def _row(record: Mapping[str, object]) -> tuple[str, ...]:
    asked = f"{record['question']}\n{record['rule']}"
    return str(record["reading"]), asked, str(record["in_force"]), str(record["other_choice"])


def _sources(records: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for record in records:
        where = f"set in {record['set_in']}" if record["set_in"] else "not set: the default"
        yield f"{record['reading']}: {record['setting']}, {where}."
    yield "A server reads the same when it starts; these are as found here and now."
