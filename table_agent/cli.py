"""The command line ``table-agent``."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from meter_server.contract.device import enrolment
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder, default_folder
from table_agent import by_hand
from table_agent.link import Link

PROGRAM = "table-agent"


@click.group()
@click.version_option(package_name="prize-meter")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="TABLE_AGENT_FOLDER",
    show_envvar=True,
    help="Where this device keeps its key and who it is.",
)
@click.pass_context
def table_agent(context: click.Context, folder: Path | None) -> None:
    """The agent of one gaming table.

    It records each round's jackpot wagers and outcomes, keeps them safe on this machine until the
    meter server has acknowledged them, and shows the dealer what was recorded.
    """
    context.obj = Folder(folder or default_folder(PROGRAM), PROGRAM)


@table_agent.command()
@click.argument("name")
@click.option(
    "--server", default="http://127.0.0.1:8470", show_default=True, help="Where the server is."
)
@click.option("--code", prompt="One-time code", help="As the second person was shown it.")
@click.pass_obj
def enrol(folder: Folder, name: str, server: str, code: str) -> None:
    """Become the device NAME: make a key here and show the one-time code."""
    identity = enrolment.enrol(folder, server, name, code, at_table=True)
    click.echo(f"This is device {name} of table {identity.table}, in epoch {identity.epoch}.")


@table_agent.command("new-key")
@click.pass_obj
def new_key(folder: Folder) -> None:
    """Take a new key; the server lets the old one stand for a day."""
    click.echo(f"The new key is good until {enrolment.rotate(folder)}.")


@table_agent.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_obj
def status(folder: Folder, as_json: bool) -> None:
    """Ask the server how this table stands."""
    identity = folder.identity()
    told = _link(folder).get("/v1/device/status")
    if as_json:
        _print(told)
        return
    failing = ", ".join(told["failing"]) or "nothing"
    click.echo(f"Device {identity.device}, epoch {identity.epoch}, key {identity.key[:8]}.")
    click.echo(
        f"Table {identity.table} is {told['table_state']}, in {told['system'] or 'no system'}."
    )
    click.echo(f"Failing: {failing}. Messages recorded: {told['last_number']}.")


@table_agent.command()
@click.argument("method", type=click.Choice(["GET", "POST"], case_sensitive=False))
@click.argument("path")
@click.argument("body", required=False)
@click.pass_obj
def request(folder: Folder, method: str, path: str, body: str | None) -> None:
    """Send one request, signed with this device's key, and print the answer.

    BODY is JSON; docs/api.md says what can be asked. For example, to sign on at this table:

    table-agent request POST /v1/sign-on '{"number": "1001", "pin": "..."}'
    """
    link = _link(folder)
    parsed = by_hand.read(body) if body is not None else {}
    _print(link.get(path) if method.upper() == "GET" else link.post(path, parsed))


@table_agent.command()
@click.argument("command")
@click.option("--as", "actor", required=True, help="Who is signed on here: a staff number.")
@click.option("--grant", help="A supervisor's authorisation for this one message.")
@click.pass_obj
def send(folder: Folder, command: str, actor: str, grant: str | None) -> None:
    """Send one message by hand: give it the next number, check the receipt, print the answer.

    COMMAND is JSON; docs/protocol.md, section 6, says which there are. A message that was not
    answered may have been recorded: 'table-agent status' tells before you send it again.
    """
    answered = by_hand.send(_link(folder), by_hand.read(command), actor, grant)
    _print(answered.answer)
    if answered.answer["answer"] == "refused":
        raise SystemExit(1)


def _link(folder: Folder) -> Link:
    identity = folder.identity()
    return Link(identity, folder.private_key(identity.key))


def _print(told: dict[str, Any]) -> None:
    click.echo(json.dumps(told, indent=2))


def main() -> None:
    """Run ``table-agent``; every foreseen failure is one sentence and an exit code."""
    try:
        raise SystemExit(table_agent.main(prog_name="table-agent", standalone_mode=False) or 0)
    except click.UsageError as error:
        sentence, code = f"{error.format_message()} Try 'table-agent --help'.", 2
    except click.ClickException as error:
        sentence, code = error.format_message(), error.exit_code
    except DeviceError as error:
        sentence, code = str(error), 1
    except click.Abort:
        sentence, code = "", 130
    if sentence:
        click.echo(f"table-agent: {sentence}", file=sys.stderr)
    raise SystemExit(code)
