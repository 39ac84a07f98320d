"""Cards are read in the ways people write them, and nothing else passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import Card, Rank, Suit

from meter_server.domain.cards import cards_of, check_belong, format_cards, parse_cards, ranks_of
from meter_server.domain.refusals import Kind, Refused
from tests.rules import rule

ROYAL = "As Ks Qs Js Ts"
WRITTEN = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.mark.parametrize(
    "text",
    [
        "As Ks Qs Js Ts",
        "AsKsQsJsTs",
        "as ks qs js ts",
        "AS KS QS JS TS",
        "As,Ks,Qs,Js,Ts",
        "As, Ks, Qs, Js, 10s",
        "AsKsQsJs10s",
        "  As\tKs\nQs Js 10S ",
    ],
)
def test_every_common_way_to_write_cards_is_read(text: str) -> None:
    assert format_cards(parse_cards(text)) == ROYAL


@pytest.mark.parametrize("written", WRITTEN)
def test_each_card_of_the_deck_is_read_as_itself(written: str) -> None:
    assert parse_cards(written) == (Card(Rank(written[0]), Suit(written[1])),)


@given(st.permutations(WRITTEN))
def test_the_order_of_cards_is_kept(written: list[str]) -> None:
    assert format_cards(parse_cards(",".join(written))) == " ".join(written)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Ax", "Ax"),
        ("1s", "1s"),
        ("As Kz", "Kz"),
        ("A", "A"),
        ("AsK", "K"),
        ("10", "10"),
        ("A?", "A?"),  # the library's unknown card
        ("??", "??"),
        ("0s", "0s"),
        ("A♠", "A♠"),
        ("A\N{LATIN SMALL LETTER LONG S}", "A\N{LATIN SMALL LETTER LONG S}"),
        ("\N{KELVIN SIGN}s", "\N{KELVIN SIGN}s"),
        ("joker", "jo"),
    ],
)
def test_a_card_that_does_not_exist_is_named(text: str, card: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_cards(text)
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        f"The card '{card}' does not exist. [WSOP 3.1; Three Card 3.1] "
        "Write rank 2-9 T J Q K A and suit c d h s, for example As."
    )


def test_what_could_move_a_terminal_is_shown_escaped() -> None:
    with pytest.raises(Refused) as refused:
        parse_cards("\x1b[2J")
    assert "\x1b" not in str(refused.value)


@given(st.text(alphabet="23456789TJQKA10cdhsCDHStjqka ,?x", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except Refused:
        return
    assert set(format_cards(cards).split()) <= set(WRITTEN)
    assert parse_cards(format_cards(cards)) == cards


@pytest.mark.parametrize("text", ["", "  ", ",", " , ,"])
def test_no_card_at_all_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_cards(text)
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        "No card is given. [WSOP 3.1; Three Card 3.1] "
        "Write rank 2-9 T J Q K A and suit c d h s, for example As."
    )


@rule("HND-1")
@pytest.mark.parametrize("text", ["As Ks As", "Ts 10S"])
def test_a_card_given_twice_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_cards(text)
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        f"The card {text.split()[0]} is given twice and the deck holds it once. "
        "[WSOP 3.1; Three Card 3.1] Correct the cards."
    )


@rule("HND-5")
@pytest.mark.parametrize(
    ("deck", "ranks"),
    [
        (52, "23456789TJQKA"),
        (40, "56789TJQKA"),
        (36, "6789TJQKA"),
        (32, "789TJQKA"),
    ],
)
def test_decks_hold_their_ranks_in_four_suits(deck: int, ranks: str) -> None:
    assert "".join(ranks_of(deck)) == ranks
    assert {repr(card) for card in cards_of(deck)} == {
        rank + suit for rank in ranks for suit in "cdhs"
    }


@rule("HND-5")
@pytest.mark.parametrize(
    ("deck", "lowest", "under"), [(40, "5c", "4c"), (36, "6c", "5c"), (32, "7c", "6c")]
)
def test_a_card_stripped_from_the_deck_is_refused(deck: int, lowest: str, under: str) -> None:
    check_belong(parse_cards(lowest), deck)
    with pytest.raises(Refused) as refused:
        check_belong(parse_cards(f"{lowest} {under}"), deck)
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        f"The card {under} is not in a deck of {deck} cards, which begins at {lowest[0]}. "
        "[Gazette Poker 3.1.1-3.1.4] Correct the card or the deck."
    )


@pytest.mark.parametrize("deck", [0, -52, 20, 48, 53, 104])
def test_a_deck_that_the_rules_do_not_know_is_refused(deck: int) -> None:
    with pytest.raises(Refused) as refused:
        ranks_of(deck)
    assert refused.value.refusal.kind is Kind.BAD_CARDS
    assert str(refused.value) == (
        f"There is no deck of {deck} cards. [Gazette Poker 3.1.1-3.1.4] Use 52, 40, 36 or 32."
    )
