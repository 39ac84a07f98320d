"""The printed splits of simultaneous winners: a column for each R, a row for each S (A-1)."""

from collections.abc import Callable, Iterator

from meter_server.cli.rules.table import BOOK_TITLES, Table
from meter_server.domain.rulebook.games import GAMES, Game
from meter_server.domain.settlement import (
    percent_text,
    royal_fraction,
    straight_flush_fraction,
    straight_flushes_alone,
)

_NONE = "-"


def split_records() -> list[dict[str, object]]:
    return [
        {
            "game": game.key,
            "royals": royals,
            "straight_flushes": straight_flushes,
            "pool": pool_text(royals),
            "royal_each": royal_text(royals, straight_flushes) if royals else None,
            "straight_flush_each": (
                straight_flush_text(royals, straight_flushes) if straight_flushes else None
            ),
            "rule": game.rules.royal_split if royals else game.rules.straight_flush_split,
        }
        for game in GAMES.values()
        for royals, straight_flushes in sorted(game.splits)
        if royals + straight_flushes
    ]


def split_tables() -> Iterator[Table]:
    for book, title in BOOK_TITLES.items():
        game = next(game for game in GAMES.values() if game.book is book)
        royals = sorted({royals for royals, _ in game.splits if royals})
        columns = ("", *(f"R = {count}" for count in royals))
        pool = ("prize pool", *(pool_text(count) for count in royals))
        rule = game.rules.royal_split
        yield Table(
            f"{title}: each royal flush wins of the prize pool ({rule})",
            columns,
            [pool, *_rows(game, royals, royal_text, s_from=0)],
        )
        yield Table(
            f"{title}: each straight flush beside a royal wins of the prize pool ({rule})",
            columns,
            _rows(game, royals, straight_flush_text, s_from=1),
        )
        yield Table(
            f"{title}: each straight flush without a royal ({game.rules.straight_flush_split})",
            ("", "R = 0"),
            _rows(game, [0], straight_flush_text, s_from=1),
            "R royals and S straight flushes in one round; j is the meter rounded up to a\n"
            "whole dollar, r is seed x cost. Percentages are rounded as printed.",
        )


def _rows(
    game: Game, royals: list[int], text: Callable[[int, int], str], *, s_from: int
) -> list[tuple[str, ...]]:
    counts = sorted({others for count, others in game.splits if count in royals})
    return [
        (
            f"S = {others}",
            *(text(r, others) if (r, others) in game.splits else _NONE for r in royals),
        )
        for others in counts
        if others >= s_from
    ]


def pool_text(royals: int) -> str:
    reseeds = max(royals - 1, 0)
    return {0: "j", 1: "j + r"}.get(reseeds, f"j + {reseeds}r")


def royal_text(royals: int, straight_flushes: int) -> str:
    return percent_text(royal_fraction(royals, straight_flushes))


def straight_flush_text(royals: int, straight_flushes: int) -> str:
    if royals:
        return percent_text(straight_flush_fraction(royals, straight_flushes))
    parts = straight_flushes_alone(straight_flushes)
    return f"{percent_text(parts.of_j)}j + {percent_text(parts.of_r)}r"
