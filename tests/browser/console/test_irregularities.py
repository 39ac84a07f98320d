"""Every irregularity of each game, chosen in the sheet: who is asked, and what becomes of wagers.

The rows are a transcription of the documents' irregularities (WSOP and Ultimate 7.4, 11 and 14,
Three Card 9.5, 11 and 13), made by hand and not from the rulebook's own table.
"""

from typing import NamedTuple

import pytest

from tests.browser.console.stage import BUSY_MS, Console, Stage, expect
from tests.counts import FULL

DEALER, HIGHER = "dealer", "higher-duties"
AREA, CASINO = "area-manager", "assistant-casino-manager"
TITLES = {
    HIGHER: "TG Higher Duties Dealer",
    AREA: "TG Area Manager",
    CASINO: "TG Assistant Casino Manager",
}
SEATS = (1, 2, 3)


class Row(NamedTuple):
    said: str
    """How its words begin, or a part of them that no other has."""
    holdem: tuple[str, str] | None
    three_card: tuple[str, str] | None
    only: str | None = None


ROWS = (
    Row("A card was exposed", (DEALER, "carry all"), (DEALER, "play on")),
    Row("Two or more cards", (DEALER, "carry all"), (DEALER, "carry all")),
    Row("A betting area was dealt", (AREA, "carry all"), (HIGHER, "carry all")),
    Row("the deck does not count right", None, (HIGHER, "carry all")),
    Row("the deck counts right", None, (HIGHER, "return")),
    Row("The Flop has the wrong number", (HIGHER, "carry all"), None),
    Row("Turn, River or Dealer", (HIGHER, "settle"), (HIGHER, "carry all")),
    Row("before there is a Flop", (HIGHER, "carry all"), None, only="ultimate"),
    Row("A wager on the layout", (HIGHER, "admit"), (HIGHER, "admit")),
    Row("their order can be determined", (HIGHER, "play on"), (HIGHER, "play on")),
    Row("found before the players looked", (HIGHER, "carry all"), (DEALER, "carry all")),
    Row("found late: players may retract", (HIGHER, "return"), (DEALER, "return")),
    Row("cards were taken by mistake", (DEALER, "return"), (DEALER, "return")),
    Row("Community cards", (DEALER, "play on"), None),
    Row("The deck does not hold 52 cards", (HIGHER, "carry all"), (HIGHER, "carry all")),
    Row("cannot make the subsequent wager", (DEALER, "carry one"), (DEALER, "return")),
    Row("A subsequent wager has the wrong size", (DEALER, "play on"), (DEALER, "play on")),
    Row("A player viewed one hand", (HIGHER, "play on"), (HIGHER, "play on")),
    Row("A player viewed more than one hand", (HIGHER, "carry one"), (HIGHER, "return")),
    Row("Players retract", (HIGHER, "return"), (HIGHER, "return")),
    Row("The hand is a misdeal and everybody stays", (AREA, "carry all"), (HIGHER, "carry all")),
    Row("begun by mistake", (HIGHER, "return all"), (HIGHER, "return all")),
    Row("The Jackpot Cards are wrong", None, (HIGHER, "return all")),
    Row("mixed with the Dealer's", None, (HIGHER, "carry all")),
    Row("The shuffler could not verify", (HIGHER, "carry all"), (HIGHER, "carry all")),
    Row("invalidated: commotion", (HIGHER, "return all"), (HIGHER, "return all")),
    Row("invalidated: fraud", (HIGHER, "return all"), (CASINO, "return all")),
    Row("wager is declared void", (CASINO, "return"), (CASINO, "return")),
    Row("exchanged information", (CASINO, "play on"), (CASINO, "take one")),
)


class After(NamedTuple):
    """Where a round of seats 1, 2 and 3 stands when it was declared of seat 2 (or of all)."""

    step: str
    said: str
    seats: list[int]
    """Those that can win, or that are lit for the next round."""
    carried: list[int]


