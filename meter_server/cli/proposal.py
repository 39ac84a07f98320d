"""``meter-server proposal``: what takes two persons."""

import json
from typing import Any

import click

from meter_server.cli.client import Api
from meter_server.cli.output import json_option, print_json, print_table
from meter_server.cli.signed_in import acting


def tell_proposed(proposal: dict[str, Any], *, as_json: bool = False) -> None:
    """What every command says that only proposes."""
    if as_json:
        print_json(proposal)
        return
    click.echo(
        f"Proposed as {proposal['id']}. A colleague confirms it with "
        f"'meter-server proposal confirm {proposal['id']}'."
    )


@click.group()
def proposal() -> None:
    """See, confirm or reject what takes two persons."""


@proposal.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that are decided.")
@acting
@json_option
def list_proposals(api: Api, everything: bool, as_json: bool) -> None:
    """List what waits for a second person."""
    query = {} if everything else {"state": "proposed"}
    items = api.every("/v1/proposals", **query)
    if as_json:
        print_json(items)
        return
    rows = [
        (one["id"], one["action"], one["proposed_by"], one["state"], json.dumps(one["body"]))
        for one in items
    ]
    print_table("Proposals", ("Id", "Action", "Proposed by", "State", "What"), rows)


@proposal.command()
@click.argument("proposal_id")
@acting
@json_option
def confirm(api: Api, proposal_id: str, as_json: bool) -> None:
    """Confirm what a colleague proposed; it is carried out now."""
    done = api.post(f"/v1/proposals/{proposal_id}/confirmation")
    if as_json:
        print_json(done)
        return
    carried_out = done["proposal"]
    click.echo(f"Carried out: {carried_out['action']}, proposed by {carried_out['proposed_by']}.")
    for name, value in (done["once"] or {}).items():
        click.echo(f"Shown only now: {name} {value}")


@proposal.command()
@click.argument("proposal_id")
@click.option("--reason", required=True, help="Why; it is kept.")
@acting
def reject(api: Api, proposal_id: str, reason: str) -> None:
    """Reject what a colleague proposed, or take back your own."""
    api.post(f"/v1/proposals/{proposal_id}/rejection", {"reason": reason})
    click.echo(f"Rejected {proposal_id}.")
