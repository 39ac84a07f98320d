"""How a table stands, told to its agent; calls to a table; another tablet taking over."""

from pathlib import Path

import pytest

from meter_server.contract.checkpoints import open_checkpoint
from meter_server.contract.device.errors import Refused
from meter_server.contract.tables import TableTold
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.inside import add_people
from tests.integration.office import PIN, ROLES, Office
from tests.integration.programs import wait_until


def _told(agent: Agent) -> TableTold:
    return TableTold.model_validate(agent.link.get("/v1/device/table"))


def _register(agent: Agent, cost: int, seats: list[int]) -> str:
    round_id = agent.next_round()
    agent.do(
        "register-wagers",
        round=round_id,
        table=agent.identity.table,
        seats=seats,
        cost_cents=cost,
    )
    return round_id


@pytest.fixture
def table(office: Office) -> str:
    return open_table(office)


@pytest.fixture
def cost(office: Office, table: str) -> int:
    return open_system(office, [table])[1]


@pytest.fixture
def agent(office: Office, table: str, tmp_path: Path) -> Agent:
    agent = Agent.enrolled(office, tmp_path / "agent", unique("t"), table)
    agent.sign_on()
    return agent


def test_a_table_is_told_at_each_step_of_its_round(agent: Agent, table: str, cost: int) -> None:
    before = _told(agent)
    assert (before.table, before.game, before.seats, before.open) == (table, "wsop", 7, True)
    assert (before.last_number, before.open_round, before.last_round) == (0, None, None)
    assert before.meter is not None
    # option 1, seed 10,000: the meter opens at seed x cost
    assert before.meter.value_micros == 10_000 * cost * 10_000
    assert before.meter.terms.cost_cents == cost
    assert before.signed_on is not None
    assert before.signed_on.role == "Dealer"

    round_id = _register(agent, cost, [2, 5])
    playing = _told(agent)
    assert playing.last_number == 1
    assert playing.open_round is not None
    assert playing.open_round.round == round_id
    assert [(one.seat, one.state) for one in playing.open_round.seats] == [(2, "live"), (5, "live")]
    assert playing.meter is not None
    assert playing.meter.value_micros == before.meter.value_micros + 2 * cost * 3406

    hands = [{"seat": 2, "hand": "flush", "cards": "", "folded": False}]
    agent.do("record-outcome", round=round_id, hands=hands, shared_cards="", case=None)
    settled = _told(agent)
    assert (settled.last_number, settled.open_round) == (2, None)
    assert settled.last_round is not None
    assert settled.last_round.state == "settled"
    # a flush pays $100 for each $1: cost in cents x 100 dollars is cost x 1,000,000 millionths
    assert settled.last_round.bonus == [(2, cost * 1_000_000)]


def test_whoever_is_suspended_is_no_longer_told_to_stand_at_the_console(
    office: Office, agent: Agent
) -> None:
    number = unique("9")
    add_people(office.database_url, {number: "dealer"})
    agent.sign_on(number)
    there = _told(agent).signed_on
    assert there is not None
    assert there.number == number
    suspended = office.of_role("administrator").command(f"/v1/staff/{number}/suspension")
    assert suspended.status == 200, suspended.text
    assert _told(agent).signed_on is None


def test_a_tablet_enrolled_again_has_said_nothing_yet(
    office: Office, agent: Agent, table: str, cost: int, tmp_path: Path
) -> None:
    _register(agent, cost, [2])
    assert _told(agent).last_number == 1
    again = Agent.enrolled(office, tmp_path / "again", agent.identity.device, table)
    begun = _told(again)
    assert (begun.epoch, begun.last_number) == (2, 0)
    assert begun.open_round is not None


@pytest.mark.usefixtures("cost")
def test_a_drafted_notice_is_told_at_the_table_that_it_is_about(
    office: Office, agent: Agent, table: str, tmp_path: Path
) -> None:
    other = Agent.enrolled(office, tmp_path / "other", unique("t"), open_table(office))
    notice, manager = unique("N"), office.of_role("assistant-casino-manager")
    drafted = manager.confirmed_by(
        office.colleague("assistant-casino-manager"),
        "/v1/notices",
        {"notice": notice, "change": {"kind": "remove-table", "table": table}},
    )
    assert drafted.status == 200, drafted.text
    [told] = _told(agent).notices
    assert (told.notice, told.change, told.ready_at) == (notice, "remove-table", None)
    assert _told(other).notices == []
    assert manager.command(f"/v1/notices/{notice}/withdrawal").status == 200
    assert _told(agent).notices == []


def test_a_carry_and_a_pending_prize_are_told(agent: Agent, table: str, cost: int) -> None:
    _register(agent, cost, [1, 3])
    grant = agent.authorise("declare-wrong-cards")
    agent.do(
        "declare-irregularity",
        table=table,
        case="misdeal",
        seats=[],
        joining=[],
        reason="",
        grant=grant,
    )
    carried = _told(agent)
    assert carried.carry is not None
    assert (carried.carry.seats, carried.carry.whole) == ([1, 3], True)

    round_id = _register(agent, cost, [1, 3])
    hands = [{"seat": 3, "hand": None, "cards": "As Ks", "folded": False}]
    agent.do("record-outcome", round=round_id, hands=hands, shared_cards="Ts Js Qs", case=None)
    won = _told(agent)
    assert won.carry is None
    assert won.last_round is not None
    [prize] = won.last_round.prizes
    assert (prize.seat, prize.hand, prize.state) == (3, "royal-flush", "pending")


