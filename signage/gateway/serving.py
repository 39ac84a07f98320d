"""The gateway's process: one event loop, one port, one subscription."""

import asyncio
import gc
import resource
import signal
from concurrent.futures import ThreadPoolExecutor

import structlog
from redis.asyncio import Redis

from meter_server.contract.device.identity import Folder
from signage.device import fetch_floor, report
from signage.gateway import reporting, sources
from signage.gateway.app import create_app
from signage.gateway.http import Connection, answering
from signage.gateway.hub import Hub
from signage.gateway.metrics import FRAME_DELAY
from signage.gateway.screens import Screens
from signage.settings import PROGRAM, Settings

PAGE_THREADS = 4
WAITING_MAX = 4096
"""Connections not yet accepted: every screen comes back at once after a restart."""

_log = structlog.get_logger(__name__)


def run(settings: Settings) -> None:
    _allow_many_sockets()
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    hub = Hub(on_sent=FRAME_DELAY.observe)
    screens = Screens(settings.folder / "roster.json")
    answer = answering(create_app(hub, screens, settings), ThreadPoolExecutor(PAGE_THREADS))
    server = await loop.create_server(
        lambda: Connection(hub, screens, answer), settings.host, settings.port, backlog=WAITING_MAX
    )
    folder = Folder(settings.folder, PROGRAM)
    tasks = [
        loop.create_task(hub.beat()),
        loop.create_task(sources.ask(hub, lambda: fetch_floor(folder))),
        loop.create_task(reporting.forward(screens, lambda batch: report(folder, batch))),
    ]
    if settings.redis_url is not None:
        redis = Redis.from_url(
            settings.redis_url.get_secret_value(), socket_connect_timeout=2, socket_timeout=None
        )
        tasks.append(loop.create_task(sources.listen(hub, redis)))
    # A search for garbage among what stays for good takes longer than telling 500 screens.
    gc.freeze()
    _log.info("serving screens", host=settings.host, port=settings.port)
    await asyncio.wait(
        [*tasks, loop.create_task(stopped.wait())], return_when=asyncio.FIRST_COMPLETED
    )
    server.close()
    for task in tasks:
        if task.done():
            task.result()  # they never end by themselves: what stopped one is told


def _allow_many_sockets() -> None:
    """Each screen is an open file, and the usual limit is a thousand."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
