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


def set_up(folder: DataFolder) -> Program:
    """Runs to its end while the server runs."""
    return _module("setting_up", "the demo's floor", folder)


def life(folder: DataFolder) -> Program:
    """The tables that play by themselves."""
    return _module("life", "the demo's tables", folder)


def _module(module: str, name: str, folder: DataFolder) -> Program:
    return Program(
        name=name,
        command=(sys.executable, "-m", f"deploy.demo.{module}", str(folder.path)),
        folder=CLONE,
        log=folder.log(module),
        is_ready=lambda: True,
    )


def parts(folder: DataFolder, settings: Settings, screens: SignageSettings) -> list[Program]:
    server = f"http://{settings.host}:{settings.port}/healthz/ready"
    worker = f"http://{settings.host}:{settings.worker_metrics_port}/metrics"
    return [
        _command("serve", folder, lambda: _answers(server)),
        _command("worker", folder, lambda: _answers(worker)),
        _gateway(folder, f"http://{screens.host}:{screens.port}/healthz/live"),
    ]


def clock(folder: DataFolder) -> Program:
    """Sends the worker its work; nobody waits for it."""
    return _command("beat", folder, lambda: True)


def guide(folder: DataFolder, page: Path, port: int) -> Program:
    """The newcomer's page."""
    return Program(
        name="the guide",
        command=(sys.executable, "-m", "deploy.demo.guide", str(page), str(port)),
        folder=CLONE,
        log=folder.log("guide"),
        is_ready=lambda: _answers(f"http://127.0.0.1:{port}/"),
    )


def free_console(folder: DataFolder, device: str, port: int) -> Program:
    """Of the table that a person plays at; it is ready when somebody has found the page."""
    agent = str(folder.agent(device))
    return Program(
        name="the console of the free table",
        command=(
            *(sys.executable, "-m", "table_agent", "--folder", agent),
            *("run", "--port", str(port)),
        ),
        folder=CLONE,
        log=folder.log("console"),
        is_ready=lambda: True,
    )


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
