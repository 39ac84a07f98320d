"""The design tokens: every theme is whole, and everybody can read every pair of its colours."""

import re
from itertools import product

import pytest

from meter_server.contract.look import FOLDER

TOKENS = (FOLDER / "tokens.css").read_text(encoding="utf-8")
GROUNDS = ("page", "card")
WRITTEN = ("text", "quiet", "link", "working", "impaired", "failing", "unknown", "jackpot")

THEMES = {
    "light": ':root[data-theme="light"]',
    "dark": ':root[data-theme="dark"]',
    "dark by the reader": ":root:not([data-theme])",
    "contrast": ':root[data-theme="contrast"]',
}


def colours(theme: str) -> dict[str, str]:
    block = TOKENS.partition(THEMES[theme] + " {")[2].partition("}")[0]
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_gives_every_colour(theme: str) -> None:
    assert set(colours(theme)) == {*GROUNDS, *WRITTEN, "edge"}


def test_the_readers_dark_scheme_is_the_dark_theme() -> None:
    assert colours("dark") == colours("dark by the reader")


@pytest.mark.parametrize(("theme", "least"), [("light", 4.5), ("dark", 4.5), ("contrast", 7)])
def test_every_pair_of_colours_can_be_read(theme: str, least: float) -> None:
    """WCAG 2.2, 1.4.3 (AA) and, for high contrast, 1.4.6 (AAA)."""
    named = colours(theme)
    pairs = {(a, b): contrast(named[a], named[b]) for a, b in product(GROUNDS, WRITTEN)}
    assert {pair: ratio for pair, ratio in pairs.items() if ratio < least} == {}


@pytest.mark.parametrize("state", ["working", "impaired", "failing", "unknown"])
def test_a_state_has_its_colour_and_its_icon(state: str) -> None:
    rule = f'.{state} {{\n  --state: var(--{state});\n  --icon: url("{state}.svg");\n}}'
    assert rule in TOKENS
    assert (FOLDER / f"{state}.svg").exists()


def test_contrast_is_counted_as_the_guidelines_do() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54  # the guidelines' well-known grey


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    red, green, blue = (linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
