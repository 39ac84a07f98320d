"""An engine goes away and comes back; the server says which one, and recovers by itself."""

from pathlib import Path

from tests.integration.conftest import Breakable
from tests.integration.programs import Answer, get, migrate, serving, wait_until

DATABASE_FAILS = "The database cannot be used: the server's log and 'meter-server status' say why."


def test_postgres_gone_is_not_ready_and_recovers(breakable: Breakable, log: Path) -> None:
    migrate(breakable.env)
    with serving(breakable.env, log) as port:
        assert get(port, "/healthz/ready").status == 200

        breakable.postgres.stop()
        gone = get(port, "/healthz/ready")
        assert gone.status == 503
        assert _states(gone) == {
            "Database": "failing",
            "Schema": "unknown",
            "Redis": "working",
            "Worker": "unknown",
        }
        # Whoever reaches the port hears what, and only the log tells where and why.
        assert gone.json()["reason"] == DATABASE_FAILS
        assert "socket" not in get(port, "/health").body
        assert "start PostgreSQL or correct DATABASE_URL." in log.read_text()
        assert get(port, "/healthz/live").status == 200
        assert "Out of service" in get(port, "/health").body

        breakable.postgres.start()
        wait_until(lambda: get(port, "/healthz/ready").status == 200, 10)


def test_frozen_postgres_is_answered_for_in_bounded_time(breakable: Breakable, log: Path) -> None:
    migrate(breakable.env)
    with serving(breakable.env, log) as port:
        assert get(port, "/healthz/ready").status == 200
        breakable.postgres.freeze()
        try:
            frozen = get(port, "/healthz/ready")  # would raise after 20 s
        finally:
            breakable.postgres.thaw()
        assert frozen.status == 503
        assert frozen.json()["reason"] == DATABASE_FAILS
        assert "(connection timeout expired)" in log.read_text()
        wait_until(lambda: get(port, "/healthz/ready").status == 200, 10)


def test_redis_gone_degrades_what_is_not_money(breakable: Breakable, log: Path) -> None:
    """Redis holds nothing that matters alone: a proxy must go on sending tables here."""
    migrate(breakable.env)
    with serving(breakable.env, log) as port:
        assert _states(get(port, "/healthz/ready"))["Redis"] == "working"

        breakable.redis.stop()
        gone = get(port, "/healthz/ready")
        assert (gone.status, gone.json()["status"]) == (200, "degraded")
        assert _states(gone)["Redis"] == "failing"
        assert _states(gone)["Database"] == "working"
        assert gone.json()["reason"].startswith("Redis does not answer")

        breakable.redis.start()
        wait_until(lambda: _states(get(port, "/healthz/ready"))["Redis"] == "working", 10)


def test_frozen_redis_is_answered_for_in_bounded_time(breakable: Breakable, log: Path) -> None:
    with serving(breakable.env, log) as port:
        breakable.redis.freeze()
        try:
            frozen = get(port, "/healthz/ready")
        finally:
            breakable.redis.thaw()
        assert _states(frozen)["Redis"] == "failing"


def _states(answer: Answer) -> dict[str, str]:
    return {part["part"]: part["state"] for part in answer.json()["parts"]}
