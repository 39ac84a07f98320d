"""``make bench-quick``: the naive route against the writer, on this machine, with books checked.

The three parts take turns, so that whatever else the machine does meets all of them alike; what
counts is the median of each part.
"""

import argparse
import sys

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from tests.bench import page, summary
from tests.bench.measuring import PARTS, engines, measure
from tests.bench.summary import Summary


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    arguments.add_argument("--turns", type=int, default=3, help="of each part")
    arguments.add_argument("--write-page", action="store_true", help="put it into docs/")
    given = arguments.parse_args()
    found = _measured(given.turns)
    console = Console()
    console.print(summary.table(found))
    for sentence in (missed := list(summary.missed(found))):
        console.print(sentence, style="bold red")
    console.print(summary.left_for_a_message(found))
    if given.write_page:
        page.write(found, missed)
    return 1 if missed else 0


def _measured(turns: int) -> Summary:
    found = Summary({part.name: [] for part in PARTS})
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn())
    with engines() as (postgres, redis), Progress(*columns) as progress:
        bar = progress.add_task("", total=turns * len(PARTS))
        for _ in range(turns):
            for part in PARTS:
                progress.update(bar, description=part.name)
                found.loads[part.name].append(measure(part, postgres, redis))
                progress.advance(bar)
    return found


if __name__ == "__main__":
    sys.exit(main())
