"""Receipts: byte for byte as the vectors have them, and nothing else passes for one."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from meter_server.contract.canonical import answer_digest, canonical_json, message_digest
from meter_server.contract.notes import NotTrusted
from meter_server.contract.receipts import Receipt, Result, open_receipt, receipt_text, sign_receipt
from tests.unit.contract.keys import KEY, ORIGIN, SIGNER, signer
from tests.unit.contract.vectors import read

VECTORS = read("receipts")
NOTES = VECTORS["notes"]
TOLD: dict[str, Any] = json.loads(NOTES[0]["text"].splitlines()[1])


@pytest.mark.parametrize("vector", NOTES, ids=["accepted", "refused"])
def test_a_receipt_is_signed_and_opened_as_its_vector_says(vector: dict[str, str]) -> None:
    receipt = open_receipt(vector["note"], [KEY])
    told = json.loads(vector["text"].splitlines()[1])
    assert receipt == Receipt(**told | {"result": Result(told["result"])})
    assert receipt_text(receipt) == vector["text"]
    assert sign_receipt(receipt, SIGNER) == vector["note"]


def test_digests_are_as_the_vectors_say_and_differ_by_purpose() -> None:
    for purpose, digest in (("message", message_digest), ("answer", answer_digest)):
        for vector in VECTORS["digests"][purpose]:
            written = canonical_json(json.loads(vector["bytes"]))
            assert written.decode() == vector["bytes"]
            assert digest(written) == vector["digest"]
    assert message_digest(b"{}") != answer_digest(b"{}")


def _signed(json_text: str, purpose: str = "prize-meter receipt 1") -> str:
    return SIGNER.sign(f"{purpose}\n{json_text}\n")


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 2},
        {"format": "1"},
        {"format": True},
        {"epoch": 0},
        {"number": 0},
        {"number": -1},
        {"number": 3.0},
        {"number": "3"},
        {"number": 2**53},
        {"entries": -1},
        {"entries": 5},
        {"result": "replayed"},
        {"result": "refused"},
        {"device": "a b"},
        {"device": None},
        {"origin": "Casino"},
        {"message": "0" * 63},
        {"answer": "A" * 64},
        {"at": "2027-03-01T02:00:00Z"},
        {"meter": None},
        {"meter_seq": None},
        {"head": None},
        {"more": 1},
    ],
    ids=str,
)
def test_a_signed_text_with_a_wrong_field_is_no_receipt(changed: dict[str, Any]) -> None:
    written = canonical_json(TOLD | changed).decode()
    with pytest.raises(NotTrusted, match="not a receipt"):
        open_receipt(_signed(written), [KEY])


@pytest.mark.parametrize("field", TOLD)
def test_a_signed_text_without_a_field_is_no_receipt(field: str) -> None:
    left = {name: value for name, value in TOLD.items() if name != field}
    with pytest.raises(NotTrusted, match="not a receipt"):
        open_receipt(_signed(canonical_json(left).decode()), [KEY])


WRITTEN = canonical_json(TOLD).decode()


@pytest.mark.parametrize(
    "spelt",
    [
        json.dumps(TOLD),
        json.dumps(dict(reversed(TOLD.items())), separators=(",", ":")),
        WRITTEN.replace('"number":3', '"number":3,"number":3'),
        WRITTEN.replace('"number":3', '"number":4,"number":3'),
        WRITTEN.replace('"t1-a"', '"\\u0074' + '1-a"'),
        WRITTEN.replace('"number":3', '"number":3e0'),
        WRITTEN + " ",
        WRITTEN + "\n" + WRITTEN,
        "[" + WRITTEN + "]",
        "null",
        "[" * 5_000,
    ],
)
def test_a_receipt_has_one_spelling(spelt: str) -> None:
    assert spelt != WRITTEN
    with pytest.raises(NotTrusted, match="not a receipt"):
        open_receipt(_signed(spelt), [KEY])


def test_a_signature_for_another_purpose_is_no_receipt() -> None:
    for purpose in ("prize-meter receipt 2", "prize-meter checkpoint 1", "prize-meter receipt 1 "):
        with pytest.raises(NotTrusted, match="not a receipt"):
            open_receipt(_signed(WRITTEN, purpose), [KEY])
    for vector in read("checkpoints")["notes"]:
        with pytest.raises(NotTrusted, match="not a receipt"):
            open_receipt(vector["note"], [KEY])


def test_an_installation_speaks_for_itself_alone() -> None:
    elsewhere = signer(name="other.example/prize-meter")
    receipt = open_receipt(NOTES[0]["note"], [KEY])
    with pytest.raises(ValueError, match="its own receipts"):
        sign_receipt(receipt, elsewhere)
    note = elsewhere.sign(NOTES[0]["text"])
    with pytest.raises(NotTrusted, match=f"receipt of {ORIGIN} is signed by another"):
        open_receipt(note, [KEY, elsewhere.verifier])


def test_a_server_cannot_make_a_receipt_that_contradicts_itself() -> None:
    with pytest.raises(ValidationError, match="refused message makes no entries"):
        Receipt(**TOLD | {"result": Result.REFUSED})
    with pytest.raises(ValidationError, match="stand together"):
        Receipt(**TOLD | {"result": Result.ACCEPTED, "head": None})
