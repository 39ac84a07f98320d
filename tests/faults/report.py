"""What a campaign did, as a table on the screen and as a page of the proof."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

from meter_server.failpoints import Place
from tests.faults.campaign import OUTSIDE, RESTARTED, TERMINATED, Campaign
from tests.proof import circumstances

PAGE = Path(__file__).parents[2] / "docs" / "proof" / "kill-campaign.md"


def show(campaign: Campaign, complaints: Sequence[str]) -> None:
    table = Table("what", "how much", title="The kill campaign")
    for what, how_much in rows(campaign):
        table.add_row(what, how_much)
    console = Console()
    console.print(table)
    for sentence in [*campaign.surprises, *complaints][:50]:
        console.print(sentence)


def rows(campaign: Campaign) -> Iterator[tuple[str, str]]:
    kept, counts, kills = campaign.kept, campaign.counts, campaign.kills
    kinds = Counter(one.message["command"]["kind"] for one in kept)
    entries = Counter(
        entry["kind"] for one in kept if one.answer for entry in one.answer.get("entries", ())
    )
    refused = sum(one.answer is not None and one.answer["answer"] == "refused" for one in kept)
    yield "table agents at once", f"{len(campaign.floor.agents)}"
    yield "messages acknowledged", f"{sum(one.acknowledged_ns > 0 for one in kept):,}"
    for kind, number in sorted(kinds.items()):
        yield f"... {kind}", f"{number:,}"
    yield "... refused by the rules", f"{refused:,}"
    for kind in ("prize", "reset"):
        yield f"entries: {kind}", f"{entries[kind]:,}"
    for what in ("replays", "gaps", "abandoned", "lost replies", "try later"):
        yield what, f"{counts[what]:,}"
    yield "servers killed by SIGKILL", f"{campaign.server_kills:,}"
    for place in Place:
        yield f"... by themselves: {place}", f"{kills[place]:,}"
    yield f"... {OUTSIDE}", f"{kills[OUTSIDE]:,}"
    yield TERMINATED, f"{kills[TERMINATED]:,}"
    yield f"{RESTARTED}, immediate", f"{kills[RESTARTED]:,}"
    yield "seconds", f"{campaign.seconds:.0f}"
    yield "messages a second, kills included", f"{len(kept) / campaign.seconds:.0f}"
    yield "longest time without an acknowledgement", f"{_longest_gap(campaign):.1f} s"


def _longest_gap(campaign: Campaign) -> float:
    moments = sorted(one.acknowledged_ns for one in campaign.kept if one.acknowledged_ns)
    return max((later - earlier for earlier, later in pairwise(moments)), default=0) / 1e9


def write_page(campaign: Campaign, seed: int) -> None:
    """Only of a run that found nothing wrong."""
    PAGE.parent.mkdir(exist_ok=True)
    lines = [
        "# The kill campaign",
        "",
        f"At full counts, {circumstances()}, seed {seed}.",
        "",
        "Two servers, their connections and one PostgreSQL were killed under the agents. Then a",
        "checker that shares no code with the product compared the database with what each agent",
        "had sent and was told. Nothing acknowledged was lost, doubled or reordered: otherwise",
        "this page is not written. With the deduplication, the order of numbers or the wait for",
        "the commit taken away, the same checker complains (`tests/faults/test_controls.py`).",
        "`jackpot-verify` found the export of the run, its checkpoints and all receipts good.",
        "",
        f"`PROVE=1 SEED={seed} pytest -s tests/faults` does it again, as far as threads allow; the",
        "places are explained in [the decision about failpoints](../decisions/0014-failpoints.md).",
        "",
        "| what | how much |",
        "|---|---:|",
        *(f"| {what} | {how_much} |" for what, how_much in rows(campaign)),
        "",
    ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
