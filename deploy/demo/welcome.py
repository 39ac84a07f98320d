"""What a person sees when everything runs: where to look and how to log in."""

from pathlib import Path

from rich.console import Console

from deploy.demo import guide, people
from deploy.demo.addresses import Addresses
from deploy.demo.floor import AGENT, AGENT_TABLE
from deploy.demo.folder import DataFolder
from deploy.demo.parts import CLONE


def show(
    console: Console, places: Addresses, folder: DataFolder, *, is_alive: bool, has_people: bool
) -> None:
    console.print()
    console.print("Prize Meter is running.", style="bold green")
    if is_alive:
        console.print(f"  Begin here   {places.guide}", style="bold")
        console.print(f"  Console      {places.console} (table {AGENT_TABLE} is yours)")
    console.print(f"  Health       {places.server}/health")
    console.print(f"  Interface    {places.server}/v1/openapi.json")
    console.print(
        f"  Signs        {places.signs}/sign/T1 (so for each table), {places.signs}/board"
    )
    console.print(
        f"  Metrics      {places.server}/metrics (server), {places.worker}/metrics (worker)"
    )
    if has_people:
        _show_people(console, folder)
        console.print(
            f"  Table {AGENT_TABLE}     table-agent --folder {folder.agent(AGENT)} status"
        )
    else:
        console.print("  Log-ins      those in your database; see docs/set-up.md for the first")
    console.print(f"  Data         {folder.path}")
    console.print(f"  Logs         {folder.logs}")
    console.print("Stop it with Ctrl-C.")


def write_guide(folder: DataFolder, places: Addresses) -> Path:
    """The same for a browser, with a sentence for each stop; it holds the log-ins."""
    everybody = (*people.FIRST, *people.OTHERS)
    by_role = {one.role: one.number for one in everybody}
    facts = {
        "server": places.server,
        "worker": places.worker,
        "signs": places.signs,
        "console": places.console,
        "password": people.password(folder),
        "pin": people.pin(folder),
        "dealer": by_role["dealer"],
        "manager": by_role["assistant-casino-manager"],
        "device": AGENT,
        "data": str(folder.path),
        "clone": str(CLONE),
    }
    rows = [(one.number, one.name, one.role, one.purpose) for one in everybody]
    file = folder.path / "guide.html"
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(guide.written(facts, rows), encoding="utf-8")
    return file


def _show_people(console: Console, folder: DataFolder) -> None:
    shared = f"password {people.password(folder)}, PIN {people.pin(folder)} for everybody"
    console.print(f"  Log-ins      {shared}")
    for one in (*people.FIRST, *people.OTHERS):
        console.print(f"               {one.number}  {one.name}, {one.role}")
