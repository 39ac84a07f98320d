"""What an entry is stamped with is what its command came with."""

from meter_server.domain.awards import award_id, round_of, top_up_id
from meter_server.domain.deciding import stamp
from meter_server.domain.entries import Stamp
from meter_server.domain.people import Context, Person
from meter_server.domain.rulebook import VERSION
from meter_server.domain.rulebook.authority import AREA_MANAGER, DEALER, HIGHER_DUTIES
from meter_server.domain.rulebook.readings import Readings
from tests.rules import rule


@rule("AUD-1")
def test_a_stamp_tells_who_when_and_by_which_message() -> None:
    context = Context(
        at_us=7,
        actor=Person("1001", DEALER),
        approver=Person("2001", HIGHER_DUTIES),
        second=Person("3001", AREA_MANAGER),
        agent_at_us=5,
        message="device:t1:1:9",
        request_digest="ab",
        readings=Readings(payable_unit_micros=50_000),
    )
    assert stamp(context) == Stamp(
        at_us=7,
        actor="1001",
        approver="2001",
        second="3001",
        agent_at_us=5,
        message="device:t1:1:9",
        request_digest="ab",
        rulebook=VERSION,
        readings="split=formula;unit=0.05",
    )


@rule("AUD-1")
def test_nobody_approved_is_not_somebody_without_a_number() -> None:
    stamped = stamp(Context(7, Person("1001", DEALER)))
    assert (stamped.approver, stamped.second) == (None, None)


def test_a_prize_and_its_top_up_are_named_after_their_round() -> None:
    prize = award_id("t1-a/2/118", 7)
    top_up = top_up_id(prize, "t1-b/1/9")
    assert (prize, top_up) == ("t1-a/2/118/7", "t1-a/2/118/7+t1-b/1/9")
    assert round_of(prize) == round_of(top_up) == "t1-a/2/118"
    assert round_of(top_up_id(top_up, "t2/3/4")) == "t1-a/2/118"