def test_the_last_checkpoint_kept_elsewhere_is_told_and_covers_the_round(
    agent: Agent, cost: int
) -> None:
    round_id = _register(agent, cost, [4])
    hands = [{"seat": 4, "hand": None, "cards": "As Ks", "folded": False}]
    won = agent.do(
        "record-outcome", round=round_id, hands=hands, shared_cards="Ts Js Qs", case=None
    )

    def covers() -> bool:  # A prize makes a checkpoint at once.
        note = _told(agent).checkpoint
        heads = open_checkpoint(note, [agent.identity.verifier]).heads if note else ()
        return any(
            (head.meter, head.seq, head.hash)
            == (won.receipt.meter, won.receipt.meter_seq, won.receipt.head)
            for head in heads
        )

    wait_until(covers, 20)


def test_a_call_waits_until_somebody_comes(office: Office, agent: Agent, table: str) -> None:
    made = agent.link.post("/v1/device/calls", {"rank": "area-manager", "reason": "a dispute"})
    again = agent.link.post("/v1/device/calls", {"rank": "area-manager", "reason": "come soon"})
    assert (again["call"], again["reason"]) == (made["call"], "come soon")
    floor = office.of_role("area-manager")
    [mine] = [one for one in floor.get("/v1/calls").json()["items"] if one["table"] == table]
    assert (mine["rank_title"], mine["called_by"]) == ("TG Area Manager", ROLES["dealer"])
    [told] = _told(agent).calls
    assert (told.reason, told.coming, told.called_at) == ("come soon", None, mine["called_at"])

    assert floor.post(f"/v1/calls/{made['call']}/answer").status == 204
    assert _told(agent).calls == []
    for answer in ("coming", "answer"):
        gone = floor.post(f"/v1/calls/{made['call']}/{answer}")
        assert (gone.status, gone.json()["detail"][:8]) == (404, "No call ")


def test_one_person_of_the_rank_is_on_the_way(office: Office, agent: Agent) -> None:
    made = agent.link.post("/v1/device/calls", {"rank": "area-manager", "reason": "a dispute"})
    path = f"/v1/calls/{made['call']}"
    below, above = office.of_role("higher-duties"), office.of_role("assistant-casino-manager")
    for answer in ("coming", "answer"):
        refused = below.post(f"{path}/{answer}")
        assert refused.status == 403
        assert "called a TG Area Manager (or above)" in refused.json()["detail"]
    assert [above.post(f"{path}/coming").status for _ in range(2)] == [204, 204]
    second = office.of_role("area-manager").post(f"{path}/coming")
    assert (second.status, second.json()["detail"][:18]) == (409, "Somebody else is c")
    [call] = _told(agent).calls
    assert call.coming == above.get("/v1/session").json()["account"]["name"]
    # Whoever has been there says so, not only who said that they would come.
    assert office.of_role("area-manager").post(f"{path}/answer").status == 204


def test_a_call_is_ended_at_its_own_table_only(
    office: Office, agent: Agent, tmp_path: Path
) -> None:
    made = agent.link.post("/v1/device/calls", {"rank": "higher-duties", "reason": "chips"})
    other = Agent.enrolled(office, tmp_path / "other", unique("t"), open_table(office))
    with pytest.raises(Refused, match="No call"):
        other.link.post(f"/v1/device/calls/{made['call']}/end", {})
    agent.link.post(f"/v1/device/calls/{made['call']}/end", {})
    assert _told(agent).calls == []


def test_nobody_is_called_who_is_no_rank(agent: Agent) -> None:
    with pytest.raises(Refused, match="There is no rank administrator"):
        agent.link.post("/v1/device/calls", {"rank": "administrator", "reason": "help"})


def test_another_tablet_takes_the_table_over_and_the_round_goes_on(
    office: Office, agent: Agent, table: str, cost: int, tmp_path: Path
) -> None:
    round_id = _register(agent, cost, [1, 6])
    spare = Agent.enrolled(office, tmp_path / "spare", unique("spare"), open_table(office))
    spare.sign_on()
    supervisor = {"number": ROLES["higher-duties"], "pin": PIN}
    taken = spare.link.post("/v1/device/take-over", {"table": table, **supervisor})
    assert taken == {"table": table, "fenced": [agent.identity.device]}

    with pytest.raises(Refused, match=f"took over table {table}") as fenced:
        agent.do("record-outcome", round=round_id, hands=[], shared_cards="", case=None)
    assert fenced.value.status == 401

    begun = _told(spare)
    assert (begun.table, begun.last_number) == (table, 0)
    assert begun.open_round is not None
    assert (begun.open_round.round, [one.seat for one in begun.open_round.seats]) == (
        round_id,
        [1, 6],
    )
    recorded = spare.do("record-outcome", round=round_id, hands=[], shared_cards="", case=None)
    assert [one["kind"] for one in recorded.answer["entries"]] == ["settlement"]


def test_a_dealer_alone_takes_no_table_over(
    office: Office, agent: Agent, table: str, tmp_path: Path
) -> None:
    spare = Agent.enrolled(office, tmp_path / "spare", unique("spare"), open_table(office))
    with pytest.raises(Refused, match="TG Higher Duties Dealer"):
        spare.link.post(
            "/v1/device/take-over", {"table": table, "number": ROLES["dealer"], "pin": PIN}
        )
    assert agent.link.get("/v1/device/status")["device"]["state"] == "enrolled"
