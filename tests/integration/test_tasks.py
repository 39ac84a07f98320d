"""Worker and beat as real processes over a real Redis, through restarts and kills."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis
from celery import Celery

from tests.integration.conftest import Breakable
from tests.integration.programs import (
    Environment,
    free_port,
    get,
    migrate,
    run,
    running,
    wait_until,
)

# What Celery keeps in Redis: the queue, and the messages that were taken but not acknowledged.
QUEUE, TAKEN = "celery", "unacked"


def test_beat_and_worker_write_the_heartbeat(env: Environment, log: Path) -> None:
    migrate(env)
    with working(env, log), running(env, log, "beat"):
        wait_until(lambda: len(_heartbeats(env)) == 1, 20)
        first = _heartbeats(env)
        wait_until(lambda: _heartbeats(env) > first, 20)

    assert len(_heartbeats(env)) == 1  # the same row, later
    assert _complaints(log) == []


def test_a_task_of_a_killed_worker_is_done_by_the_next_one(env: Environment, log: Path) -> None:
    """The task hangs at a lock when its worker is killed; only redelivery can finish it."""
    migrate(env)
    env = {**env, "METER_SERVER_TASK_REDELIVERY_SECONDS": "1"}
    queue = redis.Redis.from_url(env["REDIS_URL"])
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        connection.execute("LOCK TABLE heartbeat")
        with working(env, log) as worker:
            _send_heartbeat(env)
            waiting = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"
            wait_until(lambda: connection.execute(waiting).fetchone() == (True,), 20)
            worker.kill()
            worker.wait()
        # The database would finish the dead worker's statement: end it as a cut cable would.
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert _heartbeats(env) == []
    assert queue.hlen(TAKEN) == 1

    with working(env, log):
        wait_until(lambda: len(_heartbeats(env)) == 1, 60)
        wait_until(lambda: queue.hlen(TAKEN) == 0, 10)
    assert queue.llen(QUEUE) == 0
    queue.close()


def test_a_task_delivered_twice_has_one_effect(env: Environment, log: Path) -> None:
    migrate(env)
    with working(env, log):
        _send_heartbeat(env, task_id="the-same")
        wait_until(lambda: len(_heartbeats(env)) == 1, 20)
        first = _heartbeats(env)
        _send_heartbeat(env, task_id="the-same")
        wait_until(lambda: _heartbeats(env) > first, 20)

    assert len(_heartbeats(env)) == 1


def test_worker_and_beat_outlive_a_restart_of_redis(breakable: Breakable, log: Path) -> None:
    env = breakable.env
    migrate(env)
    with working(env, log), running(env, log, "beat"):
        wait_until(lambda: len(_heartbeats(env)) == 1, 20)
        breakable.redis.stop()
        breakable.redis.start()
        after_restart = _heartbeats(env)
        wait_until(lambda: _heartbeats(env) > after_restart, 45)


def test_worker_and_beat_outlive_a_restart_of_postgres(breakable: Breakable, log: Path) -> None:
    env = breakable.env
    migrate(env)
    with working(env, log), running(env, log, "beat"):
        wait_until(lambda: len(_heartbeats(env)) == 1, 20)
        breakable.postgres.stop()
        _send_heartbeat(env)  # must fail in one line, without a traceback
        wait_until(lambda: "StorageError" in log.read_text(), 20)
        breakable.postgres.start()
        after_restart = _heartbeats(env)
        wait_until(lambda: _heartbeats(env) > after_restart, 45)

    assert "Traceback" not in log.read_text()


def test_worker_and_beat_start_before_redis_does(breakable: Breakable, log: Path) -> None:
    env = breakable.env
    migrate(env)
    breakable.redis.stop()
    with working(env, log), running(env, log, "beat"):
        wait_until(lambda: "Cannot connect" in log.read_text(), 20)
        breakable.redis.start()
        wait_until(lambda: len(_heartbeats(env)) == 1, 45)


def test_a_message_that_is_not_json_is_not_run(env: Environment, log: Path) -> None:
    migrate(env)
    with working(env, log), redis.Redis.from_url(env["REDIS_URL"]) as queue:
        _send_heartbeat(env)
        wait_until(lambda: len(_heartbeats(env)) == 1, 20)
        before = _heartbeats(env)
        _send_heartbeat(env, serializer="pickle")
        wait_until(lambda: "ContentDisallowed" in log.read_text(), 20)
        assert _heartbeats(env) == before
        _send_heartbeat(env)
        wait_until(lambda: _heartbeats(env) > before, 20)
        assert queue.llen(QUEUE) == 0


def test_the_worker_answers_for_its_tasks(env: Environment, log: Path) -> None:
    migrate(env)
    port = free_port()
    with working(env, log, port):
        _send_heartbeat(env)
        counted = 'meter_server_task_seconds_count{outcome="done",task="heartbeat"} 1.0'
        wait_until(lambda: counted in get(port, "/metrics").body, 20)


def test_a_metrics_port_in_use_is_one_sentence(env: Environment, log: Path) -> None:
    port = free_port()
    with working(env, log, port):
        wait_until(lambda: get(port, "/metrics").status == 200, 20)
        ended = run({**env, "METER_SERVER_WORKER_METRICS_PORT": str(port)}, "worker")

    assert ended.returncode == 2
    assert ended.stderr.startswith(f"meter-server: Cannot listen on 127.0.0.1:{port} (")


@contextmanager
def working(
    env: Environment, log: Path, metrics_port: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker until the end of the block."""
    port = str(metrics_port or free_port())
    with running({**env, "METER_SERVER_WORKER_METRICS_PORT": port}, log, "worker") as worker:
        yield worker


def _heartbeats(env: Environment) -> list[tuple[object, ...]]:
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        return connection.execute("SELECT worker, beat_at FROM heartbeat").fetchall()


def _send_heartbeat(env: Environment, serializer: str = "json", task_id: str | None = None) -> None:
    """Put the task into the queue as beat does, but without an expiry."""
    with Celery(broker=env["REDIS_URL"], set_as_current=False) as celery:
        celery.send_task("heartbeat", serializer=serializer, task_id=task_id, ignore_result=True)


def _complaints(log: Path) -> list[str]:
    lines = [line for line in log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if json.loads(line)["level"] in {"error", "critical"}]
