"""Top-ups: what one replay of a meter gives a winner beyond what the records gave (A-58).

A prize has one top-up at most that is not paid yet. A correction takes it back where the replay no
longer gives it, and proposes what the replay gives now; nothing paid is ever taken back.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState, LaterPrize, award_id, top_up_id
from meter_server.domain.commands import GrantTopUp
from meter_server.domain.deciding.prizes import refuse_contested
from meter_server.domain.deciding.putting_right import free_key, nothing_differs
from meter_server.domain.deciding.wagers import guard_seed
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Posting, post
from meter_server.domain.people import Context, require, require_second
from meter_server.domain.replay import Seats, Story, due, read
from meter_server.domain.rounds import Round
from meter_server.domain.rulebook.authority import Action


def take_back(
    draft: Draft, meter_id: str, detail: dict[str, Json], round_id: str | None = None
) -> dict[str, int]:
    """Void the unpaid top-ups that are no longer right once a correction is posted.

    The correction itself moves the money back, so it is looked at before it is. Answers what the
    top-ups held.
    """
    as_posted = Posting(EntryKind.CORRECTION, 0, (), rule="", detail=detail, round_id=round_id)
    _, correction = post(draft.meter(meter_id), as_posted)
    story = read((*draft.history(meter_id), correction))
    has = _for_good(draft, meter_id)
    owed = due(story, has)
    taken: dict[str, int] = {}
    for award in _unpaid_top_ups(draft, meter_id):
        if award.round_id in story.rounds and not _is_right(award, story, owed, has):
            draft.put(replace(award, state=AwardState.VOIDED))
            taken[award.id] = award.amount_micros
    return taken


def _is_right(award: Award, story: Story, owed: dict[str, Seats], has: dict[str, Seats]) -> bool:
    outcome = story.outcomes.get(award.round_id)
    if outcome is None or outcome.winners.get(award.seat) is not award.hand:
        return False
    # A winner of a standing outcome has the round's own prize.
    more = owed[award.round_id][award.seat] - has[award.round_id][award.seat]
    return more == award.amount_micros


def later_prizes(draft: Draft, meter_id: str, put_right: Iterable[str]) -> tuple[LaterPrize, ...]:
    """Every prize from the first of these rounds on that would have been another (A-58)."""
    story = read(draft.history(meter_id))
    first = min(story.rounds.index(round_id) for round_id in put_right)
    return tuple(
        prize
        for prize in _prizes(draft, meter_id, story, story.rounds[first:])
        if prize.won_micros != prize.due_micros
    )


def _prizes(
    draft: Draft, meter_id: str, story: Story, rounds: Iterable[str]
) -> Iterator[LaterPrize]:
    owed = due(story, _for_good(draft, meter_id))
    won = _in_all(draft, meter_id)
    for round_id in rounds:
        is_due, has = owed.get(round_id, {}), won.get(round_id, {})
        for seat in sorted({*is_due, *has}):
            yield LaterPrize(award_id(round_id, seat), has.get(seat, 0), is_due.get(seat, 0))


def _for_good(draft: Draft, meter_id: str) -> dict[str, Seats]:
    """What winners keep whatever a replay gives: their rounds' own prizes, and what is paid."""
    unpaid = {award.id for award in _unpaid_top_ups(draft, meter_id)}
    return _summed(award for award in _standing(draft, meter_id) if award.id not in unpaid)


def _in_all(draft: Draft, meter_id: str) -> dict[str, Seats]:
    return _summed(_standing(draft, meter_id))


def _summed(awards: Iterable[Award]) -> dict[str, Seats]:
    found: dict[str, dict[int, int]] = {}
    for award in awards:
        seats = found.setdefault(award.round_id, {})
        seats[award.seat] = seats.get(award.seat, 0) + award.amount_micros
    return dict(found)


def _standing(draft: Draft, meter_id: str) -> list[Award]:
    awards = draft.awards_of_meter(meter_id)
    return [award for award in awards if award.state is not AwardState.VOIDED]


def _unpaid_top_ups(draft: Draft, meter_id: str) -> list[Award]:
    return [
        award
        for award in _standing(draft, meter_id)
        if award.tops_up is not None and award.state is not AwardState.PAID
    ]


def grant_top_up(draft: Draft, command: GrantTopUp, context: Context) -> None:
    """Give a later winner what one replay gives beyond what the prize has by now (A-58)."""
    award = draft.award(command.award_id)
    corrected = draft.round(command.corrected_round_id)
    winner = draft.round(award.round_id)
    require(context, Action.CORRECT_SETTLEMENT, winner.game_key)
    require_second(context)
    draft.open_meter(award.meter_id)
    amount = _proposed(draft, award, corrected)
    if amount <= 0:
        raise nothing_differs(winner)
    refuse_contested(award, winner.game)
    key = _free_key(draft, award, corrected)
    draft.post(
        award.meter_id,
        Posting(
            EntryKind.PRIZE,
            -amount,
            ((Account.PRIZES, amount),),
            rule=winner.game.rules.dispute,
            detail={
                "award": key,
                "corrected_round": corrected.id,
                "hand": award.hand.value,
                "seat": award.seat,
                "top_up_of": award.id,
            },
            table_id=winner.table_id,
            round_id=winner.id,
        ),
    )
    guard_seed(draft, award.meter_id, winner.game.rules.reset, winner.table_id, winner.id)
    draft.put(
        replace(
            award,
            id=key,
            amount_micros=amount,
            recorded_by=context.actor.staff_number,
            approved_by=context.approved_by,
            behind=award.behind | context.people,
            # What is withheld from a winner is withheld whole.
            state=award.state if award.state is AwardState.WITHHELD else AwardState.PENDING,
            tops_up=award.id,
            determined_by=None,
            payment=None,
        )
    )


def _proposed(draft: Draft, award: Award, corrected: Round) -> int:
    """What may be granted on top of a round's own prize, after a correction that it follows.

    Only a round's first prize is topped up, never a top-up or the difference of a correction.
    """
    if award.state is AwardState.VOIDED or award.id != award_id(award.round_id, award.seat):
        return 0
    story = read(draft.history(award.meter_id))
    if not _follows(story, award.round_id, corrected.id):
        return 0
    [prize] = [
        prize
        for prize in _prizes(draft, award.meter_id, story, [award.round_id])
        if prize.award_id == award.id
    ]
    return prize.top_up_micros


def _follows(story: Story, round_id: str, corrected_id: str) -> bool:
    if corrected_id not in story.put_right or not {round_id, corrected_id} <= {*story.rounds}:
        return False
    return story.rounds.index(corrected_id) < story.rounds.index(round_id)


def _free_key(draft: Draft, award: Award, corrected: Round) -> str:
    """A name of its own beside the top-ups that are paid."""
    paid = {
        held.id for held in draft.awards_of_round(award.round_id) if held.state is AwardState.PAID
    }
    return free_key(paid, top_up_id(award.id, corrected.id), corrected.id)
