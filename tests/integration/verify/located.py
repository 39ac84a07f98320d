"""What it means that a change is found and located."""

import re
from collections.abc import Iterable

from deploy.verify.jackpot_verify import Finding
from tests.integration.verify.exports import sentences


def require_found(findings: list[Finding], what: str, words: Iterable[str], seed: int) -> None:
    """The first finding names the place of the change in any of these words."""
    told = f"{what} (seed {seed})"
    assert findings, f"not found: {told}"
    first = findings[0]
    place = f"{first.where} {first.what} "
    if first.file == "the export":
        place += f"line {first.line} "
    assert any(_names(place, word) for word in words), (
        f"not located: {told} at {sorted(words)}, but {sentences(findings[:3])}"
    )


def _names(place: str, word: str) -> bool:
    """As a whole: line 1 is not line 12."""
    end = "(?![0-9])" if word[-1].isdigit() else ""
    return re.search(re.escape(word) + end, place) is not None
