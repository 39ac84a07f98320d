"""The kinds of values that travel, each with its grammar (docs/protocol.md)."""

import unicodedata
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

INTEGER_MAX = 2**53 - 1

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
"""A meter, table, device, notice or person."""

Origin = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9./-]{0,99}$")]
"""The installation that signs, as a host and a path: ``casino.example/prize-meter``."""

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 in lower-case hexadecimal digits."""

Count = Annotated[int, Field(ge=1, le=INTEGER_MAX)]
"""An epoch, a number or a place in an order: counted from one."""


RoundId = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}/[1-9][0-9]{0,15}/[1-9][0-9]{0,15}$"
    ),
]
"""The device that began the round, its epoch, and its counter of rounds: ``t07-a/2/118``."""


def _instant(text: str) -> str:
    written = datetime.fromisoformat(text).isoformat(timespec="microseconds")
    if written.replace("+00:00", "Z") != text:
        raise ValueError("an instant is written in one way only")
    return text


Instant = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{6}Z$"),
    AfterValidator(_instant),
]
"""RFC 3339 in UTC with six decimals."""


def _composed(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    if not composed.isprintable():
        raise ValueError("a text holds letters, numbers, signs and plain spaces, in one line")
    return composed


Text = Annotated[str, Field(max_length=500), AfterValidator(_composed)]
"""What a person wrote: composed to one form, so that it is stored as every reader shows it."""
