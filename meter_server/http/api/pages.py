"""Lists in pages: one row more than asked for tells whether there is a next page."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from meter_server.http.api.models import Page

Row = TypeVar("Row")
Item = TypeVar("Item")


def page(
    rows: Sequence[Row], limit: int, show: Callable[[Row], Item], key: Callable[[Item], str]
) -> Page[Item]:
    items = [show(row) for row in rows[:limit]]
    return Page(items=items, next=key(items[-1]) if len(rows) > limit else None)
