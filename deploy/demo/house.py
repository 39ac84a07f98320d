"""The whole house on one machine: which engines, in which order, and what is said meanwhile."""

import errno
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from deploy.demo import addresses, floor, processes, welcome
from deploy.demo.addresses import Addresses
from deploy.demo.errors import CannotRunError
from deploy.demo.folder import DataFolder
from deploy.demo.parts import clock, free_console, guide, life, parts, set_up
from deploy.demo.postgres import AUDITOR, SERVER, Postgres
from deploy.demo.redis import Redis
from deploy.demo.supervisor import Supervisor
from meter_server import settings
from meter_server.contract.signing_keys import new_signing_key
from meter_server.settings import Settings
from meter_server.storage.migrate import migrate
from signage import settings as signage
from signage.settings import Settings as SignageSettings

LOOPBACK = "127.0.0.1"
MIGRATION_WAIT_SECONDS = 30
INSTALLATION = "localhost/prize-meter"  # as receipts name the demo


def run(folder: DataFolder, console: Console, *, reset: bool, quiet: bool) -> None:
    """Until asked to stop. An engine whose address is in the environment is not ours to start.

    The tables of a floor of ours begin to play when everything else runs, unless it is ``quiet``.
    """
    postgres = None if os.environ.get("DATABASE_URL") else Postgres(folder)
    redis = None if os.environ.get("REDIS_URL") else Redis(folder)
    folder.create()
    with folder.held():
        processes.end_recorded(folder.processes)
        if reset:
            _erase(folder, postgres)
        chosen = _settings(folder, postgres, redis)
        os.environ.setdefault(signage.variable("folder"), str(folder.gateway))
        screens = _signage_settings()
        places = _addresses(chosen, screens)
        is_alive = postgres is not None and not quiet
        _require_free_ports(chosen, screens, places if is_alive else None)

        supervisor = Supervisor(folder.processes, console.print)
        supervisor.stop_on_signals()
        with supervisor.in_charge():
            _start_engines(supervisor, console, postgres, redis)
            with _step(console, "Bringing the database to this version"):
                migrate(_owner_url(chosen, postgres), MIGRATION_WAIT_SECONDS)
            with _step(console, "Starting the server, the worker and the signs"):
                own = parts(folder, chosen, screens)
                if is_alive:
                    own.append(
                        guide(folder, welcome.write_guide(folder, places), places.guide_port)
                    )
                supervisor.start(*own)
                # It would only take the others' time while they start.
                supervisor.start(clock(folder))
            if postgres is not None and not floor.is_set_up(folder):
                with _step(console, "Setting up a floor with people, tables and meters"):
                    supervisor.run_to_end(set_up(folder))
            welcome.show(
                console, places, folder, is_alive=is_alive, has_people=postgres is not None
            )
            if is_alive:
                yours = free_console(folder, floor.AGENT, places.console_port)
                supervisor.start(yours, life(folder))
            supervisor.watch()


def _erase(folder: DataFolder, postgres: Postgres | None) -> None:
    if postgres is None:
        raise CannotRunError(
            "RESET=1 erases only the embedded PostgreSQL, and DATABASE_URL names one of yours: "
            "empty that database yourself, or unset DATABASE_URL."
        )
    folder.erase()


def _settings(folder: DataFolder, postgres: Postgres | None, redis: Redis | None) -> Settings:
    """The parts read the same environment, so what is checked here is what they will use."""
    if postgres is not None:
        os.environ["DATABASE_URL"] = postgres.url(SERVER)
    if redis is not None:
        os.environ["REDIS_URL"] = redis.url
    key = folder.secret("signing-key", lambda: new_signing_key(INSTALLATION))
    os.environ.setdefault(settings.variable("signing_key_file"), str(key))
    os.environ.setdefault(settings.variable("checkpoint_folder"), str(folder.path / "checkpoints"))
    # Nobody has to open a sign in a browser before a table takes wagers.
    os.environ.setdefault(settings.variable("displays_confirmed_by_hand"), "true")
    if postgres is not None:
        _tell_auditors(folder, postgres)
    chosen = settings.load()
    if chosen.host == LOOPBACK and not chosen.insecure_cookies:
        # There is no TLS on this machine, and nothing leaves it.
        os.environ[settings.variable("insecure_cookies")] = "true"
        return settings.load()
    return chosen


def _tell_auditors(folder: DataFolder, postgres: Postgres) -> None:
    """Which settings 'meter-server export' takes, as the user of the database who only reads."""
    lines = {
        "DATABASE_URL": postgres.url(AUDITOR),
        "REDIS_URL": os.environ["REDIS_URL"],
        settings.variable("signing_key_file"): os.environ[settings.variable("signing_key_file")],
    }
    file = folder.path / "auditor.env"
    file.touch(mode=0o600)
    file.write_text("".join(f"{name}='{value}'\n" for name, value in lines.items()))


def _signage_settings() -> SignageSettings:
    try:
        return signage.load()
    except signage.SettingsError as error:
        raise CannotRunError(str(error)) from None


def _addresses(chosen: Settings, screens: SignageSettings) -> Addresses:
    return Addresses(
        server=f"http://{chosen.host}:{chosen.port}",
        worker=f"http://{chosen.host}:{chosen.worker_metrics_port}",
        signs=f"http://{screens.host}:{screens.port}",
        guide_port=addresses.port(addresses.GUIDE_PORT, 8460),
        console_port=addresses.port(addresses.CONSOLE_PORT, 8472),
    )


def _owner_url(chosen: Settings, postgres: Postgres | None) -> str:
    """Only the migration is told how the database's owner logs in."""
    if postgres is not None:
        return postgres.url()
    return (chosen.database_owner_url or chosen.database_url).get_secret_value()


def _require_free_ports(
    chosen: Settings, screens: SignageSettings, places: Addresses | None
) -> None:
    if places is not None:
        _require_free(LOOPBACK, places.guide_port, addresses.GUIDE_PORT, addresses.GUIDE_PORT)
        console_port = addresses.CONSOLE_PORT
        _require_free(LOOPBACK, places.console_port, console_port, console_port)
    own = settings.variable
    _require_free(chosen.host, chosen.port, own("host"), own("port"))
    _require_free(chosen.host, chosen.worker_metrics_port, own("host"), own("worker_metrics_port"))
    own = signage.variable
    _require_free(screens.host, screens.port, own("host"), own("port"))


def _require_free(host: str, port: int, host_variable: str, port_variable: str) -> None:
    try:
        with socket.create_server((host, port)):
            pass
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise CannotRunError(
                f"Cannot listen at {host} port {port} ({error.strerror}): choose "
                f"another with {host_variable} or {port_variable}."
            ) from None
        raise CannotRunError(
            f"Port {port} at {host} is in use: stop the program that uses it, or choose "
            f"another port with {port_variable}={port + 10} make run."
        ) from None


def _start_engines(
    supervisor: Supervisor, console: Console, postgres: Postgres | None, redis: Redis | None
) -> None:
    if postgres is None and redis is None:
        return
    names = [name for name, engine in (("PostgreSQL", postgres), ("Redis", redis)) if engine]
    with _step(console, f"Starting {' and '.join(names)}"):
        supervisor.start(*(engine.prepare() for engine in (postgres, redis) if engine))
        if postgres is not None:
            postgres.ensure_database()


@contextmanager
def _step(console: Console, what: str) -> Iterator[None]:
    began = time.monotonic()
    with console.status(f"{what} ...", spinner="line"):
        yield
    console.print(f"{what}: done in {time.monotonic() - began:.1f} s")
