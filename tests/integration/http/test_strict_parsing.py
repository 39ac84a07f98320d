"""Whatever stands in a field, the answer is below 500, has one shape and says what is wrong."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.integration.office import BETS, Answer, Client, Office

SQL = "'; DROP TABLE staff; --"
# Every body that anybody can send, whole and right.
BODIES: dict[str, dict[str, Any]] = {
    "/v1/session": {"number": "4001", "password": "not the right one", "bearer": True},
    "/v1/session/password": {"password": "not the right one", "new_password": "another long one"},
    "/v1/session/pin": {"password": "not the right one", "pin": "927461"},
    "/v1/invitations": {
        "number": "1001",
        "code": "ABCDEFGHJK",
        "password": "another long one",
        "pin": "927461",
    },
    "/v1/staff": {"number": "n1", "name": "New One", "role": "dealer"},
    "/v1/staff/1001/role": {"role": "dealer"},
    "/v1/staff/1001/card": {"card": "0123456789"},
    "/v1/proposals/none/rejection": {"reason": "because"},
    "/v1/systems": {
        "system": "s1",
        "option": 1,
        "seed_dollars": 10_000,
        "cost_cents": 500,
        "tables": ["T1"],
        "value_cents": 500_000_000,
        "reference": "old meter",
        "training": False,
    },
    "/v1/systems/s1/top-ups": {"amount_cents": 100, "reason": "because"},
    "/v1/tables": {"table": "T1", "game": "wsop", "seats": 9, **BETS},
    "/v1/tables/T1/closing": {"players_present": True},
    "/v1/tables/T1/tournament": {"on": True},
    "/v1/tables/T1/manual": {"reason": "because"},
    "/v1/tables/T1/manual/end": {"paper_rounds": 1, "paper_wagers": 7},
    "/v1/tables/T1/paper": {
        "line": "12-4",
        "seats": [1, 2],
        "cost_cents": 500,
        "paper": "sheet 12",
        "at": "2026-03-02T08:30:00.000000Z",
    },
    "/v1/tables/T1/paper/irregularities": {
        "round": "paper/T1/12-4",
        "case": "misdeal",
        "seats": [1],
        "joining": [2],
        "reason": "because",
        "paper": "sheet 12",
        "at": "2026-03-02T08:30:00.000000Z",
    },
    "/v1/rounds/a/1/1/paper": {
        "hands": [{"seat": 1, "hand": None, "cards": "", "folded": True}],
        "shared_cards": "",
        "case": "deck-wrong",
        "paper": "sheet 12",
        "at": "2026-03-02T08:30:00.000000Z",
    },
    "/v1/rounds/a/1/1/corrections": {
        "hands": [{"seat": 1, "hand": None, "cards": "", "folded": True}],
        "shared_cards": "",
        "admitted": [],
        "reason": "because",
    },
    "/v1/rounds/a/1/1/voids": {"reason": "because", "invalidated": "invalidated-fraud"},
    "/v1/prizes/a/1/1/1/top-ups": {"corrected_round": "a/1/1"},
    "/v1/prizes/a/1/1/1/determination": {"amount_cents": 1, "meter_seq": 1, "password": "x"},
    "/v1/prizes/a/1/1/1/withholding": {"reason": "because"},
    "/v1/prizes/a/1/1/1/payment": {"method": "cheque", "reference": "7"},
    "/v1/prizes/a/1/1/1/winner": {"name": "A", "identified_by": "card", "contact": "none"},
    "/v1/orders": {"rounds": ["a/1/1", "a/1/2"], "reason": "camera 12"},
    "/v1/notices": {
        "notice": "N1",
        "change": {"kind": "transfer-table", "table": "T1", "system": "s1"},
    },
    "/v1/notices/N1/displays": {"table": "T1", "reason": "because"},
    "/v1/notices/N1/action": {"offline_tables": ["T1"]},
}
# Written into the JSON as they stand; in no field of any body may one of them be taken.
NOWHERE = [
    *("NaN", "Infinity", "1e400", "1.5", "1.0", "-1", "9223372036854775808", str(10**400)),
    *('"\\u0000"', '"\\ud800"', '"a\\nb"', '"\\u202e"', '""', "{}", "[[]]", "null"),
    json.dumps("a" * 1_000),
    "[" * 30 + "]" * 30,
]
# An optional field may be null, and a secret may be any text.
MAY = {
    *(("pin", "null"), ("value_cents", "null"), ("reference", "null"), ("contact", "null")),
    *(("case", "null"), ("invalidated", "null"), ("shared_cards", '""')),
}


def _cases() -> Iterator[tuple[str, str]]:
    return ((path, field) for path, body in BODIES.items() for field in body)


@pytest.fixture(scope="module")
def people(office: Office) -> dict[str, Client]:
    """Signed in before this module uses up what one address may try."""
    manager = "assistant-casino-manager"
    people = {role: office.of_role(role) for role in ("administrator", manager, "inspector")}
    return {**people, "colleague": office.colleague(manager)}


@pytest.fixture
def person(people: dict[str, Client], path: str) -> Client:
    """Somebody who may ask for it, so that nothing is refused for the rank alone."""
    if path.startswith("/v1/staff"):
        return people["administrator"]
    # Two share the work: one account may ask only so often.
    return people["assistant-casino-manager" if len(path) % 2 else "colleague"]


@pytest.mark.parametrize(("path", "field"), list(_cases()))
def test_no_field_takes_what_is_not_of_its_kind(person: Client, path: str, field: str) -> None:
    for value in NOWHERE:
        answer = _send(person, path, field, value)
        if (field, value) not in MAY:
            assert answer.status in (400, 401, 404, 422, 429), (value, answer.text)
        _is_a_problem(answer)


@pytest.mark.parametrize(("path", "field"), list(_cases()))
def test_sql_in_a_field_is_text_or_refused(
    office: Office, person: Client, path: str, field: str
) -> None:
    _is_a_problem(_send(person, path, field, json.dumps(SQL)))
    with psycopg.connect(office.database_url) as connection:
        assert connection.execute("SELECT count(*) > 0 FROM staff").fetchone() == (True,)


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff\xfe", 400),
        (b'{"a":', 400),
        (b'{"on":true,"on":false}', 400),
        (b"[" * 100_000, 400),
        (b'"' + b"a" * 300_000 + b'"', 413),
        (b"[]", 422),
        (b"{}", 422),
        (b'{"unknown":1}', 422),
    ],
)
def test_a_body_that_is_not_one_is_told_so(
    person: Client, path: str, body: bytes, status: int
) -> None:
    answer = person.command(path, body)
    assert answer.status in (status, 429), answer.text
    _is_a_problem(answer)


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/tables/{'%27%3B%20DROP%20TABLE%20staff'}",
        "/v1/tables/%00",
        "/v1/tables/%ff",
        f"/v1/systems/{'a' * 5_000}",
        "/v1/proposals/..%2f..%2fetc",
        "/v1/staff/%F0%9F%92%A3",
    ],
)
def test_a_path_that_names_nothing_is_not_found(people: dict[str, Client], path: str) -> None:
    answer = people["inspector"].get(path)
    assert answer.status == 404
    _is_a_problem(answer)


def _send(person: Client, path: str, field: str, value: str) -> Answer:
    rest = {name: right for name, right in BODIES[path].items() if name != field}
    fields = [f"{json.dumps(name)}: {json.dumps(right)}" for name, right in rest.items()]
    fields.append(f"{json.dumps(field)}: {value}")
    return person.command(path, f"{{{', '.join(fields)}}}".encode())


def _is_a_problem(answer: Answer) -> None:
    assert answer.status < 500, answer.text
    if answer.status >= 400:
        problem = answer.json()
        assert answer.headers.get_content_type() == "application/problem+json"
        assert problem["status"] == answer.status
        assert problem["detail"].endswith((".", ")", "]"))
        assert problem["request_id"] == answer.headers["X-Request-ID"]
