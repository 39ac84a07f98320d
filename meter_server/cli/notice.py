"""``meter-server notice``: what the signs announce, and the change once its time has come."""

from typing import Any

import click

from meter_server.cli.cents import Cents
from meter_server.cli.client import Api
from meter_server.cli.output import Refusal, json_option, print_json, print_table
from meter_server.cli.proposal import tell_proposed
from meter_server.cli.signed_in import acting
from meter_server.domain.money import MICROS_PER_CENT, dollars


@click.group()
def notice() -> None:
    """Announce changes on the signs, and make them in time."""


@notice.command("list")
@acting
@json_option
def list_notices(api: Api, as_json: bool) -> None:
    """List the notices and their clocks."""
    items = api.every("/v1/notices")
    if as_json:
        print_json(items)
        return
    headings = ("Notice", "Change", "State", "Signs", "May be made from")
    print_table("Notices", headings, [_row(one) for one in items])


@notice.group()
def draft() -> None:
    """Propose a notice for the signs."""


@draft.command()
@click.argument("name")
@click.argument("table")
@click.argument("system")
@acting
@json_option
def add(api: Api, name: str, table: str, system: str, as_json: bool) -> None:
    """A table will be added to a system."""
    _draft(api, name, {"kind": "add-table", "table": table, "system": system}, as_json)


@draft.command()
@click.argument("name")
@click.argument("table")
@acting
@json_option
def remove(api: Api, name: str, table: str, as_json: bool) -> None:
    """A table will leave its system."""
    _draft(api, name, {"kind": "remove-table", "table": table}, as_json)


@draft.command()
@click.argument("name")
@click.argument("table")
@click.argument("system")
@acting
@json_option
def transfer(api: Api, name: str, table: str, system: str, as_json: bool) -> None:
    """A table will move to another system."""
    _draft(api, name, {"kind": "transfer-table", "table": table, "system": system}, as_json)


@draft.command()
@click.argument("name")
@click.argument("system")
@click.option("--to", "shares", multiple=True, help="SYSTEM=PERCENT of the surplus; repeat it.")
@acting
@json_option
def close(api: Api, name: str, system: str, shares: tuple[str, ...], as_json: bool) -> None:
    """A system will be closed and its surplus go to others."""
    shares_bp = dict(_share(share) for share in shares)
    _draft(api, name, {"kind": "close-system", "system": system, "shares_bp": shares_bp}, as_json)


@draft.command()
@click.argument("name")
@click.argument("systems", nargs=-1, required=True)
@click.option("--option", type=click.IntRange(1, 2), required=True, help="Option 1 or 2.")
@click.option("--seed", type=int, required=True, help="The seed in dollars, as printed.")
@click.option("--cost", "costs", type=Cents(), multiple=True, required=True, help="One each.")
@acting
@json_option
def terms(
    api: Api,
    *,
    name: str,
    systems: tuple[str, ...],
    option: int,
    seed: int,
    costs: tuple[int, ...],
    as_json: bool,
) -> None:
    """All systems named will run another option, seed or cost."""
    if len(systems) != len(costs):
        raise Refusal("Give each system its cost: as many --cost as systems, in their order.")
    wanted = {
        system: {"option": option, "seed_dollars": seed, "cost_cents": cost}
        for system, cost in zip(systems, costs, strict=True)
    }
    _draft(api, name, {"kind": "change-terms", "terms": wanted}, as_json)


@draft.command()
@click.argument("name")
@click.argument("table")
@click.option("--minimum", type=Cents(), required=True, help="The least of its bets from then on.")
@click.option("--maximum", type=Cents(), required=True, help="The most of its bets.")
@acting
@json_option
def minimum(api: Api, *, name: str, table: str, minimum: int, maximum: int, as_json: bool) -> None:
    """The minimum bet at a table will rise."""
    bets = {"minimum_cents": minimum, "maximum_cents": maximum}
    _draft(api, name, {"kind": "raise-minimum", "table": table, **bets}, as_json)


@notice.command()
@click.argument("name")
@click.argument("table")
@click.option("--reason", required=True, help="Why the sign cannot confirm it by itself.")
@acting
def confirm(api: Api, name: str, table: str, reason: str) -> None:
    """Confirm by hand that a table's sign shows the notice."""
    api.command(f"/v1/notices/{name}/displays", {"table": table, "reason": reason})
    click.echo(f"Notice {name} stands at table {table} on your word.")


@notice.command()
@click.argument("name")
@acting
def withdraw(api: Api, name: str) -> None:
    """Withdraw a notice."""
    api.command(f"/v1/notices/{name}/withdrawal")
    click.echo(f"Notice {name} is withdrawn.")


@notice.command()
@click.argument("name")
@click.option("--offline", "offline", multiple=True, help="A table that cannot be reached.")
@acting
def act(api: Api, name: str, offline: tuple[str, ...]) -> None:
    """Make the announced change, or begin to drain its tables."""
    done = api.command(f"/v1/notices/{name}/action", {"offline_tables": list(offline)})
    if done["draining"]:
        click.echo(f"The tables of {name} are draining: ask again when their games have ended.")
    else:
        click.echo(f"What notice {name} announced is done.")


@notice.command()
@click.argument("name")
@acting
def schedule(api: Api, name: str) -> None:
    """Have the change made by itself as soon as its notice has stood."""
    api.post(f"/v1/notices/{name}/schedule")
    click.echo(f"What notice {name} announces is done as soon as it may be, on your word.")


@notice.command()
@acting
@json_option
def scheduled(api: Api, as_json: bool) -> None:
    """List the changes that will be made by themselves."""
    items = api.every("/v1/scheduled-changes")
    if as_json:
        print_json(items)
        return
    headings = ("Notice", "On the word of", "Tried", "Last answer")
    print_table("Scheduled changes", headings, [_waiting(one) for one in items])


def _draft(api: Api, name: str, change: dict[str, Any], as_json: bool) -> None:
    body = {"notice": name, "change": change}
    tell_proposed(api.post("/v1/notices", body), as_json=as_json)


def _share(text: str) -> tuple[str, int]:
    """``other=62.5`` as hundredths of a percent."""
    system, _, percent = text.partition("=")
    whole, _, part = percent.partition(".")
    if not system or not (whole + part).isdigit() or len(part) > 2:
        raise Refusal(f"'{text}' is not a share: write the system, =, and its percent.")
    return system, int(whole or "0") * 100 + int(part.ljust(2, "0"))


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    return (
        one["notice"],
        _change(one["change"]),
        one["state"],
        ", ".join(_sign(sign) for sign in one["signs"]),
        one["ready_at"] or "-",
    )


def _waiting(one: dict[str, Any]) -> tuple[str, ...]:
    tried = "not yet" if one["attempted_at"] is None else one["attempted_at"]
    return one["notice"], one["scheduled_by"], tried, one["last_answer"] or "-"


def _change(change: dict[str, Any]) -> str:
    names = [change[name] for name in ("table", "system") if name in change]
    names += sorted(change.get("terms", ()))
    if "minimum_cents" in change:
        names += ["to", dollars(change["minimum_cents"] * MICROS_PER_CENT)]
    return f"{change['kind'].replace('-', ' ')} {' '.join(names)}"


def _sign(sign: dict[str, Any]) -> str:
    if sign["draining"]:
        return f"{sign['table']} draining"
    if sign["dark_since"] is not None:
        return f"{sign['table']} dark since {sign['dark_since']}"
    return f"{sign['table']} {'since ' + sign['shown_since'] if sign['shown_since'] else 'not yet'}"
