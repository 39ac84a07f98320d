"""The second model is a second one: it takes nothing from the product."""

import ast
from pathlib import Path

FOLDER = Path(__file__).parent
PRODUCT = {"meter_server", "table_agent", "signage", "deploy"}


def test_nothing_of_the_product_is_imported_here() -> None:
    taken = {
        f"{path.name}: {name}"
        for path in FOLDER.rglob("*.py")
        for name in imports(path.read_text(encoding="utf-8"))
        if name.partition(".")[0] in PRODUCT or not _is_ours(name)
    }
    assert not taken, taken


def test_an_import_of_the_product_would_be_seen() -> None:
    assert imports("import deploy.demo\nfrom meter_server.domain import money\n") == {
        "deploy.demo",
        "meter_server.domain",
    }
    assert not _is_ours("tests.simulation.floors")


def imports(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def _is_ours(name: str) -> bool:
    """Of the tests, only this folder: another could bring the product in by the back door."""
    return not name.startswith("tests") or name.startswith("tests.independent")
