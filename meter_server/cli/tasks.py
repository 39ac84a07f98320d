"""``meter-server worker`` and ``meter-server beat``."""

from socket import gethostname

import click
from prometheus_client import start_http_server

from meter_server import bootstrap
from meter_server.cli.output import Refusal


@click.command()
def worker() -> None:
    """Do the tasks that are due.

    Run as many as you like. Ends on SIGTERM when the tasks in hand are done; the tasks of a worker
    that dies are given to another.
    """
    settings = bootstrap.start()
    _serve_metrics(settings.host, settings.worker_metrics_port)
    database = bootstrap.database(settings)
    database.open()
    celery = bootstrap.task_application(settings, database)
    # Threads: tasks wait for the database most of the time, and one process is one thing to watch.
    program = celery.Worker(
        hostname=f"worker@{gethostname()}",
        pool="threads",
        concurrency=settings.worker_threads,
        loglevel=settings.log_level,
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    program.start()
    raise SystemExit(program.exitcode)


@click.command()
def beat() -> None:
    """Send the periodic tasks when they are due.

    Run one. A second would only send everything twice, which does no harm.
    """
    settings = bootstrap.start()
    # Beat sends names and never runs a task: its database stays closed.
    celery = bootstrap.task_application(settings, bootstrap.database(settings))
    celery.Beat(quiet=True, loglevel=settings.log_level).run()


def _serve_metrics(host: str, port: int) -> None:
    try:
        start_http_server(port, host)
    except OSError as error:
        raise Refusal(
            f"Cannot listen on {host}:{port} ({error.strerror}): stop what uses it, or set "
            "METER_SERVER_WORKER_METRICS_PORT."
        ) from error
