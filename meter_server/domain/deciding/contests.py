"""Prizes whose order is contested: by their tables' clocks they came otherwise than they count.

They are held until a person decides (A-38).
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState
from meter_server.domain.floor import Draft
from meter_server.domain.replay import read

_SETTLED_FOR_GOOD = frozenset({AwardState.PAID, AwardState.VOIDED})


def contest(
    draft: Draft,
    awards: Iterable[Award],
    later: Collection[str] = (),
    decided: Collection[str] = (),
) -> None:
    """Mark prizes that the tables' clocks put on the other side of another round's prize.

    ``later`` are the rounds that count after theirs: none where they were just recorded.
    ``decided`` are those about whose order with theirs a person has decided.
    """
    for award in awards:
        for other in draft.awards_of_meter(award.meter_id):
            if other.round_id not in decided and _is_contested(
                award, other, counts_before=other.round_id in later
            ):
                _mark(draft, draft.award(award.id), other.round_id)
                if other.state not in _SETTLED_FOR_GOOD:
                    _mark(draft, draft.award(other.id), award.round_id)


def contest_again(draft: Draft, round_id: str, meter_id: str) -> None:
    """The same for what a correction gives: it may stand before prizes that were won since.

    What a person has decided about the order of two rounds stays decided.
    """
    story = read(draft.history(meter_id))
    later = story.rounds[story.rounds.index(round_id) + 1 :]
    decided = frozenset[str]().union(*(rounds for rounds in story.decided if round_id in rounds))
    unpaid = [
        award
        for award in draft.awards_of_round(round_id)
        if award.tops_up is None and award.state not in _SETTLED_FOR_GOOD
    ]
    contest(draft, unpaid, later, decided)


def _is_contested(award: Award, other: Award, *, counts_before: bool) -> bool:
    if (
        other.round_id == award.round_id
        or other.state is AwardState.VOIDED
        or award.agent_at_us is None
        or other.agent_at_us is None
    ):
        return False
    if counts_before:
        return other.agent_at_us < award.agent_at_us
    return award.agent_at_us < other.agent_at_us


def _mark(draft: Draft, award: Award, round_id: str) -> None:
    draft.put(replace(award, contested_with=award.contested_with | {round_id}))
