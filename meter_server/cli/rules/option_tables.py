"""Seeds, increment rates and pay tables of both options (SYS-10)."""

from collections.abc import Callable, Iterator

from meter_server.cli.rules.table import Table
from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.terms import OPTIONS, Option
from meter_server.domain.settlement import royal_fraction, straight_flushes_alone

_PERCENT_OF_METER = {
    Hand.ROYAL_FLUSH: 100 * royal_fraction(1, 0),
    Hand.STRAIGHT_FLUSH: 100 * straight_flushes_alone(1).of_j,
}
_HEADINGS = tuple(f"Option {number}" for number in OPTIONS)


def seed_records() -> list[dict[str, object]]:
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


def seed_tables() -> Iterator[Table]:
    seeds = sorted({row.seed_dollars for option in OPTIONS.values() for row in option.rows})
    yield Table(
        "Increment rate by initial seed, for each $1 of the wager's cost",
        ("initial seed", *_HEADINGS),
        [
            (f"{f'${seed:,}':>12}", *(_rate(option, seed) for option in OPTIONS.values()))
            for seed in seeds
        ],
        _sources(lambda option: option.seed_citation),
    )


def payout_records() -> list[dict[str, object]]:
    return [
        {
            "option": option.number,
            "hand": hand.value,
            "percent_of_rounded_meter": int(_PERCENT_OF_METER.get(hand, 0)),
            "dollars_for_each_dollar": dict(option.bonus_dollars).get(hand, 0),
            "rule": option.payout_citation,
        }
        for option in OPTIONS.values()
        for hand in _paid_hands()
    ]


def payout_tables() -> Iterator[Table]:
    yield Table(
        "Payouts of a single winner, for each $1 of Jackpot wager",
        ("hand", *_HEADINGS),
        [
            (hand.title, *(_payout(option, hand) for option in OPTIONS.values()))
            for hand in _paid_hands()
        ],
        _sources(lambda option: option.payout_citation),
    )


def _paid_hands() -> list[Hand]:
    bonus = {hand for option in OPTIONS.values() for hand, _ in option.bonus_dollars}
    return [hand for hand in Hand if hand in _PERCENT_OF_METER or hand in bonus]


def _payout(option: Option, hand: Hand) -> str:
    if hand in _PERCENT_OF_METER:
        return f"{_PERCENT_OF_METER[hand]}% of the rounded meter"
    for_each_dollar = dict(option.bonus_dollars).get(hand)
    return f"${for_each_dollar} bonus" if for_each_dollar else "nothing"


def _rate(option: Option, seed_dollars: int) -> str:
    row = option.row(seed_dollars)
    return f"{_percent(row.rate_bp)}%" if row else "-"


def _percent(rate_bp: int) -> str:
    return f"{rate_bp // 100}.{rate_bp % 100:02d}"


def _sources(citation: Callable[[Option], str]) -> str:
    return "\n".join(f"Option {option.number}: {citation(option)}." for option in OPTIONS.values())
