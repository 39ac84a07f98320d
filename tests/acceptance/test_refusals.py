"""What can go wrong before anything runs is one sentence that says what to do."""

import socket
from dataclasses import replace

import pytest

from tests.acceptance.house import House

pytestmark = pytest.mark.timeout(400)


@pytest.mark.parametrize(
    ("attribute", "variable"),
    [
        ("port", "METER_SERVER_PORT"),
        ("worker_port", "METER_SERVER_WORKER_METRICS_PORT"),
        ("signage_port", "SIGNAGE_PORT"),
        ("guide_port", "PRIZE_METER_PORT"),
        ("console_port", "PRIZE_METER_CONSOLE_PORT"),
    ],
)
def test_a_port_in_use(user_house: House, attribute: str, variable: str) -> None:
    port = getattr(user_house, attribute)
    with socket.create_server(("127.0.0.1", port)):
        text = user_house.refused()
    assert f"Port {port} at 127.0.0.1 is in use" in text
    assert f"{variable}={port + 10} make run" in text
    user_house.require_no_strays(5)


def test_a_data_folder_that_cannot_be_written(house: House) -> None:
    # /proc takes no new folders from anybody, root included.
    text = replace(house, extra={"XDG_DATA_HOME": "/proc/data"}).refused()
    assert "Cannot write the data folder /proc/data/prize-meter" in text
    assert "XDG_DATA_HOME=/some/folder make run" in text


def test_a_misspelt_setting(user_house: House) -> None:
    text = replace(user_house, extra={"METER_SERVER_PROT": "1"}).refused()
    assert "METER_SERVER_PROT is not a setting; did you mean METER_SERVER_PORT?" in text


def test_an_old_python(user_house: House) -> None:
    old = user_house.person.home / "python3.9"
    old.write_text("#!/bin/sh\ncase $2 in *exit*) exit 1 ;; *) echo 3.9.18 ;; esac\n")
    old.chmod(0o755)
    text = replace(user_house, python=str(old)).refused()
    assert f"Prize Meter needs Python 3.11 or newer, and {old} is 3.9.18" in text
