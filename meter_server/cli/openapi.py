"""``meter-server openapi``."""

import json
from pathlib import Path

import click

from meter_server.http.app import OPENAPI


@click.command()
@click.option(
    "--write",
    "file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write it to this file instead of showing it.",
)
def openapi(file: Path | None) -> None:
    """Show the OpenAPI document of the HTTP interface."""
    text = json.dumps(OPENAPI, indent=2, ensure_ascii=False) + "\n"
    if file is None:
        click.echo(text, nl=False)
    else:
        file.write_text(text, encoding="utf-8")
