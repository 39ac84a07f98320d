"""What all corrections share: the settlement they put right, and their one kind of entry (A-58)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from meter_server.domain.awards import Award, AwardState, top_up_id
from meter_server.domain.deciding.outcomes import bonus_lines
from meter_server.domain.deciding.wagers import guard_seed
from meter_server.domain.entries import Account, Entry, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Posting
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round, RoundState, Settled


def settled_of(round_: Round) -> Settled:
    """A round's settlement; refused where there is none in effect."""
    settled = recorded_of(round_)
    if settled.voided:
        raise Refused(
            Kind.ROUND_ENDED,
            f"The settlement of round {round_.id} is voided.",
            rule=round_.game.rules.time_for_settlement,
            remedy="Correct it to settle it again as at its own time; or void it naming the case "
            "that invalidates its outcome, which refunds its wagers.",
        )
    return settled


def recorded_of(round_: Round) -> Settled:
    """A round's settlement, also a voided one; refused where its wagers were never settled."""
    if round_.settled is None or round_.state is not RoundState.SETTLED:
        raise Refused(
            Kind.ROUND_ENDED,
            f"Round {round_.id} is {round_.state}, not settled.",
            rule=round_.game.rules.time_for_settlement,
            remedy="Only a settled round can be corrected or voided; check which one is meant.",
        )
    return round_.settled


def refuse_unless_as_seen(round_: Round, settled: Settled, seen_seq: int | None) -> None:
    """Of two corrections proposed of one record, the second looks at what the first has made."""
    if seen_seq not in (None, settled.stands_by):
        raise Refused(
            Kind.NOT_AS_SEEN,
            f"Round {round_.id} was put right by meter entry {settled.stands_by} since this was "
            "proposed.",
            rule=round_.game.rules.dispute,
            remedy="Look at the round as it stands now, and propose it anew if it is still wrong.",
        )


def own_awards(draft: Draft, round_: Round) -> list[Award]:
    """The prizes of the round's own settlement, without what was granted on top of them."""
    return [award for award in draft.awards_of_round(round_.id) if award.tops_up is None]


def paid_of(draft: Draft, round_: Round) -> dict[int, int]:
    """What its winners were paid of the round's own prizes, by seat."""
    paid: dict[int, int] = {}
    for award in own_awards(draft, round_):
        if award.state is AwardState.PAID:
            paid[award.seat] = paid.get(award.seat, 0) + award.amount_micros
    return paid


def free_key(kept: Collection[str], key: str, round_id: str) -> str:
    """A name of its own beside prizes that are kept."""
    while key in kept:
        key = top_up_id(key, round_id)
    return key


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
    entry = draft.post(
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
    stands_by(draft, round_.id, entry)
    guard_seed(draft, round_.meter_id, round_.game.rules.reset, round_.table_id, round_.id)


def stands_by(draft: Draft, round_id: str, entry: Entry) -> None:
    """Keep which entry put a settlement right last."""
    round_ = draft.round(round_id)
    settled = replace(recorded_of(round_), put_right_seq=entry.seq)
    draft.put(replace(round_, settled=settled))


def listed(amounts: Iterable[tuple[int | str, int]]) -> Json:
    return [[whose, micros] for whose, micros in amounts]


def nothing_differs(round_: Round) -> Refused:
    return Refused(
        Kind.NOTHING_DIFFERS,
        f"This leaves the payouts of round {round_.id} as they are.",
        rule=round_.game.rules.dispute,
        remedy="Check which round and which hands are meant.",
    )
