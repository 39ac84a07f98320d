"""How often anybody may ask: counted in Redis for all server processes together.

Without Redis each process counts for itself: looser, but nobody is refused for want of Redis.
"""

import time
from http import HTTPStatus

import structlog
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage
from limits.storage.redis import RedisStorage
from limits.strategies import FixedWindowRateLimiter

from meter_server.http.problems import Problem

ADDRESS = RateLimitItemPerMinute(12_000, namespace="address")
ACCOUNT = RateLimitItemPerMinute(1_200, namespace="account")
DEVICE = RateLimitItemPerMinute(6_000, namespace="device")
SIGN_IN = RateLimitItemPerMinute(60, namespace="sign-in")
"""For each address: a password takes long to check on purpose, and our processors are few."""

_REDIS_SECONDS_MAX = 0.25
_WITHOUT_REDIS_SECONDS = 5.0

_log = structlog.get_logger(__name__)


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
        if time.monotonic() >= self._own_until:
            try:
                return self._shared.hit(limit, who)
            except StorageError as error:
                _log.warning("rate limits are counted without Redis", reason=str(error))
                # Waiting for an absent Redis once in a while is enough.
                self._own_until = time.monotonic() + _WITHOUT_REDIS_SECONDS
        return self._own.hit(limit, who)


def _counter(storage: Storage) -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(storage)
