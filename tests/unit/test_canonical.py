"""The one form has the same bytes, whichever of the two encoders writes it."""

import json
import sys

import pytest

from meter_server.canonical import Json, canonical_json

_SURROGATES = range(0xD800, 0xE000)
_CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if code not in _SURROGATES]
_AT_ONCE = 4096


def test_every_character_is_written_as_the_standard_library_writes_it() -> None:
    """Among others of its kind, beside plain ones, and as a key: what is escaped differs by kind,
    and both encoders have a part in it."""
    for first in range(0, len(_CHARACTERS), _AT_ONCE):
        some = _CHARACTERS[first : first + _AT_ONCE]
        value: Json = {"all": "".join(some), **dict.fromkeys(some, 1)}
        assert canonical_json(value) == _plainly(value)
    for character in _CHARACTERS[:0x500]:
        alone: Json = {"text": f"a{character}b", character: None}
        assert canonical_json(alone) == _plainly(alone)


def _plainly(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


@pytest.mark.parametrize("wrong", [{1: 2}, {"set": {1}}, 2**64, "\ud800"])
def test_what_has_no_one_form_is_not_written(wrong: object) -> None:
    with pytest.raises(TypeError):
        canonical_json(wrong)  # type: ignore[arg-type]


def test_what_is_written_can_be_read_again() -> None:
    value: Json = {"b": [1, -1, 2**53 - 1, True, None], "a": {"d": "—", "c": "\x7f"}}
    assert json.loads(canonical_json(value)) == value
    assert list(json.loads(canonical_json(value))) == ["a", "b"]
