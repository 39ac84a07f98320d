"""Signing in, staying in, and how guessing gets slower without keeping anybody else out."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from meter_server.access import accounts, sessions
from meter_server.access.audit import Origin
from meter_server.access.refusals import Denied, Kind
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.people import MANAGER, OFFICE, House, password_of

ELSEWHERE = replace(OFFICE, address="127.0.0.8")


def _guess(house: House, password: str, origin: Origin = OFFICE, number: str = MANAGER) -> Denied:
    with pytest.raises(Denied) as denied:
        sessions.sign_in(house.desk, origin, number, password)
    return denied.value


def test_a_session_lasts_while_it_is_used_and_no_longer_than_the_day(
    house: House, clock: StoppedClock
) -> None:
    token = sessions.sign_in(house.desk, OFFICE, MANAGER, password_of(MANAGER)).token
    for _ in range(50):
        clock.advance(minutes=14)
        assert sessions.find(house.desk, token).account.number == MANAGER
    clock.advance(minutes=14)  # 11 h 54 min
    assert sessions.find(house.desk, token)
    clock.advance(minutes=6)
    with pytest.raises(Denied, match="not signed in"):
        sessions.find(house.desk, token)


def test_a_session_that_is_not_used_ends(house: House, clock: StoppedClock) -> None:
    token = sessions.sign_in(house.desk, OFFICE, MANAGER, password_of(MANAGER)).token
    clock.advance(minutes=15)
    with pytest.raises(Denied, match="not signed in"):
        sessions.find(house.desk, token)


def test_signing_out_ends_this_session_alone(house: House) -> None:
    one, other = (
        sessions.sign_in(house.desk, OFFICE, MANAGER, password_of(MANAGER)).token for _ in "12"
    )
    sessions.sign_out(house.desk, OFFICE, one)
    sessions.sign_out(house.desk, OFFICE, one)
    with pytest.raises(Denied, match="not signed in"):
        sessions.find(house.desk, one)
    assert sessions.find(house.desk, other).account.number == MANAGER


def test_a_csrf_token_belongs_to_its_session(house: House) -> None:
    one, other = (sessions.sign_in(house.desk, OFFICE, MANAGER, password_of(MANAGER)) for _ in "12")
    assert sessions.csrf_matches(one.token, one.csrf_token)
    assert not sessions.csrf_matches(one.token, other.csrf_token)
    assert not sessions.csrf_matches(one.token, "ü")


def test_guessing_gets_slower_and_the_right_password_waits_too(
    house: House, clock: StoppedClock
) -> None:
    waits = []
    for _ in range(3):
        assert _guess(house, "wrong password").refusal.kind is Kind.WRONG_CREDENTIALS
    for _ in range(11):
        refused = _guess(house, password_of(MANAGER))
        assert refused.refusal.kind is Kind.TOO_MANY_TRIES
        assert refused.retry_after_seconds is not None
        waits.append(refused.retry_after_seconds)
        clock.advance(seconds=refused.retry_after_seconds)
        assert _guess(house, "wrong password").refusal.kind is Kind.WRONG_CREDENTIALS
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]

    clock.advance(seconds=300)
    sessions.sign_in(house.desk, OFFICE, MANAGER, password_of(MANAGER))
    for _ in range(3):
        assert _guess(house, "wrong password").refusal.kind is Kind.WRONG_CREDENTIALS


def test_guessing_at_one_place_keeps_nobody_out_elsewhere(house: House) -> None:
    for _ in range(10):
        _guess(house, "wrong password")
    assert _guess(house, password_of(MANAGER)).refusal.kind is Kind.TOO_MANY_TRIES
    assert sessions.sign_in(house.desk, ELSEWHERE, MANAGER, password_of(MANAGER))
    # Being right elsewhere does not let the guesser go on.
    assert _guess(house, password_of(MANAGER)).refusal.kind is Kind.TOO_MANY_TRIES


def test_many_guesses_at_once_are_still_many_guesses(house: House) -> None:
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda n: _guess(house, f"wrong password {n}"), range(40)))
    kinds = [answer.refusal.kind for answer in answers]
    assert kinds.count(Kind.WRONG_CREDENTIALS) == 3
    assert kinds.count(Kind.TOO_MANY_TRIES) == 37


def test_a_number_that_nobody_has_is_answered_alike(house: House) -> None:
    def told(number: str) -> list[str]:
        return [_guess(house, "wrong password", number=number).refusal.sentence for _ in range(5)]

    assert told("5555") == told(MANAGER)


def test_once_more_the_password(house: House) -> None:
    manager = accounts.find(house.desk, MANAGER)
    sessions.reauthenticate(house.desk, OFFICE, manager, password=password_of(MANAGER), pin=None)
    assert (house.last().tag, house.last().reason) == ("office:session:reauthenticate", None)
    with pytest.raises(Denied, match="not a staff number with its secret"):
        sessions.reauthenticate(house.desk, OFFICE, manager, password="wrong password", pin=None)  # noqa: S106


def test_every_sign_in_and_every_refusal_is_one_line_of_the_trail(house: House) -> None:
    before = len(house.trail())
    _guess(house, "wrong password")
    signed_in = sessions.sign_in(house.desk, OFFICE, MANAGER, password_of(MANAGER))
    sessions.sign_out(house.desk, OFFICE, signed_in.token)
    refused, allowed, out = house.trail()[before:]
    assert (refused.tag, refused.person) == ("office:session:sign-in", MANAGER)
    assert refused.reason is not None
    assert refused.reason.startswith("That is not a staff number with its secret.")
    assert (allowed.tag, allowed.person, allowed.reason) == (
        "office:session:sign-in",
        MANAGER,
        None,
    )
    assert (allowed.address, allowed.request_id) == (OFFICE.address, OFFICE.request_id)
    assert (out.tag, out.person) == ("office:session:sign-out", MANAGER)
