"""How the command line speaks: tables for people, JSON for programs, one sentence when it cannot.

Exit codes: 0 done; 1 a part of the system was not available; 2 the request is wrong or refused.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence

import click

from meter_server.errors import SettingsError
from meter_server.storage.errors import StorageError


class Refusal(click.ClickException):
    """Raise this in a command to end with one sentence on standard error and exit code 2."""

    exit_code = 2


class NotAvailable(click.ClickException):
    """Raise this in a command to end with one sentence on standard error and exit code 1."""

    exit_code = 1


# ``@json_option`` gives a command the flag; its function receives ``as_json``.
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def print_json(value: object) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


_AMOUNT = re.compile(r"[-+]?\$[\d,]+(\.\d+)?")
_WIDEST = 1_000
_NAME_MAX = 45
"""Characters; whatever is longer is a sentence."""


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table that adapts to the width of the terminal."""
    # rich takes 100 ms to import: only those who print a table pay.
    from rich.box import SIMPLE_HEAD
    from rich.console import Console, ConsoleDimensions
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    headings, rows = _without_empty_columns(headings, list(rows))
    table = Table(box=SIMPLE_HEAD, show_header=any(headings))
    # A name in the first column is copied into the next command, so it is never cut; a sentence is.
    longest = max((len(line) for row in rows for line in row[0].splitlines()), default=0)
    is_name = longest <= _NAME_MAX
    table.add_column(headings[0], no_wrap=is_name, min_width=longest if is_name else None)
    for place, heading in enumerate(headings[1:], start=1):
        cells = [row[place] for row in rows if place < len(row)]
        # An amount broken in two lines is read as another amount; sentences beside it may be.
        amounts = [cell for cell in cells if _AMOUNT.fullmatch(cell.strip())]
        whole = [cell for cell in cells if len(cell) <= _NAME_MAX] if amounts else []
        table.add_column(
            heading,
            overflow="fold",
            no_wrap=bool(amounts) and whole == cells,
            min_width=max(map(len, whole), default=None),
        )
    for row in rows:
        # People's words are shown as they are: brackets in them are no markup.
        table.add_row(*map(Text, row))
    console = Console()
    # A title of the table itself would be folded to the table's width, however narrow.
    console.print(title, style="italic", markup=False, highlight=False)
    # In a terminal too narrow for it a table runs over the edge: no column may be missing.
    least = Measurement.get(console, console.options.update(width=_WIDEST), table).minimum
    console.size = ConsoleDimensions(max(console.width, least), console.height)
    console.print(table)


def _without_empty_columns(
    headings: Sequence[str], rows: list[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """One in which nothing stands would only take the room of the others."""
    kept = [
        place
        for place in range(len(headings))
        if place == 0 or not rows or any("".join(row[place : place + 1]) for row in rows)
    ]
    cells = [[row[place] for place in kept if place < len(row)] for row in rows]
    return [headings[place] for place in kept], cells


def run(group: click.Group, program: str) -> int:
    """Run a command group; every foreseen failure becomes one sentence and an exit code."""
    try:
        result = group.main(prog_name=program, standalone_mode=False)
    except click.UsageError as error:
        place = error.ctx.command_path if error.ctx else program
        # click lists choices on lines of their own; a refusal is one line.
        message = " ".join(error.format_message().split()).removesuffix(".")
        return _say(program, f"{message}. Try '{place} --help'.", 2)
    except click.ClickException as error:
        return _say(program, error.format_message(), error.exit_code)
    except SettingsError as error:
        return _say(program, str(error), 2)
    except StorageError as error:
        return _say(program, str(error), 1)
    except click.Abort:
        return 130  # Ctrl-C: nothing to explain
    except OSError as error:
        return _say(program, _why_not_written(error), 1)
    return result if isinstance(result, int) else 0


def _why_not_written(error: OSError) -> str:
    if error.filename is not None:
        return f"Cannot use {error.filename} ({error.strerror}): name another place."
    # What was not written would be tried again, and complained of, when Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return f"The output cannot be written ({error.strerror}): send it to another place."


def _say(program: str, sentence: str, exit_code: int) -> int:
    click.echo(f"{program}: {sentence}", file=sys.stderr)
    return exit_code
