"""The order of contested rounds, decided by a person (A-38)."""

from collections.abc import Sequence
from dataclasses import replace

from meter_server.domain.awards import AwardState
from meter_server.domain.commands import DecideOrder
from meter_server.domain.deciding.putting_right import listed
from meter_server.domain.deciding.rulings import rule_on_order
from meter_server.domain.deciding.top_ups import later_prizes, take_back
from meter_server.domain.deciding.wagers import guard_seed
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Posting
from meter_server.domain.people import Context, require
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.replay import in_order, read
from meter_server.domain.rounds import Round, Settled
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.settlement import Statement
from meter_server.domain.statements import statement_json

_A_PAIR = 2


def decide_order(draft: Draft, command: DecideOrder, context: Context) -> None:
    """Let the order stand that they count in, or settle them again in the one decided (A-38).

    All rounds that contest each other are decided about at once: pair by pair, an earlier decision
    could be undone by a later one.
    """
    rounds = [draft.round(round_id) for round_id in command.round_ids]
    for round_ in rounds:
        require(context, Action.DECIDE_ORDER, round_.game_key)
    _refuse_unless_all_that_contest(draft, rounds)
    counted = as_they_count(draft, rounds)
    if rounds != counted:
        for round_ in counted:
            _refuse_paid(draft, round_)
        _reorder(draft, counted, command.round_ids, context)
    else:
        first = rounds[0]
        rule_on_order(draft, first.meter_id, first.game.rules.sequential, command.round_ids)
    for round_ in rounds:
        for award in draft.awards_of_round(round_.id):
            draft.put(replace(award, contested_with=frozenset()))


def as_they_count(draft: Draft, rounds: Sequence[Round]) -> list[Round]:
    """As they were committed, or as an earlier decision about some of them has it."""
    places = read(draft.history(rounds[0].meter_id)).rounds
    return sorted(rounds, key=lambda round_: places.index(round_.id))


def _reorder(
    draft: Draft, counted: Sequence[Round], order: Sequence[str], context: Context
) -> None:
    meter_id, rules = counted[0].meter_id, counted[0].game.rules
    reordered = in_order({round_.id: _settled(round_).statement for round_ in counted}, order)
    more_prizes = 0
    for round_ in counted:
        statement = reordered.statements[round_.id]
        more_prizes += statement.paid_micros - _settled(round_).prizes_micros
        _resettle(draft, round_, statement)
    detail: dict[str, Json] = {
        "what": "order",
        "order": list(order),
        "decided_by": context.actor.staff_number,
        "statements": [statement_json(reordered.statements[round_id]) for round_id in order],
    }
    taken = take_back(draft, meter_id, detail)
    back = sum(taken.values())
    amount = reordered.moved_micros + back
    draft.post(
        meter_id,
        Posting(
            EntryKind.CORRECTION,
            amount,
            (
                (Account.PRIZES, more_prizes - back),
                (Account.SEED_FUNDING, -reordered.moved_micros - more_prizes),
            ),
            rule=rules.sequential,
            detail={**detail, "taken_back": listed(sorted(taken.items()))},
        ),
    )
    guard_seed(draft, meter_id, rules.reset, None, None)
    draft.later_prizes = later_prizes(draft, meter_id, order)


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
        if award.tops_up is None and award.state is not AwardState.VOIDED:
            state = AwardState.PENDING if award.state is AwardState.DETERMINED else award.state
            amount = statement.paid_each(award.hand)
            draft.put(replace(award, amount_micros=amount, state=state))


def _refuse_unless_all_that_contest(draft: Draft, rounds: Sequence[Round]) -> None:
    """The rounds named must be all that contest each other, each once."""
    named = [round_.id for round_ in rounds]
    contested = contesting(draft, named[0]) if named else set[str]()
    if len(contested) < _A_PAIR:
        raise Refused(
            Kind.ORDER_NOT_CONTESTED,
            f"The order of {', '.join(named)} is not contested.",
            rule=rounds[0].game.rules.sequential if rounds else "house control",
            remedy="It stands as the Dealers recorded it.",
        )
    if sorted(named) != sorted(contested):
        raise Refused(
            Kind.ORDER_NOT_CONTESTED,
            f"The rounds {', '.join(sorted(contested))} contest each other.",
            rule=rounds[0].game.rules.sequential,
            remedy="Decide the order of all of them at once.",
        )


def contesting(draft: Draft, round_id: str) -> set[str]:
    """All rounds whose order with each other hangs on this one's."""
    found, reached = {round_id}, {round_id}
    meter_id = draft.round(round_id).meter_id
    while reached:
        links = [
            {award.round_id, *award.contested_with}
            for award in draft.awards_of_meter(meter_id)
            if award.contested_with
            and (award.round_id in reached or award.contested_with & reached)
        ]
        reached = set[str]().union(*links) - found
        found |= reached
    return found


def _refuse_paid(draft: Draft, round_: Round) -> None:
    for award in draft.awards_of_round(round_.id):
        if award.state is AwardState.PAID:
            raise Refused(
                Kind.ALREADY_PAID,
                f"Prize {award.id} is paid, and nothing paid is taken back.",
                rule=round_.game.rules.sequential,
                remedy="Let the recorded order stand; what the other winner is owed is a "
                f"dispute for the TG Area Manager ({round_.game.rules.dispute}).",
            )
