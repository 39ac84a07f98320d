"""What was changed and found, as a page of the proof."""

from collections import Counter
from pathlib import Path

from tests.counts import count
from tests.proof import circumstances

EXPORTS = count(reduced=80, full=800)
FORGERIES = count(reduced=20, full=200)
DATABASE = count(reduced=50, full=1000)
_ALL = EXPORTS + FORGERIES + DATABASE
_PAGE = Path(__file__).parents[3] / "docs" / "proof" / "verifier.md"

Tried = Counter[tuple[str, str]]
"""By what was changed (an export or the database), and how."""


def write_page(tried: Tried) -> None:
    """Only of a run in which every one was found and located."""
    if tried.total() != _ALL:
        return
    rows = (f"| {what} | {how.replace('_', ' ')} | {n:,} |" for (what, how), n in tried.items())
    lines = [
        "# What the verifier finds",
        "",
        f"At full counts, {circumstances()}.",
        "",
        f"{_ALL:,} changes at random, of an export and, by a superuser without triggers and",
        "constraints, of the live database. `jackpot-verify` found each of them, and its first",
        "finding named the place: otherwise this page is not written. Histories hashed anew were",
        "found with the checkpoints, and again by receipts alone.",
        "",
        "`PROVE=1 pytest tests/integration/verify` does it again, change by change.",
        "",
        "| changed | how | times |",
        "|---|---|---:|",
        *sorted(rows),
        "",
    ]
    _PAGE.write_text("\n".join(lines), encoding="utf-8")
