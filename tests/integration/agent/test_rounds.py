"""Whole rounds as a dealer taps them, on the real server."""

from pathlib import Path

import pytest

from tests.integration.agent.tablet import Tablet, approval
from tests.integration.office import Office


@pytest.fixture
def tablet(office: Office, tmp_path: Path) -> Tablet:
    return Tablet.at_a_table(office, tmp_path)


def test_a_round_without_winners_takes_two_taps(tablet: Tablet) -> None:
    playing = tablet.register(1, 2, 5)
    assert (playing["step"], playing["round"]["seats"]) == ("playing", [1, 2, 5])
    after = tablet.do("no-winners")
    assert (after["step"], after["chosen"], after["pay"]) == ("betting", [1, 2, 5], [])
    # The same players again: nothing but the two.
    assert tablet.do("register")["step"] == "playing"
    assert tablet.do("no-winners")["step"] == "betting"
    assert [line["answer"] for line in tablet.state["recent"]] == ["accepted"] * 4


def test_a_bonus_hand_is_paid_by_the_pay_table(tablet: Tablet) -> None:
    tablet.register(1, 4)
    tablet.hand(4, "full-house")
    # option 1: $150 for each $1
    whole, cents = divmod(150 * tablet.cost_cents, 100)
    expected = f"${whole:,}.{cents:02d}"
    assert tablet.state["outcome"]["read"] == [
        {"seat": 4, "hand": "full-house", "title": "full house", "bonus": expected}
    ]
    [pay] = tablet.do("record")["pay"]
    assert (pay["what"], pay["sentence"]) == ("pay-now", f"Pay seat 4 {expected} for full house.")


def test_a_royal_is_held_until_it_is_determined(tablet: Tablet) -> None:
    tablet.register(3, 6)
    tablet.hand(3, None, "As Ks")
    tablet.tap("shared-cards", cards="Ts Js Qs")
    assert tablet.state["outcome"]["takes_the_meter"]
    [held] = tablet.do("record")["pay"]
    assert held["what"] == "held"
    assert "TG Assistant Casino Manager must come and determine it" in held["sentence"]


def test_a_royal_without_cards_takes_a_supervisor(tablet: Tablet) -> None:
    tablet.register(3)
    tablet.hand(3, "royal-flush")
    assert "TG Higher Duties Dealer" in tablet.declined("record")
    [held] = tablet.do("record", approval=approval("higher-duties"))["pay"]
    assert held["what"] == "held"


def test_what_one_deck_cannot_give_is_said_before_it_is_recorded(tablet: Tablet) -> None:
    tablet.register(1, 2)
    for seat, cards in ((1, "As Ks"), (2, "Ah Kh")):
        tablet.hand(seat, "royal-flush", "")
        tablet.hand(seat, "royal-flush", cards)
    tablet.tap("shared-cards", cards="Ts Js Qs")
    assert tablet.state["outcome"]["wrong"] is not None
    assert "make" in tablet.declined("record")


def test_begun_too_early_goes_back_to_betting_with_the_same_seats(tablet: Tablet) -> None:
    tablet.register(2, 3, 7)
    declared = {"case": "begun-by-mistake"}
    assert "TG Higher Duties Dealer" in tablet.declined("declare", **declared)
    state = tablet.do("declare", approval=approval("higher-duties"), **declared)
    assert (state["step"], state["chosen"]) == ("betting", [2, 3, 7])
    assert state["said"][0].endswith("to each of seats 2, 3 and 7.")


def test_after_a_misdeal_the_difference_decides_carry_or_regroup(tablet: Tablet) -> None:
    tablet.register(1, 3)
    state = tablet.do("declare", case="card-exposed")
    assert (state["carried"], state["chosen"]) == ([1, 3], [1, 3])
    # Seat 3 leaves and seat 7 comes.
    tablet.tap("seat", seat=3, lit=False)
    tablet.tap("seat", seat=7, lit=True)
    back, take, stand = tablet.state["register"]["chips"]
    assert back.endswith("to seat 3.")
    assert back.startswith("Return $")
    assert take.endswith("from seat 7.")
    assert stand == "The Jackpot wagers of seat 1 stand: take no chips."
    state = tablet.do("register")
    assert state["round"]["seats"] == [1, 7]
    # Both seats' contributions come off, down to the seed exactly, which is no reset (A-13).
    assert tablet.last_entries() == ["reversal", "credit"]


