"""The web server as a real process, asked over a real socket."""

import json
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import psycopg

from meter_server.storage.migrate import known_migrations
from tests.integration.programs import (
    Environment,
    free_port,
    get,
    migrate,
    run,
    running,
    serving,
    wait_until,
)


def test_the_health_page_shows_every_part_in_words(env: Environment, log: Path) -> None:
    migrate(env)
    with serving(env, log) as port:
        page = get(port, "/health")

    assert page.status == 200
    assert page.headers.get_content_type() == "text/html"
    text = " ".join(re.sub(r"<[^>]+>", " ", page.body).split())
    assert "In service, but not everything works" in text
    assert "Database Working PostgreSQL 18 answers, and flushes to disk what it commits." in text
    assert f"Schema Working The latest migration is {known_migrations()[-1].id}." in text
    assert "Redis Working Redis answers." in text
    assert "Worker Failing No worker has given a sign of life yet:" in text


def test_every_answer_has_a_request_id_and_trusts_nobody_else(env: Environment, log: Path) -> None:
    with serving(env, log) as port:
        front = get(port, "/")
        answers = [
            front,
            *(get(port, path) for path in ("/health", "/healthz/live", "/metrics", "/nothing")),
        ]
        kept = get(port, "/healthz/live", X_Request_ID="from-the-proxy.1")
        replaced = get(port, "/healthz/live", X_Request_ID="a line\tand more")

    assert (front.status, front.headers["Location"]) == (302, "/health")
    for answer in answers:
        assert answer.headers["X-Request-ID"]
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
    assert len({answer.headers["X-Request-ID"] for answer in answers}) == len(answers)
    assert kept.headers["X-Request-ID"] == "from-the-proxy.1"
    assert re.fullmatch("[0-9a-f]{32}", replaced.headers["X-Request-ID"])


def test_errors_are_problems(env: Environment, log: Path) -> None:
    with serving(env, log) as port:
        missing, wrong_method = get(port, "/nothing"), get(port, "/health", method="DELETE")

    assert missing.status == 404
    assert missing.headers.get_content_type() == "application/problem+json"
    assert missing.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is nothing at /nothing.",
        "request_id": missing.headers["X-Request-ID"],
    }
    assert wrong_method.status == 405
    assert wrong_method.json()["detail"] == "DELETE is not allowed at /health."
    assert set(wrong_method.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_an_old_schema_is_not_ready_and_says_what_to_run(env: Environment, log: Path) -> None:
    with serving(env, log) as port:
        before = get(port, "/healthz/ready")
        migrate(env)
        after = get(port, "/healthz/ready")

    assert before.status == 503
    assert before.json()["status"] == "not ready"
    assert before.json()["reason"] == (
        "Migration 0001-heartbeat is missing: run 'meter-server migrate'."
    )
    assert (after.status, after.json()["status"]) == (200, "degraded")  # no worker yet


def test_a_database_that_could_lose_commits_is_refused(
    env: Environment, database_url: str, log: Path
) -> None:
    migrate(env)
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', "
            "current_database()); END$$"
        )
    with serving(env, log) as port:
        answer = get(port, "/healthz/ready")

    assert answer.status == 503
    assert answer.json()["reason"].startswith("The database cannot be used")
    assert (
        "could lose what it acknowledges (synchronous_commit is off, fsync is on)"
        in log.read_text()
    )


def test_the_log_is_json_with_the_request_id_and_without_secrets(
    env: Environment, database_url: str, log: Path
) -> None:
    with serving(env, log) as port:
        get(port, "/nothing", X_Request_ID="find-me")

    lines = [json.loads(line) for line in log.read_text().splitlines()]
    [line] = [line for line in lines if line.get("request_id") == "find-me"]
    assert line["event"] == "request"
    assert (line["method"], line["path"], line["status"]) == ("GET", "/nothing", 404)
    password = psycopg.conninfo.conninfo_to_dict(database_url)["password"]
    assert str(password) not in log.read_text()


def test_sigterm_finishes_the_request_in_hand(env: Environment, log: Path) -> None:
    """The request waits for a lock that the test holds while the server is told to stop."""
    migrate(env)
    port = free_port()
    answers: list[int] = []
    with (
        running({**env, "METER_SERVER_PORT": str(port)}, log, "serve") as server,
        psycopg.connect(env["DATABASE_URL"]) as connection,
    ):
        wait_until(lambda: get(port, "/healthz/ready").status == 200, 60)
        connection.execute("LOCK TABLE heartbeat")
        request = threading.Thread(
            target=lambda: answers.append(get(port, "/healthz/ready").status), daemon=True
        )
        request.start()
        _wait_for_somebody_to_wait_for_the_lock(connection)
        server.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert not answers
        connection.rollback()
        request.join(10)
        assert server.wait(10) == 0

    assert answers == [200]


def test_a_process_that_dies_is_replaced(env: Environment, log: Path) -> None:
    port = free_port()
    with running({**env, "METER_SERVER_PORT": str(port)}, log, "serve") as server:
        wait_until(lambda: get(port, "/healthz/live").status == 200, 60)
        [child] = _children(server)
        subprocess.run(["kill", "-9", str(child)], check=True)
        wait_until(lambda: _children(server) not in ([], [child]), 20)
        wait_until(lambda: get(port, "/healthz/live").status == 200, 60)


def test_nothing_is_left_when_the_server_is_killed(env: Environment, log: Path) -> None:
    port = free_port()
    with running({**env, "METER_SERVER_PORT": str(port)}, log, "serve") as server:
        wait_until(lambda: get(port, "/healthz/live").status == 200, 60)
        [child] = _children(server)
        server.kill()
        server.wait()
        wait_until(lambda: not Path(f"/proc/{child}").exists(), 10)


def test_a_port_in_use_is_one_sentence(env: Environment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = run({**env, "METER_SERVER_PORT": str(port)}, "serve")

    assert ended.returncode == 2
    assert ended.stderr == (
        f"meter-server: Cannot listen on 127.0.0.1:{port} (Address already in use): stop what "
        "uses it, or set METER_SERVER_HOST or METER_SERVER_PORT.\n"
    )


def _children(process: subprocess.Popen[bytes]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in children.split()]


def _wait_for_somebody_to_wait_for_the_lock(connection: psycopg.Connection) -> None:
    waiting = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"
    wait_until(lambda: connection.execute(waiting).fetchone() == (True,), 10)
