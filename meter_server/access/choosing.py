"""Which names and secrets a person may have."""

import unicodedata

from meter_server.access.refusals import Denied, Kind
from meter_server.domain.writing import NAME

PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX = 12, 128
PIN_LENGTH_MIN, PIN_LENGTH_MAX = 6, 12
_NAME_LENGTH_MAX = 80
_RUNS = "01234567890123456789", "98765432109876543210"


def require_number(number: str) -> None:
    if NAME.fullmatch(number) is None:
        raise _not_acceptable(
            "That cannot be a staff number.",
            "Use up to 40 letters, digits, dots, dashes and underscores.",
        )


def require_name(name: str) -> None:
    plain = name.isprintable() and unicodedata.is_normalized("NFC", name) and name == name.strip()
    if not (plain and 0 < len(name) <= _NAME_LENGTH_MAX):
        raise _not_acceptable(
            "That cannot be a person's name.",
            f"Use up to {_NAME_LENGTH_MAX} plain characters, without spaces around them.",
        )


def require_password(password: str, number: str) -> None:
    """Length is what counts; what is known of the person is no secret."""
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        raise _not_acceptable(
            f"A password has {PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters.",
            "Choose another, for example four words.",
        )
    if number in password or len(set(password)) < PASSWORD_LENGTH_MIN // 2:
        raise _not_acceptable(
            "That password is easily guessed.",
            "Choose one without the staff number and with more different characters.",
        )


def require_pin(pin: str, number: str) -> None:
    is_pin = pin.isascii() and pin.isdigit() and PIN_LENGTH_MIN <= len(pin) <= PIN_LENGTH_MAX
    if not is_pin:
        raise _not_acceptable(
            f"A PIN has {PIN_LENGTH_MIN} to {PIN_LENGTH_MAX} digits.", "Choose another."
        )
    if len(set(pin)) < 3 or number in pin or any(pin in run for run in _RUNS):
        raise _not_acceptable(
            "That PIN is easily guessed.",
            "Choose one that is no run of digits, repeats few and is not the staff number.",
        )


def _not_acceptable(reason: str, remedy: str) -> Denied:
    return Denied(Kind.NOT_ACCEPTABLE, reason, remedy=remedy)
