"""Finds the register's keys in prose, exactly: A-1 is not A-15, and SYS-1…3 is three keys."""

import re
from collections.abc import Iterator

from meter_server.domain.requirements import KEYS

_PREFIXES = "|".join(sorted({key.rpartition("-")[0] for key in KEYS}))

# A hyphen after the number means a run of cards (A-2-3-4-5), which is no citation.
_CITATION = re.compile(
    rf"(?<![\w-])(?P<prefix>{_PREFIXES})-(?P<first>\d+)"
    r"(?:\s*(?:…|\.{2,3}|\N{EN DASH})\s*(?:(?P=prefix)-)?(?P<last>\d+))?"
    r"(?![\w-])"
)


def cited_in(text: str) -> Iterator[str]:
    """Every cited key; a range yields each of its keys, known or not."""
    for match in _CITATION.finditer(text):
        first = int(match["first"])
        last = int(match["last"] or first)
        if last < first:  # No register holds such a key, so the check for unknown keys reports it.
            yield match[0]
        for number in range(first, last + 1):
            yield f"{match['prefix']}-{number}"
