"""What the door needs from outside, so that it can be run on a simulated store and clock."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from meter_server.storage.rows import Loaded, Needs, Write


@dataclass(frozen=True, slots=True)
class MessageKey:
    """A permanent name of a message: nothing is done twice under one."""

    text: str
    device_id: str | None = None
    epoch: int = 0
    number: int = 0
    """A device numbers its messages from one, without a gap; a person's are not numbered."""


def device_key(device_id: str, epoch: int, number: int) -> MessageKey:
    return MessageKey(f"device:{device_id}:{epoch}:{number}", device_id, epoch, number)


def staff_key(staff_number: str, token: str) -> MessageKey:
    """The token comes from whoever asks, so that asking again cannot do it twice."""
    return MessageKey(f"staff:{staff_number}:{token}")


class Store(Protocol):
    """The durable floor."""

    def attempt(self, needs: Needs, decide: Callable[[Loaded], Write], *, locking: bool) -> bool:
        """Load, let the door decide, and store: durable when this answers True.

        False where something was no longer as it was read. Locking, it holds the meters while the
        door decides: slower, but no other server can be first again. Raises OutcomeUnknown where
        the connection was lost before the answer came.
        """
        ...


class Clock(Protocol):
    """The server's time: it never steps while the process lives."""

    def now_us(self) -> int: ...
