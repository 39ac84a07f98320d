"""What an agent keeps of each message it sent: the checker takes its word and no server's."""

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(slots=True)
class Kept:
    """One message; both times are of one clock, which never goes back."""

    device: str
    epoch: int
    message: Json
    sent_ns: int = 0
    """When it left for the first time; nought while it has not."""
    acknowledged_ns: int = 0
    """When the whole of the first answer was here; nought while it is not."""
    answer: Json | None = None
    receipt: str = ""

    @property
    def number(self) -> int:
        number: int = self.message["number"]
        return number

    @property
    def key(self) -> str:
        return f"device:{self.device}:{self.epoch}:{self.number}"
