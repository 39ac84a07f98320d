"""A scenario that tells something untrue, or nothing readable, is found out."""

from dataclasses import replace
from pathlib import Path

import pytest

from meter_server.domain.floor import Floor
from tests.scenarios import audit
from tests.scenarios.house import Core
from tests.scenarios.language import ScenarioError, read
from tests.scenarios.runner import play

FLOOR = "system S5 option 1 seed 20000 cost 5.00 tables T1 wsop"
REGISTERED = "10:00:00 dealer: register R1 at T1 seats 1 2 -> credit 3.251"
ROYAL = (
    '10:01:00 dealer: record R1 1 "As Ks" shared "Qs Js Ts"'
    " -> settled, prize 1 100004.00, reset 100000.00"
)


def told(tmp_path: Path, *lines: str) -> Core:
    path = tmp_path / "story.scenario"
    path.write_text("\n".join(("scenario: A story", "rules: A-1", FLOOR, *lines)))
    house = Core()
    for scenario in read(path):
        play(scenario, house)
    return house


def test_a_true_story_is_believed(tmp_path: Path) -> None:
    assert told(tmp_path, REGISTERED, ROYAL).books().awards["R1/1"].amount_micros == 100_004_000_000


@pytest.mark.parametrize(
    "answer",
    [
        "credit 3.252",
        "credit 3.251 seats 1",
        "credit 3.251, settled",
        "nothing",
        "refused no-seats",
        "credit 3.251, draining",
        "credit 3.251, meter 100003.25",
        "credit 3.251, minimum S5 100000.00",
        "credit 3.251, round R1 settled",
        "credit 3.251, round R1 seats 1 2 folded",
        "credit 3.251, carry T1 1",
        "credit 3.251, table T1 closed",
        "credit 3.251, table T1 in none",
        "credit 3.251, account S5 wagers-taken 5.00",
        "credit 3.251 on S2",
        'credit 3.251 rule "WSOP 9.4"',
    ],
)
def test_an_untrue_answer_is_found(tmp_path: Path, answer: str) -> None:
    with pytest.raises(AssertionError, match=r"story\.scenario:4"):
        told(tmp_path, f"10:00:00 dealer: register R1 at T1 seats 1 2 -> {answer}")


@pytest.mark.parametrize(
    "answer",
    [
        "settled, reset 100000.00",
        "settled, prize 2 100004.00, reset 100000.00",
        "settled, reset 100000.00, prize 1 100004.00",
        "settled, prize 1 100004.00, reset 100000.00, award R1/1 paid",
        "settled, prize 1 100004.00, reset 100000.00, award R1/1 pending 1.00",
        "settled, prize 1 100004.00, reset 100000.00, award R1/1 pending contested R2",
        "settled, prize 1 100004.00, reset 100000.00, award R1/1 pending caution check-the-deck",
    ],
)
def test_an_untrue_prize_is_found(tmp_path: Path, answer: str) -> None:
    with pytest.raises(AssertionError, match=r"story\.scenario:5"):
        told(tmp_path, REGISTERED, f"{ROYAL.partition(' -> ')[0]} -> {answer}")


def test_a_refusal_by_another_rule_or_of_another_kind_is_found(tmp_path: Path) -> None:
    event = "10:00:00 dealer: register R1 at T1 seats -> refused"
    told(tmp_path, f'{event} no-seats by "WSOP 9.2.2"')
    for untrue in ('no-seats by "WSOP 9.2.3"', "wrong-cost"):
        with pytest.raises(AssertionError, match="it was refused"):
            told(tmp_path, f"{event} {untrue}")


@pytest.mark.parametrize(
    "line",
    [
        "10:00 dealer: register R1 at T1 seats 1 -> nothing",
        "10:00:00 dealer: register R1 at T1 seats 1",
        "10:00:00 dealer register R1 at T1 seats 1 -> nothing",
        "10:00:00 waiter: register R1 at T1 seats 1 -> nothing",
        "10:00:00 dealer: juggle R1 -> nothing",
        "10:00:00 dealer: register R1 at T1 seats 1 twice -> nothing",
        "10:00:00 dealer: register R1 seats 1 -> nothing",
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit much",
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255, weather fine",
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255 weather fine",
        "system S5 option 1 seed 20000 cost 5.00 tables T2 wsop",
    ],
)
def test_a_line_that_cannot_be_read_names_its_place(tmp_path: Path, line: str) -> None:
    with pytest.raises(ScenarioError, match=r"story\.scenario:4"):
        told(tmp_path, line)


def test_a_file_begins_with_a_title(tmp_path: Path) -> None:
    path = tmp_path / "story.scenario"
    path.write_text(FLOOR)
    with pytest.raises(ScenarioError, match="begins with"):
        list(read(path))


def test_a_story_of_several_games_is_told_for_each(tmp_path: Path) -> None:
    path = tmp_path / "story.scenario"
    path.write_text("scenario: A story\ngames: wsop three-card\ntable T1 GAME\n")
    assert [scenario.name for scenario in read(path)] == [
        "story: A story (wsop)",
        "story: A story (three-card)",
    ]


# The audit, on books that were tampered with


@pytest.fixture
def books(tmp_path: Path) -> Floor:
    books = told(tmp_path, REGISTERED, ROYAL).books()
    assert list(audit.faults(books)) == []
    return books


def test_a_meter_that_moved_without_an_entry_is_found(books: Floor) -> None:
    meter = replace(books.meters["S5"], value_micros=books.meters["S5"].value_micros + 1)
    [fault] = audit.faults(replace(books, meters={"S5": meter}))
    assert "not where its last entry left it" in fault


def test_an_entry_left_out_is_found(books: Floor) -> None:
    entries = books.history["S5"]
    found = list(audit.faults(replace(books, history={"S5": (entries[0], *entries[2:])})))
    assert any("does not follow" in fault for fault in found)


def test_an_entry_that_does_not_balance_is_found(books: Floor) -> None:
    first, *others = books.history["S5"]
    lopsided = replace(first, lines=first.lines[:1])
    [fault] = audit.faults(replace(books, history={"S5": (lopsided, *others)}))
    assert "does not add up" in fault


def test_a_prize_that_nobody_has_is_found(books: Floor) -> None:
    [fault] = audit.faults(replace(books, awards={}))
    assert "100004000000 millionths of prizes, and 0 are awarded" in fault
