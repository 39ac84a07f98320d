"""``meter-server settings``."""

from typing import TextIO

import click

from meter_server import settings_page
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.settings import Settings, is_secret, load, names, variable


@click.command()
@json_option
@click.option(
    "--write-page",
    type=click.File("w", encoding="utf-8"),
    help="Write the page that documents all settings to this file, and show nothing.",
)
def settings(as_json: bool, write_page: TextIO | None) -> None:
    """Show the settings in force, without secrets."""
    if write_page:
        write_page.write(settings_page.render())
        return
    loaded = load()
    values = {variable(name): _shown(loaded, name) for name in names()}
    if as_json:
        print_json(values)
    else:
        print_table("Settings in force", ("Variable", "Value"), values.items())


def _shown(loaded: Settings, name: str) -> str:
    value = getattr(loaded, name)
    if value is None:
        return "(not set)"
    return "(secret)" if is_secret(Settings.model_fields[name]) else str(value)
