"""The words of the screens: every language says everything that a page asks for."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from meter_server.contract.frames import Game, Notice
from meter_server.contract.messages import Hand
from signage.settings import Language

FOLDER = Path(__file__).parents[3] / "signage" / "screens" / "static"
TEXTS = {
    language: json.loads((FOLDER / "text" / f"{language}.json").read_text(encoding="utf-8"))
    for language in get_args(Language)
}
TEMPLATES = FOLDER.parent / "templates"


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text))


@pytest.mark.parametrize("language", TEXTS)
def test_a_language_says_everything_that_english_says(language: str) -> None:
    english, other = TEXTS["en"], TEXTS[language]
    assert {key: places(text) for key, text in other.items()} == {
        key: places(text) for key, text in english.items()
    }
    assert "" not in other.values()


def test_whatever_a_frame_may_name_has_a_word() -> None:
    kinds = get_args(Notice.model_fields["kind"].annotation)
    wanted = {*get_args(Hand), *(f"game_{game}" for game in get_args(Game))}
    wanted |= {f"notice_{kind}" for kind in kinds}
    assert wanted - set(TEXTS["en"]) == set()


def test_every_word_that_a_page_asks_for_is_there_and_every_one_there_is_asked_for() -> None:
    asked = {
        word
        for file in [*FOLDER.glob("*.js"), *TEMPLATES.glob("*.html")]
        for word in re.findall(r"[\"'.](\w[\w-]+)\b", file.read_text(encoding="utf-8"))
    }
    named = {key for key in TEXTS["en"] if not key.startswith(("game_", "notice_"))}
    assert named - {*get_args(Hand)} - asked == set()
    said = {
        key
        for file in FOLDER.glob("*.js")
        for key in re.findall(r"\bsay\(\"([\w-]+)\"", file.read_text(encoding="utf-8"))
    }
    said |= {
        key
        for file in TEMPLATES.glob("*.html")
        for key in re.findall(r"\bwords\.(\w+)", file.read_text(encoding="utf-8"))
    }
    assert said - set(TEXTS["en"]) == set()
