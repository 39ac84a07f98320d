"""``meter-server status``."""

from importlib.metadata import version

import click

from meter_server import bootstrap
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.health.findings import Health, Overall, State
from meter_server.settings import load

_SIGNS = {State.WORKING: "✓", State.FAILING: "✗", State.UNKNOWN: "?"}


@click.command()
@json_option
def status(as_json: bool) -> int:
    """Ask every part how it is.

    The exit code is 0 when everything works, else 1.
    """
    health = bootstrap.health_check(load())()
    if as_json:
        print_json(health.published(version(bootstrap.PACKAGE)))
    else:
        _print(health)
    return 0 if health.overall is Overall.READY else 1


def _print(health: Health) -> None:
    rows = [
        (
            finding.part,
            f"{_SIGNS[finding.state]} {finding.state}",
            finding.detail or finding.sentence,
        )
        for finding in health.findings
    ]
    print_table(f"The system is {health.overall}.", ("Part", "State", "Finding"), rows)
