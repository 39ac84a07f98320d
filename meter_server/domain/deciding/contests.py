"""Prizes whose order is contested: they came late, and are held until a person decides (A-38)."""

from collections.abc import Iterable
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState
from meter_server.domain.floor import Draft

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
