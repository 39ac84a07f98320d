"""Tables are defined, opened and closed: the edges that no story needs."""

from meter_server.domain.commands import CloseTable, DefineTable, OpenTable
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor, apply
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER, DEALER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.tables import Limits, Table
from tests.rules import rule

MANAGERS = Context(1, Person("4001", ASSISTANT_CASINO_MANAGER), second=Person("3001", DEALER))


def table(*commands: DefineTable | OpenTable | CloseTable) -> Table:
    floor = Floor()
    for command in commands:
        answer = decide(floor, command, MANAGERS)
        assert isinstance(answer, Accepted), answer
        floor = apply(floor, answer)
    return floor.tables["T1"]


def test_a_table_may_have_a_single_place() -> None:
    single = DefineTable("T1", GameKey.WSOP, 1, Limits(1_000, 50_000))
    assert table(single).seats == 1


@rule("AUT-16")
def test_opening_takes_the_three_hands_notice_back() -> None:
    define = DefineTable("T1", GameKey.WSOP, 9, Limits(1_000, 50_000))
    closing = table(define, OpenTable("T1"), CloseTable("T1"))
    assert closing.hands_left == 3
    assert table(define, OpenTable("T1"), CloseTable("T1"), OpenTable("T1")).hands_left is None
