"""The figures in docs/benchmarks.md, between two marks, and the picture beside them."""

import os
from collections.abc import Sequence
from math import log10
from pathlib import Path

from tests.bench import summary
from tests.bench.measuring import PARTS
from tests.bench.summary import Summary
from tests.proof import circumstances

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
PICTURE = PAGE.with_suffix(".svg")
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"

_LEFT, _ROW, _WIDTH = 190, 44, 640


def write(found: Summary, missed: Sequence[str]) -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{_figures(found, missed)}{END}{after}", encoding="utf-8")
    PICTURE.write_text(_picture(found), encoding="utf-8")


def _figures(found: Summary, missed: Sequence[str]) -> str:
    turns = len(found.loads[PARTS[0].name])
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    lines = [
        f"Measured {circumstances()}; medians of {turns} turns of each part, taken in turn.",
        f"Load of the machine over the last 1, 5 and 15 minutes, this run included: {load}.",
        "",
        f"| {' | '.join(summary.HEADINGS)} |",
        f"|---|{'---:|' * (len(summary.HEADINGS) - 1)}",
        *(f"| {' | '.join(row)} |" for row in summary.rows(found)),
        "",
        " ".join(missed) or "Everything that was asked for is so.",
        summary.left_for_a_message(found),
    ]
    return "\n".join(lines) + "\n"


def _picture(found: Summary) -> str:
    """Bars on a logarithmic scale, each with its figure."""
    rates = [found.messages_per_second(part) for part in PARTS]
    longest = log10(max(rates))
    bars = "".join(
        _bar(place, part.title, rate, log10(rate) / longest)
        for place, (part, rate) in enumerate(zip(PARTS, rates, strict=True))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH + 110} '
        f'{_ROW * len(PARTS) + 30}" font-family="sans-serif" font-size="15">\n'
        "<title>Messages a second, on a logarithmic scale</title>\n"
        f'<rect width="100%" height="100%" fill="#fff"/>\n{bars}'
        f'<text x="{_LEFT}" y="{_ROW * len(PARTS) + 20}" font-size="12" fill="#444">'
        "messages a second, logarithmic scale</text>\n</svg>\n"
    )


def _bar(place: int, title: str, rate: float, share: float) -> str:
    top, width = place * _ROW + 8, (_WIDTH - _LEFT) * share
    return (
        f'<text x="{_LEFT - 10}" y="{top + 21}" text-anchor="end">{title}</text>\n'
        f'<rect x="{_LEFT}" y="{top}" width="{width:.0f}" height="30" fill="#1f5f8b"/>\n'
        f'<text x="{_LEFT + width + 8:.0f}" y="{top + 21}">{rate:,.0f}</text>\n'
    )
