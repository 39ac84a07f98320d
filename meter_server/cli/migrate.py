"""``meter-server migrate``."""

import click

from meter_server.settings import load
from meter_server.storage.migrate import migrate as apply_migrations


@click.command()
@click.option(
    "--wait",
    "wait_seconds",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    help="How many seconds to wait for a database that is still starting.",
)
def migrate(wait_seconds: int) -> None:
    """Bring the database to this version's schema.

    Safe to run at any time and by several at once: what is applied stays as it is.
    """
    settings = load()
    owner = settings.database_owner_url or settings.database_url
    applied = apply_migrations(owner.get_secret_value(), wait_seconds)
    for migration in applied:
        click.echo(f"Applied {migration}.")
    if not applied:
        click.echo("The schema is up to date.")
