"""Signed notes: text that names its purpose in the first line, and who stands behind it.

The form is C2SP's signed-note with Ed25519, so that other tools can check it too. The first line
keeps a signature made for one purpose from being used for another.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

NOTE_BYTES_MAX = 1 << 20
_ED25519 = b"\x01"
_SIGNATURES_MAX = 16


class NotTrusted(Exception):  # noqa: N818 - an answer about a note, told to a person.
    """Why a note cannot be relied upon, in a sentence."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """The public half of a key: what auditors and agents are given."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that tell keys apart; they prove nothing."""
        named = self.name.encode() + b"\n" + _ED25519 + self.public
        return hashlib.sha256(named).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_encoded(_ED25519 + self.public)}"


def read_verifier_key(text: str) -> VerifierKey:
    """A verifier key from its text form; ValueError says what is wrong."""
    parts = text.split("+", 2)
    if len(parts) == 3:
        name, key_id, encoded = parts
        typed = _decoded(encoded)
        if typed is not None and len(typed) == 33 and typed[:1] == _ED25519:
            key = VerifierKey(name, typed[1:])
            if _is_key_name(name) and key.id.hex() == key_id:
                return key
    raise ValueError("This is no Ed25519 verifier key: it reads name+id+key, as it was printed.")


class Signer:
    """The private half of a key, and the name it signs under."""

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        if not _is_key_name(name):
            raise ValueError(f"{name!r} cannot name a key: no spaces and no plus sign.")
        self._private = private
        self.verifier = VerifierKey(name, private.public_key().public_bytes_raw())
        self._id = self.verifier.id

    def sign(self, text: str) -> str:
        """The text as a signed note."""
        if not _is_note_text(text):
            raise ValueError("A note is printable lines, none empty, the last one ended.")
        signature = self._private.sign(text.encode())
        line = f"— {self.verifier.name} {_encoded(self._id + signature)}\n"
        return f"{text}\n{line}"


def open_note(note: str, keys: Iterable[VerifierKey]) -> tuple[str, frozenset[str]]:
    """A note's text and the trusted names that signed it; strangers' signatures are passed over.

    NotTrusted where no trusted key has signed, or one of theirs is not for this text.
    """
    text, found, lines = note.rpartition("\n\n")
    text += "\n"
    if len(note) > NOTE_BYTES_MAX or not found or not _is_note_text(text):
        raise NotTrusted("This is not a signed note: copy it again, whole and unchanged.")
    trusted = {(key.name, key.id): key for key in keys}
    signatures = [_read_signature(line) for line in _lines(lines)]
    known = [
        (trusted[name, key_id], signature)
        for name, key_id, signature in signatures
        if (name, key_id) in trusted
    ]
    if not known:
        raise NotTrusted("No trusted key has signed this note: check which installation it is of.")
    for key, signature in known:
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(signature, text.encode())
        except InvalidSignature:
            raise NotTrusted(
                f"The signature of {key.name} is not for this text: the note has been changed."
            ) from None
    return text, frozenset(key.name for key, _ in known)


def _lines(lines: str) -> list[str]:
    if not lines.endswith("\n") or lines.count("\n") > _SIGNATURES_MAX:
        raise NotTrusted("This note's signatures are cut off, or too many: copy it again.")
    return lines[:-1].split("\n")


def _read_signature(line: str) -> tuple[str, bytes, bytes]:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    blob = _decoded(encoded)
    if dash != "—" or not _is_key_name(name) or blob is None or len(blob) < 5:
        raise NotTrusted("This note has a line that is no signature: copy it again, unchanged.")
    return name, blob[:4], blob[4:]


def _is_note_text(text: str) -> bool:
    lines = text.split("\n")
    return lines.pop() == "" and bool(lines) and all(line and line.isprintable() for line in lines)


def _is_key_name(name: str) -> bool:
    return bool(name) and name.isprintable() and not set(name) & {" ", "+"}


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _decoded(text: str) -> bytes | None:
    """Bytes from base64 in its one right form; None for anything else."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if _encoded(data) == text else None
