"""``meter-server staff create-first``, typed as on the server's own machine."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.integration.programs import Environment, environment, run

PASSWORD = "four words make passwords"  # noqa: S105 - of this test only


@pytest.fixture
def server(server_url: str, redis_url: str) -> Environment:
    """The environment of the server itself, which is not the database's owner."""
    return environment(server_url, redis_url)


def _create(env: Environment, file: Path, *arguments: str) -> tuple[int, str]:
    file.write_text(f"{PASSWORD}\n")
    ended = run(env, "staff", "create-first", *arguments, "--password-file", str(file))
    assert "Traceback" not in ended.stderr
    assert PASSWORD not in ended.stdout + ended.stderr
    return ended.returncode, ended.stdout + ended.stderr


def test_a_house_gets_its_first_people(
    server: Environment, tmp_path: Path, database_url: str
) -> None:
    file = tmp_path / "password"

    alone = _create(server, file, "9001", "Ada Admin")
    manager = _create(server, file, "4001", "Max Manager", "--role", "assistant-casino-manager")
    administrator = _create(server, file, "9001", "Ada Admin")
    late = _create(server, file, "9002", "Eve Late")

    assert alone[0] == 2
    assert alone[1] == (
        "meter-server: An administrator alone could have nothing confirmed. [house control] "
        "Create a TG Assistant Casino Manager first, with --role assistant-casino-manager.\n"
    )
    assert manager == (0, "Created 4001, Max Manager, TG Assistant Casino Manager.\n")
    assert administrator == (0, "Created 9001, Ada Admin, Administrator.\n")
    assert late[0] == 2
    assert late[1] == (
        "meter-server: There is an administrator already, so new accounts take two persons. "
        "[house control] Let the administrator propose the account and a colleague confirm it.\n"
    )
    with psycopg.connect(database_url) as connection:
        trail = connection.execute(
            "SELECT tag, subject, allowed FROM audit_trail ORDER BY id"
        ).fetchall()
        hashes = connection.execute("SELECT password_hash FROM staff").fetchall()
    tag = "machine:account:create-first"
    assert trail == [
        (tag, "9001", False),
        (tag, "4001", True),
        (tag, "9001", True),
        (tag, "9002", False),
    ]
    # The library's own costs, which are those of RFC 9106 for little memory.
    assert {hashed.rsplit("$", 2)[0] for (hashed,) in hashes} == {"$argon2id$v=19$m=65536,t=3,p=4"}


def test_a_poor_password_or_none_is_refused_with_a_sentence(
    server: Environment, tmp_path: Path
) -> None:
    file = tmp_path / "password"
    for password in ("", "short", "aaaaaaaaaaaaaaaa"):
        file.write_text(password)
        ended = run(server, "staff", "create-first", "9001", "Ada", "--password-file", str(file))
        assert ended.returncode == 2
        assert ended.stderr.startswith(("meter-server: A password has", "meter-server: That pass"))
        assert ended.stderr.count("\n") == 1


def test_before_the_migration_it_says_what_is_missing(env: Environment, tmp_path: Path) -> None:
    code, told = _create(env, tmp_path / "password", "9001", "Ada")
    assert code == 1
    assert told.startswith("meter-server: The database ")
    assert told.count("\n") == 1


def test_the_password_is_asked_for_on_the_terminal_and_not_shown(server: Environment) -> None:
    role = ("--role", "assistant-casino-manager")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "meter_server", "staff", "create-first", "4001", "Max", *role],
        env=server,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    try:
        for _ in range(2):
            while not shown.endswith(b": "):
                shown += os.read(ours, 1000)
            os.write(ours, f"{PASSWORD}\n".encode())
            shown += os.read(ours, 1000)
        assert process.wait(30) == 0
        shown += os.read(ours, 1000)
    finally:
        process.kill()
        os.close(ours)
    assert b"Password of 4001" in shown
    assert b"Created 4001, Max, TG Assistant Casino Manager." in shown
    assert PASSWORD.encode() not in shown
