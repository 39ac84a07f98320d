"""Many agents at two server processes: one order, nothing lost, nothing twice."""

import hashlib
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from table_agent.link import Answered
from tests.counts import count
from tests.integration import programs
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.office import Office
from tests.integration.office import office as open_office

AGENTS = 8
ROUNDS = count(reduced=10, full=200)


@pytest.fixture
def office(database_url: str, redis_url: str, tmp_path: Path) -> Iterator[Office]:
    env = programs.environment(database_url, redis_url, METER_SERVER_PROCESSES="2")
    with open_office(env, tmp_path / "server.log") as opened:
        yield opened


def _play(agent: Agent, cost: int, chance: random.Random) -> list[Answered]:
    """Rounds of one table; now and then the answer is lost on the way, and sent for again."""
    answers = []
    table = agent.identity.table
    for _ in range(ROUNDS):
        round_id = agent.next_round()
        messages = [
            agent.message(
                "register-wagers", round=round_id, table=table, seats=[1, 2], cost_cents=cost
            ),
            agent.message("record-outcome", round=round_id, hands=[], shared_cards="", case=None),
        ]
        for batch in [messages] if chance.random() < 0.5 else [[one] for one in messages]:
            if chance.random() < 0.3:
                agent.link.send(batch)
            answers += agent.link.send(batch)
    return answers


def test_every_message_is_recorded_once_in_one_order(office: Office, tmp_path: Path) -> None:
    tables = [open_table(office) for _ in range(AGENTS)]
    system, cost = open_system(office, tables)
    agents = [Agent.enrolled(office, tmp_path / t, unique("t"), t) for t in tables]
    for agent in agents:
        agent.sign_on()
    with ThreadPoolExecutor(AGENTS) as pool:
        playing = [
            pool.submit(_play, agent, cost, random.Random(number))  # noqa: S311 - a replayable run
            for number, agent in enumerate(agents)
        ]
        answers = [answer for one in playing for answer in one.result()]

    assert [one.answer["answer"] for one in answers] == ["accepted"] * (2 * AGENTS * ROUNDS)
    with psycopg.connect(office.database_url) as connection:
        rows = connection.execute(
            "SELECT seq, before_micros, after_micros, body, previous, hash FROM entry"
            " WHERE meter_id = %s ORDER BY seq",
            (system,),
        ).fetchall()
        unsigned = connection.execute(
            "SELECT count(*) FROM message WHERE key LIKE 'device:%%' AND request IS NULL"
        ).fetchone()
    assert [seq for seq, *_ in rows] == list(range(1, 2 + 2 * AGENTS * ROUNDS))
    previous, value = hashlib.sha256(f"prize-meter journal 1\n{system}".encode()).digest(), 0
    for _, before, after, body, stored_previous, stored_hash in rows:
        assert (before, stored_previous) == (value, previous)
        previous, value = hashlib.sha256(previous + body).digest(), after
        assert stored_hash == previous
    # seed x cost, and two wagers at 34.06 % of the cost for each round
    assert value == 10_000 * cost * 10_000 + AGENTS * ROUNDS * 2 * cost * 3406
    heads = {seq: stored_hash.hex() for seq, *_, stored_hash in rows}
    assert all(heads[one.receipt.meter_seq or 0] == one.receipt.head for one in answers)
    assert unsigned == (0,)
