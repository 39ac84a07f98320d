"""Who may do what, and what each irregularity does to the Jackpot wagers."""

from collections.abc import Iterator

from meter_server.cli.rules.table import BOOK_TITLES, Table, cells_by_book, spaced
from meter_server.domain.rulebook.authority import AUTHORITY, Action, Rank
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.irregularities import CASES, Case, Effect, Ruling

EFFECTS = {
    Effect.PLAY_ON: "nothing changes for the jackpot",
    Effect.CARRY_ALL: "every wager stands for the next round",
    Effect.CARRY_HANDS: "the named hands' wagers stand for the next round",
    Effect.REGROUP: "wagers go back to some, the others are registered anew at once",
    Effect.CANCEL_CARRIED: "the carried game is cancelled, the next round registers anew",
    Effect.REFUND_ALL: "every wager goes back",
    Effect.SETTLE: "the jackpot is settled on hole cards and Flop",
    Effect.FORFEIT: "the wager is lost and its contribution stays",
}


def authority_records() -> list[dict[str, object]]:
    return [
        {"action": action.value, "game": game, "rank": grant.rank.title, "rule": grant.rule}
        for action, grants in AUTHORITY.items()
        for game, grant in grants.items()
    ]


def authority_tables() -> Iterator[Table]:
    yield Table(
        "The lowest rank that may act; every higher one may as well",
        ("action", *BOOK_TITLES.values()),
        [spaced(_authority_row(action)) for action in AUTHORITY],
    )


def _authority_row(action: Action) -> tuple[str, ...]:
    grants = AUTHORITY[action]
    cells = {game: f"{grant.rank.title}\n{grant.rule}" for game, grant in grants.items()}
    return (_words(action), *cells_by_book(cells))


def irregularity_records() -> list[dict[str, object]]:
    return [
        {
            "case": case.key,
            "title": case.title,
            "game": game,
            "effect": ruling.effect.value,
            "rank": _rank(ruling, game).title,
            "rule": ruling.rule,
        }
        for case in CASES.values()
        for game, ruling in case.rulings.items()
    ]


def irregularity_tables() -> Iterator[Table]:
    yield Table(
        "What an irregularity does to the Jackpot wagers, and the lowest rank that declares it",
        ("case", *BOOK_TITLES.values()),
        [spaced(_case_row(case)) for case in CASES.values()],
        "\n".join(f"{_words(effect)}: {meaning}." for effect, meaning in EFFECTS.items()),
    )


def _case_row(case: Case) -> tuple[str, ...]:
    cells = {
        game: f"{_words(ruling.effect)}\n{_rank(ruling, game).title}\n{ruling.rule}"
        for game, ruling in case.rulings.items()
    }
    return (case.title, *cells_by_book(cells))


def _rank(ruling: Ruling, game: GameKey) -> Rank:
    return AUTHORITY[ruling.action][game].rank


def _words(key: str) -> str:
    return key.replace("-", " ")
