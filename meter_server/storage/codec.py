"""Values of the rules as JSON and back; the rules themselves know nothing of JSON documents."""

import json
from typing import Any

from pydantic import TypeAdapter

from meter_server.domain.awards import Award
from meter_server.domain.entries import Account, Entry, EntryKind
from meter_server.domain.meter import Meter
from meter_server.domain.notices import (
    AddTable,
    Change,
    ChangeTerms,
    CloseSystem,
    Notice,
    RaiseMinimum,
    RemoveTable,
    TransferTable,
)
from meter_server.domain.rounds import Round
from meter_server.domain.tables import Table

METER = TypeAdapter(Meter)
TABLE = TypeAdapter(Table)
ROUND = TypeAdapter(Round)
AWARD = TypeAdapter(Award)
_NOTICE = TypeAdapter(Notice)

_CHANGES: dict[str, type[Change]] = {
    "add-table": AddTable,
    "remove-table": RemoveTable,
    "transfer-table": TransferTable,
    "close-system": CloseSystem,
    "change-terms": ChangeTerms,
    "raise-minimum": RaiseMinimum,
}
_CHANGE_NAMES = {kind: name for name, kind in _CHANGES.items()}
_CHANGE_ADAPTERS = {name: TypeAdapter(kind) for name, kind in _CHANGES.items()}


def notice_to_json(notice: Notice) -> dict[str, Any]:
    """A notice names its change: two changes may have the same fields."""
    body: dict[str, Any] = _NOTICE.dump_python(notice, mode="json")
    return {**body, "change": change_to_json(notice.change)}


def notice_from_json(body: dict[str, Any]) -> Notice:
    return _NOTICE.validate_python({**body, "change": change_from_json(body["change"])})


def change_to_json(change: Change) -> dict[str, Any]:
    name = _CHANGE_NAMES[type(change)]
    fields: dict[str, Any] = _CHANGE_ADAPTERS[name].dump_python(change, mode="json")
    return {"kind": name, **fields}


def change_from_json(body: dict[str, Any]) -> Change:
    fields = {name: value for name, value in body.items() if name != "kind"}
    return _CHANGE_ADAPTERS[body["kind"]].validate_python(fields)


def entry_from_body(body: str) -> Entry:
    """An entry from its canonical bytes: what a replay runs on."""
    fields = json.loads(body)
    return Entry(
        meter_id=fields["meter"],
        seq=fields["seq"],
        kind=EntryKind(fields["kind"]),
        amount_micros=fields["amount"],
        before_micros=fields["before"],
        after_micros=fields["after"],
        epoch=fields["epoch"],
        lines=tuple((Account(account), micros) for account, micros in fields["lines"]),
        rule=fields["rule"],
        table_id=fields["table"],
        round_id=fields["round"],
        detail=fields["detail"],
    )
