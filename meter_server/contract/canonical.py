"""JSON in the one form that is hashed and signed, and the digests of what travels in it.

The form is the journal's (docs/protocol.md); a test holds both to the same vectors.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]


_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
)


def canonical_json(value: Json) -> bytes:
    """ASCII, keys sorted, no white space."""
    return _CANONICAL.encode(value).encode("ascii")


def message_digest(message: bytes) -> str:
    """What a number stands for, from the message's canonical bytes: another digest is a fork."""
    return hashlib.sha256(b"prize-meter message 1\n" + message).hexdigest()


def answer_digest(answer: bytes) -> str:
    """What a receipt says the server answered, from the answer's canonical bytes."""
    return hashlib.sha256(b"prize-meter answer 1\n" + answer).hexdigest()
