"""The command line ``table-agent``."""

import json
import sys
from pathlib import Path

import click

from table_agent import enrol as enrolling
from table_agent.errors import AgentError
from table_agent.identity import Folder, default_folder
from table_agent.link import Link


@click.group()
@click.version_option(package_name="prize-meter")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where this device keeps its key and who it is.",
)
@click.pass_context
def table_agent(context: click.Context, folder: Path | None) -> None:
    """The agent of one gaming table.

    It records each round's jackpot wagers and outcomes, keeps them safe on this machine until the
    meter server has acknowledged them, and shows the dealer what was recorded.
    """
    context.obj = Folder(folder or default_folder())


@table_agent.command()
@click.argument("name")
@click.option(
    "--server", default="http://127.0.0.1:8470", show_default=True, help="Where the server is."
)
@click.option("--code", prompt="One-time code", help="As the second person was shown it.")
@click.pass_obj
def enrol(folder: Folder, name: str, server: str, code: str) -> None:
    """Become the device NAME: make a key here and show the one-time code."""
    identity = enrolling.enrol(folder, server, name, code)
    click.echo(f"This is device {name} of table {identity.table}, in epoch {identity.epoch}.")


@table_agent.command("new-key")
@click.pass_obj
def new_key(folder: Folder) -> None:
    """Take a new key; the server lets the old one stand for a day."""
    click.echo(f"The new key is good until {enrolling.rotate(folder)}.")


@table_agent.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_obj
def status(folder: Folder, as_json: bool) -> None:
    """Ask the server how this table stands."""
    identity = folder.identity()
    told = Link(identity, folder.private_key(identity.key)).get("/v1/device/status")
    if as_json:
        click.echo(json.dumps(told, indent=2))
        return
    failing = ", ".join(told["failing"]) or "nothing"
    click.echo(f"Device {identity.device}, epoch {identity.epoch}, key {identity.key[:8]}.")
    click.echo(
        f"Table {identity.table} is {told['table_state']}, in {told['system'] or 'no system'}."
    )
    click.echo(f"Failing: {failing}. Messages recorded: {told['last_number']}.")


def main() -> None:
    """Run ``table-agent``; every foreseen failure is one sentence and an exit code."""
    try:
        raise SystemExit(table_agent.main(prog_name="table-agent", standalone_mode=False) or 0)
    except click.UsageError as error:
        sentence, code = f"{error.format_message()} Try 'table-agent --help'.", 2
    except click.ClickException as error:
        sentence, code = error.format_message(), error.exit_code
    except AgentError as error:
        sentence, code = str(error), 1
    except click.Abort:
        sentence, code = "", 130
    if sentence:
        click.echo(f"table-agent: {sentence}", file=sys.stderr)
    raise SystemExit(code)
