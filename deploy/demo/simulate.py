"""``table-agent simulate``: an evening on the floor of ``make run``, at tables of its own."""

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGTERM, signal

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from deploy.demo import people, staffing
from deploy.demo.accounts import engine_account
from deploy.demo.folder import DataFolder, default_folder
from deploy.demo.parsing import Share, Speed
from deploy.simulator import books, shows, summary
from deploy.simulator.dealer import Rates
from deploy.simulator.evening import Evening, Plan
from deploy.simulator.floor import Wanted, wanted
from deploy.simulator.office import Office, sign_in
from deploy.simulator.table import SimulationError
from meter_server.cli.output import Refusal
from meter_server.contract.device.identity import Folder

TABLES_MAX = 250
_SERVER = f"http://127.0.0.1:{os.environ.get('METER_SERVER_PORT', '8470')}"


@click.command()
@click.option("--server", default=_SERVER, show_default=True, help="On this machine.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The data folder of 'make run', with its log-ins; found by itself.",
)
@click.option("--tables", type=click.IntRange(1, TABLES_MAX), default=8, show_default=True)
@click.option("--rounds", type=click.IntRange(1), help="In all; 200 where no time is given.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="How long at most.")
@click.option(
    "--speed", type=Speed(), default="max", show_default="max", help="20x: as 20 real floors."
)
@click.option("--seed", type=int, help="The same evening again, as far as threads allow.")
@click.option("--irregular", type=Share(), default="2%", show_default=True, help="Of all rounds.")
@click.option("--cuts", type=Share(), default="2%", show_default=True, help="Of the network.")
@click.option("--restarts", type=Share(), default="0.5%", show_default=True, help="Of agents.")
@click.option("--changes", type=Share(), default="1%", show_default=True, help="Of dealers.")
@click.option(
    "--show",
    "shown",
    type=click.Choice(shows.NAMES),
    multiple=True,
    help="Stack a deck: the third round of the first table, the fourth, and so on.",
)
def simulate(
    server: str,
    data: Path | None,
    tables: int,
    rounds: int | None,
    minutes: float | None,
    speed: float,
    seed: int | None,
    irregular: float,
    cuts: float,
    restarts: float,
    changes: float,
    shown: Sequence[str],
) -> None:
    """Play an evening at simulated tables with real agents, and compare the books.

    Against a server on this machine, best one of 'make run QUIET=1': the tables, systems and
    agents that it needs are set up first. Cards are shuffled, players come, go and fold, links are
    cut and agents restarted. At the end every meter and prize must be what the tables' own
    messages sum up to; otherwise the exit code is 1.
    """
    account = engine_account()
    folder = DataFolder(data.absolute(), account) if data else default_folder(account)
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    if rounds is None and minutes is None:
        rounds = 200
    rates = Rates(irregular=irregular, cut=cuts, restart=restarts, new_dealer=changes)
    seconds = None if minutes is None else minutes * 60
    asked = wanted(tables)
    _require_room(shown, asked, rounds)
    plan = Plan(rounds, seconds, speed, seed, rates, shows.planned(shown, asked.systems_count))
    try:
        _simulate(server, folder, asked, plan)
    except (SimulationError, Refusal) as error:
        raise click.ClickException(str(error)) from None


def _simulate(server: str, folder: DataFolder, asked: Wanted, plan: Plan) -> None:
    if not people.are_known(folder):
        raise SimulationError(
            f"{folder.path} holds no log-ins that you may read: start 'make run QUIET=1' in "
            "another terminal, or name the folder that it calls Data with --data."
        )
    console = Console()
    evening = Evening(server, plan, staffing.staff(folder))
    secret = people.password(folder)
    manager, second = (sign_in(server, one.number, secret) for one in people.FIRST[:2])
    console.print(f"Seed {plan.seed}. Setting up {len(asked.tables)} tables ...")
    office = Office(server, manager, second)
    folders = asked.set_up(office, folder.agent)
    with evening.at_the_tables([Folder(path, "table-agent") for path in folders]):
        before = books.systems_of(manager, asked.tables)
        with _stopping(evening), _progress(console, plan.rounds) as progress:
            task = progress.add_task("Playing", total=plan.rounds)
            evening.play(lambda _: progress.advance(task))
        # Signed in anew: an evening is longer than a session that nobody uses.
        manager = sign_in(server, people.FIRST[0].number, secret)
        compared = books.compare(manager, before, evening.events, evening.readings)
    summary.show(console, evening, compared, before[0].terms)
    if not compared.equal:
        raise SimulationError("The books are NOT equal: the lines above say which.")


def _require_room(shown: Sequence[str], asked: Wanted, rounds: int | None) -> None:
    """A show that no table would come to is told before, not missed afterwards."""
    tables = len(asked.tables)
    for place, number in shows.planned(shown, asked.systems_count):
        if place >= tables:
            raise click.UsageError(f"A show at {place + 1} tables takes --tables {place + 1}.")
        needed = (number - 1) * tables + place + 1
        if rounds is not None and rounds < needed:
            raise click.UsageError(
                f"A show in round {number} of a table takes --rounds {needed} or more at "
                f"{tables} tables."
            )


def _progress(console: Console, rounds: int | None) -> Progress:
    counted = MofNCompleteColumn() if rounds else TextColumn("{task.completed}")
    columns = [TextColumn("{task.description}"), BarColumn(), counted, TextColumn("rounds")]
    return Progress(*columns, TimeElapsedColumn(), console=console)


@contextmanager
def _stopping(evening: Evening) -> Iterator[None]:
    """Ctrl-C ends the evening after the rounds that are open, and the books are compared."""
    before = [
        (number, signal(number, lambda *_: evening.stop.set())) for number in (SIGINT, SIGTERM)
    ]
    try:
        yield
    finally:
        for number, handler in before:
            signal(number, handler)
