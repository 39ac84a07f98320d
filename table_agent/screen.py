"""What the console draws, as JSON: every sentence and amount is made here, none in the page.

docs/agent.md says what each part means.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from meter_server.contract.device.identity import Identity
from meter_server.contract.device.link import Json
from meter_server.contract.tables import NoticeTold
from meter_server.domain.awards import Caution
from meter_server.domain.deciding.outcomes import Reading
from meter_server.domain.hands import Hand
from meter_server.domain.money import cut_to_cents, dollars, whole_dollars_up
from meter_server.domain.refusals import Refused
from meter_server.domain.rulebook.authority import LADDER, Action, grant_for
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import settle
from table_agent import conditions, irregularities, recent
from table_agent.draft import Draft
from table_agent.irregularities import Irregularity
from table_agent.outbox import Item
from table_agent.paying import Payment, payments, who_must_come
from table_agent.sender import LinkState, LinkStatus
from table_agent.table import (
    METER_HANDS,
    LastRound,
    OpenRound,
    Table,
    bonus_of,
    is_refused,
    read,
    terms_of,
)
from table_agent.wording import chips

RECENT = 40
"""How many of the last messages are looked at for the list of last rounds."""

_CAUTIONS = {
    Caution.CHECK_THE_DECK: "Not possible with one deck.",
    Caution.WITHOUT_CARDS: "Without its cards.",
}
_CHANGES = {
    "add-table": "This table joins a prize meter system.",
    "remove-table": "This table leaves its prize meter system.",
    "transfer-table": "This table moves to another prize meter system.",
    "close-system": "The prize meter system closes.",
    "change-terms": "Cost or pay table of the jackpot change.",
    "raise-minimum": "The minimum bet at this table rises.",
}
_WANTED = "Wanted at the table"
_PRIZE, _HAND, _IRREGULARITY = "Prize to determine", "Hand to confirm", "Irregularity"
_REASONS = (_PRIZE, _HAND, _IRREGULARITY, "Dispute", "Something else")


class Step(StrEnum):
    STARTING = "starting"
    CLOSED = "closed"
    BETTING = "betting"
    REGISTERING = "registering"
    """Accepted here and not yet recorded: no card is dealt."""
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class Shown:
    table: Table
    draft: Draft
    link: LinkStatus
    person: Json | None
    asked: int | None
    """The approval that is waited for."""
    items: Sequence[Item]
    """The last messages, for the list of rounds and the last refusal."""
    said: Sequence[str]
    """What the last action asked the dealer to do."""


def before_the_first_word(identity: Identity, link: LinkStatus) -> Json:
    return {
        "step": Step.STARTING,
        "table": identity.table,
        "link": _link(link),
        "status": {"kind": "closed", "sentence": link.sentence or "Asking the server ..."},
    }


def draw(shown: Shown) -> Json:
    now, draft = shown.table, shown.draft
    told, terms = now.told, now.terms
    why = conditions.why_no_wagers(now, shown.link, draft.seats)
    outcome = _outcome(now, draft)
    return {
        "step": step(now),
        "place": now.place,
        "table": told.table,
        "game": told.game,
        "game_title": now.game.title,
        "seats": told.seats,
        "training": told.meter is not None and told.meter.training,
        "person": shown.person,
        "asked": shown.asked,
        "link": _link(shown.link),
        "status": status(now, shown.link),
        "meter": _meter(now),
        "cost": None if terms is None else dollars(terms.cost_micros),
        "pay_table": [] if terms is None else _pay_table(terms),
        "chosen": sorted(draft.seats),
        "proposed": sorted(now.proposal),
        "carried": sorted(now.carried),
        "register": {
            "open": conditions.why_closed(now, shown.link) is None,
            "may": why is None and shown.person is not None,
            "label": _register_label(terms, draft.seats),
            "why_not": why or ("" if shown.person else "Sign on first."),
            "chips": chips(terms, now.carried, draft.seats),
        },
        "round": _round(now.open_round),
        "may_play_without_jackpot": now.open_round is not None and not now.open_round.recorded,
        "outcome": outcome,
        "pay": [_payment(one) for one in payments(now.game, now.last_round)],
        "last_round": _last_round(now.last_round),
        "may_correct_bonus": now.open_round is None and _has_settled(now.last_round),
        "irregularities": [_irregularity(one) for one in irregularities.offered(now)],
        "said": list(shown.said),
        "refusal": _refusal(shown.items),
        "queued": now.queued,
        "recent": recent.rounds(shown.items),
        "notices": [_notice(one) for one in told.notices],
        "calls": [one.model_dump(mode="json") for one in told.calls],
        "ranks": _ranks(now, outcome),
        "reasons": list(_REASONS),
        "hands_left": told.hands_left,
        "own_cards": now.game.own_cards,
        "own_cards_name": now.game.own_cards_name,
        "shared_cards": now.game.shared_cards,
        "shared_cards_name": now.game.shared_cards_name,
        "continue_bet": now.game.continue_bet,
    }


def step(now: Table) -> Step:
    if now.open_round is not None:
        return Step.PLAYING if now.open_round.recorded else Step.REGISTERING
    return Step.BETTING if now.open else Step.CLOSED


def status(now: Table, link: LinkStatus) -> Json:
    """One of three: operating properly; queued, not yet recorded; jackpot closed, and why."""
    if now.queued:
        messages = "message" if now.queued == 1 else "messages"
        sentence = f"Queued, not yet recorded: {now.queued} {messages}. {_why_queued(link)}"
        return {"kind": "queued", "sentence": sentence.strip()}
    # Whether anybody has chosen seats, or a round is open, says nothing about the equipment.
    why = conditions.why_closed(now, link)
    if why is not None:
        return {"kind": "closed", "sentence": f"Jackpot closed: {why}"}
    return {"kind": "operating", "sentence": "Operating properly."}


def _why_queued(link: LinkStatus) -> str:
    """What a dealer can do about it; which part of the network fails is for others to read."""
    if link.state is LinkState.STOPPED:
        return link.sentence
    return "" if link.state is LinkState.UP else "The link is down: it comes back by itself."


def _link(link: LinkStatus) -> Json:
    return {
        "state": link.state.value,
        "up": link.state is LinkState.UP,
        "kept_out": link.kept_out,
        "sentence": link.sentence,
    }


def _meter(now: Table) -> Json | None:
    meter = now.told.meter
    if meter is None:
        return None
    return {
        "system": meter.system,
        "value_micros": meter.value_micros,
        "shown": dollars(cut_to_cents(meter.value_micros)),
        "royal_pays": dollars(whole_dollars_up(meter.value_micros)),
        "seq": meter.seq,
        "at": now.told.at,
    }


def _pay_table(terms: Terms) -> list[Json]:
    """For one wager, as it is paid at this table's cost (BON-1, SET-5)."""
    off_the_meter = [
        {"hand": Hand.ROYAL_FLUSH.value, "title": Hand.ROYAL_FLUSH.title, "pays": "100% of meter"},
        {
            "hand": Hand.STRAIGHT_FLUSH.value,
            "title": Hand.STRAIGHT_FLUSH.title,
            "pays": "10% of meter",
        },
    ]
    return off_the_meter + [
        {"hand": hand.value, "title": hand.title, "pays": dollars(terms.bonus_micros(hand))}
        for hand, _ in terms.option.bonus_dollars
    ]


