"""Signing in: cookies, what protects them, and requests that arrive more than once."""

from http.cookies import SimpleCookie
from pathlib import Path
from uuid import uuid4

import pytest

from tests.integration.office import BETS, PASSWORD, ROLES, Answer, Office, office
from tests.integration.programs import Environment

MANAGER = ROLES["assistant-casino-manager"]
TABLE = {"table": "T1", "game": "wsop", "seats": 9, **BETS}


def _browser(office: Office) -> tuple[Answer, dict[str, str]]:
    """What a browser has after signing in: the answer, and the headers it sends from then on."""
    begun = office.nobody().post("/v1/session", {"number": MANAGER, "password": PASSWORD})
    assert begun.status == 201
    cookie = begun.headers["Set-Cookie"].partition(";")[0]
    return begun, {"Cookie": cookie}


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(office: Office) -> None:
    begun, headers = _browser(office)
    [(name, cookie)] = SimpleCookie(begun.headers["Set-Cookie"]).items()
    assert name == "__Host-prize-meter"
    assert cookie["secure"]
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Strict", "/", "")
    assert begun.json()["token"] is None
    assert cookie.value not in begun.text

    shown = office.nobody().ask("GET", "/v1/session", headers=headers)
    assert shown.json()["account"]["number"] == MANAGER
    assert shown.json()["csrf_token"] == begun.json()["csrf_token"]


def test_a_change_by_cookie_needs_the_token_of_its_own_session(office: Office) -> None:
    begun, headers = _browser(office)
    other, _ = _browser(office)
    key = {"Idempotency-Key": uuid4().hex}

    def define(**more: str) -> Answer:
        sent = {**headers, **key, **{k.replace("_", "-"): v for k, v in more.items()}}
        return office.nobody().ask("POST", "/v1/tables", {**TABLE, "table": "T-csrf"}, sent)

    for refused in (define(), define(X_CSRF_Token=other.json()["csrf_token"])):
        assert refused.status == 403
        assert "X-CSRF-Token" in refused.json()["detail"]
    assert define(X_CSRF_Token=begun.json()["csrf_token"]).status == 200


def test_signing_out_ends_the_session_and_no_other(office: Office) -> None:
    one, other = office.sign_in(MANAGER), office.sign_in(MANAGER)
    assert one.ask("DELETE", "/v1/session").status == 204
    assert one.get("/v1/session").status == 401
    assert other.get("/v1/session").status == 200


@pytest.mark.parametrize("authorization", ["Bearer x", "Bearer ", "Basic eDp5", "bearer", "ü"])
def test_a_token_that_is_nobodys_lets_nobody_in(office: Office, authorization: str) -> None:
    headers = {"Authorization": authorization.encode().decode("latin-1")}
    answer = office.nobody().ask("GET", "/v1/session", headers=headers)
    assert (answer.status, answer.json()["kind"]) == (401, "not-signed-in")


def test_a_wrong_password_and_an_unknown_number_are_told_alike(office: Office) -> None:
    wrong = office.nobody().post("/v1/session", {"number": MANAGER, "password": "not this one"})
    unknown = office.nobody().post("/v1/session", {"number": "7777", "password": "not this one"})
    assert (wrong.status, unknown.status) == (401, 401)
    assert wrong.json()["detail"] == unknown.json()["detail"]


def test_a_request_that_arrives_twice_is_done_once(office: Office) -> None:
    manager = office.of_role("assistant-casino-manager")
    key = uuid4().hex
    first = manager.post("/v1/tables", {**TABLE, "table": "T-twice"}, Idempotency_Key=key)
    again = manager.post("/v1/tables", {**TABLE, "table": "T-twice"}, Idempotency_Key=key)
    other = manager.post("/v1/tables", {**TABLE, "table": "T-other"}, Idempotency_Key=key)
    anew = manager.command("/v1/tables", {**TABLE, "table": "T-twice"})
    assert (first.status, again.status, other.status, anew.status) == (200, 200, 422, 409)
    assert first.text == again.text
    assert anew.json()["kind"] == "already-exists"
    assert manager.get("/v1/tables/T-other").status == 404


@pytest.mark.parametrize("key", ["", "a b", "a" * 41, "'; --"])
def test_a_command_needs_a_key_of_its_own(office: Office, key: str) -> None:
    manager = office.of_role("assistant-casino-manager")
    answer = manager.post("/v1/tables", {**TABLE, "table": "T-key"}, Idempotency_Key=key)
    assert answer.status == 400
    assert "Idempotency-Key" in answer.json()["detail"]


def test_lists_come_in_pages_without_gap_or_repeat(office: Office) -> None:
    manager = office.of_role("assistant-casino-manager")
    for number in range(5):
        manager.command("/v1/tables", {**TABLE, "table": f"page-{number}"})
    whole = [one["table"] for one in manager.get("/v1/tables?limit=200").json()["items"]]
    paged: list[str] = []
    after = ""
    while True:
        page = manager.get(f"/v1/tables?limit=2{after}").json()
        assert len(page["items"]) <= 2
        paged += [one["table"] for one in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert paged == whole == sorted(whole)


def test_without_tls_the_cookie_goes_only_where_the_operator_says_so(
    env: Environment, log: Path
) -> None:
    with office({**env, "METER_SERVER_INSECURE_COOKIES": "true"}, log) as insecure:
        begun, headers = _browser(insecure)
        assert "Secure" not in begun.headers["Set-Cookie"]
        assert insecure.nobody().ask("GET", "/v1/session", headers=headers).status == 200
