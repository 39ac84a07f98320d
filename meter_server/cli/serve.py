"""``meter-server serve``."""

import ctypes
import gc
import os
import signal
import socket
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer

from meter_server import bootstrap, logs
from meter_server.cli.output import Refusal
from meter_server.recording.writer import WAITING_MAX
from meter_server.settings import Settings

if TYPE_CHECKING:
    from meter_server.http.front import Front

_STOP_SECONDS = 15
_AT_ONCE_MAX = 6 * WAITING_MAX
"""Requests; there are threads for half of them (``http.front``), and ordinary ones need none."""
_COLLECTED_AFTER = 20_000
"""New objects that could stand in a circle; a batch of the writer makes thousands, nearly all of
which are gone with it."""
_PR_SET_PDEATHSIG = 1  # from Linux's prctl.h


@click.command()
def serve() -> None:
    """Answer tables, staff and probes over HTTP.

    Ends cleanly on SIGTERM or Ctrl-C: requests that are being answered are finished first.
    """
    run("meter_server.cli.serve:application")


def run(target: str) -> None:
    """Serve the application that ``target`` makes in each process."""
    settings = bootstrap.start()
    bootstrap.signer(settings)  # what is wrong with the key is said once, not by each process
    _require_free_port(settings)
    with _metrics_directory() as directory:
        # Read by the metrics library in every process when it is imported there.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
        _server(settings, target).serve()


def application() -> "Front":
    """Make what each server process runs; called there, after the fork."""
    # Linux ends this process when the one that watches over it dies, however it dies: otherwise it
    # would hold the port and answer on, out of everybody's reach.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    made = bootstrap.web_application()
    spare_what_is_loaded()
    return made


def spare_what_is_loaded() -> None:
    """Keep the collector from going through code and settings again and again: they stay, and it
    held up every request for a tenth of a second each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)


def _server(settings: Settings, target: str) -> MPServer:
    return MPServer(
        target,
        factory=True,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.RSGI,
        websockets=False,
        workers=settings.processes,
        respawn_failed_workers=True,
        # For each process; by itself it would shrink as the processes grow in number.
        backpressure=_AT_ONCE_MAX,
        # A process asked to stop while it is still starting may never hear it. What a killed one
        # had sent to the database is kept or not, and its sender asks again.
        workers_kill_timeout=_STOP_SECONDS,
        log_level=LogLevels(settings.log_level),
        log_dictconfig=logs.library_configuration(settings.log_level, settings.log_format),
    )


def _metrics_directory() -> TemporaryDirectory[str]:
    try:
        return TemporaryDirectory(prefix="meter-server-metrics-")
    except OSError as error:
        raise Refusal(
            f"Cannot keep metrics in a temporary folder ({error.strerror}): set TMPDIR to a folder "
            "that can be written to."
        ) from error


def _require_free_port(settings: Settings) -> None:
    """Granian shares ports, so a second server would quietly take half of the requests."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise Refusal(
                f"Cannot listen on {settings.host}:{settings.port} ({error.strerror}): stop what "
                "uses it, or set METER_SERVER_HOST or METER_SERVER_PORT."
            ) from error
