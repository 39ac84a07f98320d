"""What all corrections share: the settlement they put right, and their one kind of entry (A-58)."""

from collections.abc import Iterable, Mapping

from meter_server.domain.deciding.outcomes import bonus_lines
from meter_server.domain.deciding.wagers import guard_seed
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Posting
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round, RoundState, Settled


def settled_of(round_: Round) -> Settled:
    """A round's settlement; refused where there is none in effect."""
    if round_.settled is None or round_.settled.voided or round_.state is not RoundState.SETTLED:
        raise Refused(
            Kind.ROUND_ENDED,
            f"Round {round_.id} has no settlement in effect.",
            rule=round_.game.rules.time_for_settlement,
            remedy="Only a settled round can be corrected or voided, and voided once.",
        )
    return round_.settled


def post_correction(
    draft: Draft,
    round_: Round,
    meter_micros: int,
    prizes_micros: int,
    bonus_micros: int,
    detail: Mapping[str, Json],
    rule: str,
) -> None:
    """Post what a settlement should have moved and did not."""
    lines: list[tuple[Account, int]] = []
    if meter_micros or prizes_micros:
        lines = [
            (Account.PRIZES, prizes_micros),
            (Account.SEED_FUNDING, -meter_micros - prizes_micros),
        ]
    if bonus_micros:
        lines.extend(bonus_lines(bonus_micros))
    draft.post(
        round_.meter_id,
        Posting(
            EntryKind.CORRECTION,
            meter_micros,
            tuple(lines),
            rule=rule,
            detail=detail,
            table_id=round_.table_id,
            round_id=round_.id,
        ),
    )
    guard_seed(draft, round_.meter_id, round_.game.rules.reset, round_.table_id, round_.id)


def listed(amounts: Iterable[tuple[int | str, int]]) -> Json:
    return [[whose, micros] for whose, micros in amounts]


def nothing_differs(round_: Round) -> Refused:
    return Refused(
        Kind.NOTHING_DIFFERS,
        f"This leaves the payouts of round {round_.id} as they are.",
        rule=round_.game.rules.dispute,
        remedy="Check which round and which hands are meant.",
    )
