"""A prize from its record to its payment, where the stories cannot tell it."""

from dataclasses import replace

from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import (
    Command,
    CorrectSettlement,
    DefineTable,
    DeterminePrize,
    HandReport,
    OpenSystem,
    OpenTable,
    PayPrize,
    RecordOutcome,
    RegisterWagers,
)
from meter_server.domain.deciding import decide
from meter_server.domain.entries import Json
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from tests.rules import rule

STRAIGHT_FLUSH = {1: HandReport(own_cards=parse_cards("9h 8h"))}
FLOP = parse_cards("Th Jh Qh")
MANAGERS = Context(1, Person("4001", ASSISTANT_CASINO_MANAGER), second=Person("3001", DEALER))
OTHER_MANAGER = replace(MANAGERS, actor=Person("4002", ASSISTANT_CASINO_MANAGER))


def done(floor: Floor, command: Command, context: Context = MANAGERS) -> tuple[Floor, Accepted]:
    answer = decide(floor, command, context)
    assert isinstance(answer, Accepted), answer
    return apply(floor, answer), answer


def won(recording: Context = MANAGERS) -> Floor:
    """A tenth of 10,001, the third entry of its meter."""
    floor = Floor()
    for command in (
        DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000)),
        OpenTable("T1"),
        OpenSystem("S1", Terms(1, 10_000, 100), ("T1",)),
        RegisterWagers("R1", "T1", frozenset({1, 2}), 100),
    ):
        floor, _ = done(floor, command)
    floor, _ = done(floor, RecordOutcome("R1", STRAIGHT_FLUSH, FLOP), recording)
    return floor


def determined() -> Floor:
    floor, _ = done(won(), DeterminePrize("R1/1", 1_000_100_000, 3), OTHER_MANAGER)
    return floor


def ruled_on_paying(winner_digest: str | None) -> dict[str, Json]:
    _, answer = done(determined(), PayPrize("R1/1", "cheque", "77", winner_digest))
    [entry] = answer.entries
    return dict(entry.detail)


@rule("AUD-1")
def test_a_payment_names_the_winner_by_a_digest_or_not_at_all() -> None:
    """Who won is kept elsewhere; the chain holds what proves it (protocol, entry `ruling`)."""
    told: dict[str, Json] = {
        "amount": 1_000_100_000,
        "award": "R1/1",
        "method": "cheque",
        "reference": "77",
        "what": "paid",
    }
    assert ruled_on_paying(None) == told
    assert ruled_on_paying("ab" * 32) == told | {"winner": "ab" * 32}


@rule("AUT-2")
def test_a_prize_names_who_approved_the_record_of_it() -> None:
    approved = Context(1, Person("3001", DEALER), approver=Person("4003", ASSISTANT_CASINO_MANAGER))
    assert won(approved).awards["R1/1"].approved_by == "4003"
    assert won().awards["R1/1"].approved_by is None


@rule("AUT-2")
def test_who_stood_behind_a_prize_stands_behind_what_replaces_it() -> None:
    """Also where the settlement of an older release does not name them."""
    floor = won()
    known = replace(floor.awards["R1/1"], behind=frozenset({"4009"}))
    floor = replace(floor, awards={"R1/1": known})
    both = {**STRAIGHT_FLUSH, 2: HandReport(own_cards=parse_cards("Kh Ah"))}
    floor, _ = done(floor, CorrectSettlement("R1", both, FLOP), OTHER_MANAGER)
    for award in floor.awards.values():
        assert award.behind >= {"4009", "4001"}, award.id
