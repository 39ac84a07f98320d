"""More than the server can keep up with: whoever cannot be heard is told when to come again."""

import json
import selectors
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from tests.bench.rounds import signed_requests
from tests.integration.programs import Environment, get, migrate, serving, wait_until
from tests.laying_out import Device, lay_out, with_signing_key

AGENTS = 64
TIMES = 10
"""For each process: ten times what a floor of so many agents sends at once."""
SECONDS_MAX = 60


class House(NamedTuple):
    port: int
    processes: int
    devices: Sequence[Device]
    database_url: str


class Reply(NamedTuple):
    status: int
    retry_after: str | None
    body: bytes


@pytest.fixture(params=[1, 2], ids=["one process", "two processes"])
def house(request: pytest.FixtureRequest, env: Environment, tmp_path: Path) -> Iterator[House]:
    migrate(env)
    own, _ = with_signing_key(env, tmp_path)
    devices = lay_out(env["DATABASE_URL"], {"hot": AGENTS})
    own = {**own, "METER_SERVER_PROCESSES": str(request.param)}
    with serving(own, tmp_path / "server.log") as port:
        yield House(port, request.param, devices, env["DATABASE_URL"])


@pytest.mark.timeout(240)
def test_ten_times_the_load_is_told_to_come_again_and_nothing_is_lost(house: House) -> None:
    """Every agent sends its first message again and again, while nothing can be recorded."""
    firsts = [signed_requests(device, 1, 1)[0] for device in house.devices]
    with ExitStack() as opened:
        with held_meter(house.database_url):
            links = [
                opened.enter_context(sent(house.port, first))
                for first in firsts * TIMES * house.processes
            ]
            # The queue of each process holds 256, and the batch that waits for the meter some.
            wait_until(lambda: len(answered(links)) > AGENTS, SECONDS_MAX)
            early = [reply(link) for link in answered(links)]
            assert get(house.port, "/healthz/live").status == 200
        late = [reply(link) for link in links if link.fileno() >= 0]
    assert {(one.status, one.retry_after) for one in early} == {(503, "2")}
    assert {one.status for one in late} <= {200, 503}
    assert any(one.status == 200 for one in late)
    require_recorded_once(house, firsts)


@pytest.mark.timeout(240)
def test_clients_that_never_finish_keep_nobody_from_being_heard(house: House) -> None:
    """Half of a head, half of a body, and a reply that nobody reads."""
    firsts = [signed_requests(device, 1, 1)[0] for device in house.devices]
    head, _, _ = firsts[0].partition(b"\r\n\r\n")
    halves = [head[:40], firsts[0][:-10], firsts[0]] * AGENTS
    with ExitStack() as opened:
        for half in halves:
            opened.enter_context(sent(house.port, half))
        require_recorded_once(house, firsts)


def require_recorded_once(house: House, firsts: Sequence[bytes]) -> None:
    for first in firsts:
        with sent(house.port, first) as link:
            again = reply(link)
        assert again.status == 200, again.body
        assert json.loads(again.body)["answers"][0]["answer"]["answer"] == "accepted"
    with psycopg.connect(house.database_url) as connection:
        entries = connection.execute("SELECT kind, count(*) FROM entry GROUP BY kind").fetchall()
    assert dict(entries) == {"opening": 1, "credit": AGENTS}


@contextmanager
def held_meter(database_url: str) -> Iterator[None]:
    """As a long commit of another server would: nobody gets further until it ends."""
    with psycopg.connect(database_url) as connection:
        connection.execute("SELECT 1 FROM meter FOR UPDATE")
        yield


@contextmanager
def sent(port: int, request: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), SECONDS_MAX) as link:
        link.sendall(request)
        yield link


def answered(links: Sequence[socket.socket]) -> list[socket.socket]:
    """Those that have something to read by now."""
    with selectors.DefaultSelector() as selector:
        for link in links:
            selector.register(link, selectors.EVENT_READ, link)
        return [key.data for key, _ in selector.select(0)]


def reply(link: socket.socket) -> Reply:
    """Read it, and hang up."""
    with link, HTTPResponse(link) as response:
        response.begin()
        return Reply(response.status, response.getheader("Retry-After"), response.read())
