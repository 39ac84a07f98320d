"""One measurement: a database, a server and a load of their own, and the books checked after it."""

import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from psycopg import sql

from deploy.demo.accounts import engine_account
from deploy.demo.folder import DataFolder
from deploy.demo.postgres import ROLE, Postgres
from deploy.demo.redis import Redis
from deploy.demo.supervisor import Supervisor
from meter_server.contract.notes import read_verifier_key
from tests.bench import processor
from tests.bench.books import METER, Sent, require_answered, require_right
from tests.bench.load import Load, drive
from tests.bench.rounds import signed_requests
from tests.integration.programs import (
    Environment,
    environment,
    free_port,
    get,
    migrate,
    wait_until,
)
from tests.laying_out import Device, lay_out, with_signing_key

AGENTS = 64


@dataclass(frozen=True)
class Part:
    """One measurement."""

    name: str
    title: str
    module: str
    arguments: tuple[str, ...]
    requests_each: int
    messages_each: int
    agents: int = AGENTS


PARTS = (
    Part("naive", "naive route", "tests.bench.naive", (), 22, 1),
    Part("single", "writer", "meter_server", ("serve",), 62, 1),
    Part("batched", "writer, 50 a request", "meter_server", ("serve",), 12, 50),
)
"""The naive route first: the others are compared with it."""


def measure(part: Part, postgres: Postgres, redis: Redis) -> Load:
    with _database(postgres, part.name) as url, tempfile.TemporaryDirectory() as folder:
        env, verifier_key = with_signing_key(_patient(url, redis.url), Path(folder))
        migrate(env)
        devices = lay_out(url, {METER: part.agents})
        with _serving(part, env, Path(folder) / "server.log") as server:
            load = _driven(server, devices, part)
        sent = Sent(part.agents, part.requests_each, part.messages_each)
        require_answered(load.answers, sent, read_verifier_key(verifier_key))
        require_right(url, sent)
    return load


def _patient(database_url: str, redis_url: str) -> Environment:
    """On the naive route 64 requests wait for ten connections, and those for one meter."""
    return environment(database_url, redis_url, METER_SERVER_DATABASE_WAIT_SECONDS="60")


@dataclass(frozen=True)
class _Server:
    port: int
    process: int


def _driven(server: _Server, devices: Sequence[Device], part: Part) -> Load:
    """In a process of its own, which signs everything first."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(_sign_and_drive, server, os.getpid(), devices, part).result()


def _sign_and_drive(server: _Server, bench: int, devices: Sequence[Device], part: Part) -> Load:
    requests = [
        signed_requests(device, part.requests_each, part.messages_each) for device in devices
    ]
    before = processor.taken(server.process, bench)
    load = drive(server.port, requests)
    return replace(load, processor=processor.taken(server.process, bench).since(before))


@contextmanager
def _serving(part: Part, env: Environment, log: Path) -> Iterator[_Server]:
    port = free_port()
    command = [sys.executable, "-m", part.module, *part.arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env={**env, "METER_SERVER_PORT": str(port)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: get(port, "/healthz/live").status == 200, 60)
        yield _Server(port, process.pid)
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def _database(postgres: Postgres, name: str) -> Iterator[str]:
    with postgres.connect() as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(ROLE)))
        yield postgres.url(database=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def engines() -> Iterator[tuple[Postgres, Redis]]:
    path = Path(tempfile.mkdtemp(prefix="prize-meter-bench-"))
    path.chmod(0o711)
    folder = DataFolder(path, engine_account())
    folder.create()
    postgres, redis = Postgres(folder), Redis(folder)
    supervisor = Supervisor(folder.processes, print)
    try:
        with supervisor.in_charge():
            supervisor.start(postgres.prepare(), redis.prepare())
            postgres.ensure_database()
            yield postgres, redis
    finally:
        shutil.rmtree(path)
