"""How often anybody may ask: counted in Redis for all server processes together.

A process asks Redis for a few requests at a time and gives them out for some seconds: what one
address may do in a minute is still counted together, without a round trip for every request. It
asks for the next ones when half of them are given out, so that nobody who asks often waits for it.
Without Redis each process counts for itself: looser, but nobody is refused for want of Redis.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus

import structlog
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage
from limits.storage.redis import RedisStorage
from limits.strategies import FixedWindowRateLimiter

from meter_server.http.left import left
from meter_server.http.problems import Problem

ADDRESS = RateLimitItemPerMinute(12_000, namespace="address")
ACCOUNT = RateLimitItemPerMinute(1_200, namespace="account")
DEVICE = RateLimitItemPerMinute(6_000, namespace="device")
SIGN_IN = RateLimitItemPerMinute(60, namespace="sign-in")
"""For each address: a password takes long to check on purpose, and our processors are few."""

_SHARES = 200
_SHARE_SECONDS = 10.0
"""Whoever asks seldom takes a share so often at most: all of them are a small part of a limit."""
_SHARES_HELD_MAX = 10_000

_REDIS_SECONDS_MAX = 0.25
_WITHOUT_REDIS_SECONDS = 5.0

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Share:
    """Requests that Redis has counted already."""

    taken: int
    left: int
    until: float
    is_next_asked_for: bool = False

    def is_half_gone(self) -> bool:
        return self.left < self.taken // 2


class RateLimits:
    def __init__(self, redis_url: str) -> None:
        self._shared = _counter(
            RedisStorage(
                redis_url,
                wrap_exceptions=True,
                socket_timeout=_REDIS_SECONDS_MAX,
                socket_connect_timeout=_REDIS_SECONDS_MAX,
            )
        )
        self._own = _counter(MemoryStorage())
        self._own_until = 0.0
        self._shares: dict[tuple[str, str], _Share] = {}
        self._sharing = threading.Lock()
        self._taking = threading.Lock()
        self._ahead = ThreadPoolExecutor(1, thread_name_prefix="limits-ahead")

    def spend(self, limit: RateLimitItem, who: str) -> None:
        """Count one request, or say how long to wait."""
        if self._allows(limit, who):
            return
        seconds = limit.get_expiry()
        raise Problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"No more than {limit.amount:,} requests in {seconds} s are taken from one "
            f"{limit.namespace.replace('sign-in', 'address')}: wait and try again.",
            headers={"Retry-After": str(seconds)},
        )

    def _allows(self, limit: RateLimitItem, who: str) -> bool:
        if self.spend_of_share(limit, who):
            return True
        # One at a time: many who come together would each take a share, and use the limit up.
        with self._taking:
            if self.spend_of_share(limit, who):
                return True
            if time.monotonic() >= self._own_until:
                try:
                    return self._take_a_share(limit, who, spent=1)
                except StorageError as error:
                    self._do_without_redis(error)
        return self._own.hit(limit, who)

    def spend_of_share(self, limit: RateLimitItem, who: str) -> bool:
        """Count one request without asking anybody; False where nothing is left to count it by."""
        with self._sharing:
            share = self._shares.get((limit.namespace, who))
            if share is None or not share.left or time.monotonic() >= share.until:
                return False
            share.left -= 1
            is_time = not share.is_next_asked_for and share.is_half_gone()
            share.is_next_asked_for |= is_time
        if is_time:
            self._ahead.submit(self._take_the_next, limit, who, share)
        return True

    def _take_the_next(self, limit: RateLimitItem, who: str, last: _Share) -> None:
        """Before the last share is used up; where there is none, whoever comes after it is told."""
        with self._taking:
            is_still_last = self._shares.get((limit.namespace, who)) is last
            if is_still_last and time.monotonic() >= self._own_until:
                try:
                    self._take_a_share(limit, who, spent=0)
                except StorageError as error:
                    self._do_without_redis(error)

    def _take_a_share(self, limit: RateLimitItem, who: str, *, spent: int) -> bool:
        requests = max(limit.amount // _SHARES, 1)
        if not self._shared.hit(limit, who, cost=requests):
            return False
        now = time.monotonic()
        with self._sharing:
            if len(self._shares) >= _SHARES_HELD_MAX:
                self._shares.clear()
            last = self._shares.get((limit.namespace, who))
            kept = last.left if last is not None and now < last.until else 0
            share = _Share(requests, requests + kept - spent, now + _SHARE_SECONDS)
            self._shares[limit.namespace, who] = share
        return True

    def _do_without_redis(self, error: StorageError) -> None:
        """Waiting for an absent Redis once in a while is enough."""
        self._own_until = time.monotonic() + _WITHOUT_REDIS_SECONDS
        _log.warning("rate limits are counted without Redis", reason=str(error))


def count(limits: RateLimits, limit: RateLimitItem, who: str) -> None:
    """Count this request, unless that was done on the way here."""
    if limit.namespace not in left().counted:
        limits.spend(limit, who)


def _counter(storage: Storage) -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(storage)
