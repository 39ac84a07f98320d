"""The command line ``table-agent``."""

import click


@click.group()
@click.version_option(package_name="prize-meter")
def main() -> None:
    """The agent of one gaming table.

    It records each round's jackpot wagers and outcomes, keeps them safe on this machine until the
    meter server has acknowledged them, and shows the dealer what was recorded.
    """
