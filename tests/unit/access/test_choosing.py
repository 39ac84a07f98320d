"""Which names and secrets are taken."""

import pytest

from meter_server.access import choosing
from meter_server.access.refusals import Denied


@pytest.mark.parametrize("number", ["1007", "a", "A-1.b_c", "x" * 40])
def test_a_number(number: str) -> None:
    choosing.require_number(number)


@pytest.mark.parametrize("number", ["", "-1", "a b", "é", "x" * 41, "1\n", "1;--"])
def test_no_number(number: str) -> None:
    with pytest.raises(Denied, match="cannot be a staff number"):
        choosing.require_number(number)


@pytest.mark.parametrize("name", ["Zoë O'Neill", "李", "x" * 80])
def test_a_name(name: str) -> None:
    choosing.require_name(name)


@pytest.mark.parametrize("name", ["", " a", "a\n", "a\u202eb", "e\u0301", "x" * 81])
def test_no_name(name: str) -> None:
    with pytest.raises(Denied, match="cannot be a person's name"):
        choosing.require_name(name)


@pytest.mark.parametrize("password", ["four plain words", "abcdefghijkl", "é" * 6 + "abcdef"])
def test_a_password(password: str) -> None:
    choosing.require_password(password, "1007")


@pytest.mark.parametrize("password", ["", "eleven char", "x" * 129, "aaaaaabbbbbb", "I am 1007 !!"])
def test_no_password(password: str) -> None:
    with pytest.raises(Denied, match="password"):
        choosing.require_password(password, "1007")


@pytest.mark.parametrize("pin", ["481207", "135790", "112233445566"])
def test_a_pin(pin: str) -> None:
    choosing.require_pin(pin, "1007")


@pytest.mark.parametrize(
    "pin",
    [
        "",
        "48120",
        "4812078120781",
        "48120a",
        "٤٨١٢٠٧",
        "111111",
        "121212",
        "234567",
        "890123",
        "654321",
        "910075",
    ],
)
def test_no_pin(pin: str) -> None:
    with pytest.raises(Denied, match="PIN"):
        choosing.require_pin(pin, "1007")
