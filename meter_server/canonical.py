"""JSON in the one form that is hashed and signed: ASCII, keys sorted, no white space.

The form is published in docs/protocol.md and cannot change for what exists.
"""

import json
from collections.abc import Mapping, Sequence

import orjson

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]

_PLAIN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
_DELETE = b"\x7f"


def canonical_json(value: Json) -> bytes:
    """The compiled encoder writes nearly everything; it leaves other letters and one control
    character as they are, where this form has escapes, and such a value is written again."""
    written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    if written.isascii() and _DELETE not in written:
        return written
    return _PLAIN.encode(value).encode("ascii")
