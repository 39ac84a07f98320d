"""The command line ``signage``."""

import json
import sys

import click

from meter_server.contract.device import enrolment
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder
from signage import settings
from signage.settings import PROGRAM, SettingsError


@click.group()
@click.version_option(package_name="prize-meter")
def signage() -> None:
    """The signage gateway of a casino floor.

    It brings the jackpot values that the meter server has recorded to the table signs and
    promotional boards, and says so on the sign when a value is no longer fresh.
    """


@signage.command()
def serve() -> None:
    """Serve signs and boards until SIGTERM or Ctrl-C."""
    from signage import logs
    from signage.gateway import serving

    loaded = settings.load()
    logs.configure(loaded.log_level)
    try:
        serving.run(loaded)
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {loaded.host}:{loaded.port} ({error.strerror}): stop what uses it, "
            "or set SIGNAGE_HOST or SIGNAGE_PORT."
        ) from error


@signage.command()
@click.argument("name")
@click.option(
    "--server", default="http://127.0.0.1:8470", show_default=True, help="Where the server is."
)
@click.option("--code", prompt="One-time code", help="As the second person was shown it.")
def enrol(name: str, server: str, code: str) -> None:
    """Become the gateway NAME: make a key here and show the one-time code."""
    folder = Folder(settings.load().folder, PROGRAM)
    identity = enrolment.enrol(folder, server, name, code, at_table=False)
    click.echo(f"This is gateway {identity.device}, in epoch {identity.epoch}.")


@signage.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def status(as_json: bool) -> None:
    """Say who this gateway is, and how the one that serves here is doing."""
    from signage import looking

    found = looking.look(settings.load())
    click.echo(json.dumps(found.told, indent=2) if as_json else found.sentence)
    if not found.fresh:
        raise SystemExit(1)


def main() -> None:
    """Run ``signage``; every foreseen failure is one sentence and an exit code."""
    try:
        raise SystemExit(signage.main(prog_name="signage", standalone_mode=False) or 0)
    except click.UsageError as error:
        sentence, code = f"{error.format_message()} Try 'signage --help'.", 2
    except click.ClickException as error:
        sentence, code = error.format_message(), error.exit_code
    except SettingsError as error:
        sentence, code = str(error), 2
    except DeviceError as error:
        sentence, code = str(error), 1
    except click.Abort:
        sentence, code = "", 130
    if sentence:
        click.echo(f"signage: {sentence}", file=sys.stderr)
    raise SystemExit(code)
