"""Checkpoints: all heads of all meters at one moment, signed, kept where the database is not.

Each names the one before it, so a checkpoint left out, replayed or made twice is found. Each also
signs a list of the messages that became known since the one before, with what they were answered:
most of what people ask for leaves no entry, and nothing else would vouch for it.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from meter_server.contract.canonical import canonical_json
from meter_server.contract.fields import INTEGER_MAX, Count, Digest, Instant, Name, Origin
from meter_server.contract.notes import NotTrusted, Signer, VerifierKey, open_note

_PURPOSE = "prize-meter checkpoint"
_WITHOUT_MESSAGES, _WITH_MESSAGES = f"{_PURPOSE} 1", f"{_PURPOSE} 2"
_FIRST = "prize-meter first checkpoint 1\n"
_RECORDED = b"prize-meter recorded 1\n"
_NUMBER = re.compile(r"[1-9][0-9]{0,15}")


class Recorded(NamedTuple):
    """A message and its answer, as they are stored and exported."""

    key: str
    digest: str
    at: str
    answer: str
    request: str | None

    def line(self) -> str:
        """The message in a list: its key, and the digest of everything that is stored of it."""
        stored = canonical_json(self._asdict())
        return f"{self.key} {hashlib.sha256(_RECORDED + stored).hexdigest()}\n"


def message_list(messages: Iterable[Recorded]) -> str:
    """A line for each, in the order of their keys' bytes."""
    return "".join(one.line() for one in sorted(messages, key=lambda one: one.key.encode()))


class Covered(BaseModel):
    """The list of messages that a checkpoint is the first to speak of."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    count: int = Field(ge=0, le=INTEGER_MAX)
    digest: Digest

    @classmethod
    def of(cls, listed: str) -> Self:
        digest = hashlib.sha256(listed.encode(errors="surrogatepass")).hexdigest()
        return cls(count=listed.count("\n"), digest=digest)


class Head(BaseModel):
    """Where a meter's chain ends."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    meter: Name
    seq: Count
    hash: Digest


class Checkpoint(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    origin: Origin
    number: Count
    at: Instant
    previous: Digest
    """Digest of the checkpoint before this one; of the first, `first_previous`."""
    messages: Covered | None
    """None in version 1, which said nothing of them."""
    heads: tuple[Head, ...]
    """Every meter that ever opened, closed ones included, in the order of their names' bytes."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        meters = [head.meter for head in self.heads]
        if meters != sorted(set(meters)):
            raise ValueError("each meter stands once, in the order of names")
        if self.number == 1 and self.previous != first_previous(self.origin):
            raise ValueError("the first checkpoint begins the chain of its origin")
        return self


def first_previous(origin: str) -> str:
    """What the first checkpoint of an installation is chained to."""
    return hashlib.sha256(f"{_FIRST}{origin}".encode("ascii")).hexdigest()


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """What is signed: one fact a line."""
    messages = checkpoint.messages
    facts = [
        _WITHOUT_MESSAGES if messages is None else _WITH_MESSAGES,
        checkpoint.origin,
        str(checkpoint.number),
        checkpoint.at,
        checkpoint.previous,
        *(() if messages is None else [f"{messages.count} {messages.digest}"]),
        *(f"{head.meter} {head.seq} {head.hash}" for head in checkpoint.heads),
    ]
    return "".join(f"{fact}\n" for fact in facts)


def checkpoint_digest(checkpoint: Checkpoint) -> str:
    """How the next checkpoint names this one, whoever signed it."""
    return hashlib.sha256(checkpoint_text(checkpoint).encode("ascii")).hexdigest()


def sign_checkpoint(checkpoint: Checkpoint, signer: Signer) -> str:
    if signer.verifier.name != checkpoint.origin:
        raise ValueError("an installation signs its own checkpoints only")
    return signer.sign(checkpoint_text(checkpoint))


def open_checkpoint(note: str, keys: Iterable[VerifierKey]) -> Checkpoint:
    """The checkpoint in a note, signed by its origin; NotTrusted says why not."""
    text, signers = open_note(note, keys)
    checkpoint = _read(text)
    if checkpoint.origin not in signers:
        raise NotTrusted(
            f"This checkpoint of {checkpoint.origin} is signed by another installation."
        )
    return checkpoint


def read_checkpoint(note: str) -> Checkpoint:
    """The checkpoint in a note, whoever signed it: for those who compare and need not trust."""
    return _read(note.rpartition("\n\n")[0] + "\n")


def split_notes(log: str) -> list[str]:
    """A log of checkpoints is their notes one after the other; the purpose begins each."""
    return [note for note in re.split(f"(?m)^(?={_PURPOSE} [12]$)", log) if note]


def _read(text: str) -> Checkpoint:
    purpose, *facts = text[:-1].split("\n")
    try:
        origin, number, at, previous, *heads = facts
        messages = _covered(heads.pop(0)) if purpose == _WITH_MESSAGES else None
        checkpoint = Checkpoint(
            origin=origin,
            number=_count(number),
            at=at,
            previous=previous,
            messages=messages,
            heads=tuple(_head(line) for line in heads),
        )
    except (ValidationError, ValueError, IndexError):
        checkpoint = None
    if purpose not in (_WITHOUT_MESSAGES, _WITH_MESSAGES) or checkpoint is None:
        raise NotTrusted("This note is signed, but it is not a checkpoint.")
    return checkpoint


def _head(line: str) -> Head:
    meter, seq, digest = line.split(" ")
    return Head(meter=meter, seq=_count(seq), hash=digest)


def _covered(line: str) -> Covered:
    count, digest = line.split(" ")
    return Covered(count=0 if count == "0" else _count(count), digest=digest)


def _count(text: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise ValueError("not a number in its shortest form")
    return int(text)


def check_growth(earlier: Checkpoint, later: Checkpoint) -> None:
    """Signed heads only grow; NotTrusted names what shrank, changed or was left out."""
    if later.origin != earlier.origin:
        raise NotTrusted(f"{earlier.origin} and {later.origin} are two installations.")
    if later.number == earlier.number and later != earlier:
        raise NotTrusted(f"There are two checkpoints number {later.number}: one history is false.")
    if later.number < earlier.number:
        raise NotTrusted(f"Checkpoint {later.number} is older than {earlier.number}.")
    if later.number == earlier.number + 1 and later.previous != checkpoint_digest(earlier):
        raise NotTrusted(f"Checkpoint {later.number} does not follow this number {earlier.number}.")
    if earlier.messages is not None and later.messages is None:
        raise NotTrusted(f"Checkpoint {later.number} no longer signs the messages.")
    now = {head.meter: head for head in later.heads}
    for head in earlier.heads:
        found = now.get(head.meter)
        if found is None or found.seq < head.seq:
            raise NotTrusted(f"The meter {head.meter} had {head.seq} entries and has lost some.")
        if found.seq == head.seq and found.hash != head.hash:
            raise NotTrusted(f"The entry {head.seq} of the meter {head.meter} has been replaced.")
