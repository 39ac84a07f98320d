"""Redis, the gateway and the server fail in turn; screens never go back, never show more than is
recorded, and are current again by themselves."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import redis

from meter_server.contract.frames import CHANNEL, KEY, Floor
from meter_server.feed.publisher import Publisher
from tests.counts import count
from tests.integration.conftest import Breakable
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.office import Office
from tests.integration.office import office as open_office
from tests.integration.office import people as create_people
from tests.integration.programs import Environment, free_port, get, migrate, run, wait_until
from tests.integration.programs import running as server_running
from tests.integration.signage.browsers import Browser, paired
from tests.integration.signage.gateways import Event, Gateway, enrolled, running
from tests.unit.signage.floors import floor, meter

RATE_BP = 3406  # option 1, seed 10,000: WSOP Table 2
FRESH_MS = 2_000  # I7


class Watched:
    """A screen that checks every event against what is recorded."""

    def __init__(self, gateway: Gateway, table: str, system: str) -> None:
        self._gateway, self._table, self._system = gateway, table, system
        self.values: list[int] = []
        self.ages_ms: list[int] = []
        self.orders: list[int] = []
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    @contextmanager
    def looking(self) -> Iterator["Watched"]:
        self._thread.start()
        try:
            yield self
        finally:
            self._stopped.set()
            self._thread.join(30)
            assert self.orders == sorted(self.orders), "a screen was sent an older frame"

    def _look(self) -> None:
        while not self._stopped.is_set():
            try:
                with self._gateway.stream(f"?table={self._table}") as events:
                    for event in events:
                        self._take(event)
                        if self._stopped.is_set():
                            return
            except OSError:
                time.sleep(0.1)

    def _take(self, event: Event) -> None:
        value = event.value_of(self._system)
        if value is not None:
            self.orders.append(event.said["order"])
            self.ages_ms.append(event.said["age_ms"])
            self.values.append(value)

    def shows(self, value: int, seconds: float = 10) -> None:
        wait_until(
            lambda: bool(self.values) and self.values[-1] == value and self.ages_ms[-1] < FRESH_MS,
            seconds,
        )


class House:
    """A floor of one table on engines that may be broken."""

    def __init__(self, office: Office, path: Path) -> None:
        self.table = open_table(office)
        self.system, self.cost = open_system(office, [self.table])
        self.agent = Agent.enrolled(office, path / "agent", unique("d"), self.table)
        self.agent.sign_on()
        self.wagers = 0

    @property
    def value(self) -> int:
        return 10_000 * self.cost * 10_000 + self.wagers * self.cost * RATE_BP

    def play(self) -> float:
        """A round with one wager; gives the seconds that its registration took."""
        began = time.monotonic()
        answer = self.register()
        took = time.monotonic() - began
        assert answer["answer"] == "accepted", answer
        self.end()
        return took

    def has_no_display(self) -> bool:
        """Whether a wager is refused for that, and for nothing else."""
        answer = self.register()
        if answer["answer"] == "accepted":
            self.end()
            return False
        assert (answer["kind"], answer["rule"]) == ("display-not-operating", "WSOP 9.1.1(k)")
        return True

    def register(self) -> dict[str, Any]:
        self._round = self.agent.next_round()
        told = self.agent.do(
            "register-wagers", table=self.table, round=self._round, seats=[1], cost_cents=self.cost
        )
        self.wagers += told.answer["answer"] == "accepted"
        return told.answer

    def end(self) -> None:
        done = self.agent.do(
            "record-outcome", round=self._round, hands=[], shared_cards="", case=None
        )
        assert done.answer["answer"] == "accepted"


@pytest.fixture
def office(breakable: Breakable, tmp_path: Path) -> Iterator[Office]:
    with open_office(breakable.env, tmp_path / "server.log") as opened:
        yield opened


@pytest.fixture
def house(office: Office, tmp_path: Path) -> House:
    return House(office, tmp_path)


@pytest.mark.timeout(180)
def test_redis_killed_frozen_and_emptied(
    breakable: Breakable, office: Office, house: House, tmp_path: Path
) -> None:
    """Wagers go on at their speed, and signs stay live: the gateway asks the server instead."""
    folder = tmp_path / "gateway"
    enrolled(office, folder)
    url = breakable.env["REDIS_URL"]
    with (
        running(folder, url) as gateway,
        Watched(gateway, house.table, house.system).looking() as screen,
    ):
        screen.shows(house.value)
        usual = max(house.play() for _ in range(3))
        screen.shows(house.value)

        breakable.redis.freeze()
        frozen = max(house.play() for _ in range(3))
        screen.shows(house.value)
        breakable.redis.thaw()
        house.play()
        screen.shows(house.value)

        with redis.Redis.from_url(url) as client:
            client.flushall()
            house.play()
            screen.shows(house.value)
            wait_until(lambda: client.exists(KEY) == 1, 5)

        breakable.redis.stop()
        killed = max(house.play() for _ in range(3))
        screen.shows(house.value)
        breakable.redis.start()
        house.play()
        screen.shows(house.value)
        assert max(screen.values) <= house.value
    # A wager never waits for a frame: far below the second that Redis is given to answer.
    assert frozen < usual + 0.9
    assert killed < usual + 0.9


@pytest.mark.timeout(180)
def test_a_killed_gateway_and_one_in_its_place(
    breakable: Breakable, office: Office, house: House, tmp_path: Path
) -> None:
    folder, port = tmp_path / "gateway", free_port()
    enrolled(office, folder)
    url = breakable.env["REDIS_URL"]
    with running(folder, url, port) as gateway:
        screen = Watched(gateway, house.table, house.system)
        with screen.looking():
            house.play()
            screen.shows(house.value)
            os.kill(gateway.process.pid, signal.SIGKILL)
            gateway.process.wait()
            house.play()
            with running(folder, url, port):
                screen.shows(house.value, 15)


@pytest.mark.timeout(240)
def test_a_server_killed_between_the_commit_and_the_frame(
    breakable: Breakable, tmp_path: Path
) -> None:
    """What was recorded and never published is shown once a server runs again."""
    key, port = tmp_path / "key", free_port()
    env = {
        **breakable.env,
        "METER_SERVER_PORT": str(port),
        "METER_SERVER_SIGNING_KEY_FILE": str(key),
    }
    folder, url = tmp_path / "gateway", breakable.env["REDIS_URL"]
    migrate(env)
    create_people(env["DATABASE_URL"])
    assert run(env, "keys", "create", "casino.example/prize-meter", str(key)).returncode == 0
    with serving_at(env, port, tmp_path / "first.log") as server:
        office = Office(port, env["DATABASE_URL"])
        house = House(office, tmp_path)
        enrolled(office, folder)
        with (
            running(folder, url) as gateway,
            Watched(gateway, house.table, house.system).looking() as screen,
        ):
            screen.shows(house.value)
            before = house.value
            breakable.redis.freeze()  # nothing can be published any more
            house.play()
            kill_with_children(server)
            breakable.redis.thaw()
            time.sleep(2)
            assert screen.values[-1] in (before, house.value)
            with serving_at(env, port, tmp_path / "second.log"):
                screen.shows(house.value, 15)


@contextmanager
def serving_at(env: Environment, port: int, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with server_running(env, log, "serve") as process:
        wait_until(lambda: get(port, "/healthz/live").status == 200, 60)
        yield process


def kill_with_children(process: "subprocess.Popen[bytes]") -> None:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for pid in (process.pid, *map(int, children)):
        os.kill(pid, signal.SIGKILL)
    process.wait()


def test_frames_replayed_out_of_order_never_turn_a_screen_back(
    breakable: Breakable, tmp_path: Path
) -> None:
    """By one subscription that lasts: nothing is kept in Redis, so a frame missed is not seen."""
    floors = {n: floor(n, meters=[meter(value_micros=n * 1_000, seq=n)]) for n in range(1, 30)}
    url = breakable.env["REDIS_URL"]  # its own: other servers' frames would come in between
    with (
        redis.Redis.from_url(url) as client,
        running(tmp_path / "gateway", url) as gateway,
        gateway.stream() as events,
    ):
        wait_until(lambda: client.pubsub_numsub(CHANNEL) == [(CHANNEL.encode(), 1)], 20)
        for n in (5, 3, 9, 1, 9, 8, 12, 2):
            client.publish(CHANNEL, floors[n].model_dump_json())
            time.sleep(0.25)
        client.publish(CHANNEL, "no frame at all")
        client.publish(CHANNEL, floors[29].model_dump_json())
        seen: list[int] = []
        while 29_000 not in seen:
            value = next(events).value_of("M")
            if value is not None:
                seen.append(value)
    assert seen == sorted(seen)
    assert set(seen) == {5_000, 9_000, 12_000, 29_000}


def test_redis_keeps_the_highest_of_several_servers(redis_url: str) -> None:
    reads: list[Floor] = [floor(7), floor(6), floor(7), floor(8)]
    with redis.Redis.from_url(redis_url) as client:
        feed = Publisher(lambda: reads.pop(0), client)
        assert [feed.publish() for _ in range(4)] == [True, False, True, True]
        assert client.hget(KEY, "order") == b"8"


@pytest.mark.rule("SGN-1")
@pytest.mark.timeout(240)
def test_the_loss_of_redis_closes_no_table(breakable: Breakable, tmp_path: Path) -> None:
    """A sign's word reaches the server without Redis, and only that word keeps a table open."""
    signs_speak = {**breakable.env, "METER_SERVER_DISPLAYS_CONFIRMED_BY_HAND": "false"}
    folder = tmp_path / "gateway"
    with open_office(signs_speak, tmp_path / "server.log") as office:
        house = House(office, tmp_path)
        enrolled(office, folder)
        wait_until(house.has_no_display, 10)
        with running(folder, breakable.env["REDIS_URL"]) as gateway:
            sign = Browser.opened(gateway)
            name = paired(office, sign, layout="sign", table=house.table)
            with reporting(lambda: sign.shows(house.system, 1)):
                wait_until(lambda: not house.has_no_display(), 10)
                breakable.redis.stop()
                heard = last_heard(office, name)
                wait_until(lambda: last_heard(office, name) > heard, 10)
                time.sleep(count(0, 35))  # longer than a silent sign keeps its table open
                house.play()


def last_heard(office: Office, screen: str) -> datetime:
    seen = office.of_role("area-manager").get(f"/v1/screens/{screen}").json()
    return datetime.fromisoformat(seen["seen_at"])


@contextmanager
def reporting(report: Callable[[], None]) -> Iterator[None]:
    """Once a second, meanwhile."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(1):
            report()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(30)
