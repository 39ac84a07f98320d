"""Clean clones of what is committed, and a machine whose own engines cannot be seen."""

import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.house import House, Person

ROOT = Path(__file__).parents[2]
NORMAL_USER = "daemon"  # On every Debian, and not the one who runs root's engines.
ENGINE = re.compile(r"postgres|psql|initdb|createdb|pg_|redis|valkey")
FIRST_START_SECONDS_MAX = 240
IS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="session")
def ground() -> Iterator[Path]:
    """A folder that everybody may enter."""
    path = Path(tempfile.mkdtemp(prefix="prize-meter-acceptance-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def path_without_engines(ground: Path) -> str:
    """A PATH with everything on it but PostgreSQL and Redis."""
    folder = ground / "bin"
    folder.mkdir()
    for place in ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        for program in sorted(Path(place).glob("*")):
            link = folder / program.name
            if not ENGINE.match(program.name) and not link.is_symlink():
                link.symlink_to(program)
    for engine in ("postgres", "initdb", "pg_ctl", "redis-server"):
        assert shutil.which(engine, path=str(folder)) is None
    return str(folder)


def _person(name: str, home: Path) -> Person:
    if IS_ROOT:
        entry = pwd.getpwnam("root" if name == "root" else NORMAL_USER)
        uid, gid = entry.pw_uid, entry.pw_gid
    elif name == "root":
        pytest.skip("Only root can try what root would see: run the tests as root too.")
    else:
        uid, gid = os.geteuid(), os.getegid()
    home.mkdir()
    os.chown(home, uid, gid)
    home.chmod(0o755)
    return Person(name, uid, gid, home)


def _python(person: Person) -> str:
    """One that this person may run: a Python below /root is for root alone."""
    check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"
    for name in ("/usr/bin/python3", "/usr/local/bin/python3", "python3"):
        found = shutil.which(name)
        if found is None:
            continue
        tried = subprocess.run(
            [found, "-c", check],
            user=person.uid,
            group=person.gid,
            extra_groups=[],
            cwd="/",
            capture_output=True,
            check=False,
        )
        if tried.returncode == 0:
            return found
    pytest.fail(f"{person.name} can run no Python 3.11 with venv: apt-get install python3-venv")


def _house(name: str, ground: Path, path: str) -> House:
    """A clean clone after its first run, in which everything is made and installed."""
    person = _person(name, ground / name)
    clone = ground / f"clone-of-{name}"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    for file in (clone, *clone.rglob("*")):
        os.chown(file, person.uid, person.gid, follow_symlinks=False)
    house = House(clone, person, _python(person), path)
    with house.make("run") as run:
        run.wait_until_running(FIRST_START_SECONDS_MAX)
        assert house.is_ready()
        house.write_row("first run")
        run.press_ctrl_c()
        run.process.wait(30)
        assert "Everything has stopped; the data is kept." in run.output.read_text()
        assert house.strays() == []
    return house


@pytest.fixture(scope="session")
def root_house(ground: Path, path_without_engines: str) -> House:
    return _house("root", ground, path_without_engines)


@pytest.fixture(scope="session")
def user_house(ground: Path, path_without_engines: str) -> House:
    return _house("user", ground, path_without_engines)


@pytest.fixture(scope="session", params=["user", "root"])
def house(request: pytest.FixtureRequest) -> House:
    """The same story for a normal user and for root, each in a clone of their own."""
    found: House = request.getfixturevalue(f"{request.param}_house")
    return found
