"""Pages of the proof, each written only by a full run that found nothing wrong."""

from collections.abc import Iterable
from pathlib import Path

from tests.proof import circumstances

FOLDER = Path(__file__).parents[2] / "docs" / "proof"


def write(name: str, title: str, text: Iterable[str], rows: Iterable[tuple[str, object]]) -> None:
    lines = [
        f"# {title}",
        "",
        f"At full counts, {circumstances()}.",
        "",
        *text,
        "",
        "| what | how much |",
        "|---|---:|",
        *(
            f"| {what} | {f'{how_much:,}' if isinstance(how_much, int) else how_much} |"
            for what, how_much in rows
        ),
        "",
    ]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")
