"""A worked statement as JSON: what the journal keeps and an auditor recomputes."""

from fractions import Fraction

from meter_server.domain.entries import Json
from meter_server.domain.settlement import Share, Statement


def statement_json(statement: Statement) -> dict[str, Json]:
    """Amounts in millionths; fractions as ``numerator/denominator``, exact."""
    terms = statement.terms
    return {
        "after": statement.meter_after_micros,
        "after_payment": statement.meter_after_payment_micros,
        "cost_cents": terms.cost_cents,
        "game": statement.game,
        "j": statement.j_micros,
        "meter": statement.meter_micros,
        "option": terms.option_number,
        "paid": statement.paid_micros,
        "pool": statement.pool_micros,
        "r": statement.r_micros,
        "reachable": statement.reachable,
        "readings": statement.readings,
        "reset": statement.reset,
        "reset_rule": statement.reset_rule,
        "reset_to": statement.reset_to_micros,
        "royals": statement.royals,
        "rulebook": statement.rulebook,
        "seed": terms.seed_dollars,
        "shares": [_share_json(share) for share in statement.shares],
        "straight_flushes": statement.straight_flushes,
    }


def _share_json(share: Share) -> dict[str, Json]:
    return {
        "count": share.count,
        "exact": fraction_text(share.exact_micros),
        "hand": share.hand.value,
        "of_j": fraction_text(share.formula.of_j),
        "of_pool": None if share.of_pool is None else fraction_text(share.of_pool),
        "of_r": fraction_text(share.formula.of_r),
        "paid": share.paid_micros,
        "printed": share.printed_text,
        "rule": share.rule,
    }


def fraction_text(fraction: Fraction) -> str:
    return f"{fraction.numerator}/{fraction.denominator}"
