"""`make run` comes with a floor, and the log-ins that it prints let people in."""

import re

import pytest

from deploy.demo.people import FIRST, OTHERS
from tests.acceptance.house import House
from tests.integration.office import Client

pytestmark = pytest.mark.timeout(400)


def test_everybody_who_is_named_can_sign_in_and_sees_the_floor(user_house: House) -> None:
    with user_house.make("run") as run:
        run.wait_until_running()
        said = run.everything_said()
        [password] = re.findall(r"Log-ins +password (\S+), PIN \d{6} for everybody", said)
        for person in (*FIRST, *OTHERS):
            assert f"{person.number}  {person.name}, {person.role}" in said
            signed_in = _sign_in(user_house.port, person.number, password)
            role = signed_in.get("/v1/session").json()["account"]["role"]["key"]
            assert role == person.role
        systems = signed_in.get("/v1/systems").json()["items"]

    assert [(one["system"], one["training"], one["value_cents"]) for one in systems] == [
        ("main", False, 20_000 * 500),
        ("practice", True, 20_000 * 500),
        ("premium", False, 20_000 * 1_000),
    ]
    assert [one["tables"] for one in systems] == [["T1", "T2", "T4"], ["P1"], ["T3", "T5"]]


def _sign_in(port: int, number: str, password: str) -> Client:
    body = {"number": number, "password": password, "bearer": True}
    begun = Client(port).post("/v1/session", body)
    assert begun.status == 201, begun.text
    return Client(port, begun.json()["token"])
