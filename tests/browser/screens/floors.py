"""Floors for the screens, in the form that travels."""

from datetime import UTC, datetime, timedelta
from typing import Any

from meter_server.contract.frames import Floor

Json = dict[str, Any]

READ_AT = datetime(2026, 3, 2, 9, 30, 15, tzinfo=UTC)

BONUS_AT_FIVE_DOLLARS = {
    "four-of-a-kind": 3_000,
    "full-house": 500,
    "flush": 300,
    "straight": 200,
}
"""Table 5 of the WSOP rules, option 2, times five."""


def instant(seconds: float) -> str:
    """Seconds after the floor was read, or before it where negative."""
    at = READ_AT + timedelta(seconds=seconds)
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def meter(name: str = "five-dollar", dollars: float = 482_310.44, **more: Any) -> Json:
    micros = round(dollars * 100) * 10_000
    return {
        "meter": name,
        "seq": 81_204,
        "epoch": 3,
        "value_micros": micros,
        "royal_pays_micros": -(-micros // 1_000_000) * 1_000_000,
        "at": instant(-2),
        "state": "open",
        "training": False,
        "option": 2,
        "cost_cents": 500,
        "pays": [
            {"hand": "royal-flush", "percent": 100, "amount_micros": None},
            {"hand": "straight-flush", "percent": 10, "amount_micros": None},
            *(
                {"hand": hand, "percent": None, "amount_micros": dollars * 1_000_000}
                for hand, dollars in BONUS_AT_FIVE_DOLLARS.items()
            ),
        ],
        **more,
    }


def table(name: str = "T07", **more: Any) -> Json:
    return {
        "table": name,
        "game": "wsop",
        "meter": "five-dollar",
        "state": "open",
        "seats": 7,
        "registered": [1, 2, 5],
        "round": "t07-a/2/118",
        "playing": True,
        "minimum_cents": 1500,
        "maximum_cents": 50_000,
        "taking": True,
        "failing": [],
        "manual": False,
        "tournament": False,
        "hands_left": None,
        "notices": [],
        **more,
    }


def hit(name: str, **more: Any) -> Json:
    return {
        "hit": name,
        "meter": "five-dollar",
        "meter_seq": 80_001,
        "table": "T03",
        "hand": "straight-flush",
        "amount_micros": 51_234_500_000,
        "verified": True,
        "at": instant(-4000),
        **more,
    }


def notice(kind: str = "remove-table", due: str | None = None, **more: Any) -> Json:
    others = ("to", "minimum_cents", "maximum_cents", "option", "cost_cents")
    return {"notice": "N-7", "kind": kind, "due": due, **dict.fromkeys(others), **more}


def floor(order: int = 1000, **more: Any) -> Json:
    made = {
        "order": order,
        "read_at": instant(0),
        "meters": [meter()],
        "tables": [table()],
        "hits": [],
        **more,
    }
    return Floor.model_validate(made).model_dump(mode="json")
