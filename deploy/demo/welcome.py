"""What a person sees when everything runs: where to look and how to log in."""

from rich.console import Console

from deploy.demo.folder import DataFolder
from meter_server.settings import Settings

# Name, password and what the person may do; filled when the product has log-ins.
LOG_INS: tuple[tuple[str, str, str], ...] = ()


def show(console: Console, settings: Settings, folder: DataFolder) -> None:
    server = f"http://{settings.host}:{settings.port}"
    worker = f"http://{settings.host}:{settings.worker_metrics_port}"
    console.print()
    console.print("Prize Meter is running.", style="bold green")
    console.print(f"  Health       {server}/health")
    console.print(f"  Metrics      {server}/metrics (server), {worker}/metrics (worker)")
    console.print(f"  Log-ins      {_log_ins()}")
    console.print(f"  Data         {folder.path}")
    console.print(f"  Logs         {folder.logs}")
    console.print("Stop it with Ctrl-C.")


def _log_ins() -> str:
    if not LOG_INS:
        return "none yet: every page so far is open to this machine"
    return "; ".join(f"{name} / {password} ({may})" for name, password, may in LOG_INS)
