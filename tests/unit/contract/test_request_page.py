"""What the protocol page says of requests is what the code signs, takes and answers."""

import base64
import hashlib
import json
import re
from datetime import UTC, datetime
from typing import get_args

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.access import devices
from meter_server.contract import messages, signatures
from meter_server.contract.messages import Message, Messages
from meter_server.contract.signatures import Signed
from tests.unit.contract.test_protocol_page import PAGE, blocks, first_cells, section
from tests.unit.contract.vectors import read

KEY = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(read("receipts")["other_seed"]))
PUBLIC = KEY.public_key()


def _example() -> tuple[dict[str, str], bytes]:
    [example] = blocks("request")
    head, _, body = example.partition("\n\n")
    line, *headers = head.split("\n")
    assert line == "POST /v1/messages HTTP/1.1"
    return dict(header.split(": ", 1) for header in headers), body.removesuffix("\n").encode()


def test_the_example_is_signed_as_the_page_says_by_hand() -> None:
    headers, body = _example()
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    assert headers["Content-Digest"] == f"sha-256=:{digest}:"
    parameters = headers["Signature-Input"].removeprefix("sig=")
    signed = (
        f'"@method": POST\n"@path": /v1/messages\n"@query": ?\n'
        f'"content-digest": sha-256=:{digest}:\n"@signature-params": {parameters}'
    )
    signature = headers["Signature"].removeprefix("sig=:").removesuffix(":")
    PUBLIC.verify(base64.b64decode(signature), signed.encode())
    named = hashlib.sha256(PUBLIC.public_bytes_raw()).hexdigest()[:32]
    assert f'keyid="{named}"' in parameters


def test_the_example_is_what_the_code_signs_and_takes() -> None:
    headers, body = _example()
    signed_at = datetime(2027, 3, 1, 2, 10, tzinfo=UTC)
    made = signatures.signature_headers(KEY, "POST", "/v1/messages", body, signed_at)
    assert made == {name: headers[name] for name in made}
    request = Signed("POST", "/v1/messages", "", body, headers)
    signatures.verify(request, PUBLIC.public_bytes_raw())
    assert Messages.model_validate(json.loads(body)).device == "t1-a"


def test_messages_have_the_fields_that_the_page_lists() -> None:
    page = section("### Messages")
    assert first_cells(page, "message field") == list(Message.model_fields)
    union, _ = get_args(messages.Command)
    listed = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", page, re.MULTILINE))
    for command in get_args(union):
        [kind] = get_args(command.model_fields["kind"].annotation)
        told = re.findall(r"`([a-z_]+)`", re.sub(r"\(.*?\)", "", listed[kind]))
        assert told == [field for field in command.model_fields if field != "kind"]


def test_the_constants_stand_on_the_page() -> None:
    page = section("### Enrolment and keys")
    assert f"`{signatures.ENROLMENT}`" in page
    assert f"`{signatures.ROTATION}`" in page
    assert devices.CODE_LIFE.total_seconds() == 10 * 60
    assert "good for ten minutes" in page
    assert f"{devices.OVERLAP.total_seconds() / 3600:.0f} hours at most" in page
    assert f"good for {devices.KEY_LIFE.days} days" in page
    assert " ".join(f'"{name}"' for name in signatures.COVERED) in PAGE
    assert f"up to {messages.MESSAGES_MAX} messages" in PAGE
