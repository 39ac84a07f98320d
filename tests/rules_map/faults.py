"""What can be wrong with citations and markers; each fault is a sentence that says what to do."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from meter_server.domain.requirements import KEYS, REGISTER
from tests.rules_map.scan import SCENARIO, Mention


def faults(cited: set[Mention], marked: set[Mention]) -> list[str]:
    return [
        *unknown_keys(cited | marked),
        *uncollected_markers(marked),
        *half_served_rows(cited, marked),
    ]


def unknown_keys(mentions: set[Mention]) -> Iterator[str]:
    for mention in sorted(mentions):
        if mention.key not in KEYS:
            yield (
                f"{mention.path} ({mention.name or 'module'}) names {mention.key}, "
                "which the register does not hold; write out a key that it does."
            )


def uncollected_markers(marked: set[Mention]) -> Iterator[str]:
    """A marker on something that pytest never runs proves nothing."""
    for mention in sorted(marked):
        if mention.path.endswith(SCENARIO) and mention.name:
            continue
        is_test_file = PurePosixPath(mention.path).name.startswith("test_")
        owner = mention.name.rpartition(".")[2]
        if not is_test_file or not owner.startswith(("test", "Test", "pytestmark")):
            yield (
                f"{mention.path} ({mention.name or 'module'}) marks {mention.key} "
                "on something that is not a test; move the marker to a test."
            )


def half_served_rows(cited: set[Mention], marked: set[Mention]) -> Iterator[str]:
    """Code without a test is a claim; a test without code is a proof of nothing in particular."""
    decided = {mention.key for mention in cited}
    proved = {mention.key for mention in marked}
    for row in REGISTER:
        if row.key in decided - proved:
            yield f'{row.key} is decided by code but no test carries @rule("{row.key}"); add one.'
        if row.key in proved - decided:
            yield f"{row.key} is proved by tests but no code cites it; cite it where it is decided."
