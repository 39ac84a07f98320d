"""Rate limits without Redis: each process counts for itself, and nobody gets a 5xx."""

import pytest
from limits import RateLimitItemPerMinute

from meter_server.http.api.limits import RateLimits
from meter_server.http.problems import Problem

LIMIT = RateLimitItemPerMinute(3, namespace="account")


def test_without_redis_the_limit_is_kept_all_the_same() -> None:
    limits = RateLimits("redis://127.0.0.1:1/0")
    for _ in range(3):
        limits.spend(LIMIT, "1001")
    with pytest.raises(Problem) as refused:
        limits.spend(LIMIT, "1001")
    limits.spend(LIMIT, "1002")
    assert refused.value.status == 429
    assert refused.value.headers == {"Retry-After": "60"}
    assert refused.value.description == (
        "No more than 3 requests in 60 s are taken from one account: wait and try again."
    )
