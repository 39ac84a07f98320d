"""The irregularities of the table's own game, in the dealer's words, from the rulebook."""

from collections.abc import Iterator
from dataclasses import dataclass

from meter_server.domain.rulebook.authority import Action, Rank, grant_for
from meter_server.domain.rulebook.games import Game
from meter_server.domain.rulebook.irregularities import CASES, Case, Effect, Ruling
from table_agent.table import Table

NOT_ACKNOWLEDGED = "not-acknowledged"
"""Offered by its own button, and only while a registration is unanswered."""
BEGUN_BY_MISTAKE = "begun-by-mistake"

_NAMING_SEATS = frozenset({Effect.CARRY_HANDS, Effect.REGROUP, Effect.FORFEIT})
_WORDS = {
    Effect.PLAY_ON: "The jackpot goes on as if nothing had happened.",
    Effect.CARRY_ALL: "Every Jackpot wager stands for the next round.",
    Effect.CARRY_HANDS: "The Jackpot wagers of the seats you name stand for the next round.",
    Effect.REGROUP: "The Jackpot wagers of the seats you name go back; the others play on.",
    Effect.CANCEL_CARRIED: "Correct the seats and register: the difference is worked out for you.",
    Effect.REFUND_ALL: "Every Jackpot wager goes back.",
    Effect.SETTLE: "The jackpot is settled: record the outcome on hole cards and Flop.",
    Effect.FORFEIT: "The Jackpot wagers of the seats you name are lost.",
}


@dataclass(frozen=True, slots=True)
class Irregularity:
    case: str
    title: str
    effect: Effect
    what_happens: str
    rule: str
    action: Action
    rank: Rank
    """The lowest that may declare it."""
    names_seats: bool
    admits_seats: bool


def of_game(game: Game) -> Iterator[Irregularity]:
    for case in CASES.values():
        ruling = case.rulings.get(game.key)
        if ruling is not None and case.key != NOT_ACKNOWLEDGED:
            yield _irregularity(game, case, ruling)


def offered(table: Table) -> list[Irregularity]:
    """During a round every case of the game; between rounds none: a carry that changes follows from
    the seats of the next registration."""
    if table.open_round is None or not table.open_round.recorded:
        return []
    return [one for one in of_game(table.game) if one.effect is not Effect.CANCEL_CARRIED]


def find(game: Game, case: str) -> Irregularity | None:
    return next((one for one in of_game(game) if one.case == case), None)


def _irregularity(game: Game, case: Case, ruling: Ruling) -> Irregularity:
    grant = grant_for(ruling.action, game.key)
    assert grant is not None  # noqa: S101 - the rulebook gives every ruling a rank
    admits = ruling.action is Action.REREGISTER_WAGERS
    return Irregularity(
        case=case.key,
        title=case.title,
        effect=ruling.effect,
        what_happens=_WORDS[ruling.effect],
        rule=ruling.rule,
        action=ruling.action,
        rank=grant.rank,
        names_seats=ruling.effect in _NAMING_SEATS,
        admits_seats=admits,
    )
