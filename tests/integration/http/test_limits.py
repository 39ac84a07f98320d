"""How often anybody may ask: counted once for all processes, and by each alone without Redis."""

import pytest
from limits import RateLimitItemPerMinute
from limits.storage.redis import RedisStorage
from limits.strategies import FixedWindowRateLimiter

from meter_server.http.api.limits import SIGN_IN, RateLimits
from meter_server.http.problems import Problem
from tests.integration.conftest import Breakable
from tests.integration.office import BETS, ROLES, Office
from tests.integration.office import office as open_office
from tests.integration.programs import wait_until


def test_two_processes_count_together(redis_url: str) -> None:
    limit = RateLimitItemPerMinute(2, namespace="account")
    one, other = RateLimits(redis_url), RateLimits(redis_url)
    one.spend(limit, "1001")
    other.spend(limit, "1001")
    for limits in (one, other):
        with pytest.raises(Problem):
            limits.spend(limit, "1001")


def test_shares_never_add_up_to_more_than_the_limit(redis_url: str) -> None:
    """Shares of two requests each, taken by two processes in turn."""
    limit = RateLimitItemPerMinute(400, namespace="device")
    processes = (RateLimits(redis_url), RateLimits(redis_url))
    allowed = 0
    for asked in range(420):
        try:
            processes[asked // 3 % 2].spend(limit, "t1-a")
        except Problem:
            continue
        allowed += 1
    assert 200 <= allowed <= 400  # what is not given out in time is lost


def test_the_next_share_is_there_before_the_last_is_used_up(redis_url: str) -> None:
    """Whoever asks often waits for Redis once."""
    limit = RateLimitItemPerMinute(4_000, namespace="device")  # shares of 20
    limits = RateLimits(redis_url)
    assert not limits.spend_of_share(limit, "t1-a")
    limits.spend(limit, "t1-a")
    given = 0
    while given < 200:
        wait_until(lambda: limits.spend_of_share(limit, "t1-a"), 5)
        given += 1
    told = FixedWindowRateLimiter(RedisStorage(redis_url)).get_window_stats(limit, "t1-a")
    assert given < limit.amount - told.remaining <= given + 1 + 2 * 20


def test_guessing_from_one_address_is_slowed_down(office: Office, redis_url: str) -> None:
    del redis_url  # emptied: other tests have signed in too
    nobody = office.nobody()
    body = {"number": ROLES["dealer"], "password": ""}  # refused before it is hashed
    answers = [nobody.post("/v1/session", body) for _ in range(SIGN_IN.amount + 1)]
    assert {answer.status for answer in answers[:-1]} == {422}
    assert answers[-1].status == 429
    assert answers[-1].headers["Retry-After"] == "60"


def test_redis_may_go_away(breakable: Breakable, tmp_path_factory: pytest.TempPathFactory) -> None:
    log = tmp_path_factory.mktemp("office") / "server.log"
    with open_office(breakable.env, log) as opened:
        manager = opened.of_role("assistant-casino-manager")
        breakable.redis.stop()
        assert manager.get("/v1/tables").status == 200
        body = {"table": "T1", "game": "wsop", "seats": 9, **BETS}
        assert manager.command("/v1/tables", body).status == 200
        breakable.redis.start()
        breakable.redis.freeze()
        assert manager.get("/v1/tables/T1").status == 200
        breakable.redis.thaw()
