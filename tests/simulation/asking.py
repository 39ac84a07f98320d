"""Puts a plain request, as the second model takes it, to the product as a command."""

from collections.abc import Callable, Mapping
from typing import Any

from meter_server.domain import commands, notices
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.hands import Hand
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import LADDER, Rank
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.readings import Readings, SplitBasis
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Gate, Limits
from tests.independent import transcription
from tests.independent.prizes import House

Request = Mapping[str, Any]

_RANKS: dict[str, Rank] = dict(zip(transcription.LADDER, LADDER, strict=True))


def context_of(request: Request, house: House) -> Context:
    return Context(
        at_us=request["at"],
        actor=Person(request["who"][0], _RANKS[request["who"][1]]),
        approver=_person(request["approver"]),
        second=_person(request["second"]),
        agent_at_us=request["agent_at"],
        readings=Readings(
            SplitBasis.PRINTED if house.printed else SplitBasis.FORMULA,
            house.unit_cents * MICROS_PER_CENT,
            terms_notice_us=house.terms_period,
        ),
    )


def _person(person: tuple[str, str] | None) -> Person | None:
    return None if person is None else Person(person[0], _RANKS[person[1]])


def command_of(request: Request) -> Command:
    return _COMMANDS[request["do"]](request)


def _reports(request: Request) -> dict[int, HandReport]:
    return {
        seat: HandReport(
            _hand(report["hand"]),
            parse_cards(" ".join(report["cards"])) if report["cards"] else (),
            report["folded"],
        )
        for seat, report in request["hands"].items()
    }


def _hand(name: str | None) -> Hand | None:
    return None if name is None else Hand(name)


def _shared(request: Request) -> tuple[Any, ...]:
    return parse_cards(" ".join(request["shared"])) if request["shared"] else ()


def _change(change: Request) -> notices.Change:
    match change["what"]:
        case "add":
            return notices.AddTable(change["table"], change["to"])
        case "remove":
            return notices.RemoveTable(change["table"])
        case "transfer":
            return notices.TransferTable(change["table"], change["to"])
        case "close":
            return notices.CloseSystem(change["system"], dict(change["shares"]))
        case "minimum":
            return notices.RaiseMinimum(change["table"], Limits(*change["bets"]))
        case _:
            return notices.ChangeTerms(
                {system: Terms(*terms) for system, terms in change["terms"].items()}
            )


_COMMANDS: dict[str, Callable[[Request], Command]] = {
    "define table": lambda r: commands.DefineTable(
        r["table"], GameKey(r["game"]), r["seats"], Limits(*r["bets"])
    ),
    "open system": lambda r: commands.OpenSystem(
        r["system"], Terms(*r["terms"]), tuple(r["tables"]), r["value"], training=r["training"]
    ),
    "top up": lambda r: commands.TopUpMeter(r["system"], r["amount"], "goodwill"),
    "open table": lambda r: commands.OpenTable(r["table"]),
    "close table": lambda r: commands.CloseTable(r["table"], r["players"]),
    "tournament": lambda r: commands.SetTournament(r["table"], r["on"]),
    "manual": lambda r: commands.SetManual(r["table"], r["on"]),
    "limits": lambda r: commands.SetLimits(r["table"], Limits(*r["bets"])),
    "gates": lambda r: commands.ReportGates(
        r["table"], frozenset(Gate(gate) for gate in r["failing"])
    ),
    "register": lambda r: commands.RegisterWagers(
        r["round"], r["table"], frozenset(r["seats"]), r["cost_cents"], r["paper"]
    ),
    "record": lambda r: commands.RecordOutcome(
        r["round"], _reports(r), _shared(r), r["case"], r["paper"]
    ),
    "irregularity": lambda r: commands.DeclareIrregularity(
        r["table"],
        r["case"],
        frozenset(r["seats"]),
        frozenset(r["joining"]),
        "seen",
        r["paper"],
        r["round"],
    ),
    "correct bonus": lambda r: commands.CorrectBonus(
        r["round"], {seat: _hand(hand) for seat, hand in r["hands"].items()}
    ),
    "correct": lambda r: commands.CorrectSettlement(
        r["round"], _reports(r), _shared(r), frozenset(r["admitted"]), "camera", r["seen_seq"]
    ),
    "void": lambda r: commands.VoidSettlement(
        r["round"], "ruling", r["invalidated"], r["seen_seq"]
    ),
    "grant": lambda r: commands.GrantTopUp(r["award"], r["corrected"]),
    "order": lambda r: commands.DecideOrder(tuple(r["order"]), "camera"),
    "determine": lambda r: commands.DeterminePrize(r["award"], r["amount"], r["meter_seq"]),
    "withhold": lambda r: commands.WithholdPrize(r["award"], "inquiry"),
    "pay": lambda r: commands.PayPrize(r["award"], "cheque", "1"),
    "notice": lambda r: commands.DraftNotice(r["notice"], _change(r["change"])),
    "show": lambda r: commands.ConfirmDisplay(r["notice"], r["table"], r["by_hand"]),
    "dark": lambda r: commands.ReportDarkSign(r["notice"], r["table"], r["dark"], r["lit"]),
    "withdraw": lambda r: commands.WithdrawNotice(r["notice"]),
    "act": lambda r: commands.ActOnNotice(r["notice"], frozenset(r["offline"])),
}
