"""The command itself. Whatever goes wrong is one sentence, never a traceback."""

import os

import click
from rich.console import Console

from deploy.demo import house
from deploy.demo.accounts import engine_account
from deploy.demo.errors import CannotRunError
from deploy.demo.folder import default_folder
from deploy.demo.supervisor import StopRequested
from meter_server.errors import SettingsError


@click.command()
@click.option("--reset", is_flag=True, help="Erase the data of earlier runs first.")
def main(*, reset: bool) -> None:
    """Run Prize Meter with a PostgreSQL and a Redis of its own until Ctrl-C."""
    os.umask(0o022)  # The engines' user must be able to walk to what root makes for it.
    console = Console(highlight=False, markup=False, soft_wrap=True)
    try:
        house.run(default_folder(engine_account()), console, reset=reset)
    except StopRequested:
        return
    except (CannotRunError, SettingsError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(
            f"{error.strerror} ({error.filename}): free some space or allow writing there, or "
            "choose another data folder with XDG_DATA_HOME=/some/folder make run."
        ) from None
