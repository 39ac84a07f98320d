"""Whatever is killed, and whenever: nothing acknowledged is lost, doubled or reordered."""

import os
import random
from pathlib import Path

import pytest
from rich.progress import Progress

from meter_server.failpoints import Place
from tests.counts import FULL, count
from tests.faults import report
from tests.faults.auditing import audit
from tests.faults.campaign import Aim, Campaign
from tests.faults.checker import check
from tests.faults.floor import open_floor
from tests.integration.conftest import Breakable

AGENTS = count(reduced=16, full=64)
AIM = Aim(
    messages=count(reduced=1_000, full=50_000),
    kills=count(reduced=12, full=200),
    terminations=count(reduced=10, full=200),
    restarts=count(reduced=1, full=8),
    seconds_max=count(reduced=120, full=1_800),
)


@pytest.mark.timeout(0 if FULL else 300)
def test_nothing_acknowledged_is_lost_doubled_or_reordered(
    breakable: Breakable, tmp_path: Path
) -> None:
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(2**32))
    print(f"SEED={seed}, logs in {tmp_path}")
    floor = open_floor(breakable.env, tmp_path, AGENTS, seed)
    campaign = Campaign(floor, tmp_path, AIM, seed, breakable.postgres)
    with Progress() as progress:
        campaign.run(progress)

    complaints = check(breakable.env["DATABASE_URL"], campaign.kept, floor.verifier_key)
    report.show(campaign, complaints)
    verdict = audit(floor, tmp_path, campaign.kept)
    print(verdict.stdout, verdict.stderr)
    assert campaign.surprises == []
    assert [one.key for one in campaign.kept if not one.acknowledged_ns] == []
    assert complaints == []
    assert verdict.returncode == 0, verdict.stdout
    assert [place for place in Place if not campaign.kills[place]] == []
    assert len(campaign.kept) >= AIM.messages
    assert campaign.server_kills >= AIM.kills
    if FULL:
        report.write_page(campaign, seed)
