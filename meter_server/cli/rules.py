"""``meter-server rules``: the tables in force, each with its rule numbers."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import click

from meter_server.cli import output
from meter_server.domain.hands import Hand
from meter_server.domain.rulebook import VERSION
from meter_server.domain.rulebook.authority import AUTHORITY, Grant
from meter_server.domain.rulebook.games import GAMES, Book, Game, GameKey
from meter_server.domain.rulebook.irregularities import CASES, Ruling
from meter_server.domain.rulebook.terms import OPTIONS, Option
from meter_server.domain.settlement import (
    Proportion,
    percent_text,
    royal_fraction,
    straight_flush_fraction,
    straight_flushes_alone,
)

_BOOK_TITLES = {Book.WSOP: "WSOP and Ultimate", Book.THREE_CARD: "Three Card"}


# Seeds and rates


def _seeds_document() -> object:
    return [
        {
            "option": option.number,
            "seed": row.seed_dollars,
            "rate_percent": _percent(row.rate_bp),
            "rule": option.seed_citation,
        }
        for option in OPTIONS.values()
        for row in option.rows
    ]


def _print_seeds() -> None:
    seeds = [row.seed_dollars for row in next(iter(OPTIONS.values())).rows]
    output.print_table(
        "Seed for each $1 of the wager's cost, and increment rate",
        ("   seed", *_option_headings()),
        (
            (f"${seed:,}", *(_rate_cell(option, seed) for option in OPTIONS.values()))
            for seed in seeds
        ),
    )
    _print_citations(lambda option: option.seed_citation)


def _rate_cell(option: Option, seed_dollars: int) -> str:
    row = option.row(seed_dollars)
    return "-" if row is None else f"{_percent(row.rate_bp)}%"


def _percent(rate_bp: int) -> str:
    return f"{rate_bp // 100}.{rate_bp % 100:02d}"


# Payouts

_METER_PAYOUTS = {
    Hand.ROYAL_FLUSH: "100% of the rounded meter value",
    Hand.STRAIGHT_FLUSH: "10% of the rounded meter value",
}


def _payouts_document() -> object:
    return [
        {
            "option": option.number,
            "hand": hand.value,
            "payout": _payout(option, hand),
            "rule": option.payout_citation,
        }
        for option in OPTIONS.values()
        for hand in _paid_hands()
        if _payout(option, hand) != _NOTHING
    ]


def _print_payouts() -> None:
    output.print_table(
        "What one hand wins",
        ("hand", *_option_headings()),
        (
            (hand.title, *(_payout(option, hand) for option in OPTIONS.values()))
            for hand in _paid_hands()
        ),
    )
    _print_citations(lambda option: option.payout_citation)


_NOTHING = "nothing"


def _paid_hands() -> list[Hand]:
    bonus = {hand for option in OPTIONS.values() for hand, _ in option.bonus_dollars}
    return [hand for hand in Hand if hand in _METER_PAYOUTS or hand in bonus]


def _payout(option: Option, hand: Hand) -> str:
    if hand in _METER_PAYOUTS:
        return _METER_PAYOUTS[hand]
    for_each_dollar = dict(option.bonus_dollars).get(hand)
    return _NOTHING if for_each_dollar is None else f"${for_each_dollar} for each $1 of wager"


def _option_headings() -> list[str]:
    return [f"Option {number}" for number in OPTIONS]


def _print_citations(citation: Callable[[Option], str]) -> None:
    for option in OPTIONS.values():
        click.echo(f"Option {option.number}: {citation(option)}.")
    click.echo("An option's seeds and payouts go together only.\n")


# Splits


def _splits_document() -> object:
    return {
        game.key: [
            {
                "royals": royals,
                "straight_flushes": straight_flushes,
                "pool": _pool_text(royals),
                "royal_each": _royal_text(royals, straight_flushes),
                "straight_flush_each": _straight_flush_text(royals, straight_flushes),
                "rule": game.rules.royal_split if royals else game.rules.straight_flush_split,
            }
            for royals, straight_flushes in sorted(game.splits)
            if royals + straight_flushes > 0
        ]
        for game in GAMES.values()
    }


def _print_splits() -> None:
    for book, title in _BOOK_TITLES.items():
        game = next(game for game in GAMES.values() if game.book is book)
        royals = sorted({royals for royals, _ in game.splits if royals})
        output.print_table(
            f"{title}: each royal flush, of the prize pool ({game.rules.royal_split})",
            ("", *(f"R = {count}" for count in royals)),
            _grid(game, royals, _royal_text),
        )
        output.print_table(
            f"{title}: each straight flush beside a royal, of the prize pool "
            f"({game.rules.royal_split})",
            ("", *(f"R = {count}" for count in royals)),
            _grid(game, royals, _straight_flush_text),
        )
        output.print_table(
            f"{title}: each straight flush without a royal ({game.rules.straight_flush_split})",
            ("", "R = 0"),
            _grid(game, [0], _straight_flush_text),
        )
    click.echo(
        "R royals and S straight flushes in one round; j is the meter rounded up to a whole\n"
        "dollar, r is seed x cost. Percentages as printed; prizes follow the exact formula."
    )


def _grid(
    game: Game, royals: list[int], cell: Callable[[int, int], str | None]
) -> Iterator[list[str]]:
    """A row for each S that has anything in it, a column for each R (A-1)."""
    if any(royals) and cell is _royal_text:
        yield ["prize pool", *(_pool_text(count) for count in royals)]
    for straight_flushes in sorted({others for _, others in game.splits}):
        provided = [(count, straight_flushes) in game.splits for count in royals]
        cells = [
            (cell(count, straight_flushes) if given else None)
            for count, given in zip(royals, provided, strict=True)
        ]
        if any(cells):
            yield [f"S = {straight_flushes}", *(text or "-" for text in cells)]


def _pool_text(royals: int) -> str:
    return {0: "j", 1: "j", 2: "j + r"}.get(royals, f"j + {royals - 1}r")


def _royal_text(royals: int, straight_flushes: int) -> str | None:
    return percent_text(royal_fraction(royals, straight_flushes)) if royals else None


def _straight_flush_text(royals: int, straight_flushes: int) -> str | None:
    if not straight_flushes:
        return None
    if royals:
        return percent_text(straight_flush_fraction(royals, straight_flushes))
    return _of_j_and_r(straight_flushes_alone(straight_flushes))


def _of_j_and_r(parts: Proportion) -> str:
    return f"{percent_text(parts.of_j)}j + {percent_text(parts.of_r)}r"


# Games

_GAME_FACTS: dict[str, Callable[[Game], tuple[str, str]]] = {
    "places at a table": lambda game: (f"up to {game.seats_max}", game.rules.places),
    "wagers a hand needs": lambda game: (
        " and ".join(game.required_wagers),
        game.rules.wager_required,
    ),
    "Jackpot wager placed": lambda game: ("before the first card", game.rules.before_first_card),
    "jackpot hand": lambda game: (
        f"{game.own_cards} {game.own_cards_name} + {game.shared_cards} {game.shared_cards_name}",
        game.rules.continued,
    ),
    "continues by": lambda game: (game.continue_bet, game.rules.continued),
    "splits provided": lambda game: (_splits_text(game), game.rules.royal_split),
    "several royals reset": lambda game: (
        "not provided" if max(game.splits)[0] < 2 else "the meter",
        game.rules.reset_several_royals,
    ),
    "reset when below seed x cost": lambda game: ("to seed x cost", game.rules.reset),
    "after a misdeal": lambda game: ("wagers stand for the next round", game.rules.misdeal),
}


def _splits_text(game: Game) -> str:
    royals, straight_flushes = (max(counts) for counts in zip(*game.splits, strict=True))
    if len(game.splits) == (royals + 1) * (straight_flushes + 1):
        return f"R 0-{royals} with S 0-{straight_flushes}"
    return ", ".join(f"{r}R + {s}S" for r, s in sorted(game.splits) if r + s > 1)


def _games_document() -> object:
    return {
        game.key: {
            "title": game.title,
            **{
                fact: {"says": says, "rule": rule}
                for fact, (says, rule) in ((fact, tell(game)) for fact, tell in _GAME_FACTS.items())
            },
        }
        for game in GAMES.values()
    }


def _print_games() -> None:
    output.print_table(
        "Games",
        ("", *(game.title for game in GAMES.values())),
        (
            (fact, *("\n".join(tell(game)) for game in GAMES.values()))
            for fact, tell in _GAME_FACTS.items()
        ),
    )


# Authority


def _authority_document() -> object:
    return [
        {"action": action.value, "game": key, "rank": grant.rank.title, "rule": grant.rule}
        for action, grants in AUTHORITY.items()
        for key, grant in grants.items()
    ]


def _print_authority() -> None:
    output.print_table(
        "Who may act; a higher rank always may",
        ("action", *_BOOK_TITLES.values()),
        (
            (action.replace("-", " "), *_cells(grants, _grant_text))
            for action, grants in AUTHORITY.items()
        ),
    )


def _grant_text(grant: Grant) -> str:
    return f"{grant.rank.title}\n{grant.rule}"


# Irregularities


def _irregularities_document() -> object:
    return [
        {
            "case": case.key,
            "title": case.title,
            "game": key,
            "effect": ruling.effect.value,
            "rank": AUTHORITY[ruling.action][key].rank.title,
            "rule": ruling.rule,
        }
        for case in CASES.values()
        for key, ruling in case.rulings.items()
    ]


def _print_irregularities() -> None:
    output.print_table(
        "What an irregularity does to the Jackpot wagers, and the lowest rank that declares it",
        ("case", *_BOOK_TITLES.values()),
        ((case.title, *_cells(case.rulings, _ruling_text)) for case in CASES.values()),
    )


def _ruling_text(ruling: Ruling) -> str:
    grants = AUTHORITY[ruling.action].values()
    ranks = {grant.rule.partition(" ")[0]: grant.rank.title for grant in grants}
    return f"{ruling.effect}\n{ranks}\n{ruling.rule}"


def _cells[T](by_game: Mapping[GameKey, T], text: Callable[[T], str]) -> list[str]:
    raise NotImplementedError


class _Section(NamedTuple):
    document: Callable[[], object]
    show: Callable[[], None]


_SECTIONS = {
    "seeds": _Section(_seeds_document, _print_seeds),
    "payouts": _Section(_payouts_document, _print_payouts),
    "splits": _Section(_splits_document, _print_splits),
    "games": _Section(_games_document, _print_games),
    "authority": _Section(_authority_document, _print_authority),
    "irregularities": _Section(_irregularities_document, _print_irregularities),
}
