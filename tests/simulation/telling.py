"""Puts a command of the product to the second model as a plain request: `asking` turned round."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pokerkit import Card

from meter_server.domain import commands, notices
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.floor import Floor
from meter_server.domain.hands import Hand
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import LADDER
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from tests.independent import transcription

Request = dict[str, Any]

_RANKS = dict(zip(LADDER, transcription.LADDER, strict=True))


def request_of(command: Command, context: Context, before: Floor) -> Request:
    """``before``, the product's floor then, tells the place on the meter that was to be seen."""
    do, words = _WORDS[type(command)]
    request = {
        "do": do,
        "at": context.at_us,
        "who": _person(context.actor),
        "approver": _person(context.approver),
        "second": _person(context.second),
        "agent_at": context.agent_at_us,
        **words(command),
    }
    if isinstance(command, commands.DeterminePrize):
        award = before.awards.get(command.award_id)
        request["seq_as_seen"] = award is not None and award.meter_seq == command.meter_seq
    if isinstance(command, commands.CorrectSettlement | commands.VoidSettlement):
        round_ = before.rounds.get(command.round_id)
        settled = None if round_ is None else round_.settled
        stands_by = None if settled is None else settled.stands_by
        request["as_seen"] = command.seen_seq in (None, stands_by)
    return request


def _person(person: Person | None) -> tuple[str, str] | None:
    return None if person is None else (person.staff_number, _RANKS[person.rank])


def _cards(cards: Iterable[Card]) -> list[str]:
    return [f"{card.rank}{card.suit}" for card in cards]


def _hand(hand: Hand | None) -> str | None:
    return None if hand is None else hand.value


def _reports(hands: Mapping[int, HandReport]) -> dict[int, Request]:
    return {
        seat: {
            "hand": _hand(report.hand),
            "cards": _cards(report.own_cards),
            "folded": report.folded,
        }
        for seat, report in hands.items()
    }


def _terms(terms: Terms) -> tuple[int, int, int]:
    return terms.option_number, terms.seed_dollars, terms.cost_cents


def _bets(limits: Limits) -> tuple[int, int]:
    return limits.minimum_cents, limits.maximum_cents


def _change(change: notices.Change) -> Request:
    match change:
        case notices.AddTable():
            return {"what": "add", "table": change.table_id, "to": change.to_meter_id}
        case notices.RemoveTable():
            return {"what": "remove", "table": change.table_id}
        case notices.TransferTable():
            return {"what": "transfer", "table": change.table_id, "to": change.to_meter_id}
        case notices.CloseSystem():
            shares = dict(change.shares_bp)
            return {"what": "close", "system": change.meter_id, "shares": shares}
        case notices.ChangeTerms():
            terms = {system: _terms(one) for system, one in change.terms.items()}
            return {"what": "terms", "terms": terms}
        case notices.RaiseMinimum():
            return {"what": "minimum", "table": change.table_id, "bets": _bets(change.limits)}


_WORDS: dict[type, tuple[str, Callable[[Any], Request]]] = {
    commands.DefineTable: (
        "define table",
        lambda c: {
            "table": c.table_id,
            "game": c.game.value,
            "seats": c.seats,
            "bets": _bets(c.limits),
        },
    ),
    commands.OpenSystem: (
        "open system",
        lambda c: {
            "system": c.meter_id,
            "terms": _terms(c.terms),
            "tables": list(c.tables),
            "value": c.value_micros,
            "training": c.training,
        },
    ),
    commands.TopUpMeter: ("top up", lambda c: {"system": c.meter_id, "amount": c.amount_micros}),
    commands.OpenTable: ("open table", lambda c: {"table": c.table_id}),
    commands.CloseTable: (
        "close table",
        lambda c: {"table": c.table_id, "players": c.players_present},
    ),
    commands.SetTournament: ("tournament", lambda c: {"table": c.table_id, "on": c.on}),
    commands.SetManual: ("manual", lambda c: {"table": c.table_id, "on": c.on}),
    commands.SetLimits: ("limits", lambda c: {"table": c.table_id, "bets": _bets(c.limits)}),
    commands.ReportGates: (
        "gates",
        lambda c: {"table": c.table_id, "failing": [gate.value for gate in sorted(c.failing)]},
    ),
    commands.RegisterWagers: (
        "register",
        lambda c: {
            "round": c.round_id,
            "table": c.table_id,
            "seats": sorted(c.seats),
            "cost_cents": c.cost_cents,
            "paper": c.paper,
        },
    ),
    commands.RecordOutcome: (
        "record",
        lambda c: {
            "round": c.round_id,
            "hands": _reports(c.hands),
            "shared": _cards(c.shared_cards),
            "case": c.case,
            "paper": c.paper,
        },
    ),
    commands.DeclareIrregularity: (
        "irregularity",
        lambda c: {
            "table": c.table_id,
            "case": c.case,
            "seats": sorted(c.seats),
            "joining": sorted(c.joining),
            "paper": c.paper,
            "round": c.round_id,
        },
    ),
    commands.CorrectBonus: (
        "correct bonus",
        lambda c: {
            "round": c.round_id,
            "hands": {seat: _hand(hand) for seat, hand in c.hands.items()},
        },
    ),
    commands.CorrectSettlement: (
        "correct",
        lambda c: {
            "round": c.round_id,
            "hands": _reports(c.hands),
            "shared": _cards(c.shared_cards),
            "admitted": sorted(c.admitted),
        },
    ),
    commands.VoidSettlement: (
        "void",
        lambda c: {"round": c.round_id, "invalidated": c.invalidated},
    ),
    commands.GrantTopUp: (
        "grant",
        lambda c: {"award": c.award_id, "corrected": c.corrected_round_id},
    ),
    commands.DecideOrder: ("order", lambda c: {"order": list(c.round_ids)}),
    commands.DeterminePrize: (
        "determine",
        lambda c: {"award": c.award_id, "amount": c.amount_micros},
    ),
    commands.WithholdPrize: ("withhold", lambda c: {"award": c.award_id}),
    commands.PayPrize: ("pay", lambda c: {"award": c.award_id}),
    commands.DraftNotice: (
        "notice",
        lambda c: {"notice": c.notice_id, "change": _change(c.change)},
    ),
    commands.ConfirmDisplay: (
        "show",
        lambda c: {"notice": c.notice_id, "table": c.table_id, "by_hand": c.by_hand_reason},
    ),
    commands.ReportDarkSign: (
        "dark",
        lambda c: {
            "notice": c.notice_id,
            "table": c.table_id,
            "dark": c.dark_from_us,
            "lit": c.lit_again_us,
        },
    ),
    commands.WithdrawNotice: ("withdraw", lambda c: {"notice": c.notice_id}),
    commands.ActOnNotice: (
        "act",
        lambda c: {"notice": c.notice_id, "offline": sorted(c.offline_tables)},
    ),
}
