"""``meter-server staff``: the people of the house."""

import getpass
import socket
from pathlib import Path
from uuid import uuid4

import click

from meter_server import bootstrap
from meter_server.access import accounts
from meter_server.access.audit import Origin, Source
from meter_server.access.permissions import ADMINISTRATOR
from meter_server.access.refusals import Denied
from meter_server.cli import staff_api
from meter_server.cli.output import Refusal
from meter_server.settings import load


@click.group()
def staff() -> None:
    """Manage the accounts of people."""


for command in staff_api.COMMANDS:
    staff.add_command(command)


@staff.command()
@click.argument("number")
@click.argument("name")
@click.option(
    "--role",
    default=ADMINISTRATOR,
    show_default=True,
    help="What the person is, for example assistant-casino-manager.",
)
@click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="Read the password from the first line of this file instead of asking for it.",
)
def create_first(number: str, name: str, role: str, password_file: Path | None) -> None:
    """Create the first people, on the server's own machine.

    Create the managers first and the administrator last: as soon as there is an administrator,
    accounts are proposed by one person and confirmed by another, and this command refuses.
    """
    loaded = load()
    password = _password(number, password_file)
    database = bootstrap.database(loaded)
    database.open()
    try:
        desk = bootstrap.desk(loaded, database)
        account = accounts.create_first(desk, _origin(), number, name, role, password)
    except Denied as denied:
        raise Refusal(denied.refusal.sentence) from None
    finally:
        database.close()
    click.echo(f"Created {account.number}, {account.name}, {account.role.title}.")


def _password(number: str, file: Path | None) -> str:
    if file is not None:
        lines = file.read_text(encoding="utf-8").splitlines()
        return lines[0] if lines else ""
    asked: str = click.prompt(f"Password of {number}", hide_input=True, confirmation_prompt=True)
    return asked


def _origin() -> Origin:
    """Who holds the machine is the best that can be said before anybody has an account."""
    place = f"{getpass.getuser()}@{socket.gethostname()}"
    return Origin(Source.MACHINE, place, f"cli-{uuid4()}")
