"""Receipts: what the server says it recorded of one message, signed, kept by the table agent.

A receipt names the head of the meter's chain, so the receipts of the floor expose a server that was
rolled back or forked.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from meter_server.contract.canonical import canonical_json
from meter_server.contract.fields import INTEGER_MAX, Count, Digest, Instant, Name, Origin
from meter_server.contract.notes import NotTrusted, Signer, VerifierKey, open_note

_PURPOSE = "prize-meter receipt 1\n"


class Result(StrEnum):
    """What became of a message whose number was consumed."""

    ACCEPTED = "accepted"
    REFUSED = "refused"


class Receipt(BaseModel):
    """The same for the first answer and for every replay of it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    format: Literal[1] = 1
    origin: Origin
    device: Name
    epoch: Count
    number: Count
    message: Digest
    """Of the message as it was sent."""
    result: Result
    answer: Digest
    """Of the answer as it was given."""
    at: Instant
    entries: int = Field(ge=0, le=INTEGER_MAX)
    """How many entries the message made; they end at ``meter_seq``."""
    meter: Name | None
    """The meter of the table's system, as the message left it; None at a table in no system."""
    meter_seq: Count | None
    head: Digest | None

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        head = (self.meter, self.meter_seq, self.head)
        if any(part is None for part in head) and any(part is not None for part in head):
            raise ValueError("meter, meter_seq and head stand together or not at all")
        if self.entries > (self.meter_seq or 0):
            raise ValueError("a message cannot have made more entries than its meter holds")
        if self.entries and self.result is Result.REFUSED:
            raise ValueError("a refused message makes no entries")
        return self


def receipt_text(receipt: Receipt) -> str:
    """What is signed: the purpose, and the receipt as canonical JSON."""
    return f"{_PURPOSE}{canonical_json(receipt.model_dump(mode='json')).decode('ascii')}\n"


def sign_receipt(receipt: Receipt, signer: Signer) -> str:
    if signer.verifier.name != receipt.origin:
        raise ValueError("an installation signs its own receipts only")
    return signer.sign(receipt_text(receipt))


def open_receipt(note: str, keys: Iterable[VerifierKey]) -> Receipt:
    """The receipt in a note, signed by its origin; NotTrusted says why not."""
    text, signers = open_note(note, keys)
    receipt = _read(text)
    if receipt.origin not in signers:
        raise NotTrusted(f"This receipt of {receipt.origin} is signed by another installation.")
    return receipt


def _read(text: str) -> Receipt:
    try:
        receipt = Receipt.model_validate_json(text.removeprefix(_PURPOSE))
    except ValidationError:
        receipt = None
    # Only the one form is a receipt: this refuses other purposes, duplicate keys and spellings.
    if receipt is None or receipt_text(receipt) != text:
        raise NotTrusted("This note is signed, but it is not a receipt.")
    return receipt
