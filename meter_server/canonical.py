"""JSON in the one form that is hashed and signed: ASCII, keys sorted, no white space.

The form is published in docs/protocol.md and cannot change for what exists.
"""

import json
from collections.abc import Mapping, Sequence

import orjson

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]

_PLAIN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
_DELETE = b"\x7f"
# What is no JSON is not made into some.
_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME


def canonical_json(value: Json) -> bytes:
    """The compiled encoder writes nearly everything. What it writes otherwise (letters beyond ASCII
    and the character *delete*) or refuses (numbers of more than eight bytes, and bytes that are no
    text, which somebody put into a row) the plain one does."""
    try:
        written = orjson.dumps(value, option=_OPTIONS)
    except orjson.JSONEncodeError:
        return _plain(value)
    return written if written.isascii() and _DELETE not in written else _plain(value)


def _plain(value: Json) -> bytes:
    return _PLAIN.encode(value).encode("ascii")
