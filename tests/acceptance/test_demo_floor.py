"""`make run` comes with a floor, and the log-ins that it prints let people in."""

import json
import re
from urllib.request import urlopen

import pytest

from deploy.demo.people import FIRST, OTHERS
from tests.acceptance.house import House
from tests.integration.office import Client
from tests.integration.programs import get, wait_until

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

    found = {one["system"]: one for one in systems}
    assert {name: (one["training"], one["cost_cents"]) for name, one in found.items()} == {
        "grand": (False, 2_500),
        "main": (False, 500),
        "practice": (True, 500),
        "premium": (False, 1_000),
    }
    assert all(one["value_cents"] >= 20_000 * one["cost_cents"] for one in systems)
    assert found["main"]["tables"] == ["T1", "T2", "T4"]
    # A notice of the demo moves T7 there and back.
    assert {*found["grand"]["tables"], *found["premium"]["tables"]} == {"T3", "T5", "T6", "T7"}


def test_the_signs_that_are_named_show_the_floor(user_house: House) -> None:
    with user_house.make("run") as run:
        run.wait_until_running()
        gateway = f"http://127.0.0.1:{user_house.signage_port}"
        assert f"Signs        {gateway}/sign/T1 (so for each table), {gateway}/board" in (
            run.everything_said()
        )
        wait_until(lambda: get(user_house.signage_port, "/healthz/ready").status == 200, 60)
        for page in ("/sign/T1", "/sign/P1", "/board"):
            assert get(user_house.signage_port, page).status == 200
        stream = f"{gateway}/v1/stream?table=T3"
        with urlopen(stream, timeout=20) as opened:  # noqa: S310 - http, our own
            told = next(line for line in opened if line.startswith(b"data: "))
    shown = json.loads(told.removeprefix(b"data: "))
    assert [one["value_micros"] >= 20_000 * 10_000_000 for one in shown["meters"]] == [True]
    assert shown["table"]["game"] == "ultimate"


def _sign_in(port: int, number: str, password: str) -> Client:
    body = {"number": number, "password": password, "bearer": True}
    begun = Client(port).post("/v1/session", body)
    assert begun.status == 201, begun.text
    return Client(port, begun.json()["token"])
