"""Rulings: decisions of people that move no money, kept in the chain beside those that do (AUD-1).

Who ruled is in the entry's stamp. Players never appear.
"""

from collections.abc import Mapping
from enum import StrEnum

from meter_server.domain.awards import Award
from meter_server.domain.commands import DecideOrder
from meter_server.domain.entries import EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Posting
from meter_server.domain.rounds import Round
from meter_server.domain.rulebook.authority import Action, grant_for


class Ruled(StrEnum):
    """What was ruled."""

    PLAYED_ON = "played-on"
    CARRIED = "carried"
    FORFEITED = "forfeited"
    DETERMINED = "determined"
    WITHHELD = "withheld"
    PAID = "paid"
    ORDER_STANDS = "order-stands"


def rule_on_round(
    draft: Draft, round_: Round, what: Ruled, rule: str, detail: Mapping[str, Json]
) -> None:
    """A ruling about one round, on the meter that it plays for."""
    _post(draft, round_.meter_id, what, rule, detail, round_)


def rule_on_prize(
    draft: Draft, award: Award, what: Ruled, action: Action, detail: Mapping[str, Json]
) -> None:
    """A ruling about a prize, with its amount as it stood then."""
    round_ = draft.round(award.round_id)
    grant = grant_for(action, round_.game_key)
    rule = round_.game.rules.determination if grant is None else grant.rule
    seen: dict[str, Json] = {"amount": award.amount_micros, "award": award.id}
    _post(draft, round_.meter_id, what, rule, {**seen, **detail}, round_)


def rule_on_order(draft: Draft, meter_id: str, rule: str, decided: DecideOrder) -> None:
    """Contested rounds go on counting in the order they count in (A-38)."""
    detail: dict[str, Json] = {"order": list(decided.round_ids), "reason": decided.reason}
    _post(draft, meter_id, Ruled.ORDER_STANDS, rule, detail, None)


def _post(
    draft: Draft,
    meter_id: str,
    what: Ruled,
    rule: str,
    detail: Mapping[str, Json],
    round_: Round | None,
) -> None:
    draft.post(
        meter_id,
        Posting(
            EntryKind.RULING,
            0,
            (),
            rule=rule,
            detail={"what": what.value, **detail},
            table_id=None if round_ is None else round_.table_id,
            round_id=None if round_ is None else round_.id,
        ),
    )
