"""Whatever the checker takes, and whatever that takes, is not of the product."""

from pathlib import Path

from tests.independent.test_apart import PRODUCT, imports

ROOT = Path(__file__).parents[2]


def test_the_checker_takes_nothing_from_the_product() -> None:
    taken = taken_by("tests.faults.checker")
    assert "tests.faults.books" in taken
    assert not {name for name in taken if name.partition(".")[0] in PRODUCT}


def test_what_the_product_brings_would_be_seen() -> None:
    assert "meter_server.failpoints" in taken_by("tests.faults.campaign")


def taken_by(module: str) -> set[str]:
    """All that it imports, by whatever way through the tests."""
    taken: set[str] = set()
    waiting = {module}
    while waiting:
        found = set().union(*(imports(source) for source in sources_of(waiting.pop())))
        waiting |= {one for one in found - taken if one.startswith("tests.")}
        taken |= found
    return taken


def sources_of(module: str) -> list[str]:
    """Of a folder, all that is in it: which part was meant is not asked."""
    path = ROOT / module.replace(".", "/")
    files = path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]
    return [file.read_text(encoding="utf-8") for file in files]
