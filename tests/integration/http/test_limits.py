"""How often anybody may ask: counted once for all processes, and by each alone without Redis."""

from types import SimpleNamespace

import pytest
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage.redis import RedisStorage
from limits.strategies import FixedWindowRateLimiter

from meter_server.http.api import limits as limits_module
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
    limits, who = RateLimits(redis_url), "t1-a"
    assert not limits.spend_of_share(limit, who)
    limits.spend(limit, who)
    for _ in range(9):
        assert limits.spend_of_share(limit, who)
    assert _counted(redis_url, limit, who) == 20
    assert limits.spend_of_share(limit, who)  # the first of the second half
    wait_until(lambda: limits._shares["device", who].left == 9 + 20, 20)
    assert _counted(redis_url, limit, who) == 40


def test_nobody_saves_up_by_asking_seldom(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a second for five minutes: what is left is of one share."""
    limit, seconds = RateLimitItemPerMinute(40_000, namespace="device"), 1_000.0
    monkeypatch.setattr(limits_module, "time", SimpleNamespace(monotonic=lambda: seconds))
    limits, who = RateLimits(redis_url), "t1-a"
    for _ in range(300):
        seconds += 1
        limits.spend(limit, who)
    assert _counted(redis_url, limit, who) == 30 * 200
    assert limits._shares["device", who].left == 200 - 10


def _counted(redis_url: str, limit: RateLimitItem, who: str) -> int:
    told = FixedWindowRateLimiter(RedisStorage(redis_url)).get_window_stats(limit, who)
    return limit.amount - told.remaining


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
