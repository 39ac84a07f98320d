"""Prizes whose order is contested: held, shown both ways, decided by a person (A-38)."""

from collections.abc import Iterable
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState
from meter_server.domain.commands import DecideOrder
from meter_server.domain.deciding.wagers import guard_seed
from meter_server.domain.entries import Account, EntryKind
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Posting
from meter_server.domain.people import Context, require
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.replay import in_other_order
from meter_server.domain.rounds import Round, Settled
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.settlement import Statement
from meter_server.domain.statements import statement_json

_SETTLED_FOR_GOOD = frozenset({AwardState.PAID, AwardState.VOIDED})


def contest(draft: Draft, awards: Iterable[Award]) -> None:
    """Mark prizes that arrived late: their own time precedes a prize already committed (A-38)."""
    for award in awards:
        for other in draft.awards_of_meter(award.meter_id):
            if _came_late(award, other):
                _mark(draft, draft.award(award.id), other.round_id)
                if other.state not in _SETTLED_FOR_GOOD:
                    _mark(draft, other, award.round_id)


def _came_late(award: Award, other: Award) -> bool:
    return (
        other.round_id != award.round_id
        and other.state is not AwardState.VOIDED
        and award.agent_at_us is not None
        and other.agent_at_us is not None
        and award.agent_at_us < other.agent_at_us
    )


def _mark(draft: Draft, award: Award, round_id: str) -> None:
    draft.put(replace(award, contested_with=award.contested_with | {round_id}))


def decide_order(draft: Draft, command: DecideOrder, context: Context) -> None:
    """Let the committed order stand, or settle the two rounds again in the other one."""
    first = draft.round(command.first_round_id)
    second = draft.round(command.second_round_id)
    require(context, Action.DECIDE_ORDER, first.game_key)
    require(context, Action.DECIDE_ORDER, second.game_key)
    _refuse_uncontested(draft, first, second)
    if _seq(first) > _seq(second):
        _swap(draft, committed_first=second, committed_second=first, context=context)
    for round_, other in ((first, second), (second, first)):
        for award in draft.awards_of_round(round_.id):
            draft.put(replace(award, contested_with=award.contested_with - {other.id}))


def _swap(
    draft: Draft, *, committed_first: Round, committed_second: Round, context: Context
) -> None:
    meter_id = committed_first.meter_id
    _refuse_paid(draft, committed_first, committed_second)
    other = in_other_order(_statement(committed_first), _statement(committed_second))
    before = _prizes(committed_first) + _prizes(committed_second)
    _resettle(draft, committed_second, other.second_first)
    _resettle(draft, committed_first, other.first_second)
    more_prizes = other.second_first.paid_micros + other.first_second.paid_micros - before
    amount = other.moved_micros
    rules = committed_first.game.rules
    draft.post(
        meter_id,
        Posting(
            EntryKind.CORRECTION,
            amount,
            (
                (Account.PRIZES, more_prizes),
                (Account.SEED_FUNDING, -amount - more_prizes),
            ),
            rule=rules.sequential,
            detail={
                "what": "order",
                "order": [committed_second.id, committed_first.id],
                "decided_by": context.actor.staff_number,
                "statements": [
                    statement_json(other.second_first),
                    statement_json(other.first_second),
                ],
            },
        ),
    )
    guard_seed(draft, meter_id, rules.reset, None, None)


def _statement(round_: Round) -> Statement:
    return _settled(round_).statement


def _settled(round_: Round) -> Settled:
    assert round_.settled is not None  # noqa: S101 - contested awards come from settled rounds.
    return round_.settled


def _resettle(draft: Draft, round_: Round, statement: Statement) -> None:
    settled = _settled(round_)
    draft.put(
        replace(
            round_,
            settled=replace(
                settled,
                statement=statement,
                prizes_micros=statement.paid_micros,
                top_up_micros=statement.top_up_micros,
            ),
        )
    )
    for award in draft.awards_of_round(round_.id):
        draft.put(
            replace(
                award,
                amount_micros=statement.paid_each(award.hand),
                state=AwardState.PENDING if award.state is AwardState.DETERMINED else award.state,
            )
        )


def _seq(round_: Round) -> int:
    return 0 if round_.settled is None else round_.settled.meter_seq


def _prizes(round_: Round) -> int:
    return 0 if round_.settled is None else round_.settled.prizes_micros


def _refuse_uncontested(draft: Draft, first: Round, second: Round) -> None:
    contested = any(
        second.id in award.contested_with for award in draft.awards_of_round(first.id)
    ) or any(first.id in award.contested_with for award in draft.awards_of_round(second.id))
    if not contested:
        raise Refused(
            Kind.ORDER_NOT_CONTESTED,
            f"The order of rounds {first.id} and {second.id} is not contested.",
            rule=first.game.rules.sequential,
            remedy="It stands as the Dealers recorded it.",
        )


def _refuse_paid(draft: Draft, first: Round, second: Round) -> None:
    for round_ in (first, second):
        for award in draft.awards_of_round(round_.id):
            if award.state is AwardState.PAID:
                raise Refused(
                    Kind.ALREADY_PAID,
                    f"Prize {award.id} is paid, and nothing paid is taken back.",
                    rule=round_.game.rules.sequential,
                    remedy="Let the recorded order stand; what the other winner is owed is a "
                    f"dispute for the TG Area Manager ({round_.game.rules.dispute}).",
                )
