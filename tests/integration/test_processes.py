"""What an earlier run left behind is ended; what somebody else runs is not."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM

import pytest

from deploy.demo.errors import CannotRunError
from deploy.demo.postgres import Postgres
from deploy.demo.processes import Birth, Recorded, birth_of, end_recorded, record
from deploy.demo.redis import Redis


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        yield process
        process.kill()


@pytest.fixture
def birth(sleeper: subprocess.Popen[bytes]) -> Birth:
    found = birth_of(sleeper.pid)
    assert found is not None
    return found


def test_a_recorded_process_is_ended(
    sleeper: subprocess.Popen[bytes], birth: Birth, tmp_path: Path
) -> None:
    record([Recorded(birth, SIGTERM)], tmp_path / "record")
    end_recorded(tmp_path / "record")
    assert sleeper.wait(5) == -SIGTERM
    assert not (tmp_path / "record").exists()


@pytest.mark.parametrize(("boot", "ticks"), [("another boot", 0), ("", 1)])
def test_a_later_owner_of_the_number_is_left_alone(
    sleeper: subprocess.Popen[bytes], birth: Birth, tmp_path: Path, boot: str, ticks: int
) -> None:
    earlier = Birth(birth.pid, boot or birth.boot, birth.ticks - ticks)
    record([Recorded(earlier, SIGTERM)], tmp_path / "record")
    end_recorded(tmp_path / "record")
    with pytest.raises(subprocess.TimeoutExpired):
        sleeper.wait(0.3)


def test_children_that_outlived_a_recorded_process_are_ended(tmp_path: Path) -> None:
    with subprocess.Popen(
        ["sh", "-c", "sleep 60 & echo $!; exec sleep 60"],
        start_new_session=True,
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        child, leader = int(parent.stdout.readline()), birth_of(parent.pid)
        assert leader is not None
        parent.kill()
        parent.wait()
        assert birth_of(child) is not None
        record([Recorded(leader, SIGTERM)], tmp_path / "record")
        end_recorded(tmp_path / "record")
        assert birth_of(child) is None


def test_a_postgres_that_somebody_else_runs_in_the_folder_is_left_alone(
    engines: tuple[Postgres, Redis],
) -> None:
    postgres, _ = engines
    with pytest.raises(CannotRunError, match=r"Another PostgreSQL \(process \d+\) is using"):
        postgres.prepare()
    assert postgres.answers()
