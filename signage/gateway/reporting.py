"""Brings to the server what screens report, and back who they are."""

import asyncio
import time
from collections.abc import Callable

import structlog

from meter_server.contract.displays import Batch, Roster
from signage.gateway.screens import Screens
from signage.gateway.sources import Unreached

PAUSE_SECONDS = 1.0
REST_SECONDS = 5.0
"""Without any news, so often: a screen may have been given another part."""
BATCHES_MAX = 20
"""In one go, so that a server that is slow to answer is not asked without a pause."""

_log = structlog.get_logger(__name__)

Forward = Callable[[Batch], Roster]


async def forward(screens: Screens, send: Forward) -> None:
    """For ever: once a second, in as many batches as it takes; what is not heard is said again."""
    said, last = "", float("-inf")
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        if not screens.has_news and time.monotonic() - last < REST_SECONDS:
            continue
        try:
            await say_all(screens, send)
        except Unreached as error:
            if str(error) != said:
                said = str(error)
                _log.warning("the server does not hear what screens show", reason=said)
            continue
        said, last = "", time.monotonic()


async def say_all(screens: Screens, send: Forward) -> None:
    """Everything that screens have reported so far; what comes meanwhile has its own turn."""
    for _ in range(BATCHES_MAX):
        batch = screens.batch()
        try:
            screens.take(await asyncio.to_thread(send, batch))
        except Unreached:
            screens.not_heard(batch)
            raise
        if not screens.has_reports:
            return