def test_an_overlooked_bonus_hand_is_put_right_until_the_next_registration(tablet: Tablet) -> None:
    tablet.register(1, 2)
    tablet.do("no-winners")
    corrected = {"hands": [{"seat": 2, "hand": "flush"}], "approval": approval("higher-duties")}
    state = tablet.do("correct-bonus", **corrected)
    assert state["said"][0].startswith("Pay seat 2 $")
    assert [one["hand"] for one in state["pay"]] == ["flush"]
    tablet.do("register")
    assert "Wagers have been registered since" in tablet.declined("correct-bonus", **corrected)


def test_a_double_tap_does_not_record_what_it_registered(tablet: Tablet) -> None:
    tablet.tap("seat", seat=4, lit=True)
    place = tablet.state["place"]
    tablet.do("register")
    assert "moved on" in tablet.declined("register", place=place)
    assert "moved on" in tablet.declined("no-winners", place=place)
    assert tablet.state["step"] == "playing"


def test_a_dealer_signs_on_in_the_middle_of_a_round(tablet: Tablet) -> None:
    tablet.register(1)
    tablet.tap("sign-on", **approval("higher-duties"))
    state = tablet.do("no-winners")
    assert (state["step"], state["person"]["role"]) == ("betting", "TG Higher Duties Dealer")
    # A Higher Duties Dealer needs nobody else.
    tablet.do("register")
    assert tablet.do("declare", case="begun-by-mistake")["step"] == "betting"


def test_nobody_registers_without_signing_on(office: Office, tmp_path: Path) -> None:
    tablet = Tablet.at_a_table(office, tmp_path, dealing=False)
    tablet.tap("seat", seat=1, lit=True)
    assert tablet.state["register"]["why_not"] == "Sign on first."
    with pytest.raises(Exception, match="Nobody has signed on here"):
        tablet.tap("register")


def test_a_table_is_opened_and_closed_here(tablet: Tablet) -> None:
    closing = {"players_present": False, "approval": approval("higher-duties")}
    assert tablet.do("close-table", **closing)["step"] == "closed"
    assert tablet.state["status"]["sentence"].startswith("Jackpot closed: The table is closed")
    assert "The table is closed" in tablet.declined("register")
    assert tablet.do("open-table", approval=approval("higher-duties"))["step"] == "betting"


def test_a_rank_is_called_with_one_tap(tablet: Tablet) -> None:
    [call] = tablet.do("call", rank="area-manager", reason="Dispute")["calls"]
    assert (call["rank_title"], call["reason"]) == ("TG Area Manager", "Dispute")
    assert tablet.do("end-call", call=call["call"])["calls"] == []


def test_every_tap_is_kept_without_a_pin(tablet: Tablet) -> None:
    tablet.register(1)
    tablet.declined("declare", case="begun-by-mistake")
    tablet.do("declare", case="begun-by-mistake", approval=approval("higher-duties"))
    taps = [body for _, body in reversed(tablet.parts.outbox.taps())]
    assert [body.get("tap", "declined") for body in taps] == [
        "sign-on",
        "seat",
        "register",
        "declare",
        "declined",
        "declare",
    ]
    assert taps[-1]["approval"] == {"number": approval("higher-duties")["number"]}
    assert "pin" not in str(taps)


@pytest.mark.parametrize("game", ["wsop", "ultimate", "three-card"])
def test_every_irregularity_of_a_game_is_offered_in_its_round(
    office: Office, tmp_path: Path, game: str
) -> None:
    tablet = Tablet.at_a_table(office, tmp_path, game)
    assert tablet.state["irregularities"] == []
    offered = {one["case"]: one for one in tablet.register(1, 2)["irregularities"]}
    assert ("jackpot-cards-wrong" in offered) == (game == "three-card")
    assert ("flop-wrong" in offered) == (game != "three-card")
    assert "not-acknowledged" not in offered
    # WSOP 14.3.2, Three Card 13.3
    fraud = offered["invalidated-fraud"]["rank"]
    expected = "TG Assistant Casino Manager" if game == "three-card" else "TG Higher Duties Dealer"
    assert fraud == expected
