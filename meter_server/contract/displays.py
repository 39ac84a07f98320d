"""What screens report through their gateway, and what the server tells it of them.

A screen has no key: it shows a code, staff approve the code, and from then on it is known by a
secret token in its browser, of which everybody else knows only the digest.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from meter_server.contract.fields import Count, Digest, Name
from meter_server.contract.frames import Frame, Micros

Code = Annotated[str, StringConstraints(pattern=r"^[A-HJ-NP-Z2-9]{6}$")]
"""What a screen shows until it is paired; without letters and figures that look alike."""
SCREENS_MAX = 1_000
"""In one batch, whose bytes are counted too: what does not fit is in the next one."""
PARTS_MAX = 50

Layout = Literal["sign", "side-by-side", "rotating"]


class Role(Frame):
    """What a screen is for: the sign of a table, or a board of meters (all where none is named)."""

    layout: Layout
    table: Name | None = None
    meters: Annotated[tuple[Name, ...], Field(max_length=PARTS_MAX)] = ()

    @model_validator(mode="after")
    def _only_a_sign_has_a_table(self) -> "Role":
        if (self.layout == "sign") != (self.table is not None) or (self.table and self.meters):
            raise ValueError("a sign names its table and nothing else; a board names no table")
        return self


class MeterSeen(Frame):
    meter: Name
    from_seq: Count = Field(description="The first that was painted since the last report.")
    to_seq: Count = Field(description="The one that is painted now.")
    value_micros: Micros = Field(description="The figure on the screen now, at most the recorded.")


class Seen(Frame):
    """What a visible page has painted: told at every change of notices and every ten seconds."""

    meters: Annotated[Sequence[MeterSeen], Field(max_length=PARTS_MAX)]
    notices: Annotated[Sequence[Name], Field(max_length=PARTS_MAX)] = Field(
        description="Those whose text is on the screen now."
    )


class Display(Seen):
    screen: Name
    age_ms: Annotated[int, Field(ge=0, le=60_000, description="Since the page reported it.")]


class Asking(Frame):
    """A screen that shows a code and waits."""

    code: Code
    token: Digest


class Batch(Frame):
    displays: Annotated[Sequence[Display], Field(max_length=SCREENS_MAX)]
    asking: Annotated[Sequence[Asking], Field(max_length=SCREENS_MAX)]
    roster: Digest | None = Field(
        default=None, description="The version of the one the gateway has."
    )


class Screen(Frame):
    screen: Name
    token: Digest
    role: Role


class Roster(Frame):
    """Every screen of the house: any gateway can serve it."""

    version: Digest
    screens: Sequence[Screen] | None = Field(
        description="Null where the gateway has this version already."
    )
