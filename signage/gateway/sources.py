"""Where floors come from: Redis, and the server itself while Redis is silent."""

import asyncio
from collections.abc import Callable

import structlog
from pydantic import ValidationError
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from meter_server.contract.frames import CHANNEL, KEPT_MS, KEY, Floor
from signage.gateway.hub import Hub

ASK_SECONDS = 1.0
AGAIN_SECONDS = 0.5
DEAD_SECONDS = 5.0
SILENCE_SECONDS = 1.5
"""Without a floor for so long, the server itself is asked: it tells Redis every second."""

_log = structlog.get_logger(__name__)


class Unreached(Exception):  # noqa: N818 - the server did not answer
    """Why, in a sentence."""


async def listen(hub: Hub, redis: Redis) -> None:
    """For ever: one subscription, begun again whenever Redis was away."""
    said = ""
    while True:
        try:
            async with redis.pubsub() as subscription:
                await subscription.subscribe(CHANNEL)
                await _take_kept(hub, redis)
                if said:
                    _log.info("frames come from Redis again")
                    said = ""
                await _take_told(hub, subscription)
        except (RedisError, OSError) as error:
            if not said:
                said = str(error)
                _log.warning("no frames from Redis", reason=said)
        await asyncio.sleep(AGAIN_SECONDS)


async def _take_told(hub: Hub, subscription: PubSub) -> None:
    """Until nothing came for long: a floor comes every second, so the line may be dead.

    Redis' word that we are subscribed comes first. It must not be ignored by the client, which
    would give None for it, as for silence.
    """
    while (message := await subscription.get_message(timeout=DEAD_SECONDS)) is not None:
        if message["type"] == "message":
            _take(hub, message["data"])


async def _take_kept(hub: Hub, redis: Redis) -> None:
    """The last floor, whose remaining time tells its age by no clock but Redis' own."""
    async with redis.pipeline(transaction=True) as both:
        both.hget(KEY, "floor")
        both.pttl(KEY)
        kept, left_ms = await both.execute()
    if kept is not None and left_ms > 0:
        _take(hub, kept, (KEPT_MS - left_ms) / 1000)


def _take(hub: Hub, written: bytes, age_seconds: float = 0) -> None:
    try:
        hub.take(Floor.model_validate_json(written), age_seconds)
    except ValidationError as error:
        _log.error("a frame that is none", reason=str(error))


async def ask(hub: Hub, fetch: Callable[[], Floor]) -> None:
    """For ever: while nothing else brings frames, ask the server once a second."""
    said = ""
    ours = 0.0
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(ASK_SECONDS)
        if hub.heard_at != ours and hub.silent_seconds < SILENCE_SECONDS:
            continue
        began = loop.time()
        try:
            floor = await asyncio.to_thread(fetch)
        except Unreached as error:
            if str(error) != said:
                said = str(error)
                _log.warning("no frames from the server", reason=said)
            continue
        said = ""
        hub.take(floor, loop.time() - began)
        ours = hub.heard_at
