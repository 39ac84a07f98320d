"""Message numbers: a device counts its messages, and the count alone decides what is new.

A device is (name, epoch): enrolled again it gets a new epoch and counts from one.
"""

from collections.abc import Mapping
from enum import StrEnum


class Place(StrEnum):
    """Where a message stands in its device's count."""

    NEXT = "next"
    """New: it is decided, and its number is consumed whether accepted or refused."""
    REPLAY = "replay"
    """Known: it gets the answer it got before."""
    FORK = "fork"
    """A known number with another content: refused, and the device is frozen."""
    GAP = "gap"
    """Earlier ones are missing: refused, and to be sent again from the one after the last."""


def place_of(number: int, digest: str, last: int, digests: Mapping[int, str]) -> Place:
    """Place a message among those its device has had consumed, 1 to ``last``."""
    if number > last + 1:
        return Place.GAP
    if number == last + 1:
        return Place.NEXT
    return Place.REPLAY if digests[number] == digest else Place.FORK


def message_key(device: str, epoch: int, number: int) -> str:
    """The permanent key of a device's message, as its entries carry it."""
    return f"device:{device}:{epoch}:{number}"


def round_key(device: str, epoch: int, counter: int) -> str:
    """The name of a round: who began it, and its count of rounds."""
    return f"{device}/{epoch}/{counter}"
