"""Requests that a device signs, by RFC 9421 with Ed25519, in one form only.

The signature covers the method, the path, the query and the digest of the body (RFC 9530). Host and
scheme are left out: a proxy in front may change both, and a key is known to one installation only.
The form is fixed to the byte, so that a request cannot be changed in any way and still be the same.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from cryptography.exceptions import InvalidSignature as WrongSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver
from http_message_signatures.algorithms import ED25519

CONTENT_DIGEST = "Content-Digest"
SIGNATURE_INPUT = "Signature-Input"
SIGNATURE = "Signature"

TAG = "prize-meter"
COVERED = ("@method", "@path", "@query", "content-digest")
_LABEL = "sig"
_INPUT = re.compile(
    r'sig=\("@method" "@path" "@query" "content-digest"\)'
    r';created=[1-9][0-9]{0,11};keyid="(?P<key_id>[0-9a-f]{32})";alg="ed25519";tag="prize-meter"'
)
_SIGNATURE = re.compile(r"sig=:(?P<signature>[A-Za-z0-9+/]{86}==):")
_DIGEST = re.compile(r"sha-256=:(?P<digest>[A-Za-z0-9+/]{43}=):")

ENROLMENT = "enrolment of a prize-meter device 1"
ROTATION = "new key of a prize-meter device 1"


class NotSigned(Exception):  # noqa: N818 - an answer about a request.
    """Why a request is nobody's word, in a sentence."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What of a request is signed, and by whom it says it is."""

    method: str
    path: str
    query: str
    body: bytes
    headers: Mapping[str, str]

    @property
    def url(self) -> str:
        """As the library wants it; the host is not signed."""
        return f"https://any.invalid{quote(self.path)}" + (f"?{self.query}" if self.query else "")


def key_id(public: bytes) -> str:
    """A key is named by its digest: whoever has the key knows its name."""
    return hashlib.sha256(public).hexdigest()[:32]


def signature_headers(
    key: Ed25519PrivateKey, method: str, path: str, body: bytes, now: datetime, query: str = ""
) -> dict[str, str]:
    """The headers that a request must carry to be this key's."""
    headers: dict[str, str] = {}
    HTTPMessageSigner(signature_algorithm=ED25519, key_resolver=_Private(key)).sign(
        Signed(method, path, query, body, headers),
        key_id=key_id(key.public_key().public_bytes_raw()),
        created=now,
        label=_LABEL,
        tag=TAG,
        covered_component_ids=COVERED,
        body=body,
    )
    return headers


def named_key(request: Signed) -> str:
    """Which key a request says it is signed with; it proves nothing yet."""
    found = _INPUT.fullmatch(request.headers.get(SIGNATURE_INPUT, ""))
    if found is None:
        raise NotSigned(f"The header {SIGNATURE_INPUT} is missing or not in the one form.")
    return found["key_id"]


def verify(request: Signed, public: bytes) -> None:
    """NotSigned unless this key has signed this very request."""
    _require_digest(request)
    signature = _require_base64(
        _SIGNATURE, "signature", request.headers.get(SIGNATURE, ""), SIGNATURE
    )
    named_key(request)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _signature_base(request))
    except (WrongSignature, ValueError):
        raise NotSigned("The signature is not for this request.") from None


def _signature_base(request: Signed) -> bytes:
    """What is signed, by RFC 9421 section 2.5: the one form leaves nothing to be parsed."""
    if not request.query.isprintable():
        raise ValueError("a line in the query would be a line of the base")
    parameters = request.headers[SIGNATURE_INPUT].removeprefix(f"{_LABEL}=")
    lines = (
        f'"@method": {request.method}',
        f'"@path": {quote(request.path)}',
        f'"@query": ?{request.query}',
        f'"content-digest": {request.headers[CONTENT_DIGEST]}',
        f'"@signature-params": {parameters}',
    )
    return "\n".join(lines).encode("ascii")


def prove(key: Ed25519PrivateKey, *facts: str) -> str:
    """That whoever says these facts holds the private key too."""
    return base64.b64encode(key.sign(_facts(facts))).decode("ascii")


def require_proof(public: bytes, proof: str, *facts: str) -> None:
    try:
        signature = base64.b64decode(proof, validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _facts(facts))
    except (binascii.Error, ValueError, WrongSignature):
        raise NotSigned("The proof is not by the private half of the new key.") from None


def _facts(facts: tuple[str, ...]) -> bytes:
    return "".join(f"{fact}\n" for fact in facts).encode()


def _require_digest(request: Signed) -> None:
    given = _require_base64(
        _DIGEST, "digest", request.headers.get(CONTENT_DIGEST, ""), CONTENT_DIGEST
    )
    if given != hashlib.sha256(request.body).digest():
        raise NotSigned(f"The header {CONTENT_DIGEST} is not the digest of the body.")


def _require_base64(form: re.Pattern[str], group: str, text: str, header: str) -> bytes:
    """The bytes, where they are written in their one padded form."""
    found = form.fullmatch(text)
    if found is not None:
        data = base64.b64decode(found[group], validate=True)
        if base64.b64encode(data).decode("ascii") == found[group]:
            return data
    raise NotSigned(f"The header {header} is missing or not in the one form.")


class _Private(HTTPSignatureKeyResolver):
    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    def resolve_private_key(self, key_id: str) -> Ed25519PrivateKey:
        del key_id
        return self._key
