"""The parts of Prize Meter that exist so far, in the order in which they start."""

import sys
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from deploy.demo.folder import DataFolder
from deploy.demo.processes import Program
from meter_server.settings import Settings
from signage.settings import Settings as SignageSettings

CLONE = Path(__file__).parents[2]


def migration(folder: DataFolder) -> Program:
    """Runs to its end before the parts start."""
    return _command("migrate", folder, lambda: True)


def parts(folder: DataFolder, settings: Settings, screens: SignageSettings) -> list[Program]:
    server = f"http://{settings.host}:{settings.port}/healthz/ready"
    worker = f"http://{settings.host}:{settings.worker_metrics_port}/metrics"
    return [
        _command("serve", folder, lambda: _answers(server)),
        _command("worker", folder, lambda: _answers(worker)),
        _command("beat", folder, lambda: True),
        _gateway(folder, f"http://{screens.host}:{screens.port}/healthz/live"),
    ]


def _gateway(folder: DataFolder, address: str) -> Program:
    return Program(
        name="signage serve",
        command=(sys.executable, "-m", "signage", "serve"),
        folder=CLONE,
        log=folder.log("signage"),
        is_ready=lambda: _answers(address),
    )


def _command(name: str, folder: DataFolder, is_ready: Callable[[], bool]) -> Program:
    return Program(
        name=f"meter-server {name}",
        command=(sys.executable, "-m", "meter_server", name),
        folder=CLONE,
        log=folder.log(name),
        is_ready=is_ready,
    )


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=2) as response:  # noqa: S310 - an address of our own
            return bool(response.status == HTTPStatus.OK)
    except (URLError, OSError):
        return False
