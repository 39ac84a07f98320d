"""What a person sees when everything runs: where to look and how to log in."""

from rich.console import Console

from deploy.demo import people
from deploy.demo.floor import AGENT, AGENT_TABLE
from deploy.demo.folder import DataFolder
from meter_server.settings import Settings
from signage.settings import Settings as SignageSettings


def show(
    console: Console,
    settings: Settings,
    screens: SignageSettings,
    folder: DataFolder,
    *,
    has_people: bool,
) -> None:
    server = f"http://{settings.host}:{settings.port}"
    worker = f"http://{settings.host}:{settings.worker_metrics_port}"
    console.print()
    console.print("Prize Meter is running.", style="bold green")
    console.print(f"  Health       {server}/health")
    console.print(f"  Interface    {server}/v1/openapi.json")
    signs = f"http://{screens.host}:{screens.port}"
    console.print(f"  Signs        {signs}/sign/T1 (so for each table), {signs}/board")
    console.print(f"  Metrics      {server}/metrics (server), {worker}/metrics (worker)")
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


def _show_people(console: Console, folder: DataFolder) -> None:
    shared = f"password {people.password(folder)}, PIN {people.pin(folder)} for everybody"
    console.print(f"  Log-ins      {shared}")
    for one in (*people.FIRST, *people.OTHERS):
        console.print(f"               {one.number}  {one.name}, {one.role}")