def _register_label(terms: Terms | None, seats: frozenset[int]) -> str:
    if terms is None or not seats:
        return "Register"
    cost, total = dollars(terms.cost_micros), dollars(terms.cost_micros * len(seats))
    return f"Register {len(seats)} \N{MULTIPLICATION SIGN} {cost} = {total}"


def _round(opened: OpenRound | None) -> Json | None:
    if opened is None:
        return None
    return {"round": opened.id, "seats": sorted(opened.seats), "recorded": opened.recorded}


def _outcome(now: Table, draft: Draft) -> Json | None:
    """The hands as tapped, what the rules say to them, and what recording them would pay."""
    opened = now.open_round
    if opened is None:
        return None
    hands = [report.model_dump(mode="json") for report in draft.hands.values()]
    told: Json = {
        "hands": hands,
        "shared_cards": draft.shared_cards,
        "despite": None if draft.despite is None else _despite(now, draft.despite),
        "wrong": None,
        "read": [],
        "needs": None,
        "takes_the_meter": False,
        "fall": None,
    }
    try:
        reading = read(now.game, opened.seats, draft.hands.values(), draft.shared_cards)
    except Refused as refused:
        return {**told, "wrong": refused.refusal.sentence}
    bonus = bonus_of(opened.terms, reading.hands, now.readings)
    return {
        **told,
        "read": [_reading(seat, hand, bonus) for seat, hand in sorted(reading.hands.items())],
        "needs": _rank_title(now, Action.CONFIRM_EXCEPTIONAL_HAND) if reading.cautions else None,
        "cautions": sorted(reading.cautions),
        "caution_sentence": " ".join(_CAUTIONS[one] for one in sorted(reading.cautions)),
        "takes_the_meter": any(hand in METER_HANDS for hand in reading.hands.values()),
        "fall": _fall(now, opened.terms, reading),
    }


