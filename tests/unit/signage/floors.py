"""Floors for screens, as the server would tell them."""

from typing import Any

from meter_server.contract.frames import Floor, Hit, Meter, Table

AT = "2026-03-01T10:00:00.000000Z"


def meter(name: str = "M", value_micros: int = 10_000_000_000, **more: Any) -> Meter:
    facts = {
        "seq": 1,
        "epoch": 1,
        "royal_pays_micros": value_micros,
        "at": AT,
        "state": "open",
        "training": False,
        "option": 1,
        "cost_cents": 100,
        "pays": [],
    }
    return Meter.model_validate(facts | {"meter": name, "value_micros": value_micros} | more)


def table(name: str = "T1", in_meter: str | None = "M", **more: Any) -> Table:
    facts = {
        "game": "wsop",
        "state": "open",
        "seats": 7,
        "registered": [],
        "round": None,
        "playing": False,
        "minimum_cents": None,
        "maximum_cents": None,
        "taking": True,
        "failing": [],
        "manual": False,
        "tournament": False,
        "hands_left": None,
        "notices": [],
    }
    return Table.model_validate(facts | {"table": name, "meter": in_meter} | more)


def hit(name: str, in_meter: str = "M") -> Hit:
    return Hit(
        hit=name,
        meter=in_meter,
        meter_seq=1,
        table="T1",
        hand="royal-flush",
        amount_micros=1,
        verified=True,
        at=AT,
    )


def floor(order: int = 1, **parts: Any) -> Floor:
    found: dict[str, Any] = {"meters": [meter()], "tables": [table()], "hits": []} | parts
    return Floor(order=order, read_at=AT, **found)
