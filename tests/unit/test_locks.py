"""The lock files hold what pyproject.toml names, each package in one version everywhere."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]
PRODUCTION = PROJECT["project"]["dependencies"]
DEMO = [*PRODUCTION, *PROJECT["project"]["optional-dependencies"]["demo"], *GROUPS["build"]]
DEV = [*DEMO, *GROUPS["dev"]]


@pytest.mark.parametrize(
    ("lock", "needs"),
    [
        ("production", PRODUCTION),
        ("demo", DEMO),
        ("dev", DEV),
        ("redis-server", GROUPS["redis-server"]),
    ],
)
def test_everything_that_is_needed_is_locked(lock: str, needs: list[str]) -> None:
    assert sorted({_name(need) for need in needs} - set(_locked(lock))) == [], "run: make lock"


@pytest.mark.parametrize(("narrow", "wide"), [("production", "demo"), ("demo", "dev")])
def test_a_package_has_one_version_everywhere(narrow: str, wide: str) -> None:
    assert _locked(narrow).items() <= _locked(wide).items(), "run: make lock"


@pytest.mark.parametrize("lock", ["production", "demo", "dev", "redis-server"])
def test_every_package_has_a_hash(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    entries = re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]
    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def _locked(lock: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, flags=re.MULTILINE))


def _name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()
