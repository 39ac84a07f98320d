"""Who may do what: every action, game and rank, against a transcription of its own."""

from typing import NamedTuple

import pytest

from meter_server.domain.people import (
    NOBODY_HERE,
    Context,
    Person,
    require,
    require_on_systems,
    require_second,
)
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rulebook.authority import (
    AUTHORITY,
    DEALER,
    LADDER,
    Action,
    Rank,
    grant_for,
    may,
)
from meter_server.domain.rulebook.games import GameKey
from tests.rules import rule

LOW_TO_HIGH = (
    "Dealer",
    "TG Higher Duties Dealer",
    "TG Area Manager",
    "TG Assistant Casino Manager",
)
DEALS, HIGHER, AREA, ASSISTANT = LOW_TO_HIGH
NOBODY = "nobody"


class Row(NamedTuple):
    """The lowest rank and its rule in the Holdem games, then in Three Card."""

    holdem: str
    holdem_rule: str
    three_card: str
    three_card_rule: str

    def for_game(self, game: GameKey) -> tuple[str, str]:
        if game is GameKey.THREE_CARD:
            return self.three_card, self.three_card_rule
        return self.holdem, self.holdem_rule


def inferred(rank: str, reading: str) -> Row:
    return Row(rank, f"inferred, {reading}", rank, f"inferred, {reading}")


TABLE = {
    "register-wagers": Row(DEALS, "WSOP 9.2.1", DEALS, "Three Card 6.2.1"),
    "record-outcome": Row(DEALS, "WSOP 10.2.2, 10.1.2", DEALS, "Three Card 7.3.2, 7.1.2"),
    "determine-prize": Row(ASSISTANT, "WSOP 10.1.1", ASSISTANT, "Three Card 7.1.1"),
    "pay-prize": Row(DEALS, "WSOP 8.1", DEALS, "Three Card 10.1"),
    "cancel-mistaken-game": Row(HIGHER, "WSOP 11.14", HIGHER, "Three Card 11.18"),
    "declare-exposed-cards": Row(DEALS, "WSOP 11.1", DEALS, "Three Card 11.2, 11.3"),
    "declare-wrong-cards": Row(AREA, "WSOP 11.2", HIGHER, "Three Card 11.4, 11.5"),
    "declare-wrong-count": Row(HIGHER, "WSOP 11.3, 11.4", HIGHER, "Three Card 11.6"),
    "handle-cards-without-wager": Row(HIGHER, "WSOP 11.5, 11.6", DEALS, "Three Card 11.7, 11.8"),
    "refund-for-jackpot-cards": Row(NOBODY, "", HIGHER, "Three Card 11.9"),
    "handle-viewed-hands": Row(HIGHER, "WSOP 11.12", HIGHER, "Three Card 11.11"),
    "invalidate-for-disruption": Row(HIGHER, "WSOP 14.3.1", HIGHER, "Three Card 13.4"),
    "invalidate-for-fraud": Row(HIGHER, "WSOP 14.3.2", ASSISTANT, "Three Card 13.3"),
    "void-wager": Row(ASSISTANT, "WSOP 14.2.1", ASSISTANT, "Three Card 13.2.1"),
    "withhold-prize": Row(ASSISTANT, "WSOP 14.2.3", ASSISTANT, "Three Card 13.2.3"),
    "read-meter": Row(AREA, "WSOP 9.5.3", AREA, "Three Card 6.5.3"),
    "decide-dispute": Row(AREA, "WSOP 14.10", AREA, "Three Card 13.10"),
    "handle-deck": Row(HIGHER, "WSOP 3.3, 3.4, 4.1.1", HIGHER, "Three Card 3.3, 3.4, 4.1.1"),
    "close-table": Row(HIGHER, "WSOP 14.7", HIGHER, "Three Card 13.8"),
    "open-table": inferred(HIGHER, "whoever may close it"),
    "set-tournament": inferred(HIGHER, "whoever may close the table"),
    "confirm-sign": inferred(AREA, "a sign that cannot speak for itself"),
    "manage-systems": inferred(ASSISTANT, "no rule names a rank"),
    "declare-manual": inferred(AREA, "A-57"),
    "set-limits": inferred(AREA, "no rule names a rank"),
    "return-wagers": Row(DEALS, "WSOP 11.10, 11.13", DEALS, "Three Card 11.13, 11.15"),
    "reregister-wagers": inferred(HIGHER, "A-55"),
    "confirm-exceptional-hand": inferred(HIGHER, "A-28"),
    "correct-bonus": inferred(HIGHER, "A-59"),
    "correct-settlement": inferred(ASSISTANT, "A-58"),
    "decide-order": inferred(ASSISTANT, "A-38"),
    "key-in-paper": inferred(HIGHER, "A-57"),
}


