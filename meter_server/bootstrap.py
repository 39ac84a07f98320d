"""Joins the real parts. Everything else receives what it needs as an argument.

Each function imports what it joins: a worker needs no web server, and a web server no worker.
"""

import os
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from meter_server import failpoints, logs, settings
from meter_server.domain.money import parse_dollars
from meter_server.domain.rulebook.readings import HOUR_US, Readings
from meter_server.errors import SettingsError
from meter_server.health.check import HealthCheck
from meter_server.settings import ReadingSettings, Settings
from meter_server.storage.database import Database

if TYPE_CHECKING:
    from celery import Celery

    from meter_server.access.desk import Clock, Desk
    from meter_server.contract.notes import Signer, VerifierKey
    from meter_server.feed.publisher import Publisher
    from meter_server.http.api.parts import Parts
    from meter_server.http.front import Front
    from meter_server.watching.checkpoint_log import CheckpointLog
    from meter_server.watching.gates import Gates
    from meter_server.watching.watch import Watch

PACKAGE = "prize-meter"


def start() -> Settings:
    """Read the settings and set up the log, as every program does first."""
    loaded = settings.load()
    logs.configure(loaded.log_level, loaded.log_format)
    return loaded


def database(loaded: Settings) -> Database:
    """Make the pool of database connections, not opened yet."""
    return Database(
        loaded.database_url.get_secret_value(),
        connections_min=loaded.database_connections_min,
        connections_max=loaded.database_connections_max,
        wait_seconds=loaded.database_wait_seconds,
    )


def desk(loaded: Settings, opened: Database, clock: "Clock | None" = None) -> "Desk":
    """Make what lets people in, around an open pool."""
    from meter_server.access.desk import Desk
    from meter_server.access.hashing import Hasher
    from meter_server.clock import SteadyClock

    return Desk(
        database=opened,
        clock=clock or SteadyClock(),
        hasher=Hasher(),
        session_idle=timedelta(minutes=loaded.session_idle_minutes),
        session_max=timedelta(hours=loaded.session_hours_max),
        card_key=loaded.card_key.get_secret_value().encode() if loaded.card_key else None,
    )


