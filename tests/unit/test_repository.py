"""The repository stands alone: whoever clones it needs nothing beside it and learns no secrets.

The forbidden words are put together from pieces, so that this file does not hold them itself.
"""

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

REGISTRY_HOSTS = [
    re.escape(host)
    for host in ("pypi" + ".org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com")
]

FORBIDDEN = {
    "a folder beside the repository": [r"\.\./" + "shared"],
    "a path of one machine": [r"(?<![\w/.~-])/" + r"(?:work|root|home)/"],
    "a package registry's host": REGISTRY_HOSTS,
    "a rules document by a number of its own": [r"(?<![\d,.])00[0-4] r?\d+\.\d"],
    "a numbered task": [r"(?i)\b" + r"issue" + r" #?\d"],
    "a private key": ["-----BEGIN [A-Z ]*" + "PRIVATE KEY"],
}

INDEX_ADDRESS = re.compile(r"://|--(?:extra-)?index|--find-links|--trusted-host|(?m:^-[if]\b)")


def test_no_file_names_what_only_one_place_has() -> None:
    found = [fault for path, text in texts().items() for fault in dependencies(path, text)]
    assert not found, "\n".join(found)


def test_no_lock_file_holds_an_address() -> None:
    locks = {path: text for path, text in texts().items() if is_lock(path)}
    assert [path for path, text in locks.items() if INDEX_ADDRESS.search(text)] == []


def test_every_link_between_pages_leads_to_a_file_of_the_repository() -> None:
    pages = {path: text for path, text in texts().items() if path.endswith(".md")}
    found = [fault for path, text in pages.items() for fault in dead_links(path, text)]
    assert not found, "\n".join(found)


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [page for page in sorted(pages) if f"({page})" not in index] == []


PROVED = {"mutation.md", "verifier.md"}
"""Pages of docs/proof that `make prove` writes."""


def test_every_page_that_is_named_exists() -> None:
    pages = {Path(path).name for path in texts() if path.endswith(".md")}
    named = {
        (path, name) for path, text in texts().items() for name in re.findall(r"[\w-]+\.md\b", text)
    }
    assert sorted((path, name) for path, name in named if name not in pages | PROVED) == []


@pytest.mark.parametrize(
    "text",
    [
        "see .." + "/shared/notes",
        "cd /" + "work/main",
        "/" + "root/.cache",
        "/" + "home/ann/data",
        "https://" + "pypi" + ".org/simple",
        "as 00" + "1 9.3 says",
        "closes Issue" + " #12",
        "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    ],
)
def test_each_dependency_is_noticed(text: str) -> None:
    assert len(list(dependencies("a.txt", text))) == 1


@pytest.mark.parametrize(
    "text",
    ["10,000 12.5 and 0.001 9.3", "a network/" + "work/plan", "the issue is 5 cents", "homework/x"],
)
def test_plain_text_is_left_in_peace(text: str) -> None:
    assert list(dependencies("a.txt", text)) == []


@pytest.mark.parametrize(
    "line",
    ["--index-url x", "--extra-index-url x", "-i x", "# from https://example.test", "-f wheels"],
)
def test_each_address_in_a_lock_file_is_noticed(line: str) -> None:
    assert INDEX_ADDRESS.search("flask==1.0 \\\n" + line)


def test_a_link_that_leads_nowhere_or_outside_is_noticed() -> None:
    page = "[a](absent) [b](../../elsewhere) [c](../pyproject.toml) [d](https://b.test) [e](#f)"
    assert len(list(dead_links("docs/README.md", page))) == 2


def dependencies(path: str, text: str) -> Iterator[str]:
    for what, patterns in FORBIDDEN.items():
        if match := re.search("|".join(patterns), text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line} names {what} ({match[0]}); say it in a way that holds anywhere."


def dead_links(path: str, text: str) -> Iterator[str]:
    for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", text):
        leads_to = (ROOT / path).parent.joinpath(target).resolve()
        inside = leads_to.is_relative_to(ROOT) and leads_to.exists()
        if "://" not in target and not inside:
            yield f"{path} links to {target}, which is no file of the repository; correct the link."


def is_lock(path: str) -> bool:
    return path.startswith("requirements") or path.endswith((".lock", "-lock.json"))


@cache
def texts() -> dict[str, str]:
    """Every text file that a clone would have, and those about to be added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split("\0")
    files = {path: ROOT / path for path in listed if path and (ROOT / path).is_file()}
    return {path: text for path, file in files.items() if (text := read(file)) is not None}


def read(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
