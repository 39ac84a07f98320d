"""The order of contested rounds, decided by a person (A-38)."""

from collections.abc import Sequence
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState, award_id
from meter_server.domain.commands import DecideOrder
from meter_server.domain.deciding.prizes import refuse_own
from meter_server.domain.deciding.putting_right import (
    free_key,
    listed,
    own_awards,
    paid_of,
    recorded_of,
    stands_by,
)
from meter_server.domain.deciding.rulings import rule_on_order
from meter_server.domain.deciding.top_ups import later_prizes, take_back
from meter_server.domain.deciding.wagers import guard_seed
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.hands import METER_HANDS, Hand
from meter_server.domain.meter import Posting
from meter_server.domain.people import Context, Person, require
from meter_server.domain.refusals import Kind, Refused, several
from meter_server.domain.replay import Counting, in_order, read, top_up_in_effect
from meter_server.domain.rounds import Round
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
    deciding = [require(context, Action.DECIDE_ORDER, round_.game_key) for round_ in rounds]
    for person, round_ in zip(deciding, rounds, strict=True):
        for award in draft.awards_of_round(round_.id):
            refuse_own(award, person, round_.game)
    _refuse_unless_all_that_contest(draft, rounds)
    counted = as_they_count(draft, rounds)
    if rounds != counted:
        _reorder(draft, counted, command, deciding[0])
    else:
        first = rounds[0]
        rule_on_order(draft, first.meter_id, first.game.rules.sequential, command)
    for round_ in rounds:
        for award in draft.awards_of_round(round_.id):
            draft.put(replace(award, contested_with=frozenset()))


def as_they_count(draft: Draft, rounds: Sequence[Round]) -> list[Round]:
    """As they were committed, or as an earlier decision about some of them has it."""
    places = read(draft.history(rounds[0].meter_id)).rounds
    return sorted(rounds, key=lambda round_: places.index(round_.id))


def counting(draft: Draft, round_: Round) -> Counting:
    """A contested round as it counts so far."""
    settled, paid = recorded_of(round_), paid_of(draft, round_)
    return Counting(settled.statement, settled.after_micros, winners_of(round_), paid)


def winners_of(round_: Round) -> dict[int, Hand]:
    """Who won off the meter, by seat."""
    hands = ((seat, held.hand) for seat, held in sorted(round_.seats.items()))
    return {seat: hand for seat, hand in hands if hand in METER_HANDS}


def _reorder(
    draft: Draft, counted: Sequence[Round], command: DecideOrder, decided_by: Person
) -> None:
    meter_id, rules, order = counted[0].meter_id, counted[0].game.rules, command.round_ids
    reordered = in_order({round_.id: counting(draft, round_) for round_ in counted}, order)
    more_prizes = 0
    for round_ in counted:
        prizes = reordered.prizes_micros[round_.id]
        more_prizes += prizes - recorded_of(round_).prizes_micros
        _resettle(draft, round_, reordered.statements[round_.id], prizes)
    detail: dict[str, Json] = {
        "what": "order",
        "order": list(order),
        "decided_by": decided_by.staff_number,
        "reason": command.reason,
        "statements": [statement_json(reordered.statements[round_id]) for round_id in order],
    }
    taken = take_back(draft, meter_id, detail)
    back = sum(taken.values())
    amount = reordered.moved_micros + back
    entry = draft.post(
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
    for round_id in order:
        stands_by(draft, round_id, entry)
    guard_seed(draft, meter_id, rules.reset, None, None)
    draft.later_prizes = later_prizes(draft, meter_id, order)


def _resettle(draft: Draft, round_: Round, statement: Statement, prizes_micros: int) -> None:
    """Its prizes at the amounts of another statement; what is paid stays, with the difference."""
    settled = replace(
        recorded_of(round_),
        statement=statement,
        prizes_micros=prizes_micros,
        top_up_micros=top_up_in_effect(statement, prizes_micros),
    )
    draft.put(replace(round_, settled=settled))
    own, paid = own_awards(draft, round_), paid_of(draft, round_)
    kept = {award.id: award for award in own if award.state is AwardState.PAID}
    unpaid = {a.seat: a for a in own if a.state not in (AwardState.PAID, AwardState.VOIDED)}
    for seat, hand in winners_of(round_).items():
        more = statement.paid_each(hand) - paid.get(seat, 0)
        if seat in unpaid:
            draft.put(_made(unpaid[seat], more))
        elif more > 0:
            last = [award for award in kept.values() if award.seat == seat][-1]
            key = free_key(kept, award_id(round_.id, seat), round_.id)
            behind = last.behind | settled.behind
            pending = replace(last, id=key, state=AwardState.PENDING, hand=hand, payment=None)
            draft.put(_made(replace(pending, behind=behind), more))


def _made(award: Award, amount_micros: int) -> Award:
    """A prize that is not paid, at another amount: determined anew, or void where it is nothing."""
    if amount_micros <= 0:
        return replace(award, state=AwardState.VOIDED)
    state = AwardState.PENDING if award.state is AwardState.DETERMINED else award.state
    return replace(award, amount_micros=amount_micros, state=state, determined_by=None)


def _refuse_unless_all_that_contest(draft: Draft, rounds: Sequence[Round]) -> None:
    """The rounds named must be all that contest each other, each once."""
    named = [round_.id for round_ in rounds]
    contested = contesting(draft, named[0]) if named else set[str]()
    if len(contested) < _A_PAIR:
        raise Refused(
            Kind.ORDER_NOT_CONTESTED,
            f"The order of {several(named)} is not contested.",
            rule=rounds[0].game.rules.sequential if rounds else "house control",
            remedy="It stands as the Dealers recorded it.",
        )
    if sorted(named) != sorted(contested):
        raise Refused(
            Kind.ORDER_NOT_CONTESTED,
            f"The rounds {several(sorted(contested))} contest each other.",
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
