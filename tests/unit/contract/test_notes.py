"""Signed notes: whoever changes a byte, or signs for somebody else, is found out."""

import base64

import pytest

from meter_server.contract.notes import NotTrusted, VerifierKey, open_note, read_verifier_key
from tests.unit.contract.keys import KEY, ORIGIN, OTHER, SIGNER, signer
from tests.unit.contract.vectors import read

RECEIPTS = read("receipts")
CHECKPOINTS = read("checkpoints")
NOTES = [*RECEIPTS["notes"], *CHECKPOINTS["notes"]]
TEXT = "a purpose 1\na fact\n"


@pytest.mark.parametrize("vector", NOTES, ids=lambda vector: vector["digest"][:8])
def test_a_note_is_signed_and_opened_as_its_vector_says(vector: dict[str, str]) -> None:
    assert SIGNER.sign(vector["text"]) == vector["note"]
    assert open_note(vector["note"], [KEY]) == (vector["text"], frozenset({ORIGIN}))


def test_a_verifier_key_is_written_and_read_as_its_vector_says() -> None:
    for name, key in (("verifier_key", KEY), ("other_verifier_key", OTHER.verifier)):
        assert str(key) == RECEIPTS[name]
        assert read_verifier_key(RECEIPTS[name]) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        ORIGIN,
        f"{ORIGIN}+00000000+{str(KEY).split('+', 2)[2]}",
        str(KEY).replace(ORIGIN, "other.example"),
        str(KEY)[:-4],
        str(KEY) + "\n",
        "two words+" + str(KEY).split("+", 1)[1],
    ],
)
def test_a_key_that_is_not_whole_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no Ed25519 verifier key"):
        read_verifier_key(text)


def test_every_changed_bit_is_noticed() -> None:
    note = NOTES[0]["note"].encode()
    for place in range(len(note)):
        for bit in range(8):
            changed = bytearray(note)
            changed[place] ^= 1 << bit
            try:
                text = changed.decode()
            except UnicodeDecodeError:
                continue
            with pytest.raises(NotTrusted):
                open_note(text, [KEY])


def test_every_cut_is_noticed() -> None:
    note = NOTES[0]["note"]
    for length in range(len(note)):
        with pytest.raises(NotTrusted):
            open_note(note[:length], [KEY])


def test_a_stranger_is_not_trusted_even_under_the_same_name() -> None:
    with pytest.raises(NotTrusted, match="No trusted key"):
        open_note(OTHER.sign(TEXT), [KEY])
    with pytest.raises(NotTrusted, match="No trusted key"):
        open_note(SIGNER.sign(TEXT), [])


def test_a_stranger_who_takes_the_keys_number_is_found_out() -> None:
    """The four bytes only find the key; the signature must still be its own."""
    forged = VerifierKey(ORIGIN, OTHER.verifier.public)
    note = OTHER.sign(TEXT)
    line = note.splitlines()[-1]
    swapped = _with_key_id(line, KEY.id)
    with pytest.raises(NotTrusted, match="not for this text"):
        open_note(note.replace(line, swapped), [KEY])
    assert open_note(note, [forged])[0] == TEXT


def _with_key_id(line: str, key_id: bytes) -> str:
    dash, name, encoded = line.split(" ")
    blob = key_id + base64.b64decode(encoded)[4:]
    return f"{dash} {name} {base64.b64encode(blob).decode()}"


def test_while_keys_change_hands_either_signature_opens_a_note_and_a_false_one_spoils_it() -> None:
    both = SIGNER.sign(TEXT) + OTHER.sign(TEXT).splitlines(keepends=True)[-1]
    assert open_note(both, [KEY])[0] == TEXT
    assert open_note(both, [OTHER.verifier])[0] == TEXT
    spoilt = SIGNER.sign(TEXT) + OTHER.sign("another 1\n").splitlines(keepends=True)[-1]
    assert open_note(spoilt, [KEY])[0] == TEXT
    with pytest.raises(NotTrusted, match="not for this text"):
        open_note(spoilt, [KEY, OTHER.verifier])


@pytest.mark.parametrize(
    "text", ["", "a", "\n", "a\n\nb\n", "a\tb\n", "a\r\n", "a\0\n", "a\u2028b\n"]
)
def test_a_text_that_could_be_taken_apart_in_two_ways_is_not_signed(text: str) -> None:
    with pytest.raises(ValueError, match="printable lines"):
        SIGNER.sign(text)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb"])
def test_a_key_has_a_name_that_fits_its_line(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a key"):
        signer(name=name)


def test_too_many_signatures_are_not_tried() -> None:
    line = SIGNER.sign(TEXT).splitlines(keepends=True)[-1]
    with pytest.raises(NotTrusted, match="too many"):
        open_note(f"{TEXT}\n" + line * 17, [KEY])


def test_a_note_of_any_length_is_not_read() -> None:
    with pytest.raises(NotTrusted, match="not a signed note"):
        open_note(SIGNER.sign("a" * (1 << 20) + "\n"), [KEY])
