"""``meter-server login``, ``logout`` and ``whoami``."""

from pathlib import Path

import click

from meter_server.cli import signed_in
from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json
from meter_server.cli.signed_in import acting, server_option

password_file = click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="Read the password from the first line of this file instead of asking for it.",
)


@click.command()
@click.argument("number")
@password_file
@server_option
def login(number: str, password_file: Path | None, server: str) -> None:
    """Sign in at a server; the commands after it act under this staff number."""
    begun = signed_in.sign_in(server, number, signed_in.ask_password(number, password_file))
    account = begun["account"]
    click.echo(f"Signed in as {account['number']}, {account['name']}, {account['role']['title']}.")


@click.command()
@click.option("--as", "number", help="The staff number to sign out; else the last signed in.")
def logout(number: str | None) -> None:
    """Sign out."""
    click.echo(f"Signed out {signed_in.sign_out(number)}.")


@click.command()
@acting
@json_option
def whoami(api: Api, as_json: bool) -> None:
    """Show who is signed in and what they may do."""
    session = api.get("/v1/session")
    if as_json:
        print_json({"account": session["account"], "permissions": session["permissions"]})
        return
    account = session["account"]
    click.echo(f"{account['number']}, {account['name']}, {account['role']['title']}.")
    click.echo(f"May, besides the rules: {', '.join(session['permissions']) or 'nothing'}.")
