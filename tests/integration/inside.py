"""The server inside the test's own process: the real parts on a real socket, started at once.

Whatever the test brings (a clock, readings) stands in for the machine's; nothing else is replaced.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from werkzeug.serving import WSGIRequestHandler, make_server

from meter_server import bootstrap
from meter_server.contract.signing_keys import new_signing_key
from meter_server.http.app import create_app
from meter_server.http.forwarded import networks
from meter_server.settings import Settings
from meter_server.storage.migrate import migrate
from tests.integration.office import COLLEAGUES, PASSWORD, PIN, QUICK, ROLES, Office


class _Silent(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 (werkzeug's name)
        pass


@contextmanager
def listening(application: Any) -> Iterator[int]:
    """Serve a WSGI application on a port of this machine until the end of the block."""
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=_Silent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def settings(database_url: str, redis_url: str, folder: Path, **more: Any) -> Settings:
    """With a signing key of its own."""
    key = folder / "signing-key"
    if not key.exists():
        key.touch(mode=0o600)
        key.write_text(new_signing_key("casino.example/prize-meter"), encoding="utf-8")
    return Settings.model_validate(
        {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "signing_key_file": key,
            "checkpoint_folder": folder / "checkpoints",
            "displays_confirmed_by_hand": True,
            **more,
        }
    )


@contextmanager
def office_inside(
    database_url: str, redis_url: str, folder: Path, proxies: str = ""
) -> Iterator[Office]:
    """A server with two persons of each role."""
    migrate(database_url, wait_seconds=0)
    people = {number: role for each in (ROLES, COLLEAGUES) for role, number in each.items()}
    add_people(database_url, people)
    loaded = settings(database_url, redis_url, folder)
    opened = bootstrap.database(loaded)
    opened.open()
    try:
        parts = bootstrap.web_parts(loaded, opened)
        parts.watch.start()
        app = create_app(bootstrap.health_check(loaded), "0", parts, networks(proxies))
        with listening(app) as port:
            yield Office(port, database_url)
    finally:
        opened.close()


def add_people(database_url: str, people: dict[str, str]) -> None:
    """By staff number, with their roles; all have the one password and PIN."""
    hashed, pin_hashed = QUICK.hash(PASSWORD), QUICK.hash(PIN)
    with psycopg.connect(database_url) as connection:
        for number, role in people.items():
            connection.execute(
                "INSERT INTO staff"
                " (number, name, role_key, state, created_at, password_hash, pin_hash)"
                " VALUES (%s, %s, %s, 'active', 'epoch', %s, %s)",
                (number, f"The {role}", role, hashed, pin_hashed),
            )
