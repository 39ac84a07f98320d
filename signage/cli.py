"""The command line ``signage``."""

import click


@click.group()
@click.version_option(package_name="prize-meter")
def main() -> None:
    """The signage gateway of a casino floor.

    It brings the jackpot values that the meter server has recorded to the table signs and
    promotional boards, and says so on the sign when a value is no longer fresh.
    """
