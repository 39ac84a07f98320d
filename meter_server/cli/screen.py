"""``meter-server screen``: signs and boards."""

import re
from typing import Any

import click

from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.signed_in import acting

_LAYOUTS = ("side-by-side", "rotating")

_CODE = re.compile(r"[A-HJ-NP-Z2-9]{6}")
"""As contract/displays.py has it, which takes longer to import than a command to run."""


def _read_code(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    code = value.upper()
    if not _CODE.fullmatch(code):
        raise click.BadParameter(
            f"'{value}' is no code of a screen: type the six letters and figures that it shows."
        )
    return code


_code = click.argument("code", callback=_read_code)


@click.group()
def screen() -> None:
    """Pair signs and boards, say what they are for, and see what they have shown."""


@screen.command("list")
@acting
@json_option
def list_screens(api: Api, as_json: bool) -> None:
    """List the screens, with when each last reported and what it showed."""
    items = api.every("/v1/screens")
    if as_json:
        print_json(items)
        return
    headings = ("Screen", "For", "Seen", "Shows", "Notices")
    rows = [
        (
            one["screen"],
            _purpose(one),
            _second(one["seen_at"]) if one["seen_at"] else "never",
            ", ".join(f"{meter} #{seq}" for meter, seq in one["shows_meters"].items()) or "-",
            ", ".join(one["shows_notices"]) or "-",
        )
        for one in items
    ]
    print_table("Screens", headings, rows)


def _second(instant: str) -> str:
    """To the second, in UTC; '--json' has it whole."""
    return f"{instant[:10]} {instant[11:19]}Z"


def _purpose(one: dict[str, Any]) -> str:
    if one["table"] is not None:
        return f"sign of {one['table']}"
    return f"board of {', '.join(one['meters']) or 'all meters'}, {one['layout']}"


_table = click.option("--table", help="Whose sign it is.")
_meters = click.option("--meter", "meters", multiple=True, help="Of a board; none for all of them.")
_layout = click.option(
    "--layout", type=click.Choice(_LAYOUTS), default="side-by-side", help="Of a board."
)


def _role(table: str | None, meters: tuple[str, ...], layout: str) -> dict[str, Any]:
    if table is not None and meters:
        raise click.UsageError("Give --table for a sign, or --meter for a board, not both.")
    chosen = "sign" if table is not None else layout
    return {"layout": chosen, "table": table, "meters": list(meters)}


@screen.command()
@click.argument("name")
@_code
@_table
@_meters
@_layout
@acting
def pair(
    api: Api, name: str, code: str, table: str | None, meters: tuple[str, ...], layout: str
) -> None:
    """Pair the screen that shows CODE, and call it NAME."""
    body = {"screen": name, "code": code, **_role(table, meters, layout)}
    click.echo(f"{name} is the {_purpose(api.post('/v1/screens', body))}.")


@screen.command()
@click.argument("name")
@_table
@_meters
@_layout
@acting
def assign(api: Api, name: str, table: str | None, meters: tuple[str, ...], layout: str) -> None:
    """Say what a screen is for."""
    told = api.post(f"/v1/screens/{name}/role", _role(table, meters, layout))
    click.echo(f"{name} is the {_purpose(told)}.")


@screen.command()
@click.argument("name")
@_code
@acting
def replace(api: Api, name: str, code: str) -> None:
    """Let the screen that shows CODE take the place of NAME, which failed."""
    told = api.post(f"/v1/screens/{name}/replacement", {"code": code})
    click.echo(f"{name} is the {_purpose(told)}, on the new screen.")


@screen.command()
@click.argument("name")
@acting
def remove(api: Api, name: str) -> None:
    """Unpair a screen; the proof of what it has shown is kept."""
    api.post(f"/v1/screens/{name}/removal")
    click.echo(f"{name} is removed.")


@screen.command()
@click.option("--screen", "name", help="Only of this screen.")
@click.option("--meter", help="Only of this meter.")
@click.option("--notice", help="Only of this notice.")
@click.option("--since", help="Only from this time on, as 2026-03-01T10:00:00Z.")
@click.option("--until", help="Only up to this time.")
@acting
@json_option
def displays(
    api: Api,
    name: str | None,
    meter: str | None,
    notice: str | None,
    since: str | None,
    until: str | None,
    as_json: bool,
) -> None:
    """What was on which screen, from when to when."""
    if meter and notice:
        raise click.UsageError("Give --meter or --notice, not both.")
    asked = {"screen": name, "subject": meter or notice, "since": since, "until": until}
    if meter or notice:
        asked["kind"] = "meter" if meter else "notice"
    items = api.every("/v1/displays", **{k: v for k, v in asked.items() if v is not None})
    if as_json:
        print_json(items)
        return
    rows = [
        (
            one["screen"],
            one["subject"],
            "-" if one["to_seq"] is None else f"#{one['from_seq']}-{one['to_seq']}",
            _second(one["from_at"]),
            _second(one["to_at"]),
        )
        for one in items
    ]
    print_table("Displays", ("Screen", "Showed", "Entries", "From", "To"), rows)
