"""A wager that was recorded reaches a screen, by Redis or without it."""

from itertools import islice, pairwise
from pathlib import Path

import pytest
import redis

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from meter_server.contract.frames import KEY
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.office import Office
from tests.integration.programs import free_port, get, wait_until
from tests.integration.signage.gateways import enrolled, running, signage

RATE_BP = 3406  # option 1, seed 10,000: WSOP Table 2


@pytest.fixture
def floor(office: Office, tmp_path: Path) -> tuple[Agent, str, int]:
    """A table in a system of its own, with its agent and a dealer signed on."""
    table = open_table(office)
    system, cost = open_system(office, [table])
    agent = Agent.enrolled(office, tmp_path / "agent", unique("d"), table)
    agent.sign_on()
    assert agent.do("report-gates", table=table, failing=[]).answer["answer"] == "accepted"
    return agent, system, cost


def wager(agent: Agent, cost: int, *seats: int) -> None:
    table, played = agent.identity.table, agent.next_round()
    registered = agent.do(
        "register-wagers", table=table, round=played, seats=list(seats), cost_cents=cost
    )
    assert registered.answer["answer"] == "accepted", registered.answer
    assert (
        agent.do("record-outcome", round=played, hands=[], shared_cards="", case=None).answer[
            "answer"
        ]
        == "accepted"
    )


def value_after(cost: int, wagers: int) -> int:
    """Seed x cost and the increment of each wager, in millionths (MET-2)."""
    return 10_000 * cost * 10_000 + wagers * cost * RATE_BP


@pytest.mark.parametrize("with_redis", [True, False])
def test_a_recorded_wager_reaches_the_sign(
    office: Office,
    engines: tuple[Postgres, Redis],
    tmp_path: Path,
    floor: tuple[Agent, str, int],
    with_redis: bool,
) -> None:
    agent, system, cost = floor
    folder = tmp_path / "gateway"
    enrolled(office, folder)
    with (
        running(folder, engines[1].url if with_redis else None) as gateway,
        gateway.stream(f"?table={agent.identity.table}") as events,
    ):
        first = next(event for event in events if event.kind == "floor")
        assert first.value_of(system) == value_after(cost, 0)
        assert first.said["table"]["table"] == agent.identity.table
        wager(agent, cost, 1, 5)
        shown = next(e for e in events if (e.value_of(system) or 0) > value_after(cost, 0))
        assert shown.value_of(system) == value_after(cost, 2)
        assert shown.said["age_ms"] < 2_000  # I7


def test_a_screen_hears_every_second_also_when_nothing_moves(
    office: Office, engines: tuple[Postgres, Redis], tmp_path: Path
) -> None:
    folder = tmp_path / "gateway"
    enrolled(office, folder)
    with running(folder, engines[1].url) as gateway, gateway.stream() as events:
        heard = [event.said for event in islice(events, 6) if event.kind != "waiting"]
        gaps = [b["sent_ms"] - a["sent_ms"] for a, b in pairwise(heard)]
        assert max(gaps) < 2_000
        assert {event["order"] for event in heard} != set()


def test_a_page_a_check_and_the_metrics_are_answered(
    office: Office, engines: tuple[Postgres, Redis], tmp_path: Path
) -> None:
    folder = tmp_path / "gateway"
    enrolled(office, folder)
    with running(folder, engines[1].url) as gateway:
        wait_until(lambda: get(gateway.port, "/healthz/ready").status == 200, 10)
        page = get(gateway.port, "/")
        assert page.status == 200
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        with gateway.stream() as events:
            next(events)
            metrics = get(gateway.port, "/metrics").body
        assert "signage_screens 1.0" in metrics
        assert "signage_stale_screens 0.0" in metrics
        lost = get(gateway.port, "/nothing/here", Accept="text/html")
        assert lost.status == 404
        assert 'http-equiv="refresh"' in lost.body  # begins again by itself
        wait_until(lambda: "signage_screens 0.0" in get(gateway.port, "/metrics").body, 5)
        told = signage(folder, "status", SIGNAGE_PORT=str(gateway.port))
        assert told.returncode == 0, told.stderr
        assert "Screens: 0, not current: 0. Values " in told.stdout


@pytest.mark.usefixtures("office")
def test_redis_keeps_the_latest_floor(engines: tuple[Postgres, Redis]) -> None:
    with redis.Redis.from_url(engines[1].url) as client:
        wait_until(lambda: client.exists(KEY) == 1, 5)
        client.flushall()
        wait_until(lambda: client.exists(KEY) == 1, 5)  # made anew within a second or two
        assert 0 < int(client.pttl(KEY)) <= 30_000


def test_the_commands_say_what_is_missing(office: Office, tmp_path: Path) -> None:
    folder, server = tmp_path / "none", f"http://127.0.0.1:{office.port}"
    unknown = signage(folder, "status")
    assert unknown.returncode == 1
    assert "use 'signage enrol NAME' with a one-time code" in unknown.stderr
    wrong = signage(folder, "enrol", "gw", "--server", server, "--code", "AAAA")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("signage: ")
    misspelt = signage(folder, "status", SIGNAGE_PROT="1")
    assert (misspelt.returncode, misspelt.stderr) == (
        2,
        "signage: SIGNAGE_PROT is not a setting; did you mean SIGNAGE_PORT?\n",
    )
    enrolled(office, folder)
    nobody = signage(folder, "status", SIGNAGE_PORT=str(free_port()))
    assert nobody.returncode == 1
    assert "Nothing serves screens here: use 'signage serve'." in nobody.stdout
