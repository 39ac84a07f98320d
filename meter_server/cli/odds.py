"""``meter-server odds``: how often each hand comes and what the printed rates return."""

from collections.abc import Iterator
from fractions import Fraction

import click

from meter_server.cli import output
from meter_server.domain.hands import METER_HANDS, Hand
from meter_server.domain.odds import Return, hands_dealt, one_in, theoretical_return, ways
from meter_server.domain.reachability import possible_splits
from meter_server.domain.rulebook.games import GAMES, Game
from meter_server.domain.rulebook.terms import OPTIONS, Option, SeedRow


@click.command()
@output.json_option
def odds(as_json: bool) -> None:
    """Print the odds of each hand, the possible winners of a round and the designed return."""
    if as_json:
        output.print_json(_document())
    else:
        _print_hands()
        _print_splits()
        _print_returns()


def _document() -> dict[str, object]:
    return {
        "hands_dealt": hands_dealt(),
        "hands": [
            {"hand": hand.value, "ways": count, "one_in": _plain(one_in(hand), 2)}
            for hand, count in ways().items()
        ],
        "meter_prize_one_in": _plain(one_in(*METER_HANDS), 2),
        "possible_splits": {
            game.key: [
                {"royals": royals, "straight_flushes": straight_flushes}
                for royals, straight_flushes in _splits(game)
            ]
            for game in GAMES.values()
        },
        "returns": [
            {
                "option": option.number,
                "seed": row.seed_dollars,
                "rate_percent": _plain(100 * found.increment, 2),
                "bonus_percent": _plain(100 * found.bonus, 3),
                "royal_reseed_percent": _plain(100 * found.royal_reseed, 3),
                "straight_flush_top_up_percent": _plain(100 * found.straight_flush_top_up, 3),
                "total_percent": _plain(100 * found.total, 3),
                "mean_royal_dollars": _plain(found.mean_royal_dollars, 0),
            }
            for option, row, found in _returns()
        ],
    }


def _print_hands() -> None:
    output.print_table(
        f"Five-card hands of {hands_dealt():,}",
        ("hand", "     ways", "Jackpot wagers from one to the next"),
        (_hand_row(hand, count) for hand, count in ways().items()),
    )
    click.echo(f"A prize of the meter falls once in {_decimal(one_in(*METER_HANDS), 0)} wagers.\n")


def _hand_row(hand: Hand, count: int) -> tuple[str, str, str]:
    return hand.title, f"{count:>9,}", f"{_decimal(one_in(hand), 2):>10}"


def _print_splits() -> None:
    output.print_table(
        "Royals + straight flushes that one deck can give in one round",
        ("game", "own + shared cards", "possible"),
        (_split_row(game) for game in GAMES.values()),
    )


def _split_row(game: Game) -> tuple[str, str, str]:
    possible = ", ".join(f"{royals}+{others}" for royals, others in _splits(game))
    return game.title, f"{game.own_cards} + {game.shared_cards}", possible


def _print_returns() -> None:
    output.print_table(
        "Long-run return of Jackpot wagers in %, every hand kept to the end",
        ("option", "  seed", "rate", "bonus", "reseed", "top-up", "total", "mean royal"),
        (_return_row(*found) for found in _returns()),
    )
    click.echo(
        "Seed and mean royal are for each $1 of the wager's cost. The house pays the\n"
        "reseed after a royal, and the top-up when a straight flush takes the meter\n"
        "below the seed."
    )


def _return_row(option: Option, row: SeedRow, found: Return) -> tuple[str, ...]:
    return (
        str(option.number),
        f"{row.seed_dollars:,}",
        _decimal(100 * found.increment, 2),
        _decimal(100 * found.bonus, 3),
        f"{_decimal(100 * found.royal_reseed, 3):>6}",
        _decimal(100 * found.straight_flush_top_up, 3),
        _decimal(100 * found.total, 3),
        f"${_decimal(found.mean_royal_dollars, 0)}",
    )


def _splits(game: Game) -> list[tuple[int, int]]:
    return sorted(possible_splits(game.own_cards, game.shared_cards))


def _returns() -> Iterator[tuple[Option, SeedRow, Return]]:
    for option in OPTIONS.values():
        for row in option.rows:
            yield option, row, theoretical_return(option, row)


def _decimal(value: Fraction, places: int) -> str:
    """Rounded half up, as the documents print, with separators for people."""
    scaled = int(value * 10**places + Fraction(1, 2))
    whole, part = divmod(scaled, 10**places)
    return f"{whole:,}.{part:0{places}}" if places else f"{whole:,}"


def _plain(value: Fraction, places: int) -> str:
    return _decimal(value, places).replace(",", "")
