"""The checker is worth something: with a protection taken away, it says what is broken."""

from pathlib import Path

import pytest
from rich.progress import Progress

from tests.faults import breaking
from tests.faults.agents import Habits
from tests.faults.campaign import Aim, Campaign
from tests.faults.checker import check
from tests.faults.floor import open_floor
from tests.faults.servers import Preparation
from tests.integration.programs import Environment

AGENTS = 8
AIM = Aim(messages=300, kills=0, terminations=0, restarts=0, seconds_max=30)


def complaints_of(
    env: Environment, folder: Path, habits: Habits, prepare: Preparation | None
) -> list[str]:
    floor = open_floor(env, folder, AGENTS, seed=1, habits=habits)
    breaking.allow_one_key_twice(env["DATABASE_URL"])
    campaign = Campaign(floor, folder, AIM, seed=1, prepare=prepare)
    with Progress() as progress:
        campaign.run(progress)
    assert campaign.surprises or len(campaign.kept) >= AIM.messages
    return check(env["DATABASE_URL"], campaign.kept, floor.verifier_key)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("habits", "prepare", "expected"),
    [
        pytest.param(
            Habits(repeat=0.5),
            breaking.forget_what_was_answered,
            ["I2: device:", "recorded 2 times"],
            id="dedupe removed",
        ),
        pytest.param(
            Habits(ahead=0.5),
            breaking.take_any_number,
            ["I3: the numbers of", "have a gap"],
            id="order ignored",
        ),
        pytest.param(
            Habits(),
            breaking.answer_before_the_commit,
            ["I1: device:", "was acknowledged and is lost"],
            id="acknowledged before the commit",
        ),
    ],
)
def test_without_a_protection_the_checker_complains(
    env: Environment, tmp_path: Path, habits: Habits, prepare: Preparation, expected: list[str]
) -> None:
    complaints = complaints_of(env, tmp_path, habits, prepare)
    assert any(all(words in one for words in expected) for one in complaints), complaints[:9]


def test_with_all_protections_it_has_nothing_to_say(env: Environment, tmp_path: Path) -> None:
    """The same floor, the same habits: what the controls show is not the checker's own doing."""
    habits = Habits(repeat=0.5, ahead=0.5)
    assert complaints_of(env, tmp_path, habits, None) == []
