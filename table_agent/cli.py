"""The command line ``table-agent``."""

import json
import logging
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from werkzeug.serving import BaseWSGIServer, make_server

from meter_server.contract.device import enrolment
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder, default_folder
from table_agent import by_hand, recent, running, sensors
from table_agent.clock import SteadyClock
from table_agent.console.app import create_app
from table_agent.link import Link

PROGRAM = "table-agent"
BROUGHT = "table_agent.commands"
"""The group of entry points under which other parts bring commands."""
_SHOWN = 40


class Commands(click.Group):
    """Its own, and those that another part of this installation brings."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *(one.name for one in self._brought())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        brought = next((one for one in self._brought() if one.name == cmd_name), None)
        return None if brought is None else brought.load()

    def _brought(self) -> list[EntryPoint]:
        """A production install knows their names and has nothing of them."""
        named = entry_points(group=BROUGHT)
        return [one for one in named if find_spec(one.module.partition(".")[0]) is not None]


@click.group(cls=Commands)
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
@click.option(
    "--port", type=click.IntRange(1024, 65535), default=8471, show_default=True, help="Of the page."
)
@click.option(
    "--sensor",
    "described",
    default="touch",
    show_default=True,
    help="Which seats hold a wager: touch, serial:PORT, wedge:FILE or simulator:NUMBER.",
)
@click.pass_obj
def run(folder: Folder, port: int, described: str) -> None:
    """Run the agent until it is stopped, with the console at http://127.0.0.1:PORT/.

    Only a browser on this machine can open the console. What was queued before is sent first.
    """
    with running.alone(folder):
        parts = running.join(folder)
        logging.getLogger("werkzeug").setLevel(logging.WARNING)
        server = _console(parts, port)
        running.start(parts, sensors.sensor(described))
        signal.signal(signal.SIGTERM, lambda *_: _stop())
        click.echo(f"The console is at http://127.0.0.1:{port}/. Stop with Ctrl-C.")
        with suppress(KeyboardInterrupt):
            server.serve_forever()
        server.server_close()


@table_agent.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_obj
def status(folder: Folder, as_json: bool) -> None:
    """Ask the server how this table stands, and say what is still queued here."""
    identity, queued = folder.identity(), running.open_outbox(folder).queued_count()
    told = _link(folder).table()
    if as_json:
        _print({**told, "queued": queued})
        return
    meter, opened = told["meter"], told["open_round"]
    click.echo(f"Device {identity.device}, epoch {identity.epoch}, key {identity.key[:8]}.")
    click.echo(
        f"Table {told['table']} is {'open' if told['open'] else 'closed'}, in "
        f"{meter['system'] if meter else 'no system'}."
    )
    click.echo(f"Open round: {opened['round'] if opened else 'none'}.")
    click.echo(f"Failing: {', '.join(told['failing']) or 'nothing'}.")
    click.echo(f"Messages recorded: {told['last_number']}, queued: {queued}.")


@table_agent.command()
@click.option("--taps", type=click.IntRange(1), help="Show the last so many touches instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@click.pass_obj
def outbox(folder: Folder, taps: int | None, as_json: bool) -> None:
    """Show what this table has said and what became of it, without asking the server.

    A message is queued until the server has answered it, and recorded once its receipt is here.
    """
    kept = running.open_outbox(folder)
    if taps is not None:
        for at, tap in kept.taps(taps):
            click.echo(json.dumps({"at": at, **tap}))
        return
    items = kept.items(max(0, kept.last_number - _SHOWN))
    if as_json:
        _print({"queued": kept.queued(), "recent": recent.rounds(items)})
        return
    for line in recent.rounds(items):
        click.echo(
            f"{line['number']:>6}  {line['at']}  {line['by']:<6}  {line['answer']:<8}  "
            f"{line['what']} {line['sentence']}".rstrip()
        )
    click.echo(f"{kept.last_number} messages, {kept.queued_count()} queued.")
    for (device, epoch), left in kept.stranded().items():
        click.echo(
            f"{len(left)} messages of {device} in epoch {epoch} were never answered, and cannot be "
            "sent since it was enrolled anew: show them to the operator."
        )


@table_agent.command("take-over")
@click.argument("table")
@click.option("--number", prompt="Supervisor's number", help="A TG Higher Duties Dealer or above.")
@click.option("--pin", prompt="PIN", hide_input=True, help="Better typed when asked for.")
@click.pass_obj
def take_over(folder: Folder, table: str, number: str, pin: str) -> None:
    """Take over TABLE with this tablet; tablets there before are fenced and the round goes on."""
    with running.alone(folder):
        queued = running.open_outbox(folder).queued_count()
        if queued:
            raise DeviceError(
                f"{queued} messages of this tablet are still queued: let them be recorded first."
            )
        body = {"table": table, "number": number, "pin": pin}
        told = _link(folder).post("/v1/device/take-over", body)
        folder.keep(replace(folder.identity(), table=table))
    fenced = ", ".join(told["fenced"]) or "no other tablet"
    click.echo(f"This tablet stands at table {table} now; fenced: {fenced}.")


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

    COMMAND is JSON; docs/protocol.md, section 6, says which there are. A message that is not
    answered stays in the outbox and goes first the next time.
    """
    with running.alone(folder):
        parsed = by_hand.read(command)
        answer = by_hand.send(running.join(folder), SteadyClock(), parsed, actor, grant)
    _print(answer)
    if answer["answer"] == "refused":
        raise SystemExit(1)


def _console(parts: running.Parts, port: int) -> BaseWSGIServer:
    try:
        return make_server("127.0.0.1", port, create_app(parts.agent, port), threaded=True)
    except (OSError, SystemExit):
        raise DeviceError(f"Port {port} is taken: choose another one with --port.") from None


def _stop() -> None:
    raise KeyboardInterrupt


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
        place = error.ctx.command_path if error.ctx else PROGRAM
        # click lists choices on lines of their own; a refusal is one line.
        message = " ".join(error.format_message().split()).removesuffix(".")
        sentence, code = f"{message}. Try '{place} --help'.", 2
    except click.ClickException as error:
        sentence, code = error.format_message(), error.exit_code
    except DeviceError as error:
        sentence, code = str(error), 1
    except click.Abort:
        sentence, code = "", 130
    if sentence:
        click.echo(f"table-agent: {sentence}", file=sys.stderr)
    raise SystemExit(code)
