"""When other limits of a table are a higher minimum, which takes a sign first."""

import pytest

from meter_server.domain.commands import SetLimits
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Accepted, Floor
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook.authority import AREA_MANAGER
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.tables import Limits, Table
from tests.rules import rule


@rule("SGN-5")
@pytest.mark.parametrize(("minimum", "rises"), [(999, False), (1_000, False), (1_001, True)])
def test_a_cent_more_than_before_is_a_higher_minimum(minimum: int, rises: bool) -> None:
    table = Table("T1", GameKey.WSOP, 7, Limits(1_000, 50_000))
    assert Limits(minimum, 90_000).raise_minimum_of(table) is rises


@rule("SGN-5")
def test_a_table_whose_limits_nobody_kept_is_given_its_first_at_once() -> None:
    table = Table("T1", GameKey.WSOP, 7)
    given = Limits(1_000, 50_000)
    manager = Context(0, Person("3001", AREA_MANAGER))
    answer = decide(Floor(tables={"T1": table}), SetLimits("T1", given), manager)
    assert isinstance(answer, Accepted)
    assert answer.tables["T1"].limits == given
