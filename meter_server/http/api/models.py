"""What all bodies and answers have in common, and the small types they are made of."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from meter_server.domain.writing import INTEGER_MAX, NAME, PRIZE, ROUND, TEXT_MAX

Item = TypeVar("Item")

PAGE_MAX = 200
_INSTANT = re.compile(
    r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})"
)


def _printable(text: str) -> str:
    """One composed form of every letter, nothing that hides or reorders: as the journal has it."""
    if not text.isprintable() or not unicodedata.is_normalized("NFC", text):
        raise ValueError("it holds characters that cannot be printed or are not composed (NFC)")
    return text


def rfc3339(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _instant(text: str) -> datetime:
    """Nothing else that could pass for a time: seconds since 1970, or a time of nowhere."""
    if not _INSTANT.fullmatch(text):
        raise ValueError("give the instant with its offset, such as 2027-03-01T02:10:00Z")
    return datetime.fromisoformat(text)


Name = Annotated[str, Field(pattern=f"^{NAME.pattern}$", examples=["main-floor"])]
"""A system, table, device, notice or person."""

RoundName = Annotated[str, Field(pattern=f"^{ROUND.pattern}$", examples=["t07-a/2/118"])]
PrizeName = Annotated[str, Field(pattern=f"^{PRIZE.pattern}$", examples=["t07-a/2/118/3"])]
Text = Annotated[str, Field(min_length=1, max_length=TEXT_MAX), AfterValidator(_printable)]
Cents = Annotated[int, Field(ge=1, le=INTEGER_MAX // 10_000)]
Instant = Annotated[datetime, PlainSerializer(rfc3339, return_type=str, when_used="json")]
"""RFC 3339 with its offset, always UTC."""
InstantAsked = Annotated[datetime, BeforeValidator(_instant)]
"""RFC 3339 with any offset, in a query."""


class Strict(BaseModel):
    """What comes in: exactly the fields that are named, of exactly their types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Shown(BaseModel):
    """What goes out: a field is always there, null where it has no value."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_serialization_defaults_required=True
    )


class PageQuery(Strict):
    """Where a page begins and how long it is at most."""

    after: Annotated[str, Field(pattern=f"^{NAME.pattern}$")] | None = Field(
        default=None, description="The `next` of the page before."
    )
    limit: int = Field(default=50, ge=1, le=PAGE_MAX, description="How many items at most.")


class Page(Shown, Generic[Item]):
    """A part of a list, in the order of its keys."""

    items: list[Item]
    next: str | None = Field(
        description="Ask for the next page with `after=` this; null at the end."
    )
