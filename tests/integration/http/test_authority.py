"""Who may do what, every cell through HTTP. The tables here are typed from the requirements."""

from collections.abc import Callable
from itertools import count, product

import psycopg
import pytest

from meter_server.access.permissions import Permission
from meter_server.domain.rulebook.authority import Action
from tests.integration.office import BETS, ROLES, Answer, Client, Office

LADDER = ("dealer", "higher-duties", "area-manager", "assistant-casino-manager")
HIGHER_DUTIES_UP, AREA_MANAGER_UP, TOP = LADDER[1:], LADDER[2:], LADDER[3:]
READERS = ("audit", "compliance", "inspector")
GAMES = ("wsop", "ultimate", "three-card")

_numbers = count(1)


def _fresh(letter: str) -> str:
    return f"{letter}{next(_numbers)}"


def _new_account(office: Office, person: Client) -> Answer:
    del office
    body = {"number": _fresh("n"), "name": "Somebody New", "role": "dealer"}
    return person.post("/v1/staff", body)


def _confirm_account(office: Office, person: Client) -> Answer:
    proposed = _new_account(office, office.colleague("administrator"))
    return person.post(f"/v1/proposals/{proposed.json()['id']}/confirmation")


def _open_system(office: Office, person: Client) -> Answer:
    del office
    name = _fresh("s")
    cost = 100 + next(_numbers)  # between systems every cost differs
    body = {
        "system": name,
        "option": 1,
        "seed_dollars": 10_000,
        "cost_cents": cost,
        "tables": [],
    }
    return person.post("/v1/systems", body)


def _confirm_system(office: Office, person: Client) -> Answer:
    proposed = _open_system(office, office.colleague("assistant-casino-manager"))
    return person.post(f"/v1/proposals/{proposed.json()['id']}/confirmation")


def _enrol_gateway(office: Office, person: Client) -> Answer:
    del office
    return person.post("/v1/devices", {"device": _fresh("g"), "kind": "gateway", "table": None})


def _confirm_gateway(office: Office, person: Client) -> Answer:
    proposed = _enrol_gateway(office, office.colleague("area-manager"))
    return person.post(f"/v1/proposals/{proposed.json()['id']}/confirmation")


def _define_table(office: Office, person: Client, game: str = "wsop") -> Answer:
    del office
    body = {"table": _fresh("T"), "game": game, "seats": 5, **BETS}
    return person.command("/v1/tables", body)


def _get(path: str) -> Callable[[Office, Client], Answer]:
    return lambda _office, person: person.get(path)


PERMISSIONS: dict[Permission, tuple[tuple[str, ...], Callable[[Office, Client], Answer]]] = {
    Permission.MANAGE_STAFF: (("administrator",), _new_account),
    Permission.CONFIRM_STAFF: ((*TOP, "administrator"), _confirm_account),
    Permission.READ_STAFF: ((*AREA_MANAGER_UP, "administrator", *READERS), _get("/v1/staff")),
    Permission.ENROL_DEVICES: (AREA_MANAGER_UP, _enrol_gateway),
    Permission.CONFIRM_ENROLMENT: ((*AREA_MANAGER_UP, "administrator"), _confirm_gateway),
    Permission.READ_DEVICES: ((*AREA_MANAGER_UP, "administrator", *READERS), _get("/v1/devices")),
    Permission.MANAGE_SYSTEMS: (TOP, _open_system),
    Permission.CONFIRM_SYSTEMS: (AREA_MANAGER_UP, _confirm_system),
    Permission.MANAGE_TABLES: (TOP, _define_table),
    Permission.READ_PROPOSALS: (
        (*AREA_MANAGER_UP, "administrator", *READERS),
        _get("/v1/proposals"),
    ),
    Permission.READ_FLOOR: (tuple(ROLES), _get("/v1/systems")),
    Permission.READ_PRIZES: ((*LADDER, "cage", *READERS), _get("/v1/prizes")),
    Permission.READ_HISTORY: ((*AREA_MANAGER_UP, *READERS), _get("/v1/manual")),
    Permission.READ_TRAIL: ((*TOP, *READERS), _get("/v1/audit-trail")),
}

# What a person in the back office cannot ask for yet, or asks for at a console.
ELSEWHERE = {
    Permission.CORRECT,
    Permission.CONFIRM_CORRECTIONS,
    Permission.KEY_IN_PAPER,
    Permission.CONFIRM_PAPER,
    Permission.PAY_PRIZES,
    Permission.READ_WINNERS,
    Permission.STAND_AT_A_CONSOLE,
    Permission.AUTHORISE_AT_A_CONSOLE,
    Permission.TAKE_OVER_TABLES,
}


def test_no_permission_is_forgotten() -> None:
    assert set(PERMISSIONS) | ELSEWHERE == set(Permission)
    assert not set(PERMISSIONS) & ELSEWHERE


