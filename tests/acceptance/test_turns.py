"""Root and a normal user take turns in one clone; each has data of their own."""

from dataclasses import replace

import pytest

from tests.acceptance.house import House

pytestmark = pytest.mark.timeout(600)


@pytest.mark.parametrize("first", ["root", "user"])
def test_the_second_person_uses_what_the_first_one_installed(
    root_house: House, user_house: House, first: str
) -> None:
    before, after = (root_house, user_house) if first == "root" else (user_house, root_house)
    with replace(after, clone=before.clone).make("run") as run:
        run.wait_until_running()
        assert "Installing" not in run.output.read_text()
        assert after.is_ready()
        assert after.has_row("first run")
    with before.make("run") as run:
        run.wait_until_running()
        assert "Installing" not in run.output.read_text()
        assert before.has_row("first run")


def test_a_user_who_may_write_nowhere_is_told_so(root_house: House, user_house: House) -> None:
    """Root's environment is out of date, and no folder takes another one."""
    nowhere = {"XDG_CACHE_HOME": "/proc/cache"}
    installed = root_house.clone / ".venv" / "installed-demo"
    current = installed.read_text()
    installed.write_text("older")
    text = replace(user_house, clone=root_house.clone, extra=nowhere).refused()
    installed.write_text(current)
    assert f"Neither {root_house.clone} nor /proc/cache/prize-meter can be written" in text


def test_root_does_not_take_the_data_of_a_user(root_house: House, user_house: House) -> None:
    borrowed = {"XDG_DATA_HOME": str(user_house.data.parent)}
    text = replace(root_house, extra=borrowed).refused()
    assert f"The data folder {user_house.data} belongs to another user" in text


def test_a_folder_that_root_s_engines_cannot_reach(root_house: House) -> None:
    closed = root_house.person.home / "closed"
    closed.mkdir(mode=0o700)
    text = replace(root_house, extra={"XDG_DATA_HOME": str(closed)}).refused()
    assert (
        f"The user nobody, who runs the engines when you are root, may not enter {closed}" in text
    )
    assert list(closed.iterdir()) == []
