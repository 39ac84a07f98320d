"""Accounts: the first people, invitations, secrets of one's own, cards, suspension."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from meter_server.access import accounts, consoles, sessions
from meter_server.access.audit import Origin, Source
from meter_server.access.consoles import Console, StaffCard
from meter_server.access.desk import Desk
from meter_server.access.refusals import Denied, Kind
from meter_server.storage.staff import AccountState
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.people import (
    ADMINISTRATOR,
    MACHINE,
    MANAGER,
    OFFICE,
    House,
    password_of,
    pin_of,
)


def _first(desk: Desk, number: str, role: str) -> Kind | None:
    try:
        accounts.create_first(desk, MACHINE, number, "A. N.", role, password_of(number))
    except Denied as denied:
        return denied.refusal.kind
    return None


def test_first_come_the_managers_and_the_administrator_closes_the_door(desk: Desk) -> None:
    assert _first(desk, "9001", "administrator") is Kind.SECOND_PERSON_NEEDED
    assert _first(desk, "9001", "king") is Kind.UNKNOWN
    assert _first(desk, "4001", "assistant-casino-manager") is None
    assert _first(desk, "4001", "assistant-casino-manager") is Kind.ALREADY_EXISTS
    assert _first(desk, "3001", "area-manager") is None
    assert _first(desk, "9001", "administrator") is None
    assert _first(desk, "9002", "administrator") is Kind.FIRST_ACCOUNTS_EXIST
    assert _first(desk, "4002", "assistant-casino-manager") is Kind.FIRST_ACCOUNTS_EXIST


def test_of_several_first_administrators_at_once_one_is_created(desk: Desk) -> None:
    _first(desk, "4001", "assistant-casino-manager")
    start = threading.Barrier(6)

    def create(number: int) -> Kind | None:
        start.wait()
        return _first(desk, str(number), "administrator")

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(create, range(9001, 9007)))
    assert sorted(answers, key=str) == [None, *[Kind.FIRST_ACCOUNTS_EXIST] * 5]


def test_a_person_is_invited_by_two_and_chooses_the_secrets(house: House) -> None:
    proposal = house.propose("create-account", number="1007", name="Dee Ler", role="dealer")
    with pytest.raises(Denied, match=r"Nobody has the staff number 1007"):
        house.account("1007")
    carried_out = house.confirm(proposal)
    assert carried_out.once is not None
    code = carried_out.once["code"]
    assert code not in str(carried_out.proposal)
    with pytest.raises(Denied, match="not a staff number with its secret"):
        sessions.sign_in(house.desk, OFFICE, "1007", password_of("1007"))

    def accept(typed: str) -> None:
        accounts.accept_invitation(
            house.desk, OFFICE, "1007", typed, password_of("1007"), pin_of("1007")
        )

    with pytest.raises(Denied, match="not an invitation that is still open"):
        accept("AAAAAAAAAA")
    accept(f" {code[:5].lower()}-{code[5:]} ")
    with pytest.raises(Denied, match="not an invitation that is still open"):
        accept(code)
    signed_in = sessions.sign_in(house.desk, OFFICE, "1007", password_of("1007"))
    assert (signed_in.account.name, signed_in.account.role.key) == ("Dee Ler", "dealer")


def test_of_two_who_answer_one_invitation_one_is_let_in(house: House) -> None:
    once = house.decide("create-account", number="1007", name="D", role="dealer").once
    assert once is not None
    start = threading.Barrier(2)

    def accept(password: str) -> bool:
        start.wait()
        try:
            accounts.accept_invitation(house.desk, OFFICE, "1007", once["code"], password, None)
        except Denied:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(accept, ["a password of one", "a password of two"]))
    assert sorted(answers) == [False, True]


def test_an_invitation_is_over_after_a_day(house: House, clock: StoppedClock) -> None:
    once = house.decide("create-account", number="1007", name="D", role="dealer").once
    assert once is not None
    clock.advance(hours=24)
    with pytest.raises(Denied, match="not an invitation that is still open"):
        accounts.accept_invitation(
            house.desk, OFFICE, "1007", once["code"], password_of("1007"), None
        )


def test_secrets_of_ones_own_take_the_password_and_end_sessions(house: House) -> None:
    desk, manager = house.desk, house.account(MANAGER)
    token = sessions.sign_in(desk, OFFICE, MANAGER, password_of(MANAGER)).token
    with pytest.raises(Denied, match="not a staff number with its secret"):
        accounts.change_password(desk, OFFICE, manager, "not the password", "a new password")
    assert sessions.find(desk, token).account == manager
    accounts.change_password(desk, OFFICE, manager, password_of(MANAGER), "a quite new password")
    with pytest.raises(Denied, match="not signed in"):
        sessions.find(desk, token)
    with pytest.raises(Denied, match="not a staff number with its secret"):
        sessions.sign_in(desk, OFFICE, MANAGER, password_of(MANAGER))
    accounts.change_pin(desk, OFFICE, manager, "a quite new password", "481207")
    assert sessions.sign_in(desk, OFFICE, MANAGER, "a quite new password").account == manager


def test_a_card_stands_for_the_number_and_has_one_holder(house: House) -> None:
    desk, console = house.desk, Console("t1-a", "T1")
    at_console = Origin(Source.CONSOLE, "127.0.0.9", "r", "t1-a")
    for number in ("1007", "1008"):
        house.hire(number, "dealer")
        accounts.assign_card(desk, OFFICE, house.account(ADMINISTRATOR), number, "CARD-55")

    with pytest.raises(Denied, match="not a staff number with its secret"):
        consoles.sign_on(desk, at_console, console, StaffCard("CARD-55"), pin_of("1007"))
    signed_on = consoles.sign_on(desk, at_console, console, StaffCard("CARD-55"), pin_of("1008"))
    assert signed_on.number == "1008"
    with pytest.raises(Denied, match="not a staff number with its secret"):
        consoles.sign_on(desk, at_console, console, StaffCard("CARD-66"), pin_of("1008"))
    with pytest.raises(Denied, match=r"To manage staff takes an Administrator\."):
        accounts.assign_card(desk, OFFICE, house.account(MANAGER), "1007", "CARD-77")


def test_a_suspended_person_is_out_at_once_and_back_after_two_agreed(house: House) -> None:
    desk, administrator = house.desk, house.account(ADMINISTRATOR)
    house.hire("1007", "dealer")
    token = sessions.sign_in(desk, OFFICE, "1007", password_of("1007")).token
    suspended = accounts.suspend(desk, OFFICE, administrator, "1007")
    assert suspended.state is AccountState.SUSPENDED
    with pytest.raises(Denied, match="not signed in"):
        sessions.find(desk, token)
    with pytest.raises(Denied, match="suspended"):
        sessions.sign_in(desk, OFFICE, "1007", password_of("1007"))
    house.decide("restore-account", number="1007")
    sessions.sign_in(desk, OFFICE, "1007", password_of("1007"))
    with pytest.raises(Denied, match="own account"):
        accounts.suspend(desk, OFFICE, administrator, ADMINISTRATOR)


def test_a_role_changes_at_once_but_not_ones_own(house: House) -> None:
    house.hire("1007", "dealer")
    token = sessions.sign_in(house.desk, OFFICE, "1007", password_of("1007")).token
    house.decide("change-role", number="1007", role="higher-duties")
    assert house.account("1007").role.level == 20
    with pytest.raises(Denied, match="not signed in"):
        sessions.find(house.desk, token)
    with pytest.raises(Denied, match="own account"):
        house.propose("change-role", number=ADMINISTRATOR, role="assistant-casino-manager")
    promotion = house.propose("change-role", number=MANAGER, role="administrator")
    with pytest.raises(Denied, match="own account"):
        house.confirm(promotion, by=MANAGER)
    with pytest.raises(Denied, match=r"Choose one of dealer, .*inspector"):
        house.propose("change-role", number="1007", role="king")


def test_no_secret_is_in_the_database(house: House, database_url: str) -> None:
    """Everything that people typed and were shown in this test, looked for in every row."""
    desk = house.desk
    once = house.decide("create-account", number="1007", name="Dee", role="dealer").once
    assert once is not None
    password, pin, card = password_of("1007"), pin_of("1007"), "CARD-4711-0815"
    accounts.accept_invitation(desk, OFFICE, "1007", once["code"], password, pin)
    accounts.assign_card(desk, OFFICE, house.account(ADMINISTRATOR), "1007", card)
    token = sessions.sign_in(desk, OFFICE, "1007", password).token
    misplaced = "Correct-Horse-Battery-44"  # looks like a staff number, typed into its field
    for typed in (password, misplaced):
        with pytest.raises(Denied):
            sessions.sign_in(desk, OFFICE, typed, "1007")

    rows = str(_all_rows(database_url))
    assert "1007" in rows
    for secret in (once["code"], password, pin, card, token, misplaced):
        assert secret not in rows


def _all_rows(database_url: str) -> list[Any]:
    with psycopg.connect(database_url) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        return [
            connection.execute(f"SELECT * FROM {table}".encode()).fetchall()  # noqa: S608
            for (table,) in tables
        ]