@pytest.mark.rule("AUT-17")
@pytest.mark.parametrize(("role", "permission"), list(product(ROLES, PERMISSIONS)))
def test_a_role_has_exactly_its_permissions(
    office: Office, role: str, permission: Permission
) -> None:
    allowed, ask = PERMISSIONS[permission]
    answer = ask(office, office.of_role(role))
    if role in allowed:
        assert answer.status in (200, 202), answer.text
    else:
        _is_refused(answer)


TABLE_ACTIONS: dict[str, tuple[Action, tuple[str, ...], object]] = {
    "opening": (Action.OPEN_TABLE, HIGHER_DUTIES_UP, None),
    "closing": (Action.CLOSE_TABLE, HIGHER_DUTIES_UP, {"players_present": True}),
    "tournament": (Action.SET_TOURNAMENT, HIGHER_DUTIES_UP, {"on": True}),
    "limits": (Action.SET_LIMITS, AREA_MANAGER_UP, BETS),
    "manual": (Action.DECLARE_MANUAL, AREA_MANAGER_UP, {"reason": "because"}),
    "manual/end": (
        Action.DECLARE_MANUAL,
        AREA_MANAGER_UP,
        {"paper_rounds": 0, "paper_wagers": 0},
    ),
}
NAMED_BY = {
    (Action.CLOSE_TABLE, "wsop"): "WSOP 14.7",
    (Action.CLOSE_TABLE, "ultimate"): "WSOP 14.7",
    (Action.CLOSE_TABLE, "three-card"): "Three Card 13.8",
    **{(Action.OPEN_TABLE, game): "inferred, whoever may close it" for game in GAMES},
    **{(Action.SET_TOURNAMENT, game): "inferred, whoever may close the table" for game in GAMES},
    **{(Action.DECLARE_MANUAL, game): "inferred, A-57" for game in GAMES},
    **{(Action.SET_LIMITS, game): "inferred, no rule names a rank" for game in GAMES},
}


@pytest.fixture(scope="module")
def tables(office: Office) -> dict[str, str]:
    """One table of each game."""
    manager = office.of_role("assistant-casino-manager")
    for game in GAMES:
        body = {"table": f"of-{game}", "game": game, "seats": 5, **BETS}
        assert manager.command("/v1/tables", body).status == 200
    return {game: f"of-{game}" for game in GAMES}


@pytest.mark.rule("AUT-16", "AUT-18", "SGN-5")
@pytest.mark.parametrize(("role", "verb", "game"), list(product(ROLES, TABLE_ACTIONS, GAMES)))
def test_an_action_takes_its_rank_in_every_game(
    office: Office, tables: dict[str, str], role: str, verb: str, game: str
) -> None:
    action, allowed, body = TABLE_ACTIONS[verb]
    answer = office.of_role(role).command(f"/v1/tables/{tables[game]}/{verb}", body)
    if role in allowed:
        assert answer.status == 200, answer.text
        return
    _is_refused(answer)
    if role in LADDER:
        assert answer.json()["rule"] == NAMED_BY[action, game]


@pytest.mark.rule("AUT-17")
@pytest.mark.parametrize(("role", "game"), list(product(ROLES, GAMES)))
def test_defining_a_table_takes_its_rank_in_every_game(
    office: Office, role: str, game: str
) -> None:
    answer = _define_table(office, office.of_role(role), game)
    if role in TOP:
        assert answer.status == 200, answer.text
    else:
        _is_refused(answer)


def test_whoever_stands_above_may_do_what_those_below_may(office: Office) -> None:
    """Ranks are data: a new one is a row."""
    with psycopg.connect(office.database_url) as connection:
        connection.execute("INSERT INTO role VALUES ('casino-manager', 'TG Casino Manager', 50)")
        connection.execute(
            "INSERT INTO staff SELECT '5001', 'The Casino Manager', 'casino-manager', state,"
            " created_at, password_hash FROM staff WHERE number = '4001'"
        )
    above = office.person("5001")
    for permission, (allowed, ask) in PERMISSIONS.items():
        answer = ask(office, above)
        assert (answer.status in (200, 202)) == (TOP[0] in allowed), permission


def test_every_refusal_is_in_the_trail(office: Office) -> None:
    dealer = office.of_role("dealer")
    refused = [
        dealer.get("/v1/staff"),
        dealer.command("/v1/tables", {"table": "T-no", "game": "wsop", "seats": 5, **BETS}),
        _new_account(office, dealer),
    ]
    with psycopg.connect(office.database_url) as connection:
        for answer, tag in zip(
            refused,
            ["office:permission:read-staff", "office:table:define", "office:proposal:propose"],
            strict=True,
        ):
            found = connection.execute(
                "SELECT tag, person, address, allowed, reason FROM audit_trail"
                " WHERE request_id = %s",
                (answer.headers["X-Request-ID"],),
            ).fetchall()
            assert found == [(tag, ROLES["dealer"], "127.0.0.1", False, answer.json()["detail"])]


def _is_refused(answer: Answer) -> None:
    assert answer.status == 403, answer.text
    problem = answer.json()
    assert problem["kind"] == "not-authorised"
    assert problem["rule"]
    assert problem["remedy"].startswith("Call ")
