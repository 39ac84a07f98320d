"""What to pay, seat by seat, as the sentences a dealer acts on."""

from dataclasses import dataclass
from enum import StrEnum

from meter_server.contract.tables import PrizeTold
from meter_server.domain.hands import Hand
from meter_server.domain.money import dollars
from meter_server.domain.rulebook.authority import Action, Rank, grant_for
from meter_server.domain.rulebook.games import Game
from table_agent.table import METER_HANDS, Ended, LastRound


class Pay(StrEnum):
    NOW = "pay-now"
    HELD = "held"
    NOT_RECORDED = "not-recorded"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Payment:
    seat: int
    hand: Hand
    what: Pay
    sentence: str
    amount_micros: int | None = None


def payments(game: Game, last: LastRound | None) -> list[Payment]:
    """Of the last round, winners first off the meter; nothing where it was not settled."""
    if last is None or last.ended is not Ended.SETTLED:
        return []
    meter = [
        _prize(game, seat, hand, last)
        for seat, hand in sorted(last.hands.items())
        if hand in METER_HANDS
    ]
    bonus = [
        _bonus(seat, hand, last.bonus_micros.get(seat))
        for seat, hand in sorted(last.hands.items())
        if hand not in METER_HANDS
    ]
    return meter + bonus


def who_must_come(game: Game, last: LastRound | None) -> Rank | None:
    """Where a prize waits for its determination."""
    is_pending = last is not None and any(prize.state == "pending" for prize in last.prizes)
    return _who_determines(game) if is_pending else None


def _who_determines(game: Game) -> Rank:
    grant = grant_for(Action.DETERMINE_PRIZE, game.key)
    assert grant is not None  # noqa: S101 - every game has prizes
    return grant.rank


def _bonus(seat: int, hand: Hand, micros: int | None) -> Payment:
    """Payable while queued: it does not depend on the meter (BON-2)."""
    if micros is None:
        return Payment(
            seat, hand, Pay.NOTHING, f"Seat {seat}: {hand.title} pays no Jackpot bonus here."
        )
    sentence = f"Pay seat {seat} {dollars(micros)} for {hand.title}."
    return Payment(seat, hand, Pay.NOW, sentence, micros)


def _prize(game: Game, seat: int, hand: Hand, last: LastRound) -> Payment:
    prize = next((one for one in last.prizes if one.seat == seat), None)
    who = _who_determines(game).title
    if not last.recorded or prize is None:
        sentence = (
            f"Seat {seat}: {hand.title} NOT RECORDED. Leave the cards where they are and call the "
            f"{who}."
        )
        return Payment(seat, hand, Pay.NOT_RECORDED, sentence)
    what, sentence = _held(prize, hand, who)
    return Payment(seat, hand, what, sentence, prize.amount_micros)


def _held(prize: PrizeTold, hand: Hand, who: str) -> tuple[Pay, str]:
    whose = f"Seat {prize.seat}: {hand.title}, {dollars(prize.amount_micros)}."
    if prize.contested and prize.state in ("pending", "withheld"):
        return Pay.HELD, (
            f"{whose} Held: another table's prize came at the same time and the {who} decides the "
            "order. Leave the cards face up."
        )
    match prize.state:
        case "pending":
            return Pay.HELD, (
                f"{whose} Held: leave the cards face up; the {who} must come and determine it."
            )
        case "withheld":
            return Pay.HELD, f"{whose} Withheld by the {who}: pay nothing."
        case "determined":
            return Pay.NOW, (
                f"{whose} Determined: pay it, or have the cage pay it, and play on with the second "
                "deck."
            )
        case "paid":
            return Pay.NOTHING, f"{whose} Paid."
        case "voided":
            return Pay.NOTHING, f"{whose} Void: pay nothing."
