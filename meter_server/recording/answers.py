"""What a message is answered with: stored beside it, so that a repeat hears the same bytes."""

from collections.abc import Sequence

from meter_server.canonical import Json, canonical_json
from meter_server.domain import writing
from meter_server.domain.entries import EntryKind, timestamp
from meter_server.domain.floor import Accepted
from meter_server.domain.refusals import Refusal
from meter_server.storage.rows import StoredEntry

_WITH_DETAIL = frozenset(
    {EntryKind.SETTLEMENT, EntryKind.PRIZE, EntryKind.RESET, EntryKind.CORRECTION}
)


def accepted_answer(
    message: str, at_us: int, accepted: Accepted, stored: Sequence[StoredEntry], head: Json
) -> bytes:
    """``head`` is where the meter of the sender's table stands after the message.

    What it tells was looked at before: entries with their details when their bytes were made, and
    names, of messages and prizes too, where they came in.
    """
    return canonical_json(
        {
            "answer": "accepted",
            "at": timestamp(at_us),
            "draining": accepted.draining,
            "entries": [_entry(one) for one in stored],
            "head": head,
            "message": message,
            "prizes": [
                {
                    "amount": award.amount_micros,
                    "contested_with": sorted(award.contested_with),
                    "hand": award.hand.value,
                    "id": award.id,
                    "meter_seq": award.meter_seq,
                    "seat": award.seat,
                    "state": award.state.value,
                }
                for award in accepted.awards.values()
            ],
            **_later_prizes(accepted),
        }
    )


def _later_prizes(accepted: Accepted) -> dict[str, Json]:
    """Only where there are any: no device's answer has them, and those keep their one form."""
    if not accepted.later_prizes:
        return {}
    return {
        "later_prizes": [
            {
                "award": prize.award_id,
                "due": prize.due_micros,
                "top_up": prize.top_up_micros,
                "won": prize.won_micros,
            }
            for prize in accepted.later_prizes
        ]
    }


def refused_answer(message: str, at_us: int, refusal: Refusal, head: Json) -> bytes:
    answer: dict[str, Json] = {
        "answer": "refused",
        "at": timestamp(at_us),
        "head": head,
        "kind": refusal.kind.value,
        "message": message,
        "reason": refusal.reason,
        "remedy": refusal.remedy,
        "rule": refusal.rule,
    }
    writing.require_json(answer)
    return canonical_json(answer)


def _entry(stored: StoredEntry) -> Json:
    entry = stored.entry
    return {
        "after": entry.after_micros,
        "amount": entry.amount_micros,
        "detail": dict(entry.detail) if entry.kind in _WITH_DETAIL else {},
        "hash": stored.hash.hex(),
        "kind": entry.kind.value,
        "meter": entry.meter_id,
        "seq": entry.seq,
    }
