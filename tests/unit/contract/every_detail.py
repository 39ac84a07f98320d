"""Commands that together make every kind of entry with every field its detail can have."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.entries import Entry
from meter_server.domain.hands import Hand
from meter_server.domain.people import Context
from meter_server.domain.rulebook.terms import Terms
from tests.unit.contract.floor_life import Play, lived, person, two_tables
from tests.unit.contract.vectors import read

MANAGER = Context(1_800_000_000_000_000, person("4001"), second=person("3001"))
DEALER = replace(MANAGER, actor=person("1007"), second=None)
SUPERVISED = replace(DEALER, approver=person("2003"))
STRAIGHT_FLUSH = HandReport(own_cards=parse_cards("9h 8h"))
FLOP = parse_cards("Th Jh Qh")


def entries() -> Iterator[Entry]:
    yield from (entry for entry, _ in lived(read("life")["rows"]))
    for story in (
        _regrouped,
        _carried_with_other_seats,
        _hand_carried_alone,
        _table_closed,
        _keyed_in_from_paper,
        _irregular_on_paper,
        _settled_despite_a_misdeal,
        _corrected,
        _invalidated_and_topped_up,
        _order_decided_the_other_way,
        _order_that_stands,
        _ruled_on,
        _paid_to_a_known_winner,
    ):
        yield from story(_system())


def _system() -> Play:
    play = two_tables()
    play.do(commands.OpenSystem("one", Terms(1, 10_000, 100), ("T1", "T2")), MANAGER)
    play.do(commands.TopUpMeter("one", 9_000_000_000, "room for prizes"), MANAGER)
    return play


def _told(play: Play, *steps: tuple[Command, Context]) -> Iterator[Entry]:
    for command, context in steps:
        yield from play.do(command, context)


def _register(round_: str, *seats: int, table: str = "T1") -> Command:
    return commands.RegisterWagers(round_, table, frozenset(seats), 100)


def _case(case: str, *seats: int, joining: frozenset[int] = frozenset()) -> Command:
    return commands.DeclareIrregularity("T1", case, frozenset(seats), joining, "why")


def _wins(round_: str, hands: Mapping[int, HandReport] | None = None) -> Command:
    return commands.RecordOutcome(round_, hands or {1: STRAIGHT_FLUSH}, FLOP)


def _regrouped(play: Play) -> Iterator[Entry]:
    joining = _case("wager-not-registered", 1, joining=frozenset({4}))
    return _told(play, (_register("a/1/1", 1, 2), DEALER), (joining, SUPERVISED))


def _carried_with_other_seats(play: Play) -> Iterator[Entry]:
    return _told(
        play,
        (_register("a/1/1", 1, 2), DEALER),
        (_case("misdeal"), MANAGER),
        (_register("a/1/2", 1, 3), DEALER),
    )


def _hand_carried_alone(play: Play) -> Iterator[Entry]:
    return _told(
        play,
        (_register("a/1/1", 1, 2), DEALER),
        (_case("subsequent-wager-short", 2), DEALER),
        (commands.RecordOutcome("a/1/1"), DEALER),
        (_register("a/1/2", 1), DEALER),
    )


def _table_closed(play: Play) -> Iterator[Entry]:
    return _told(
        play,
        (_register("a/1/1", 1), DEALER),
        (_case("misdeal"), MANAGER),
        (commands.CloseTable("T1", players_present=False), SUPERVISED),
    )


def _keyed_in_from_paper(play: Play) -> Iterator[Entry]:
    keyed = replace(SUPERVISED, second=person("3001"), agent_at_us=SUPERVISED.at_us - 1)
    return _told(
        play,
        (commands.SetManual("T1", True), MANAGER),
        (commands.RegisterWagers("a/1/1", "T1", frozenset({1}), 100, "sheet 7"), keyed),
        (_on_paper("T1", "wager-not-registered", joining=frozenset({2})), keyed),
        (commands.RecordOutcome("a/1/1", paper="sheet 7"), keyed),
    )


def _irregular_on_paper(play: Play) -> Iterator[Entry]:
    keyed = replace(MANAGER, agent_at_us=MANAGER.at_us - 1)
    return _told(
        play,
        (commands.SetManual("T2", True), MANAGER),
        (commands.RegisterWagers("b/1/1", "T2", frozenset({1, 2}), 100, "sheet 7"), keyed),
        (_on_paper("T2", "card-exposed"), keyed),
        (_on_paper("T2", "information-exchanged", 1), keyed),
        (_on_paper("T2", "cards-exposed"), keyed),
    )


def _on_paper(table: str, case: str, *seats: int, joining: frozenset[int] = frozenset()) -> Command:
    return commands.DeclareIrregularity(table, case, frozenset(seats), joining, "why", "sheet 7")


def _settled_despite_a_misdeal(play: Play) -> Iterator[Entry]:
    outcome = commands.RecordOutcome("a/1/1", case="later-cards-wrong")
    return _told(play, (_register("a/1/1", 1), DEALER), (outcome, SUPERVISED))


def _corrected(play: Play) -> Iterator[Entry]:
    again = commands.CorrectSettlement("a/1/1", {1: STRAIGHT_FLUSH}, FLOP, reason="the camera")
    return _told(
        play,
        (_register("a/1/1", 1), DEALER),
        (commands.RecordOutcome("a/1/1"), DEALER),
        (commands.CorrectBonus("a/1/1", {1: Hand.FLUSH}), SUPERVISED),
        (again, MANAGER),
    )


def _invalidated_and_topped_up(play: Play) -> Iterator[Entry]:
    """Without the first prize the second would have been larger."""
    return _told(
        play,
        (_register("a/1/1", 1), DEALER),
        (_wins("a/1/1"), DEALER),
        (_register("a/1/2", 1), DEALER),
        (_wins("a/1/2"), DEALER),
        (commands.VoidSettlement("a/1/1", "fraud", "invalidated-fraud"), MANAGER),
        (commands.GrantTopUp("a/1/2/1", "a/1/1"), MANAGER),
    )


def _order_decided_the_other_way(play: Play) -> Iterator[Entry]:
    other_way = commands.DecideOrder(("b/1/1", "a/1/1"), "camera 12")
    return _told(play, *_CAME_LATE, (other_way, MANAGER))


def _order_that_stands(play: Play) -> Iterator[Entry]:
    stands = commands.DecideOrder(("a/1/1", "b/1/1"), "camera 12")
    return _told(play, *_CAME_LATE, (stands, MANAGER))


def _ruled_on(play: Play) -> Iterator[Entry]:
    """Played on and forfeited at a Three Card table, and a prize withheld."""
    at_table = commands.DeclareIrregularity("T2", "card-exposed", reason="one card")
    swapped = commands.DeclareIrregularity("T2", "information-exchanged", frozenset({1}))
    return _told(
        play,
        (_register("b/1/1", 1, 2, table="T2"), DEALER),
        (at_table, DEALER),
        (swapped, MANAGER),
        (_register("a/1/1", 1), DEALER),
        (_wins("a/1/1"), DEALER),
        (commands.WithholdPrize("a/1/1/1", "a device was seen"), MANAGER),
    )


def _paid_to_a_known_winner(play: Play) -> Iterator[Entry]:
    """A tenth of j, which is the $19,000.3406 of the meter up to a whole dollar, by entry 4."""
    return _told(
        play,
        (_register("a/1/1", 1), DEALER),
        (_wins("a/1/1"), DEALER),
        (commands.DeterminePrize("a/1/1/1", 1_900_100_000, 4), MANAGER),
        (commands.PayPrize("a/1/1/1", "cheque", "77", "0" * 64), DEALER),
    )


_CAME_LATE: tuple[tuple[Command, Context], ...] = (
    (_register("a/1/1", 1), DEALER),
    (_register("b/1/1", 1, table="T2"), DEALER),
    (_wins("a/1/1"), replace(DEALER, agent_at_us=2)),
    (
        commands.RecordOutcome(
            "b/1/1",
            {1: HandReport(own_cards=parse_cards("8h 9h Th"))},
            parse_cards("Jh Qh"),
        ),
        replace(DEALER, agent_at_us=1),
    ),
)
"""The second round's own time is the earlier one."""
