"""Signed requests: one form, and no bit of it can be changed."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from http_message_signatures import HTTPMessageSigner, MappingKeyResolver
from http_message_signatures.algorithms import ED25519

from meter_server.contract import signatures
from meter_server.contract.signatures import (
    CONTENT_DIGEST,
    SIGNATURE,
    SIGNATURE_INPUT,
    NotSigned,
    Signed,
)

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw()
AT = datetime(2027, 3, 1, 2, 10, tzinfo=UTC)
BODY = b'{"messages":[]}'


def _signed(at: datetime = AT, query: str = "") -> Signed:
    headers = signatures.signature_headers(KEY, "POST", "/v1/messages", BODY, at, query)
    return Signed("POST", "/v1/messages", query, BODY, headers)


def test_a_request_is_the_word_of_the_key_that_signed_it() -> None:
    request = _signed()
    assert signatures.named_key(request) == signatures.key_id(PUBLIC)
    signatures.verify(request, PUBLIC)
    signatures.verify(_signed(query="a=1&b=%20"), PUBLIC)


def test_another_key_did_not_sign() -> None:
    stranger = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    with pytest.raises(NotSigned):
        signatures.verify(_signed(), stranger)


@pytest.mark.parametrize("year", [1971, 2000, 2026, 2999])
def test_a_wrong_clock_is_no_error(year: int) -> None:
    signatures.verify(_signed(AT.replace(year=year)), PUBLIC)


def _changed(request: Signed) -> Iterator[Signed]:
    """The request with each bit of each of its signed parts changed, one at a time."""
    for name in ("method", "path", "query"):
        for text in _flipped(getattr(request, name).encode()):
            changed: dict[str, Any] = {name: text.decode("latin-1")}
            yield replace(request, **changed)
    for body in _flipped(request.body):
        yield replace(request, body=body)
    for name, value in request.headers.items():
        for text in _flipped(value.encode()):
            yield replace(request, headers={**request.headers, name: text.decode("latin-1")})


def _flipped(data: bytes) -> Iterator[bytes]:
    for place in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            yield bytes(changed)


def test_every_bit_counts() -> None:
    accepted, tried = [], 0
    for request in _changed(_signed(query="after=t1")):
        tried += 1
        try:
            signatures.verify(request, PUBLIC)
        except NotSigned:
            continue
        accepted.append(request)
    assert accepted == []
    assert tried > 2500


@pytest.mark.parametrize("name", [CONTENT_DIGEST, SIGNATURE_INPUT, SIGNATURE])
@pytest.mark.parametrize("change", ["", " {0}", "{0} ", "{0}, {0}", "{0};a", "{0}, b=:AA==:"])
def test_a_header_has_one_form(name: str, change: str) -> None:
    request = _signed()
    headers = {**request.headers, name: change.format(request.headers[name])}
    with pytest.raises(NotSigned):
        signatures.verify(replace(request, headers=headers), PUBLIC)


def test_base64_has_one_form() -> None:
    """The last letter before the padding holds four bits that mean nothing."""
    request = _signed()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    signature = request.headers[SIGNATURE]
    last = signature[-4]
    other = letters[letters.index(last) ^ 1]
    changed = f"{signature[:-4]}{other}==:"
    assert base64.b64decode(changed[5:-1]) == base64.b64decode(signature[5:-1])
    headers = {**request.headers, SIGNATURE: changed}
    with pytest.raises(NotSigned):
        signatures.verify(replace(request, headers=headers), PUBLIC)


@pytest.mark.parametrize(
    "change",
    [
        {"covered_component_ids": ("@method", "@path", "@query")},
        {"covered_component_ids": ("content-digest", "@method", "@path", "@query")},
        {"covered_component_ids": (*signatures.COVERED, "@authority")},
        {"tag": "another"},
        {"tag": None},
        {"include_alg": False},
        {"nonce": "a"},
        {"expires": AT},
        {"label": "pyhms"},
    ],
)
def test_a_true_signature_over_something_else_is_not_taken(change: dict[str, Any]) -> None:
    """The key signed it, but not what we ask for."""
    signatures.verify(_signed_otherwise({}), PUBLIC)
    with pytest.raises(NotSigned):
        signatures.verify(_signed_otherwise(change), PUBLIC)


def _signed_otherwise(change: dict[str, Any]) -> Signed:
    name = signatures.key_id(PUBLIC)
    headers = {CONTENT_DIGEST: _signed().headers[CONTENT_DIGEST]}
    request = Signed("POST", "/v1/messages", "", BODY, headers)
    wanted: dict[str, Any] = {
        "key_id": name,
        "created": AT,
        "label": "sig",
        "tag": signatures.TAG,
        "covered_component_ids": signatures.COVERED,
        "use_existing_digest": True,
    }
    HTTPMessageSigner(
        signature_algorithm=ED25519,
        key_resolver=MappingKeyResolver(public_keys={}, private_keys={name: KEY}),
    ).sign(request, **{**wanted, **change})
    return request


def test_a_proof_is_of_its_facts_only() -> None:
    facts = (signatures.ENROLMENT, "t1-a", "ABC", "key")
    proof = signatures.prove(KEY, *facts)
    signatures.require_proof(PUBLIC, proof, *facts)
    for wrong in (
        (signatures.ROTATION, *facts[1:]),
        (*facts[:1], "t1-b", *facts[2:]),
        facts[:3],
    ):
        with pytest.raises(NotSigned):
            signatures.require_proof(PUBLIC, proof, *wrong)
    for broken in ("", "AAAA", proof[:-2]):
        with pytest.raises(NotSigned):
            signatures.require_proof(PUBLIC, broken, *facts)
