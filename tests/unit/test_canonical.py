"""The one form has the same bytes, whichever of the two encoders writes it."""

import json
import sys
from datetime import UTC, datetime

import pytest

from meter_server.canonical import Json, canonical_json

_CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1)]
_ALONE = [*_CHARACTERS[:0x500], *_CHARACTERS[0xD7F0:0xE010], *_CHARACTERS[-0x10:]]
_AT_ONCE = 4096


def test_every_character_is_written_as_the_standard_library_writes_it() -> None:
    """Among others of its kind, beside plain ones, and as a key: what is escaped differs by kind,
    and both encoders have a part in it."""
    for first in range(0, len(_CHARACTERS), _AT_ONCE):
        some = _CHARACTERS[first : first + _AT_ONCE]
        value: Json = {"all": "".join(some), **dict.fromkeys(some, 1)}
        assert canonical_json(value) == _plainly(value)
    for character in _ALONE:
        alone: Json = {"text": f"a{character}b", character: None}
        assert canonical_json(alone) == _plainly(alone)


def _plainly(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, [10**40], {"é": 2**64}])
def test_what_is_too_much_for_one_of_them_is_written_by_the_other(value: Json) -> None:
    """It is refused elsewhere, by a sentence and not by a traceback."""
    assert canonical_json(value) == _plainly(value)


@pytest.mark.parametrize("wrong", [{"set": {1}}, {"bytes": b""}, object(), datetime.now(UTC)])
def test_what_has_no_one_form_is_not_written(wrong: object) -> None:
    with pytest.raises(TypeError):
        canonical_json(wrong)  # type: ignore[arg-type]


def test_what_is_written_can_be_read_again() -> None:
    value: Json = {"b": [1, -1, 2**53 - 1, True, None], "a": {"d": "—", "c": "\x7f"}}
    assert json.loads(canonical_json(value)) == value
    assert list(json.loads(canonical_json(value))) == ["a", "b"]
