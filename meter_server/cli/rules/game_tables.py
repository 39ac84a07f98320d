"""What the software must hold of each game, with the rule that says it."""

from collections.abc import Iterator
from typing import NamedTuple

from meter_server.cli.rules.table import Table, spaced
from meter_server.domain.rulebook.games import GAMES, Game


class Fact(NamedTuple):
    subject: str
    says: str
    rule: str


def facts(game: Game) -> tuple[Fact, ...]:
    rules = game.rules
    cards = f"{game.own_cards} {game.own_cards_name} and the {game.shared_cards_name}"
    beyond_one_deck = "on confirmation" if game.impossible_splits_recordable else "refused"
    return (
        Fact("places", f"{game.seats_max} or fewer", rules.places),
        Fact("a hand needs", " and ".join(game.required_wagers), rules.wager_required),
        Fact("Jackpot wagers", "one for each hand", rules.one_wager_a_hand),
        Fact("they are placed", "before the first card", rules.before_first_card),
        Fact("the hand continues by", game.continue_bet, rules.continued),
        Fact("jackpot hand", f"{cards} ({game.own_cards} + {game.shared_cards})", rules.continued),
        Fact("splits with a royal", _splits(game, royal=True), rules.royal_split),
        Fact("splits without one", _splits(game, royal=False), rules.straight_flush_split),
        Fact("winners one deck cannot give", beyond_one_deck, "A-28"),
        Fact("meter below seed x cost", "reset to it", rules.reset),
        Fact("misdeal", "wagers stand for the next round", rules.misdeal),
    )


def game_records() -> list[dict[str, object]]:
    return [
        {
            "game": game.key,
            "title": game.title,
            "facts": [fact._asdict() for fact in facts(game)],
        }
        for game in GAMES.values()
    ]


def game_tables() -> Iterator[Table]:
    yield Table(
        "Games",
        ("", *(game.title for game in GAMES.values())),
        [
            spaced((row[0].subject, *(f"{fact.says}\n{fact.rule}" for fact in row)))
            for row in zip(*(facts(game) for game in GAMES.values()), strict=True)
        ],
    )


def _splits(game: Game, *, royal: bool) -> str:
    """How far the printed tables go: ``R 1 to 4, S 0 to 7``."""
    provided = [split for split in game.splits if bool(split[0]) is royal and any(split)]
    royals, others = (sorted(set(counts)) for counts in zip(*provided, strict=True))
    straight_flushes = f"S {_range(others)}"
    return f"R {_range(royals)}, {straight_flushes}" if royal else straight_flushes


def _range(counts: list[int]) -> str:
    return f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
