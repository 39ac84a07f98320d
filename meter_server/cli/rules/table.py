"""A printed table of the rulebook, and how the games share its columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from meter_server.domain.rulebook.games import GAMES, Book, GameKey


class Table(NamedTuple):
    title: str
    headings: Sequence[str]
    rows: Iterable[Sequence[str]]
    note: str = ""


BOOK_TITLES = {Book.WSOP: "WSOP and Ultimate", Book.THREE_CARD: "Three Card"}


def cells_by_book(texts: Mapping[GameKey, str]) -> Iterator[str]:
    """One cell for each document, since its games differ seldom; where they do, each is named."""
    for book in BOOK_TITLES:
        games = [game for game in GAMES.values() if game.book is book]
        found = {game.title: texts[game.key] for game in games if game.key in texts}
        if len(found) == len(games) and len(set(found.values())) == 1:
            yield texts[games[0].key]
        else:
            yield "\n".join(f"{title}:\n{text}" for title, text in found.items()) or "-"


def spaced(cells: Iterable[str]) -> tuple[str, ...]:
    """A row with a blank line under it, where cells have several lines."""
    return tuple(f"{cell}\n" for cell in cells)