def _despite(now: Table, case: str) -> str:
    found = irregularities.find(now.game, case)
    return "" if found is None else f"Despite the misdeal: {found.title}."


def _fall(now: Table, terms: Terms, reading: Reading) -> str | None:
    """What the meter does when this is recorded; other tables may move it before."""
    meter = now.told.meter
    if meter is None or not reading.royals + reading.straight_flushes:
        return None
    statement = settle(
        now.game,
        terms,
        meter.value_micros,
        reading.royals,
        reading.straight_flushes,
        readings=now.readings,
        reset_to_micros=terms_of(meter.terms).reseed_micros,
    )
    after = dollars(cut_to_cents(statement.meter_after_micros))
    return f"The meter falls from {dollars(cut_to_cents(meter.value_micros))} to {after}."


def _reading(seat: int, hand: Hand, bonus: Mapping[int, int]) -> Json:
    pays = dollars(bonus[seat]) if seat in bonus else None
    return {"seat": seat, "hand": hand.value, "title": hand.title, "bonus": pays}


def _rank_title(now: Table, action: Action) -> str | None:
    grant = grant_for(action, now.game.key)
    return None if grant is None else grant.rank.title


def _ranks(now: Table, outcome: Json | None) -> list[Json]:
    """Who can be called with one tap: what for, as far as the table knows it by itself."""
    for_prize = who_must_come(now.game, now.last_round)
    called = {one.rank for one in now.told.calls}
    return [
        {
            "key": rank.key,
            "title": rank.title,
            "reason": _PRIZE if rank == for_prize else _why_called(outcome),
            "called": rank.key in called,
            "must_come": rank == for_prize,
        }
        for rank in LADDER[1:]
    ]


def _why_called(outcome: Json | None) -> str:
    if outcome is not None and (outcome["wrong"] or outcome["needs"]):
        return _HAND
    if outcome is not None and outcome["despite"]:
        return _IRREGULARITY
    return _WANTED


def _payment(one: Payment) -> Json:
    return {**asdict(one), "hand": one.hand.value, "what": one.what.value}


def _has_settled(last: LastRound | None) -> bool:
    return last is not None and last.ended.value == "settled" and last.recorded


def _last_round(last: LastRound | None) -> Json | None:
    if last is None:
        return None
    return {
        "round": last.id,
        "ended": last.ended.value,
        "seats": sorted(last.seats),
        "recorded": last.recorded,
        "hands": [{"seat": seat, "hand": hand.value} for seat, hand in sorted(last.hands.items())],
    }


def _irregularity(one: Irregularity) -> Json:
    return {
        "case": one.case,
        "title": one.title,
        "effect": one.effect.value,
        "what_happens": one.what_happens,
        "rule": one.rule,
        "rank": one.rank.title,
        "level": one.rank.level,
        "names_seats": one.names_seats,
        "admits_seats": one.admits_seats,
    }


def _notice(one: NoticeTold) -> Json:
    return {**one.model_dump(mode="json"), "sentence": f"{one.notice}: {_CHANGES[one.change]}"}


def _refusal(items: Sequence[Item]) -> str | None:
    """Of the last message, until the dealer has said the next one."""
    last = items[-1].answer if items else None
    if last is None or not is_refused(last):
        return None
    sentence = f"Refused: {last['reason']} [{last['rule']}] {last['remedy']}"
    if items[-1].message["command"]["kind"] == "register-wagers":
        return f"{sentence} Nothing was registered: return the chips that were taken."
    return sentence
