"""The vectors are what the independent script makes, and the script is independent."""

import ast
import sys
from pathlib import Path

import pytest

from tests.independent import protocol_vectors
from tests.unit.contract.vectors import FOLDER

SCRIPTS = sorted(Path(protocol_vectors.__file__).parent.glob("protocol_*.py"))


def test_the_files_are_as_the_script_makes_them() -> None:
    stored = {path.name: path.read_text(encoding="ascii") for path in FOLDER.iterdir()}
    assert stored == protocol_vectors.vectors()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_script_uses_the_standard_library_alone(script: Path) -> None:
    own = {f"tests.independent.{path.stem}" for path in SCRIPTS}
    assert _imported(script) - own <= sys.stdlib_module_names


def _imported(script: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name if name.startswith("tests.") else name.split(".")[0] for name in found}
