"""The glossary speaks of names that the code really has."""

import dataclasses
import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

GLOSSARY = Path(__file__).resolve().parents[2] / "docs" / "glossary.md"

NAMES = sorted(set(re.findall(r"`([a-z]+\.[\w.]+)`", GLOSSARY.read_text(encoding="utf-8"))))


def exists(name: str) -> bool:
    owner, _, member = f"meter_server.{name}".rpartition(".")
    try:
        found = resolve_name(owner)
    except (ImportError, AttributeError):
        return False
    fields = dataclasses.fields(found) if dataclasses.is_dataclass(found) else ()
    return hasattr(found, member) or member in {field.name for field in fields}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_the_glossary_exists(name: str) -> None:
    assert exists(name), f"{name} is gone: correct the glossary."


@pytest.mark.parametrize(
    "name", ["domain.nowhere.X", "domain.money.nothing", "domain.hands.Hand.X"]
)
def test_a_name_that_does_not_exist_is_noticed(name: str) -> None:
    assert not exists(name)