def signer(loaded: Settings) -> "Signer | None":
    """Read the installation's own key, or say what is wrong with it."""
    from meter_server.contract.signing_keys import read_signing_key

    file = loaded.signing_key_file
    if file is None:
        return None
    try:
        if file.stat().st_mode & 0o077:
            raise SettingsError(f"{file} can be read by others than its owner: chmod 600 {file}.")
        return read_signing_key(file.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror
    except ValueError as error:
        reason = str(error)
    raise SettingsError(f"The signing key in {file} cannot be used: {reason}.")


def checkpoint_log(loaded: Settings, key: "VerifierKey") -> "CheckpointLog":
    """Make the folder of the log outside the database, or say why it cannot be."""
    from meter_server.watching.checkpoint_log import CheckpointLog

    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = loaded.checkpoint_folder or home / "prize-meter" / "checkpoints"
    log = CheckpointLog(folder / f"{key.id.hex()}.log", key)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with log.held():
            return log
    except OSError as error:
        raise SettingsError(
            f"The log of checkpoints cannot be kept in {folder} ({error.strerror}): name another "
            f"folder with {settings.variable('checkpoint_folder')}."
        ) from None


def readings(loaded: ReadingSettings) -> Readings:
    """Read the rules as this installation has chosen to."""
    return Readings(
        split_basis=loaded.split_basis,
        payable_unit_micros=parse_dollars(loaded.payable_unit_dollars),
        scope=loaded.scope,
        terms_notice_us=loaded.terms_notice_hours * HOUR_US,
    )


def health_check(loaded: Settings) -> HealthCheck:
    """Make the check of all parts."""
    return HealthCheck(database(loaded), _redis(loaded))


def _redis(loaded: Settings) -> Redis:
    return Redis.from_url(
        loaded.redis_url.get_secret_value(),
        socket_timeout=1,
        socket_connect_timeout=1,
        retry=Retry(NoBackoff(), 1),  # one more try: the first finds out that the link is gone
    )


def _feed(loaded: Settings, opened: Database, gates: "Gates") -> "Publisher":
    """Make what brings frames to Redis, not started yet."""
    from meter_server.feed.publisher import Publisher
    from meter_server.http import frames

    at_once = loaded.amounts_before_determination
    return Publisher(
        lambda: frames.floor(opened, readings(loaded), gates.failing_at, amounts_at_once=at_once),
        _redis(loaded),
    )


def web_application() -> "Front":
    """Make the web application of one server process."""
    from meter_server.http.app import create_app
    from meter_server.http.forwarded import networks
    from meter_server.http.front import Front
    from meter_server.http.straight import Straight
    from meter_server.metrics import counts

    loaded = start()
    counts.forget_dead_processes()
    failpoints.arm()
    opened = database(loaded)
    opened.open()
    parts = web_parts(loaded, opened)
    parts.watch.start()
    parts.feed.start()
    proxies = networks(loaded.trusted_proxies)
    application = create_app(health_check(loaded), version(PACKAGE), parts, proxies)
    return Front(application, Straight(parts), proxies)


def web_parts(loaded: Settings, opened: Database, clock: "Clock | None" = None) -> "Parts":
    """Make what the endpoints work with, around an open pool and the machine's clock or another."""
    from meter_server.access import devices, staffing
    from meter_server.http import corrections, manual, notices, systems
    from meter_server.http.api.limits import RateLimits
    from meter_server.http.api.parts import Parts
    from meter_server.http.arrivals import Arrivals
    from meter_server.metrics.writing import counted, waiting
    from meter_server.recording.door import Door
    from meter_server.recording.writer import Writer
    from meter_server.storage.floor import PostgresFloor
    from meter_server.watching import displays
    from meter_server.watching.writing import watched

    at_the_desk, own_key = desk(loaded, opened, clock), signer(loaded)
    watch = _watch(loaded, at_the_desk, own_key)
    gates = watch.gates
    chosen = readings(loaded)
    door = Door(PostgresFloor(opened), at_the_desk.clock, chosen, gates.failing_at_the_door)
    arrivals = Arrivals()
    step = counted(watched(door.step, gates, watch.make_checkpoint))
    writer = Writer(step, when_told=arrivals.ring)
    feed = _feed(loaded, opened, gates)
    submit = waiting(feed.ringing(writer.submit))
    watch.also(displays.looking(at_the_desk, gates, submit))
    return Parts(
        desk=at_the_desk,
        submit=submit,
        send=writer.send,
        arrivals=arrivals,
        watch=watch,
        feed=feed,
        handlers={
            **staffing.handlers(at_the_desk),
            **devices.handlers(at_the_desk),
            **systems.handlers(submit),
            **corrections.handlers(submit),
            **manual.handlers(submit),
            **notices.handlers(submit),
        },
        signer=own_key,
        keys=devices.keys_asked_together(at_the_desk, arrivals.ring),
        limits=RateLimits(loaded.redis_url.get_secret_value()),
        readings=chosen,
        secure_cookies=not loaded.insecure_cookies,
    )


def _watch(loaded: Settings, at_the_desk: "Desk", own_key: "Signer | None") -> "Watch":
    """Not started yet. Without a signing key there is nothing to sign and no agent to answer."""
    from meter_server.watching.checkpointer import Checkpointer
    from meter_server.watching.gates import Gates
    from meter_server.watching.watch import Watch

    gates = Gates(displays_confirmed=loaded.displays_confirmed_by_hand)
    database, clock = at_the_desk.database, at_the_desk.clock
    checkpointer = None
    if own_key is not None:
        log = checkpoint_log(loaded, own_key.verifier)
        checkpointer = Checkpointer(database, clock, own_key, log)
    return Watch(database, at_the_desk.now, gates, checkpointer)


def task_application(loaded: Settings, for_tasks: Database) -> "Celery":
    """Make the Celery application around the database that its tasks use."""
    from meter_server.recording.door import Door
    from meter_server.storage.floor import PostgresFloor
    from meter_server.tasks.app import create_celery
    from meter_server.watching.book_check import BookCheck
    from meter_server.watching.displays import forget_old
    from meter_server.watching.schedule import act_on_due

    kept = timedelta(days=loaded.displays_kept_days)
    redis_url, own_key = loaded.redis_url.get_secret_value(), signer(loaded)
    at_the_desk = desk(loaded, for_tasks)
    door = Door(PostgresFloor(for_tasks), at_the_desk.clock, readings(loaded))
    keys = [] if own_key is None else [own_key.verifier]
    return create_celery(
        redis_url,
        loaded.task_redelivery_seconds,
        for_tasks,
        lambda: act_on_due(at_the_desk, readings(loaded), door.step),
        BookCheck(for_tasks, at_the_desk.now, keys),
        lambda: forget_old(for_tasks, at_the_desk.now(), kept),
    )
