"""The page of a mutation run, and what is wrong with the run."""

import platform
import tomllib
from collections import Counter, defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

from tests.mutation.results import KILLED, TIMEOUT, Mutant

PAGE = Path(__file__).parents[2] / "docs" / "proof" / "mutation.md"
LEAST_KILLED_PERCENT = 95

_HEADING = """# Mutation testing of the rules

{when}, Python {python}, written by `make prove`.

**{mutants:,} mutants, {killed:,} killed ({percent:.2f} %), {survived:,} survived,
{seconds:,} seconds.**{continued}

A mutant is the rules core with one small change in one function: an operator swapped, a number
moved, an argument dropped, a string altered. It is killed when a test fails, or when the tests do
not end. Why this tool, and what it leaves alone:
[the decision](../decisions/0020-mutation-testing.md).

"""
_CONTINUED = """

The run was continued: {kept:,} kills are of earlier parts of it, which those seconds do not count.
A kill is kept while its function's text stays the same; all that had survived was judged again."""
_EXPLAINED = Path(__file__).parent / "survivors.toml"
_UNEXPLAINED = "Not explained."


def faults(mutants: list[Mutant]) -> list[str]:
    found = []
    if _killed(mutants) * 100 < LEAST_KILLED_PERCENT * len(mutants):
        found.append(
            f"Fewer than {LEAST_KILLED_PERCENT} % of the mutants were killed: "
            f"write tests for the survivors in {PAGE.name}."
        )
    if unexplained := _survivors(mutants).get(_UNEXPLAINED):
        found.append(
            f"{len(unexplained)} survivors are not explained: write a test for each, "
            f"or the reason why none can be written into {_EXPLAINED.name}."
        )
    return found


def render(mutants: list[Mutant], seconds: int, kept: int) -> str:
    when = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    lines = [*_table(mutants), "", *_explained(mutants)]
    return _HEADING.format(
        when=when,
        python=platform.python_version(),
        mutants=len(mutants),
        killed=_killed(mutants),
        percent=Decimal(_killed(mutants) * 100) / len(mutants),
        survived=len(mutants) - _killed(mutants),
        seconds=seconds,
        continued=_CONTINUED.format(kept=kept) if kept else "",
    ) + "\n".join(lines)


def _killed(mutants: list[Mutant]) -> int:
    return sum(_seen(mutant) for mutant in mutants)


def _seen(mutant: Mutant) -> bool:
    return mutant.status in (KILLED, TIMEOUT)


def _table(mutants: list[Mutant]) -> list[str]:
    modules: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in mutants:
        modules[mutant.module][mutant.status if _seen(mutant) else "survived"] += 1
    return [
        "| module | mutants | killed | of these never ended | survived |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| `{module}` | {found.total()} | {found[KILLED] + found[TIMEOUT]} "
            f"| {found[TIMEOUT]} | {found['survived']} |"
            for module, found in sorted(modules.items())
        ),
    ]


def _explained(mutants: list[Mutant]) -> list[str]:
    lines = ["## Survivors, by the reason why no test tells them from the rules", ""]
    for reason, survivors in _survivors(mutants).items():
        lines += [f"### {reason}", ""]
        for mutant in survivors:
            lines += [f"`{mutant.module}.{mutant.function}`", "```diff", mutant.change, "```", ""]
    return lines


def _survivors(mutants: list[Mutant]) -> dict[str, list[Mutant]]:
    explanations = tomllib.loads(_EXPLAINED.read_text(encoding="utf-8"))["survivors"]
    found: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        if not _seen(mutant):
            reasons = (row["why"] for row in explanations if _is_about(row, mutant))
            found[next(reasons, _UNEXPLAINED)].append(mutant)
    return found


def _is_about(explanation: dict[str, str], mutant: Mutant) -> bool:
    place = f"{mutant.module}.{mutant.function}"
    return fnmatchcase(place, explanation["where"]) and explanation["change"] in mutant.change
