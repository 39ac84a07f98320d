"""What may be written into the journal: names, texts and numbers that all readers read alike.

The grammar is published in docs/protocol.md. It binds writers; a reader takes rows as they stand.
A value that breaks it here slipped past the door where it should have been refused: a bug.
"""

import re
import unicodedata
from functools import lru_cache

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
    """Only what has one JSON form: no floats, no huge numbers, no keys but plain words."""
    match value:
        case str():
            _require_text(value)
        case int():
            if abs(value) > INTEGER_MAX:
                raise ValueError(f"{value} is beyond what every reader holds exactly")
        case None:
            pass
        case dict():
            for key, inner in value.items():
                _require_key(key)
                require_json(inner)
        case list() | tuple():
            for inner in value:
                require_json(inner)
        case _:
            raise ValueError(f"{value!r} has no JSON form in the journal")


@lru_cache(maxsize=1024)
def _require_key(key: object) -> None:
    """The same few words in every row: each is looked at once."""
    if not isinstance(key, str) or _KEY.fullmatch(key) is None:
        raise ValueError(f"{key!r} cannot be a key")


def _require_text(text: str) -> None:
    """One composed form of every letter, and nothing that hides, reorders or breaks a line."""
    if len(text) > TEXT_MAX:
        raise ValueError(f"a text of {len(text)} characters is too long")
    if not text.isprintable() or not (text.isascii() or unicodedata.is_normalized("NFC", text)):
        raise ValueError(f"{text!r} cannot be written as text")
