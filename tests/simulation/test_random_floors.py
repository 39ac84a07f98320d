"""Random floors agree with the second model after every step."""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.counts import count
from tests.simulation.floors import RandomFloor


def test_random_floors() -> None:
    run_state_machine_as_test(
        RandomFloor,
        settings=settings(
            max_examples=count(60, 1000),
            stateful_step_count=60,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(RandomFloor.coverage.report())
