"""The way endpoints are declared: what is parsed, what is refused, and what is documented."""

import json
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import Field

from meter_server.http import headers, problems, requests
from meter_server.http.api import endpoints, openapi
from meter_server.http.api.bodies import BYTES_MAX, DEPTH_MAX
from meter_server.http.api.endpoints import Family
from meter_server.http.api.guards import ANYBODY, Anybody
from meter_server.http.api.models import Name, Page, PageQuery, Shown, Strict, Text
from tests.unit.http import nowhere

family = Family("shelves", "Things on shelves")


class Thing(Strict):
    seats: int = Field(ge=1, le=9)
    note: Text
    inside: list[Any] = Field(default=[])


class Placed(Shown):
    shelf: str
    seats: int
    note: str


@family.post(
    "/v1/shelves/<shelf>/things",
    ANYBODY,
    "Put a thing on a shelf.",
    status=HTTPStatus.CREATED,
    refuses=[HTTPStatus.CONFLICT],
)
def put(caller: Anybody, shelf: Name, body: Thing) -> Placed:
    assert isinstance(caller, Anybody)
    return Placed(shelf=shelf, seats=body.seats, note=body.note)


@family.get("/v1/shelves", ANYBODY, "List the shelves.")
def shelves(caller: Anybody, query: PageQuery) -> Page[Placed]:
    assert isinstance(caller, Anybody)
    return Page[Placed](items=[], next=f"{query.after}-{query.limit}")


@family.delete("/v1/shelves/<shelf>", ANYBODY, "Take a shelf away.")
def remove(caller: Anybody, shelf: Name) -> None:
    assert isinstance(caller, Anybody)
    assert shelf


@pytest.fixture
def client() -> FlaskClient:
    app = Flask(__name__)
    for part in (requests, headers, problems):
        part.install(app)
    endpoints.install(app, [family], nowhere.parts())
    return app.test_client()


def _post(client: FlaskClient, body: bytes, content_type: str = "application/json") -> Any:
    return client.post("/v1/shelves/top/things", data=body, content_type=content_type)


def test_what_fits_the_types_is_parsed_and_answered(client: FlaskClient) -> None:
    placed = _post(client, b'{"seats": 7, "note": "of g\xc3\xbcn"}')
    assert (placed.status_code, placed.get_json()) == (
        201,
        {"shelf": "top", "seats": 7, "note": "of gün"},
    )
    page = client.get("/v1/shelves?after=a&limit=3")
    assert (page.status_code, page.get_json()) == (200, {"items": [], "next": "a-3"})
    assert client.delete("/v1/shelves/top").status_code == 204


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        (b"", 400, "The body is not JSON (EOF while parsing a value at line 1 column 0)."),
        (b"{", 400, "The body is not JSON (EOF while parsing an object at line 1 column 1)."),
        (b'{"seats":1,"seats":2}', 400, 'Detected duplicate key "seats"'),
        (b'{"seats":1.0,"note":"a"}', 400, "A number is not a whole one"),
        (b'{"seats":1e400,"note":"a"}', 400, "A number is not a whole one"),
        (b'{"seats":NaN}', 400, "The body is not JSON"),
        (b'{"seats":-Infinity}', 400, "The body is not JSON"),
        (b'{"seats":9007199254740992}', 400, "beyond 9007199254740991"),
        (b'{"note":"\xff"}', 400, "The body is not JSON"),
        (b'{"note":"\\ud800"}', 400, "The body is not JSON"),
        (b'{"note":"\\u0000"}', 400, "A text holds the character zero."),
        (b'{"a\\u0000":1}', 400, "A text holds the character zero."),
        (b'{"inside":' + b"[" * DEPTH_MAX + b"]" * DEPTH_MAX + b"}", 400, "more than 20 deep"),
        (b"[" * 100_000, 400, "The body is not JSON (recursion limit exceeded"),
        (b'{"note":"' + b"a" * BYTES_MAX + b'"}', 413, "exceeds the capacity limit"),
        (b"[]", 422, "The body: should be an object."),
        (b'{"note":"a"}', 422, "'seats' is missing."),
        (b'{"seats":"1","note":"a"}', 422, "'seats': should be a valid integer."),
        (b'{"seats":true,"note":"a"}', 422, "'seats': should be a valid integer."),
        (b'{"seats":0,"note":"a"}', 422, "'seats': should be greater than or equal to 1."),
        (b'{"seats":1,"note":""}', 422, "'note': string should have at least 1 character."),
        (b'{"seats":1,"note":"a\\nb"}', 422, "'note': it holds characters that cannot be printed"),
        (b'{"seats":1,"note":"a","more":1}', 422, "'more' is not a field here: leave it out."),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(
    client: FlaskClient, body: bytes, status: int, detail: str
) -> None:
    answer = _post(client, body)
    assert answer.content_type == "application/problem+json"
    assert (answer.status_code, answer.get_json()["status"]) == (status, status)
    assert detail in answer.get_json()["detail"]
    assert answer.get_json()["request_id"] == answer.headers["X-Request-ID"]


def test_a_refusal_never_repeats_what_was_sent(client: FlaskClient) -> None:
    answer = _post(client, b'{"seats":"my secret","note":"a"}')
    assert "my secret" not in answer.text


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_says_that_it_is_json(client: FlaskClient, kind: str) -> None:
    answer = _post(client, b'{"seats":1,"note":"a"}', kind)
    assert answer.status_code == 415
    assert answer.get_json()["detail"].startswith("Send the body as JSON")


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("limit=0", "'limit': should be greater than or equal to 1."),
        ("limit=201", "'limit': should be less than or equal to 200."),
        ("limit=a", "'limit': should be a valid integer"),
        ("limit=1&limit=2", "'limit' is given 2 times."),
        ("more=1", "'more' is not a field here: leave it out."),
        ("after='%3B--", "'after': use up to 40 letters, digits, dots, dashes and underscores."),
    ],
)
def test_questions_are_as_strict(client: FlaskClient, query: str, detail: str) -> None:
    answer = client.get(f"/v1/shelves?{query}")
    assert answer.status_code == 422
    assert detail in answer.get_json()["detail"]


@pytest.mark.parametrize("shelf", ["a b", "%00", "'; DROP TABLE staff", "a" * 41, "ü"])
def test_a_name_that_cannot_be_is_not_found(client: FlaskClient, shelf: str) -> None:
    assert client.delete(f"/v1/shelves/{shelf}").status_code == 404


def test_the_document_says_what_is_declared() -> None:
    written = openapi.document([family], {})
    assert json.loads(json.dumps(written)) == written
    put_operation = written["paths"]["/v1/shelves/{shelf}/things"]["post"]
    assert sorted(put_operation["responses"]) == [
        *("201", "400", "404", "409", "413", "415", "422", "429", "503")
    ]
    assert put_operation["requestBody"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/Thing"
    }
    assert written["components"]["schemas"]["Thing"]["additionalProperties"] is False
    listing = written["paths"]["/v1/shelves"]["get"]
    assert [(one["name"], one["required"]) for one in listing["parameters"]] == [
        ("after", False),
        ("limit", False),
    ]
    assert "204" in written["paths"]["/v1/shelves/{shelf}"]["delete"]["responses"]