AFTERS = {
    "play on": After("playing", "as if nothing had happened", [1, 2, 3], []),
    "carry all": After("betting", "seats 1, 2 and 3 stand for the next", [1, 2, 3], [1, 2, 3]),
    "carry one": After("playing", "of seat 2 stand for the next round", [1, 3], [2]),
    "return": After("playing", "to seat 2.", [1, 3], []),
    "return all": After("betting", "to each of seats 1, 2 and 3.", [1, 2, 3], []),
    "admit": After("playing", "The Jackpot wagers of seat 5 count from now.", [1, 2, 3, 5], []),
    "take one": After("playing", "of seat 2 are lost: take them.", [1, 3], []),
    "settle": After("betting", "", [1, 2, 3], []),
}
NAMING = {"carry one": 2, "return": 2, "take one": 2, "admit": 5}
IN_MAKE_TEST = {"wsop": "settle", "ultimate": "carry one", "three-card": "take one"}


def _rulings(game: str) -> list[tuple[str, str, str]]:
    found = [
        (row.said, row.three_card if game == "three-card" else row.holdem)
        for row in ROWS
        if row.only in (None, game)
    ]
    return [(said, *ruling) for said, ruling in found if ruling is not None]


@pytest.mark.timeout(0 if FULL else 300)
@pytest.mark.parametrize("stage", ["wsop", "ultimate", "three-card"], indirect=True)
def test_every_irregularity_of_a_game(console: Console, stage: Stage) -> None:
    rulings = _rulings(stage.state()["game"])
    for said, rank, what in rulings:
        if not FULL and what != IN_MAKE_TEST[stage.state()["game"]]:
            continue
        console.round(*SEATS)
        # These and no others; what follows a misdeal is worked out from the seats.
        offered = [one["title"] for one in stage.state()["irregularities"]]
        assert len(offered) == len(rulings)
        [title] = [one for one in offered if said in one]
        _declare(console, title, what)
        _identify(console, rank)
        _check(console, stage, AFTERS[what], said)
        if stage.state()["step"] == "playing":
            console.main("record")
        if not FULL:
            break


def _declare(console: Console, title: str, what: str) -> None:
    console.touch(console.part("irregular"))
    sheet = console.page.get_by_role("dialog")
    if not sheet.get_by_role("button", name=title).is_visible():
        console.choose("More ...")
    console.choose(title)
    if what == "settle":
        expect(console.part("fall")).to_contain_text(f"Despite the misdeal: {title}.")
        console.main("record")
        return
    if what in NAMING:
        console.choose(f"Seat {NAMING[what]}")
    console.choose("Declare it")


def _identify(console: Console, rank: str) -> None:
    sheet = console.page.get_by_role("dialog")
    if rank == DEALER:
        expect(sheet).to_be_hidden()
        return
    expect(sheet.get_by_role("heading")).to_have_text(f"{TITLES[rank]} needed", timeout=BUSY_MS)
    console.identify(rank)


def _check(console: Console, stage: Stage, after: After, case: str) -> None:
    if after.said:
        expect(console.part("said")).to_contain_text(after.said, timeout=BUSY_MS)
    console.step(after.step)
    expect(console.part("status")).to_have_text("Operating properly.", timeout=BUSY_MS)
    expect(console.part("refusals").locator("li")).to_have_count(0)
    state = stage.state()
    seats = state["chosen"] if state["round"] is None else state["round"]["seats"]
    assert (seats, state["carried"]) == (after.seats, after.carried), case


@pytest.mark.parametrize("stage", ["three-card"], indirect=True)
def test_after_a_misdeal_players_stay_leave_and_join(console: Console, stage: Stage) -> None:
    """Three Card 11.15, 11.15.1, 11.15.2: the difference is worked out."""
    for leaving, joining in (((), ()), ((2,), ()), ((), (6,)))[: 3 if FULL else 1]:
        console.round(*SEATS)
        _declare(console, "Two or more cards, or one of the Dealer's, were exposed", "carry all")
        console.step("betting")
        for seat in (*leaving, *joining):
            console.touch(console.seat(seat))
        chips = console.part("chips")
        if leaving:
            expect(chips).to_contain_text("to seat 2.")
        if joining:
            expect(chips).to_contain_text("from seat 6.")
        staying = "seats 1 and 3" if leaving else "seats 1, 2 and 3"
        expect(chips).to_contain_text(f"of {staying} stand: take no chips.")
        console.main("register")
        console.step("playing")
        now = {*SEATS} - {*leaving} | {*joining}
        assert stage.state()["round"]["seats"] == sorted(now)
        console.main("record")
