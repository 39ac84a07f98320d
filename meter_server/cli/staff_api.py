"""``meter-server staff``, as far as it asks the server as a person who is signed in."""

import click

from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.signed_in import acting, server_option


@click.command("list")
@acting
@json_option
def list_staff(api: Api, as_json: bool) -> None:
    """List the accounts."""
    items = api.every("/v1/staff")
    if as_json:
        print_json(items)
        return
    rows = [(one["number"], one["name"], one["role"]["title"], one["state"]) for one in items]
    print_table("Staff", ("Number", "Name", "Role", "State"), rows)


@click.command()
@click.argument("number")
@click.argument("name")
@click.option("--role", required=True, help="What the person is, for example dealer.")
@acting
@json_option
def create(api: Api, number: str, name: str, role: str, as_json: bool) -> None:
    """Propose an account; whoever confirms it hands over the invitation."""
    body = {"number": number, "name": name, "role": role}
    tell_proposed(api.post("/v1/staff", body), as_json=as_json)


@click.command()
@click.argument("number")
@click.argument("role")
@acting
@json_option
def change_role(api: Api, number: str, role: str, as_json: bool) -> None:
    """Propose another role for a person."""
    tell_proposed(api.post(f"/v1/staff/{number}/role", {"role": role}), as_json=as_json)


@click.command()
@click.argument("number")
@acting
@json_option
def invite(api: Api, number: str, as_json: bool) -> None:
    """Propose a new invitation, for a person who has lost the password."""
    tell_proposed(api.post(f"/v1/staff/{number}/invitation"), as_json=as_json)


@click.command()
@click.argument("number")
@acting
@json_option
def restore(api: Api, number: str, as_json: bool) -> None:
    """Propose to let a suspended person in again."""
    tell_proposed(api.post(f"/v1/staff/{number}/restoration"), as_json=as_json)


@click.command()
@click.argument("number")
@acting
def suspend(api: Api, number: str) -> None:
    """Keep a person out, at once."""
    api.post(f"/v1/staff/{number}/suspension")
    click.echo(f"{number} is suspended.")


@click.command()
@click.argument("number")
@acting
def assign_card(api: Api, number: str) -> None:
    """Give a person a staff card; asks for the card to be read."""
    card = click.prompt("Card", hide_input=True)
    api.post(f"/v1/staff/{number}/card", {"card": card})
    click.echo(f"{number} has the card.")


@click.command()
@click.argument("number")
@server_option
def accept_invitation(number: str, server: str) -> None:
    """Choose your password with the code you were given."""
    code = click.prompt("Code of the invitation")
    password = click.prompt("New password", hide_input=True, confirmation_prompt=True)
    body = {"number": number, "code": code, "password": password}
    account = Api(server).post("/v1/invitations", body)
    click.echo(f"Welcome, {account['name']}: sign in with 'meter-server login {number}'.")


@click.command()
@acting
def change_password(api: Api) -> None:
    """Choose another password; you are signed out everywhere."""
    old = click.prompt("Old password", hide_input=True)
    new = click.prompt("New password", hide_input=True, confirmation_prompt=True)
    api.post("/v1/session/password", {"password": old, "new_password": new})
    click.echo("The password is changed: sign in with it.")


@click.command()
@acting
def change_pin(api: Api) -> None:
    """Choose a PIN for consoles."""
    password = click.prompt("Password", hide_input=True)
    pin = click.prompt("New PIN", hide_input=True, confirmation_prompt=True)
    api.post("/v1/session/pin", {"password": password, "pin": pin})
    click.echo("The PIN is changed.")


COMMANDS = (
    list_staff,
    create,
    change_role,
    invite,
    accept_invitation,
    suspend,
    restore,
    assign_card,
    change_password,
    change_pin,
)
