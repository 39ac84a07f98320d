"""JSON in the one form that is hashed and signed, and the digests of what travels in it.

The form is the journal's (docs/protocol.md); a test holds both to the same vectors.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]


def canonical_json(value: Json) -> str:
    """ASCII, keys sorted, no white space."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def message_digest(message: Json) -> str:
    """What a number stands for: the same number with another digest is a fork."""
    return _digest("prize-meter message 1", canonical_json(message))


def answer_digest(answer: Json) -> str:
    """What a receipt says the server answered."""
    return _digest("prize-meter answer 1", canonical_json(answer))


def _digest(purpose: str, text: str) -> str:
    return hashlib.sha256(f"{purpose}\n{text}".encode("ascii")).hexdigest()
