"""``meter-server export``."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from meter_server import bootstrap
from meter_server.reading.export import lines
from meter_server.settings import load
from meter_server.storage.exporting import Rows, snapshot


@click.command()
@click.option(
    "--output",
    type=click.File("wb", lazy=True, atomic=True),
    default="-",
    help="The file to write; without it, standard output.",
)
def export(output: BinaryIO) -> None:
    """Write everything an auditor needs to check the books, as lines of JSON.

    It is one moment of the database, however long it takes; 'jackpot-verify' reads it. The
    auditors' log-in in DATABASE_URL is enough.
    """
    settings = load()
    signer = bootstrap.signer(settings)
    origin = None if signer is None else signer.verifier.name
    with snapshot(settings.database_url.get_secret_value()) as connection, _progress() as tell:
        written = lines(Rows(connection), origin, tell)
        output.writelines(line.encode("ascii") + b"\n" for line in written)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar for whoever looks on; nothing for a program, or where nothing can move."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("Entries", total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)
