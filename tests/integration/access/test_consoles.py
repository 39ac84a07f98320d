"""Consoles: who stands there, and a supervisor's word that serves one message."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from meter_server.access import accounts, consoles
from meter_server.access.audit import Origin, Source
from meter_server.access.consoles import Console, StaffCard, StaffNumber
from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied, Kind
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import DEALER, HIGHER_DUTIES, Action
from meter_server.storage.grants import Grant
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.people import ADMINISTRATOR, OFFICE, House, pin_of

T1, T2 = Console("t1-a", "T1"), Console("t2-a", "T2")
AT_T1 = Origin(Source.CONSOLE, "127.0.0.11", "request-1", "t1-a")
AT_T2 = Origin(Source.CONSOLE, "127.0.0.12", "request-2", "t2-a")
CANCEL = Action.CANCEL_MISTAKEN_GAME


@pytest.fixture
def floor(house: House) -> House:
    house.hire("1007", "dealer")
    house.hire("2001", "higher-duties")
    return house


def _authorise(house: House, number: str = "2001") -> Grant:
    named = StaffNumber(number)
    return consoles.authorise(house.desk, AT_T1, T1, named, pin_of(number), CANCEL)


def _use(
    house: House,
    grant: Grant,
    message: str = "device:t1-a:1:7",
    *,
    console: Console = T1,
    action: Action = CANCEL,
    digest: bytes = b"the same words",
) -> Person | Kind:
    try:
        return consoles.use_grant(house.desk, AT_T1, console, grant.id, [action], message, digest)
    except Denied as denied:
        return denied.refusal.kind


def test_the_next_to_sign_on_is_the_one_who_is_there(floor: House) -> None:
    desk = floor.desk
    assert consoles.signed_on(desk, "t1-a") is None
    for number in ("1007", "2001"):
        consoles.sign_on(desk, AT_T1, T1, StaffNumber(number), pin_of(number))
    there = consoles.signed_on(desk, "t1-a")
    assert there is not None
    assert there.number == "2001"
    assert consoles.signed_on(desk, "t2-a") is None
    consoles.sign_off(desk, AT_T1, T1)
    assert consoles.signed_on(desk, "t1-a") is None
    last = floor.last()
    assert (last.tag, last.device, last.subject) == ("console:console:sign-off", "t1-a", "T1")
    assert (last.before, last.after) == ({"signed_on": "2001"}, {"signed_on": None})


def acting(floor: House, device: str, number: str) -> Person:
    return consoles.actor(floor.desk, device, number, consoles.signed_on(floor.desk, device))


def test_a_message_comes_in_the_name_of_somebody_who_stood_there(floor: House) -> None:
    consoles.sign_on(floor.desk, AT_T1, T1, StaffNumber("1007"), pin_of("1007"))
    consoles.sign_on(floor.desk, AT_T1, T1, StaffNumber("2001"), pin_of("2001"))
    # The dealer's last messages may arrive after the relief has signed on.
    assert acting(floor, "t1-a", "1007").rank.level == 10
    with pytest.raises(Denied, match="1007 has not signed on at this console"):
        acting(floor, "t2-a", "1007")
    accounts.suspend(floor.desk, OFFICE, floor.account(ADMINISTRATOR), "1007")
    with pytest.raises(Denied, match="may not act on a table"):
        acting(floor, "t1-a", "1007")


def test_no_rank_stays_behind_at_a_console(floor: House) -> None:
    consoles.sign_on(floor.desk, AT_T1, T1, StaffNumber("2001"), pin_of("2001"))
    assert acting(floor, "t1-a", "2001") == Person("2001", HIGHER_DUTIES)
    consoles.sign_on(floor.desk, AT_T1, T1, StaffNumber("1007"), pin_of("1007"))
    assert acting(floor, "t1-a", "2001") == Person("2001", DEALER)
    consoles.sign_on(floor.desk, AT_T1, T1, StaffNumber("2001"), pin_of("2001"))
    consoles.sign_off(floor.desk, AT_T1, T1)
    assert acting(floor, "t1-a", "2001") == Person("2001", DEALER)


@pytest.mark.parametrize("role", ["administrator", "audit", "cage", "compliance", "inspector"])
def test_nobody_outside_the_ladder_stands_at_a_console(house: House, role: str) -> None:
    house.hire("7001", role)
    named, pin = StaffNumber("7001"), pin_of("7001")
    with pytest.raises(Denied, match=r"takes a Dealer \(or above\).*\[WSOP 9.2.1"):
        consoles.sign_on(house.desk, AT_T1, T1, named, pin)
    with pytest.raises(Denied, match=r"takes a Dealer \(or above\)"):
        consoles.authorise(house.desk, AT_T1, T1, named, pin, CANCEL)


def test_a_grant_serves_one_message(floor: House) -> None:
    grant = _authorise(floor)
    assert (grant.account.number, grant.table_id, grant.action) == ("2001", "T1", CANCEL)
    supervisor = Person("2001", HIGHER_DUTIES)
    assert _use(floor, grant) == supervisor
    assert _use(floor, grant) == supervisor, "the same message, sent again"
    assert _use(floor, grant, "device:t1-a:1:8") is Kind.GRANT_NOT_VALID


def test_a_grant_serves_no_other_words_under_the_same_number(floor: House) -> None:
    """A message that the server has not recorded could come again with another command."""
    grant = _authorise(floor)
    assert isinstance(_use(floor, grant), Person)
    assert _use(floor, grant, digest=b"other words") is Kind.GRANT_NOT_VALID


def test_a_message_uses_one_grant(floor: House) -> None:
    first, second = _authorise(floor), _authorise(floor)
    assert isinstance(_use(floor, first), Person)
    assert _use(floor, second) is Kind.GRANT_NOT_VALID


def test_a_grant_is_for_its_console_table_and_action(floor: House) -> None:
    grant = _authorise(floor)
    assert _use(floor, grant, console=T2) is Kind.GRANT_NOT_VALID
    assert _use(floor, grant, console=replace(T1, table_id="T2")) is Kind.GRANT_NOT_VALID
    assert _use(floor, grant, action=Action.VOID_WAGER) is Kind.GRANT_NOT_VALID
    assert _use(floor, replace(grant, id="no-such-grant")) is Kind.GRANT_NOT_VALID
    assert isinstance(_use(floor, grant), Person)


def test_a_grant_is_for_a_minute_but_its_message_may_be_sent_again_later(
    floor: House, clock: StoppedClock
) -> None:
    used, unused = _authorise(floor), _authorise(floor)
    clock.advance(seconds=59)
    assert isinstance(_use(floor, used), Person)
    clock.advance(seconds=1)
    assert _use(floor, unused, "device:t1-a:1:8") is Kind.GRANT_NOT_VALID
    assert isinstance(_use(floor, used), Person)


def test_a_grant_dies_with_its_giver(floor: House) -> None:
    grant = _authorise(floor)
    accounts.suspend(floor.desk, OFFICE, floor.account(ADMINISTRATOR), "2001")
    assert _use(floor, grant) is Kind.GRANT_NOT_VALID


def test_of_many_messages_with_one_grant_one_is_served(floor: House) -> None:
    for turn in range(5):
        grant, start = _authorise(floor), threading.Barrier(10)

        def use(
            number: int,
            grant: Grant = grant,
            start: threading.Barrier = start,
            turn: int = turn,
        ) -> bool:
            start.wait()
            return isinstance(_use(floor, grant, f"device:t1-a:{turn + 1}:{number}"), Person)

        with ThreadPoolExecutor(10) as pool:
            served = list(pool.map(use, range(1, 11)))
        assert served.count(True) == 1


def test_a_pin_is_guessed_slowly_at_one_console_and_serves_at_another(floor: House) -> None:
    def sign_on(pin: str, origin: Origin, console: Console) -> Kind | None:
        try:
            consoles.sign_on(floor.desk, origin, console, StaffNumber("1007"), pin)
        except Denied as denied:
            return denied.refusal.kind
        return None

    wrong = [sign_on(f"90417{n}", AT_T1, T1) for n in range(5)]
    assert wrong == [Kind.WRONG_CREDENTIALS] * 3 + [Kind.TOO_MANY_TRIES] * 2
    assert sign_on(pin_of("1007"), AT_T1, T1) is Kind.TOO_MANY_TRIES
    assert sign_on(pin_of("1007"), AT_T2, T2) is None
    # A colleague at the same console is not kept out either.
    assert consoles.sign_on(floor.desk, AT_T1, T1, StaffNumber("2001"), pin_of("2001"))


def test_without_a_key_cards_cannot_be_used(desk: Desk) -> None:
    keyless = replace(desk, card_key=None)
    with pytest.raises(Denied, match=r"Use the staff number"):
        consoles.sign_on(keyless, AT_T1, T1, StaffCard("CARD-55"), "481207")