def test_no_action_is_left_out() -> None:
    assert set(TABLE) == {action.value for action in Action} == set(AUTHORITY)


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("register-wagers", marks=rule("AUT-1")),
        pytest.param("record-outcome", marks=rule("AUT-1")),
        pytest.param("determine-prize", marks=rule("AUT-2")),
        pytest.param("pay-prize", marks=rule("AUT-2")),
        pytest.param("cancel-mistaken-game", marks=rule("AUT-3")),
        pytest.param("declare-exposed-cards", marks=rule("AUT-4")),
        pytest.param("declare-wrong-cards", marks=rule("AUT-5")),
        pytest.param("declare-wrong-count", marks=rule("AUT-6")),
        pytest.param("handle-cards-without-wager", marks=rule("AUT-7")),
        pytest.param("refund-for-jackpot-cards", marks=rule("AUT-8")),
        pytest.param("handle-viewed-hands", marks=rule("AUT-9")),
        pytest.param("invalidate-for-disruption", marks=rule("AUT-10")),
        pytest.param("invalidate-for-fraud", marks=rule("AUT-11", "A-45")),
        pytest.param("void-wager", marks=rule("AUT-12")),
        pytest.param("withhold-prize", marks=rule("AUT-12", "A-54")),
        pytest.param("read-meter", marks=rule("AUT-13")),
        pytest.param("decide-dispute", marks=rule("AUT-14")),
        pytest.param("handle-deck", marks=rule("AUT-15")),
        pytest.param("close-table", marks=rule("AUT-16")),
        pytest.param("open-table", marks=rule("AUT-16")),
        pytest.param("set-tournament", marks=rule("A-47")),
        pytest.param("confirm-sign", marks=rule("A-35")),
        pytest.param("manage-systems", marks=rule("AUT-17")),
        pytest.param("declare-manual", marks=rule("AUT-18", "A-57")),
        pytest.param("set-limits", marks=rule("SGN-5")),
        pytest.param("return-wagers", marks=rule("A-21")),
        pytest.param("reregister-wagers", marks=rule("A-55")),
        pytest.param("confirm-exceptional-hand", marks=rule("A-28")),
        pytest.param("correct-bonus", marks=rule("A-59")),
        pytest.param("correct-settlement", marks=rule("A-58")),
        pytest.param("decide-order", marks=rule("A-38")),
        pytest.param("key-in-paper", marks=rule("A-57")),
    ],
)
@pytest.mark.parametrize("game", GameKey)
def test_the_lowest_rank_and_its_rule_are_those_of_the_documents(
    action: str, game: GameKey
) -> None:
    rank, cited = TABLE[action].for_game(game)
    grant = grant_for(Action(action), game)
    if rank == NOBODY:
        assert grant is None
        return
    assert grant is not None
    assert (grant.rank.title, grant.rule) == (rank, cited)


CELLS = [(action, game, rank) for action in TABLE for game in GameKey for rank in LOW_TO_HIGH]


@rule("A-44")
@pytest.mark.parametrize(("action", "game", "title"), CELLS)
def test_every_rank_may_do_what_the_table_says_and_nothing_else(
    action: str, game: GameKey, title: str
) -> None:
    (rank,) = [rank for rank in LADDER if rank.title == title]
    lowest, _ = TABLE[action].for_game(game)
    expected = lowest != NOBODY and LOW_TO_HIGH.index(title) >= LOW_TO_HIGH.index(lowest)
    assert may(rank, Action(action), game) is expected


@rule("A-44")
def test_the_ladder_is_the_four_ranks_in_their_order() -> None:
    assert [rank.title for rank in sorted(LADDER, key=lambda rank: rank.level)] == [*LOW_TO_HIGH]


@rule("A-44")
def test_a_rank_above_the_ladder_may_whatever_the_ladder_may() -> None:
    casino_manager = Rank(50, "casino-manager", "TG Casino Manager")
    assert may(casino_manager, Action.DETERMINE_PRIZE, GameKey.WSOP)
    assert not may(casino_manager, Action.REFUND_FOR_JACKPOT_CARDS, GameKey.WSOP)


