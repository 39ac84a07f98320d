"""The command itself. Whatever goes wrong is one sentence, never a traceback."""

import errno
import os

import click
import psycopg
from rich.console import Console

from deploy.demo import house
from deploy.demo.accounts import engine_account
from deploy.demo.errors import CannotRunError
from deploy.demo.folder import DataFolder, default_folder
from deploy.demo.supervisor import StopRequested
from meter_server.errors import SettingsError
from meter_server.storage.errors import StorageError


@click.command()
@click.option("--reset", is_flag=True, help="Erase the data of earlier runs first.")
@click.option("--quiet", is_flag=True, help="Start an empty floor, on which nobody plays.")
def main(*, reset: bool, quiet: bool) -> None:
    """Run Prize Meter with a PostgreSQL and a Redis of its own until Ctrl-C."""
    os.umask(0o022)  # The engines' user must be able to walk to what root makes for it.
    console = Console(highlight=False, markup=False, soft_wrap=True)
    try:
        folder = default_folder(engine_account())
        house.run(folder, console, reset=reset, quiet=quiet)
    except StopRequested:
        return
    except (CannotRunError, SettingsError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    except psycopg.Error as error:
        raise click.ClickException(why_not_done(error, folder)) from None
    except OSError as error:
        raise click.ClickException(why_not_written(error)) from None


def why_not_done(error: psycopg.Error, folder: DataFolder) -> str:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    return (
        f"PostgreSQL did not do what was asked ({reason}): read {folder.logs}/postgres.log and "
        "try again, or start afresh with 'make run RESET=1'."
    )


def why_not_written(error: OSError) -> str:
    place = "" if error.filename is None else f" ({error.filename})"
    remedy = REMEDIES.get(error.errno or 0, "")
    return (
        f"{error.strerror or error}{place}: {remedy}choose another data folder with "
        "XDG_DATA_HOME=/some/folder make run."
    )


REMEDIES = {
    errno.ENOSPC: "free some space, or ",
    errno.EDQUOT: "free some space, or ",
    errno.EROFS: "mount it for writing, or ",
    errno.EACCES: "allow writing there, or ",
}
