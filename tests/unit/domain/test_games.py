"""The three games: what differs between them, and the rule numbers of each document."""

from dataclasses import asdict, fields

import pytest

from meter_server.domain.rulebook.authority import Action, grant_for
from meter_server.domain.rulebook.games import (
    GAMES,
    THREE_CARD,
    ULTIMATE,
    WSOP,
    Book,
    Game,
    GameKey,
    JackpotRules,
)
from meter_server.domain.rulebook.irregularities import CASES, Effect
from tests.independent.transcription import RULES_OF_CASES
from tests.rules import rule

ALL = (WSOP, ULTIMATE, THREE_CARD)


def test_there_are_three_games_of_two_documents() -> None:
    assert GAMES == {"wsop": WSOP, "ultimate": ULTIMATE, "three-card": THREE_CARD}
    assert [game.key for game in ALL] == list(GameKey)
    assert [game.book for game in ALL] == [Book.WSOP, Book.WSOP, Book.THREE_CARD]
    assert [game.title for game in ALL] == [
        "WSOP Bonus Texas Holdem",
        "Ultimate Texas Holdem",
        "Three Card Poker",
    ]


# Differences


def test_what_a_player_needs_to_get_a_hand() -> None:
    assert WSOP.required_wagers == ("Ante",)
    assert ULTIMATE.required_wagers == ("Ante", "Blind")
    assert THREE_CARD.required_wagers == ("Ante",)


@rule("SET-11", "A-48")
def test_which_cards_make_the_jackpot_hand() -> None:
    assert [(game.own_cards, game.shared_cards) for game in ALL] == [(2, 3), (2, 3), (3, 2)]
    assert [(game.own_cards_name, game.shared_cards_name) for game in ALL] == [
        ("hole cards", "Flop"),
        ("hole cards", "Flop"),
        ("cards", "Jackpot Cards"),
    ]


@rule("SET-10")
def test_what_continuing_means() -> None:
    assert [game.continue_bet for game in ALL] == ["Flop bet", "Play bet", "Play wager"]


@rule("WAG-4", "A-29")
def test_a_table_has_nine_places() -> None:
    assert [game.seats_max for game in ALL] == [9, 9, 9]


@rule("A-28")
def test_only_three_card_may_record_what_one_deck_cannot_give() -> None:
    assert [game.impossible_splits_recordable for game in ALL] == [False, False, True]


def effects(case: str) -> list[Effect | None]:
    rulings = CASES[case].rulings
    return [rulings[game.key].effect if game.key in rulings else None for game in ALL]


@rule("CASE-1", "CASE-2", "CASE-3", "CASE-4", "CASE-5", "CASE-6", "CASE-7", "CASE-8", "CASE-9")
@rule("CASE-10", "CASE-11", "CASE-12", "CASE-13", "CASE-14", "CASE-15", "CASE-16", "CASE-17")
@rule("CASE-18", "CASE-19", "CASE-20", "CASE-21", "CASE-22", "CASE-23", "CASE-24", "CASE-25")
@rule("CASE-26")
@pytest.mark.parametrize("case", RULES_OF_CASES)
def test_every_case_cites_its_rule_in_the_documents(case: str) -> None:
    """The journal keeps the citation for good."""
    holdem, three_card = RULES_OF_CASES[case]
    assert {ruling.rule for ruling in CASES[case].rulings.values()} == {
        f"{document} {rule}"
        for document, rule in (("WSOP", holdem), ("Three Card", three_card))
        if rule
    }


def test_no_case_is_without_a_citation_here() -> None:
    assert CASES.keys() == RULES_OF_CASES.keys()


@rule("CASE-1")
def test_one_exposed_card_is_a_misdeal_in_holdem_only() -> None:
    assert effects("card-exposed") == [Effect.CARRY_ALL, Effect.CARRY_ALL, Effect.PLAY_ON]


@rule("CASE-6", "A-20")
def test_a_wrong_turn_or_river_still_settles_in_holdem() -> None:
    assert effects("later-cards-wrong") == [Effect.SETTLE, Effect.SETTLE, Effect.CARRY_ALL]
    before_the_flop = effects("dealer-cards-wrong-before-flop")
    assert before_the_flop == [None, Effect.CARRY_ALL, None]


@rule("CASE-14", "A-21")
def test_a_hand_voided_for_a_short_bet_is_carried_in_holdem_and_returned_in_three_card() -> None:
    short = effects("subsequent-wager-short")
    assert short == [Effect.CARRY_HANDS, Effect.CARRY_HANDS, Effect.REGROUP]


@rule("CASE-26", "A-43")
def test_exchanging_information_forfeits_the_jackpot_wager_in_three_card_only() -> None:
    exchanged = effects("information-exchanged")
    assert exchanged == [Effect.PLAY_ON, Effect.PLAY_ON, Effect.FORFEIT]


@rule("A-45", "AUT-11")
def test_fraud_is_invalidated_by_another_rank_in_three_card() -> None:
    grants = [grant_for(Action.INVALIDATE_FOR_FRAUD, game.key) for game in ALL]
    assert [grant.rank.title for grant in grants if grant] == [
        "TG Higher Duties Dealer",
        "TG Higher Duties Dealer",
        "TG Assistant Casino Manager",
    ]


# Rule numbers: the two documents' jackpot parts side by side

RULES = {
    "places": ("2.1", "2.1"),
    "wager_required": ("7.3.1", "5.5.1(a)"),
    "before_first_card": ("5.2, 5.4", "5.2, 5.4, 5.5"),
    "one_wager_a_hand": ("9.2.2", "6.2.2"),
    "exact_cost": ("9.2.3", "6.2.3"),
    "continued": ("5.11", "5.10"),
    "operating": ("9.5", "6.5"),
    "display": ("9.1.1(k)", "6.1.1(k)"),
    "group": ("9.1.1(b)", "6.1.1(b)"),
    "one_group": ("9.1.1(c)", "6.1.1(c)"),
    "minimum": ("9.3", "6.3"),
    "reset": ("9.4.1", "6.4.1"),
    "reset_several_royals": ("9.4.1", "6.4.2"),
    "time_for_settlement": ("10.2.2", "7.3.2"),
    "simultaneous": ("10.2.3", "7.3.3"),
    "sequential": ("10.2.4", "7.3.4"),
    "rounded_value": ("10.2.1", "7.3.1"),
    "determination": ("10.1.1", "7.1.1"),
    "bonus_determination": ("10.1.2", "7.1.2"),
    "single_payout": ("Tables 4 and 5", "Tables 3 and 4"),
    "royal_split": ("10.3.1", "7.4.1, 7.4.2"),
    "straight_flush_split": ("10.3.2", "7.4.3"),
    "misdeal": ("11.13", "11.15"),
    "dispute": ("14.10", "13.10"),
    "payable_amount": ("6.2.3", "8.2.3"),
}
OF_ULTIMATE_ALONE = {
    "wager_required": "12.4.1, 12.5.1",
    "before_first_card": "12.4.1",
    "continued": "12.4.5",
}


def test_no_subject_is_left_out() -> None:
    assert {field.name for field in fields(JackpotRules)} == set(RULES)


@rule("A-51")
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_each_game_cites_its_own_document(game: Game) -> None:
    if game is THREE_CARD:
        expected = {subject: f"Three Card {number}" for subject, (_, number) in RULES.items()}
    else:
        own = OF_ULTIMATE_ALONE if game is ULTIMATE else {}
        holdem = {subject: number for subject, (number, _) in RULES.items()} | own
        expected = {subject: f"WSOP {number}" for subject, number in holdem.items()}
    assert asdict(game.rules) == expected