# Asking for it


def person(title: str, number: str = "1") -> Person:
    (rank,) = [rank for rank in LADDER if rank.title == title]
    return Person(number, rank)


def test_the_person_who_suffices_is_the_one_who_answers_for_it() -> None:
    alone = Context(0, person(HIGHER))
    assert require(alone, Action.CANCEL_MISTAKEN_GAME, GameKey.WSOP) == person(HIGHER)
    approved = Context(0, person(DEALS), approver=person(AREA, "2"))
    assert require(approved, Action.DECLARE_WRONG_CARDS, GameKey.WSOP) == person(AREA, "2")
    assert require(approved, Action.RECORD_OUTCOME, GameKey.WSOP) == person(DEALS)


@rule("AUT-11", "A-45")
def test_a_refusal_names_the_rank_to_call_and_the_rule_of_the_game() -> None:
    context = Context(0, person(DEALS), approver=person(HIGHER, "2"))
    assert require(context, Action.INVALIDATE_FOR_FRAUD, GameKey.ULTIMATE).staff_number == "2"
    with pytest.raises(Refused) as refused:
        require(context, Action.INVALIDATE_FOR_FRAUD, GameKey.THREE_CARD)
    assert refused.value.refusal.kind is Kind.NOT_AUTHORISED
    assert str(refused.value) == (
        "The action 'invalidate for fraud' takes a TG Assistant Casino Manager (or above). "
        "[Three Card 13.3] Call a TG Assistant Casino Manager."
    )


def test_who_did_not_sign_on_is_told_so_and_not_that_a_dealer_is_needed() -> None:
    """A stranger's word counts for nothing; a supervisor's grant counts whoever sends it."""
    stranger = Person("3001", NOBODY_HERE)
    for approver in (None, person(DEALS, "2")):
        context = Context(0, stranger, approver=approver)
        with pytest.raises(Refused) as refused:
            require(context, Action.CANCEL_MISTAKEN_GAME, GameKey.WSOP)
        assert refused.value.refusal.kind is Kind.NOT_AUTHORISED
        assert str(refused.value) == (
            "3001 has not signed on at this console, or may not act any more. [house control] "
            "Sign on with card or number and PIN."
        )
    approved = Context(0, stranger, approver=person(HIGHER, "2"))
    assert require(approved, Action.CANCEL_MISTAKEN_GAME, GameKey.WSOP).staff_number == "2"


@rule("AUT-8")
def test_what_a_game_does_not_provide_is_refused_to_every_rank() -> None:
    with pytest.raises(Refused) as refused:
        require(Context(0, person(ASSISTANT)), Action.REFUND_FOR_JACKPOT_CARDS, GameKey.WSOP)
    assert refused.value.refusal.kind is Kind.NOT_AUTHORISED
    assert str(refused.value) == (
        "WSOP Bonus Texas Holdem does not provide for the action 'refund for jackpot cards'. "
        "[WSOP 14.10] Choose another action, or call the TG Area Manager."
    )


@rule("AUT-17")
@pytest.mark.parametrize("title", LOW_TO_HIGH)
def test_only_an_assistant_casino_manager_manages_systems(title: str) -> None:
    context = Context(0, person(title))
    if title == ASSISTANT:
        assert require_on_systems(context).rank.title == ASSISTANT
        return
    with pytest.raises(Refused):
        require_on_systems(context)


def test_an_approver_below_the_rank_does_not_help() -> None:
    context = Context(0, Person("1", DEALER), approver=Person("2", DEALER))
    with pytest.raises(Refused):
        require(context, Action.CANCEL_MISTAKEN_GAME, GameKey.WSOP)


# Two persons


def test_the_second_person_is_another_one() -> None:
    second = person(DEALS, "2")
    assert require_second(Context(0, person(ASSISTANT), second=second)) == second


@pytest.mark.parametrize("second", [None, person(AREA)], ids=["nobody", "the same number"])
def test_nobody_is_a_second_person_to_themselves(second: Person | None) -> None:
    with pytest.raises(Refused) as refused:
        require_second(Context(0, person(ASSISTANT), second=second))
    assert refused.value.refusal.kind is Kind.SECOND_PERSON_NEEDED
    assert str(refused.value) == (
        "This takes two persons, and a second one has not confirmed it. [house control] "
        "Ask a colleague to confirm it under their own account."
    )
