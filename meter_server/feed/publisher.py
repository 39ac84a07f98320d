"""Frames to Redis: after each commit, and every second also when nothing moved.

A thread of its own reads the floor and tells Redis. Whoever records a wager only rings a bell, so
neither a slow read nor an absent Redis can delay or fail one. What is lost between a commit and its
frame (a kill, a Redis that was emptied) is made good by the next read, within a second.
"""

import threading
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import structlog
from redis import Redis

from meter_server.contract.frames import CHANNEL, KEPT_MS, KEY, Floor

PAUSE_SECONDS = 0.2
"""Between two reads at least: five frames a second, however many wagers."""
REST_SECONDS = 1.0
"""Between two reads at most."""

# Only a floor that is not older than the one Redis has. Several servers tell Redis of their reads,
# and the slower one must not turn the signs back.
_KEEP_HIGHEST = """
local known = redis.call('HGET', KEYS[1], 'order')
if known and tonumber(known) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'order', ARGV[1], 'floor', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[2])
return 1
"""

Asked = ParamSpec("Asked")
Answered = TypeVar("Answered")

_log = structlog.get_logger(__name__)


class Publisher:
    def __init__(self, read: Callable[[], Floor], redis: Redis) -> None:
        self.read = read
        """The floor as signs show it, now."""
        self._keep_highest = redis.register_script(_KEEP_HIGHEST)
        self._bell = threading.Event()
        self._stopped = False
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)

    def start(self) -> None:
        """After the process has forked."""
        self._thread.start()

    def ringing(self, submit: Callable[Asked, Answered]) -> Callable[Asked, Answered]:
        """The same function, that tells us when something was committed; it waits for nothing."""

        def submit_and_ring(*args: Asked.args, **kwargs: Asked.kwargs) -> Answered:
            answered = submit(*args, **kwargs)
            self.ring()
            return answered

        return submit_and_ring

    def ring(self) -> None:
        """Something was committed."""
        self._bell.set()

    def stop(self) -> None:
        self._stopped = True
        self._bell.set()
        self._thread.join()

    def publish(self) -> bool:
        """Read once and tell Redis; False where Redis knows a later floor."""
        floor = self.read()
        arguments = (floor.order, floor.model_dump_json(), KEPT_MS, CHANNEL)
        return bool(self._keep_highest(keys=[KEY], args=arguments))

    def _run(self) -> None:
        while not self._stopped:
            self._bell.clear()
            began = time.monotonic()
            self._try()
            self._bell.wait(REST_SECONDS - (time.monotonic() - began))
            time.sleep(max(PAUSE_SECONDS - (time.monotonic() - began), 0))

    def _try(self) -> None:
        """Signs mark themselves as not current when nothing comes; here it is said once."""
        try:
            self.publish()
            trouble = ""
        except Exception as error:  # noqa: BLE001 - whatever it was, the next read may succeed
            trouble = str(error)
        if trouble and not self._trouble:
            _log.warning("signs get no frames from here", reason=trouble)
        elif self._trouble and not trouble:
            _log.info("signs get frames again")
        self._trouble = trouble
