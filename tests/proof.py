"""Writes the page of a full run from pytest's own report: `python -m tests.proof REPORT ...`."""

import os
import platform
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

PAGE = Path(__file__).parents[1] / "docs" / "proof" / "README.md"


def main(reports: Iterable[Path]) -> None:
    trees = [ElementTree.parse(report) for report in reports]  # noqa: S314 - our own files
    cases = (case for tree in trees for case in tree.iter("testcase"))
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(render(cases), encoding="utf-8")
    print(f"Wrote {PAGE}.")


def render(cases: Iterable[ElementTree.Element]) -> str:
    results: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: Counter[str] = Counter()
    figures: list[str] = []
    for case in cases:
        folder = "/".join(case.attrib["classname"].split(".")[:2])
        results[folder][_result(case)] += 1
        seconds[folder] += round(float(case.attrib["time"]))
        figures += [_figure(found) for found in case.iterfind("properties/property")]
    rows = [
        f"| `{folder}` | {found['passed']} | {found['failed']} | {found['skipped']} "
        f"| {seconds[folder]} |"
        for folder, found in sorted(results.items())
    ]
    return "\n".join([*_heading(), *rows, *_table_of(figures), ""])


def _figure(found: ElementTree.Element) -> str:
    """What a test wrote down with pytest's ``record_property``."""
    return f"| {found.attrib['name']} | {found.attrib['value']} |"


def _table_of(figures: list[str]) -> list[str]:
    return ["", "| what was tried | figure |", "|---|---:|", *sorted(figures)] if figures else []


def _heading() -> list[str]:
    return [
        "# Proof",
        "",
        f"The tests of these folders at full counts, {circumstances()}.",
        "`make prove` runs all of them and writes this page.",
        "",
        "| folder | passed | failed | skipped | seconds |",
        "|---|---:|---:|---:|---:|",
    ]


def circumstances() -> str:
    """When, of which commit, and where: what every page of the proof says."""
    commit = _git("describe", "--always", "--dirty")
    where = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {commit}, {where}"


def _result(case: ElementTree.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


if __name__ == "__main__":
    main(map(Path, sys.argv[1:]))
