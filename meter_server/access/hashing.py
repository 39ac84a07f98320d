"""How secrets are kept: people's as argon2id, tokens that we made ourselves as plain digests."""

import hashlib
import hmac
import secrets
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

# Read aloud and typed: no letter that looks or sounds like another.
_CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
_CODE_LENGTH = 10


class Hasher:
    """Guessable secrets: slow on purpose, and as slow for somebody who does not exist."""

    def __init__(self, argon2: PasswordHasher | None = None) -> None:
        self._argon2 = argon2 or PasswordHasher()

    def hash(self, secret: str) -> str:
        return self._argon2.hash(secret)

    def verify(self, hashed: str | None, secret: str) -> bool:
        try:
            self._argon2.verify(hashed or self._nobodys, secret)
        except VerificationError:
            return False
        return hashed is not None

    @cached_property
    def _nobodys(self) -> str:
        return self._argon2.hash(secrets.token_hex())


def new_token() -> str:
    """256 bits: nobody guesses it, so a plain digest of it is enough to keep."""
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """A one-time code that a person can type, some 49 bits, for minutes or hours."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def code_digest(code: str) -> bytes:
    """Typed in small letters or with spaces and dashes, it is the same code."""
    return digest("".join(code.upper().split()).replace("-", ""))


def card_digest(key: bytes, card: str) -> bytes:
    """Keyed: card numbers are few enough to try them all."""
    return hmac.new(key, card.encode(), hashlib.sha256).digest()
