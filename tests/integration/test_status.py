"""``meter-server status`` asks real engines."""

import json
import re

import psycopg

from tests.integration.programs import Environment, environment, free_port, migrate, run


def test_all_is_well(env: Environment) -> None:
    migrate(env)
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        connection.execute("INSERT INTO heartbeat (worker) VALUES ('worker@somewhere')")

    shown, read = run(env, "status"), run(env, "status", "--json")

    assert (shown.returncode, read.returncode) == (0, 0)
    assert "The system is ready." in shown.stdout
    assert "worker@somewhere" in shown.stdout
    answer = json.loads(read.stdout)
    assert answer["status"] == "ready"
    assert [part["state"] for part in answer["parts"]] == ["working"] * 4


def test_a_silent_worker_is_told(env: Environment) -> None:
    migrate(env)
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        connection.execute("INSERT INTO heartbeat VALUES ('w', now() - interval '600 s')")

    ended = run(env, "status", "--json")

    assert ended.returncode == 1
    assert re.match("The last sign of life came 6.. s ago: see", json.loads(ended.stdout)["reason"])


def test_nothing_answers() -> None:
    nowhere = environment(
        f"postgresql://meter:a-password@127.0.0.1:{free_port()}/meter",
        f"redis://:a-password@127.0.0.1:{free_port()}/0",
    )

    ended = run(nowhere, "status", "--json")

    assert ended.returncode == 1
    states = {part["part"]: part["state"] for part in json.loads(ended.stdout)["parts"]}
    assert states == {
        "Database": "failing",
        "Schema": "unknown",
        "Redis": "failing",
        "Worker": "unknown",
    }
    assert "a-password" not in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
