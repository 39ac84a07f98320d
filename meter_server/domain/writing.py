"""What may be written into the journal: names, texts and numbers that all readers read alike.

The grammar is published in docs/protocol.md. It binds writers; a reader takes rows as they stand.
A value that breaks it here slipped past the door where it should have been refused: a bug.
"""

import re
import unicodedata
from typing import Any

INTEGER_MAX = 2**53 - 1
"""The largest whole number that every JSON reader holds exactly: some nine billion dollars."""

TEXT_MAX = 500

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""A meter, table, device, notice or person."""

ROUND = re.compile(rf"{NAME.pattern}(?:/{NAME.pattern}){{0,2}}")
"""A round: its device, epoch and counter, ``t07-a/2/118``."""

PRIZE = re.compile(rf"{ROUND.pattern}/[1-9](?:\+{ROUND.pattern}(?:/[1-9])?){{0,9}}")
"""A prize: its round and seat, ``t07-a/2/118/3``; after ``+`` the round by which it came on top."""

_COUNT = r"[1-9][0-9]{0,15}"
MESSAGE = re.compile(
    rf"device:{NAME.pattern}:{_COUNT}:{_COUNT}"
    rf"|notice:{NAME.pattern}"
    rf"|staff:{NAME.pattern}:{NAME.pattern}"
)
"""The permanent key of a message, by who sent it."""

DIGEST = re.compile(r"[0-9a-f]{64}")

_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")


def require(grammar: re.Pattern[str], what: str, value: str | None) -> None:
    if value is not None and grammar.fullmatch(value) is None:
        raise ValueError(f"{value!r} cannot be written as {what}")


def require_json(value: object) -> None:
    """Only what has one JSON form: no floats, no huge numbers, no keys but plain words.

    Every value of every row is looked at, so this asks for the exact type first and calls nothing.
    """
    waiting: list[Any] = [value]
    for one in waiting:
        kind = type(one)
        if kind is str:
            if len(one) > TEXT_MAX or not one.isascii() or not one.isprintable():
                _require_text(one)
        elif kind is int:
            if not -INTEGER_MAX <= one <= INTEGER_MAX:
                raise ValueError(f"{one} is beyond what every reader holds exactly")
        elif kind is dict:
            if not one.keys() <= _keys_seen:
                _require_keys(one)
            waiting.extend(one.values())
        elif kind is list or kind is tuple:
            waiting.extend(one)
        elif isinstance(one, str):  # A word of an enumeration is written as the text it is.
            _require_text(one)
        elif one is not None and kind is not bool:
            raise ValueError(f"{one!r} has no JSON form in the journal")


_keys_seen: set[str] = set()
"""The same few words in every row: each is looked at once."""


def _require_keys(row: dict[object, object]) -> None:
    for key in row:
        if not isinstance(key, str) or _KEY.fullmatch(key) is None:
            raise ValueError(f"{key!r} cannot be a key")
        _keys_seen.add(key)


def _require_text(text: str) -> None:
    """One composed form of every letter, and nothing that hides, reorders or breaks a line."""
    if len(text) > TEXT_MAX:
        raise ValueError(f"a text of {len(text)} characters is too long")
    if not text.isprintable() or not (text.isascii() or unicodedata.is_normalized("NFC", text)):
        raise ValueError(f"{text!r} cannot be written as text")
