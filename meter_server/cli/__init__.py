"""The command line ``meter-server``: one module per family of commands, imported when called."""

import click

from meter_server.cli import output
from meter_server.cli.lazy import LazyCommand, LazyGroup

COMMANDS: dict[str, LazyCommand] = {}

meter_server = click.version_option(package_name="prize-meter")(
    LazyGroup(
        lazy_commands=COMMANDS,
        help="The server of a casino's progressive jackpots: it keeps every meter.",
    )
)


def main() -> None:
    """Run ``meter-server`` and leave with its exit code."""
    raise SystemExit(output.run(meter_server, "meter-server"))
