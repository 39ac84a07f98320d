"""Digests of what travels, over the one form in which JSON is hashed and signed."""

import hashlib

from meter_server.canonical import Json as Json  # for rooms that know only what travels
from meter_server.canonical import canonical_json as canonical_json


def message_digest(message: bytes) -> str:
    """What a number stands for, from the message's canonical bytes: another digest is a fork."""
    return hashlib.sha256(b"prize-meter message 1\n" + message).hexdigest()


def answer_digest(answer: bytes) -> str:
    """What a receipt says the server answered, from the answer's canonical bytes."""
    return hashlib.sha256(b"prize-meter answer 1\n" + answer).hexdigest()
