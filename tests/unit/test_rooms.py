"""The arrows between the rooms hold, and a wrong import would be noticed."""

import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("meter_server", "table_agent", "signage", "deploy", "tests")

# Contracts can forbid, but not say "nothing but": these rooms may use the standard library and
# what is named here.
LIBRARIES = {
    "meter_server.domain": {"pokerkit"},
    "meter_server.contract": {"cryptography", "http_message_signatures", "pydantic"},
    "meter_server.storage": {"aiosql", "psycopg", "psycopg_pool", "pydantic", "orjson"},
}


def test_every_contract_is_kept() -> None:
    checked = _lint(ROOT)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("meter_server/domain/wrong.py", "import meter_server.storage.database"),
        ("meter_server/domain/wrong.py", "import meter_server.errors"),
        ("meter_server/storage/wrong.py", "import meter_server.http.app"),
        ("meter_server/contract/wrong.py", "import meter_server.domain"),
        ("meter_server/feed/wrong.py", "import meter_server.storage.database"),
        ("meter_server/reading/wrong.py", "import meter_server.contract"),
        ("meter_server/recording/wrong.py", "import meter_server.access.desk"),
        ("meter_server/access/wrong.py", "import meter_server.recording.door"),
        ("meter_server/access/wrong.py", "import psycopg"),
        ("meter_server/health/wrong.py", "import meter_server.access.desk"),
        ("meter_server/http/wrong.py", "import meter_server.settings"),
        ("meter_server/http/wrong.py", "import psycopg"),
        ("meter_server/tasks/wrong.py", "import meter_server.http.app"),
        ("meter_server/http/wrong.py", "import tests.rules"),
        ("meter_server/reading/wrong.py", "import signage.cli"),
        ("meter_server/unplaced.py", ""),
        ("table_agent/wrong.py", "import meter_server.storage.errors"),
        ("signage/wrong.py", "import meter_server.domain"),
        ("signage/wrong.py", "import deploy.demo"),
    ],
)
def test_a_wrong_import_breaks_a_contract(tmp_path: Path, file: str, line: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package)
    (tmp_path / file).write_text(line)

    checked = _lint(tmp_path)

    assert checked.returncode == 1
    assert "BROKEN" in checked.stdout
    assert f"{Path(file).stem}" in checked.stdout


@pytest.mark.parametrize("room", LIBRARIES)
def test_a_room_uses_only_its_libraries(room: str) -> None:
    graph = grimp.build_graph("meter_server", include_external_packages=True, cache_dir=None)
    modules = {room, *graph.find_descendants(room)}
    imported = {
        target
        for module in modules
        for target in graph.find_modules_directly_imported_by(module)
        if target.partition(".")[0] not in {*sys.stdlib_module_names, "meter_server"}
    }
    assert imported <= LIBRARIES[room]


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)
