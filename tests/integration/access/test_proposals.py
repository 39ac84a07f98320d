"""Two persons: nobody alone, nobody twice, and of many at once exactly one."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from pydantic import BaseModel

from meter_server.access import accounts, proposals
from meter_server.access.permissions import Permission
from meter_server.access.proposals import Confirmed, Done, Handler
from meter_server.access.refusals import Denied, Kind
from meter_server.domain import refusals
from meter_server.http import systems
from meter_server.recording.door import Answer, Door, Submission
from meter_server.storage.database import Connection
from meter_server.storage.errors import StorageError
from meter_server.storage.floor import PostgresFloor
from meter_server.storage.proposals import ProposalState
from tests.integration.access.conftest import StoppedClock
from tests.integration.access.people import ADMINISTRATOR, MANAGER, OFFICE, House

NEW = {"number": "1007", "name": "Dee Ler", "role": "dealer"}


class Rename(BaseModel):
    number: str
    name: str


def _with_rename(house: House, carry_out: Callable[[Connection, Confirmed[Rename]], Done]) -> House:
    """The house with one more thing that takes two persons."""
    handler = Handler(Rename, Permission.MANAGE_STAFF, Permission.CONFIRM_STAFF, carry_out)
    return replace(house, handlers={**house.handlers, "rename": handler})


def _refusal(attempt: Callable[[], object]) -> Kind | None:
    try:
        attempt()
    except Denied as denied:
        return denied.refusal.kind
    return None


def test_nobody_confirms_their_own_proposal(house: House, database_url: str) -> None:
    proposal = house.propose("create-account", **NEW)
    with pytest.raises(Denied, match="you proposed it yourself"):
        house.confirm(proposal, by=ADMINISTRATOR)
    check = pytest.raises(psycopg.errors.CheckViolation, match="proposal_takes_two_persons")
    with psycopg.connect(database_url) as connection, check:
        connection.execute(
            "UPDATE proposal SET state = 'confirmed', confirmed_by = proposed_by, "
            "decided_at = now()"
        )


def test_both_need_the_authority_for_it(house: House) -> None:
    house.hire("1007", "dealer")
    for role, number in (("audit", "7001"), ("area-manager", "3001")):
        house.hire(number, role)
    new = {**NEW, "number": "1008"}
    for number in ("1007", "7001", "3001", MANAGER):
        with pytest.raises(
            Denied, match=r"To manage staff takes an Administrator\. \[house control\]"
        ):
            house.propose("create-account", by=number, **new)
    proposal = house.propose("create-account", **new)
    for number in ("1007", "7001", "3001"):
        with pytest.raises(
            Denied, match=r"takes a TG Assistant Casino Manager \(or above\) or an Admin"
        ):
            house.confirm(proposal, by=number)
    assert house.confirm(proposal).proposal.state is ProposalState.CONFIRMED


def test_the_proposers_authority_is_looked_at_again(house: House) -> None:
    house.hire("9002", "administrator")
    proposal = house.propose("create-account", by="9002", **NEW)
    accounts.suspend(house.desk, OFFICE, house.account(ADMINISTRATOR), "9002")
    assert _refusal(lambda: house.confirm(proposal)) is Kind.NOT_AUTHORISED
    assert proposals.find(house.desk, proposal).state is ProposalState.PROPOSED


def test_what_is_confirmed_is_over(house: House) -> None:
    proposal = house.propose("create-account", **NEW)
    confirmed = house.confirm(proposal).proposal
    assert (confirmed.confirmed_by, confirmed.state) == (MANAGER, ProposalState.CONFIRMED)
    assert confirmed.result is not None
    house.hire("4002", "assistant-casino-manager")
    for number in (MANAGER, "4002"):
        with pytest.raises(Denied, match="is confirmed already"):
            house.confirm(proposal, by=number)


def test_a_proposal_is_rejected_by_a_colleague_or_taken_back(house: House) -> None:
    for number in (MANAGER, ADMINISTRATOR):
        proposal = house.propose("create-account", **NEW)
        by = house.account(number)
        rejected = proposals.reject(house.desk, house.handlers, OFFICE, by, proposal, "Not now.")
        assert (rejected.state, rejected.rejected_by) == (ProposalState.REJECTED, number)
        with pytest.raises(Denied, match="is rejected already"):
            house.confirm(proposal)
    house.hire("3001", "area-manager")
    proposal = house.propose("create-account", **{**NEW, "number": "1009"})
    with pytest.raises(Denied, match="takes a TG Assistant Casino Manager"):
        proposals.reject(house.desk, house.handlers, OFFICE, house.account("3001"), proposal, "No.")


def test_a_proposal_lapses_after_a_day(house: House, clock: StoppedClock) -> None:
    proposal = house.propose("create-account", **NEW)
    clock.advance(hours=23, minutes=59)
    assert proposals.page(house.desk)[-1].state is ProposalState.PROPOSED
    clock.advance(minutes=1)
    with pytest.raises(Denied, match="is lapsed already"):
        house.confirm(proposal)
    assert [found.id for found in proposals.page(house.desk, ProposalState.LAPSED)] == [proposal]


def test_of_many_who_decide_at_once_one_does(house: House) -> None:
    """Five confirm and five reject, ten times: one decision, and an account only if confirmed."""
    managers = [f"41{n:02}" for n in range(5)]
    for number in managers:
        house.hire(number, "assistant-casino-manager")
    accounts_of = {number: house.account(number) for number in managers}
    for turn in range(10):
        new = {**NEW, "number": f"15{turn:02}"}
        proposal, start = house.propose("create-account", **new), threading.Barrier(10)

        def decide(
            index: int, proposal: str = proposal, start: threading.Barrier = start
        ) -> tuple[str | None, str | None] | None:
            """Who the proposal should name as having confirmed, or rejected, it."""
            by = accounts_of[managers[index // 2]]
            arguments = (house.desk, house.handlers, OFFICE, by, proposal)
            start.wait()
            if index % 2:
                refusal = _refusal(lambda: proposals.reject(*arguments, "No."))
                return None if refusal else (None, by.number)
            refusal = _refusal(lambda: proposals.confirm(*arguments))
            return None if refusal else (by.number, None)

        with ThreadPoolExecutor(10) as pool:
            answers = [answer for answer in pool.map(decide, range(10)) if answer]
        decided = proposals.find(house.desk, proposal)
        assert answers == [(decided.confirmed_by, decided.rejected_by)]
        known = {account.number for account in accounts.page(house.desk, rows=100)}
        assert (new["number"] in known) == (decided.confirmed_by is not None)


def test_what_was_interrupted_is_carried_out_once_when_confirmed_again(house: House) -> None:
    """The server died after the confirmation, before and after the change itself."""
    done: list[str] = []

    def rename(connection: Connection, confirmed: Confirmed[Rename]) -> Done:
        connection.execute(
            "UPDATE staff SET name = name || %s WHERE number = %s",
            (confirmed.body.name, confirmed.body.number),
        )
        done.append(confirmed.second.number)
        if len(done) < 3:
            raise StorageError("The power went.")
        return Done({"name": confirmed.body.name})

    house = _with_rename(house, rename)
    house.hire("4002", "assistant-casino-manager")
    proposal = house.propose("rename", number=MANAGER, name="+")
    for _ in range(2):
        with pytest.raises(StorageError, match="power"):
            house.confirm(proposal)
    interrupted = proposals.find(house.desk, proposal)
    assert (interrupted.state, interrupted.result) == (ProposalState.CONFIRMED, None)

    with pytest.raises(Denied, match="is being carried out already"):
        house.confirm(proposal, by="4002")
    by = house.account(ADMINISTRATOR)
    with pytest.raises(Denied, match="is being carried out already"):
        proposals.reject(house.desk, house.handlers, OFFICE, by, proposal, "Too late.")

    assert house.confirm(proposal).proposal.result == {"name": "+"}
    assert house.account(MANAGER).name == "A. N.+"
    with pytest.raises(Denied, match="is confirmed already"):
        house.confirm(proposal)
    assert done == [MANAGER] * 3


def test_a_command_at_the_door_is_done_once_although_its_answer_was_lost(
    house: House, database_url: str
) -> None:
    """The door kept the command, and the server died before the proposal had its result."""
    door = Door(PostgresFloor(house.desk.database), house.desk.clock)
    lost = [True, False]

    def submit(batch: Sequence[Submission]) -> list[Answer]:
        answers = door.step(batch)
        if lost.pop(0):
            raise StorageError("The power went.")
        return answers

    house = replace(house, handlers={**house.handlers, **systems.handlers(submit)})
    house.hire("4002", "assistant-casino-manager")
    proposal = house.propose(
        "open-system",
        by="4002",
        system="S5",
        option=1,
        seed_dollars=20_000,
        cost_cents=500,
        tables=[],
    )
    with pytest.raises(StorageError, match="power"):
        house.confirm(proposal)
    result = house.confirm(proposal).proposal.result
    assert result is not None
    assert [entry["kind"] for entry in result["entries"]] == ["opening"]
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT meter_id, kind FROM entry").fetchall() == [
            ("S5", "opening")
        ]


def test_the_same_person_twice_at_once_carries_it_out_once(house: House) -> None:
    def rename(connection: Connection, confirmed: Confirmed[Rename]) -> Done:
        connection.execute(
            "UPDATE staff SET name = name || '+' WHERE number = %s", (confirmed.body.number,)
        )
        return Done({})

    house = _with_rename(house, rename)
    manager = house.account(MANAGER)
    proposal, start = house.propose("rename", number=MANAGER, name="+"), threading.Barrier(8)

    def confirm(_: int) -> Kind | None:
        start.wait()
        return _refusal(
            lambda: proposals.confirm(house.desk, house.handlers, OFFICE, manager, proposal)
        )

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(confirm, range(8)))
    assert sorted(answers, key=str) == [None, *[Kind.PROPOSAL_ENDED] * 7]
    assert house.account(MANAGER).name == "A. N.+"


def test_what_the_rules_refuse_ends_with_the_reason(house: House) -> None:
    def rename(connection: Connection, confirmed: Confirmed[Rename]) -> Done:
        del connection, confirmed
        raise refusals.Refused(
            refusals.Kind.COST_TAKEN, "A $5 system exists.", rule="WSOP 9.1.1(e)", remedy="Wait."
        )

    house = _with_rename(house, rename)
    proposal = house.propose("rename", number=MANAGER, name="+")
    with pytest.raises(refusals.Refused, match=r"A \$5 system exists"):
        house.confirm(proposal)
    refused = proposals.find(house.desk, proposal)
    assert (refused.state, refused.confirmed_by) == (ProposalState.REFUSED, MANAGER)
    assert refused.reason == "A $5 system exists. [WSOP 9.1.1(e)] Wait."
    assert house.last().reason == refused.reason
    with pytest.raises(Denied, match="is refused already"):
        house.confirm(proposal)


def test_proposals_are_read_page_by_page_oldest_first(house: House, clock: StoppedClock) -> None:
    made = []
    for n in range(5):
        made.append(house.propose("create-account", **{**NEW, "number": f"10{n}"}))
        clock.advance(seconds=1)
    first = proposals.page(house.desk, rows=3)
    rest = proposals.page(house.desk, after=first[-1].id, rows=3)
    assert [proposal.id for proposal in [*first, *rest]] == made


def test_every_step_is_in_the_trail_with_before_and_after(house: House) -> None:
    before = len(house.trail())
    proposal = house.propose("create-account", **NEW)
    _refusal(lambda: house.confirm(proposal, by=ADMINISTRATOR))
    house.confirm(proposal)
    proposed, refused, confirmed = house.trail()[before:]
    assert (proposed.tag, proposed.person) == ("office:proposal:propose", ADMINISTRATOR)
    assert proposed.after == {"action": "create-account", "body": NEW}
    assert (refused.tag, refused.person) == ("office:proposal:confirm", ADMINISTRATOR)
    assert refused.reason is not None
    assert (confirmed.person, confirmed.subject) == (MANAGER, proposal)
    assert confirmed.before == {"state": "proposed"}
    assert confirmed.after is not None
    assert confirmed.after["state"] == "confirmed"
