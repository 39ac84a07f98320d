"""``meter-server device``: table agents and gateways."""

import click

from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.signed_in import acting


@click.group()
def device() -> None:
    """Enrol table agents and gateways, and keep them out."""


@device.command("list")
@acting
@json_option
def list_devices(api: Api, as_json: bool) -> None:
    """List the devices."""
    items = api.every("/v1/devices")
    if as_json:
        print_json(items)
        return
    headings = ("Device", "Kind", "Table", "Epoch", "State", "Why")
    rows = [
        (
            one["device"],
            one["kind"],
            one["table"] or "-",
            str(one["epoch"]),
            one["state"],
            one["reason"] or "",
        )
        for one in items
    ]
    print_table("Devices", headings, rows)


@device.command()
@click.argument("name")
@click.option("--table", help="The table at which a table agent stands; none for a gateway.")
@acting
@json_option
def enrol(api: Api, name: str, table: str | None, as_json: bool) -> None:
    """Propose to enrol a device; whoever confirms it is shown the one-time code."""
    kind = "gateway" if table is None else "agent"
    body = {"device": name, "kind": kind, "table": table}
    tell_proposed(api.post("/v1/devices", body), as_json=as_json)


@device.command()
@click.argument("name")
@click.option("--reason", required=True, help="Why; it is kept.")
@acting
def revoke(api: Api, name: str, reason: str) -> None:
    """Keep a device out, at once."""
    api.post(f"/v1/devices/{name}/revocation", {"reason": reason})
    click.echo(f"{name} is revoked.")
