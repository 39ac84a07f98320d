"""The link lost at each step of a round, restarts at each step, and another tablet."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from meter_server.contract.device.errors import NotReached
from meter_server.contract.device.link import Link
from table_agent.sender import LinkState
from tests.integration.agent.tablet import Tablet, approval
from tests.integration.agent.wire import Mode, Wire, wire
from tests.integration.office import Office


@pytest.fixture
def cable(office: Office) -> Iterator[Wire]:
    with wire(office.port) as made:
        yield made


@pytest.fixture
def tablet(office: Office, cable: Wire, tmp_path: Path) -> Tablet:
    """Its server is at the other end of the cable."""
    tablet = Tablet.at_a_table(office, tmp_path)
    identity = tablet.folder.identity()
    tablet.folder.keep(replace(identity, server=f"http://127.0.0.1:{cable.port}"))
    again = tablet.restarted()
    again.exchange()
    return again


def _books(office: Office, tablet: Tablet) -> list[str]:
    """What the server has recorded at this table."""
    with psycopg.connect(office.database_url) as connection:
        found = connection.execute(
            "SELECT kind FROM entry WHERE table_id = %s ORDER BY meter_id, seq",
            [tablet.folder.identity().table],
        ).fetchall()
    return [kind for (kind,) in found]


def test_without_the_link_no_wagers_are_registered(tablet: Tablet, cable: Wire) -> None:
    tablet.tap("seat", seat=2, lit=True)
    cable.mode = Mode.CUT
    tablet.parts.sender.look()
    tablet.parts.sender.step()
    state = tablet.state
    assert (state["link"]["state"], state["status"]["kind"]) == ("down", "closed")
    assert "The link to the server is down: take no Jackpot wagers" in state["register"]["why_not"]
    assert "[WSOP 9.5]" in tablet.declined("register")
    cable.mode = Mode.UP
    tablet.exchange()
    assert tablet.do("register")["step"] == "playing"


@pytest.mark.parametrize("mode", [Mode.CUT, Mode.NO_ANSWERS])
def test_an_outcome_without_the_link_is_kept_and_recorded_in_order(
    office: Office, tablet: Tablet, cable: Wire, mode: Mode
) -> None:
    tablet.register(1, 4)
    cable.mode = mode
    tablet.hand(4, "flush")
    tablet.tap("record")
    tablet.parts.sender.step()
    state = tablet.state
    assert (state["step"], state["status"]["kind"], state["queued"]) == ("betting", "queued", 1)
    # Bonus payouts do not depend on the meter: the dealer pays now.
    assert [one["what"] for one in state["pay"]] == ["pay-now"]
    assert tablet.declined("register")
    cable.mode = Mode.UP
    tablet.exchange()
    assert _books(office, tablet) == ["credit", "settlement"]
    assert tablet.state["pay"] == state["pay"]


def test_a_queued_royal_says_that_it_is_not_recorded(tablet: Tablet, cable: Wire) -> None:
    tablet.register(1)
    cable.mode = Mode.CUT
    tablet.hand(1, None, "As Ks")
    tablet.tap("shared-cards", cards="Ts Js Qs")
    tablet.tap("record")
    tablet.parts.sender.step()
    [pay] = tablet.state["pay"]
    assert pay["what"] == "not-recorded"
    assert pay["sentence"] == (
        "Seat 1: royal flush NOT RECORDED. Leave the cards where they are and call the TG "
        "Assistant Casino Manager."
    )
    cable.mode = Mode.UP
    tablet.exchange()
    assert [one["what"] for one in tablet.state["pay"]] == ["held"]


@pytest.mark.parametrize("mode", [Mode.CUT, Mode.NO_ANSWERS])
def test_an_unanswered_registration_is_played_without_jackpot(
    office: Office, tablet: Tablet, cable: Wire, mode: Mode
) -> None:
    for seat in (2, 6):
        tablet.tap("seat", seat=seat, lit=True)
    cable.mode = mode
    tablet.tap("register")
    tablet.parts.sender.step()
    assert tablet.state["step"] == "registering"
    assert "deal no card" in tablet.declined("no-winners")
    tablet.tap("play-without-jackpot")
    state = tablet.state
    assert (state["step"], state["queued"]) == ("betting", 2)
    assert state["said"][0].endswith("to each of seats 2 and 6.")
    cable.mode = Mode.UP
    tablet.exchange()
    assert _books(office, tablet) == ["credit", "reversal"]
    assert "is recorded" in tablet.declined("play-without-jackpot")
    assert tablet.do("register")["step"] == "playing"


def test_the_console_is_the_same_after_a_restart_at_each_step(tablet: Tablet, cable: Wire) -> None:
    def same_after_a_restart(now: Tablet) -> Tablet:
        again = now.restarted()
        drawn = ("step", "place", "chosen", "carried", "round", "outcome", "pay", "said", "queued")
        assert [again.state[name] for name in drawn] == [now.state[name] for name in drawn]
        return again

    tablet.tap("seat", seat=3, lit=True)
    tablet.tap("seat", seat=5, lit=True)
    tablet = same_after_a_restart(tablet)
    tablet.exchange()
    cable.mode = Mode.CUT
    tablet.tap("register")
    tablet = same_after_a_restart(tablet)
    cable.mode = Mode.UP
    tablet.exchange()
    tablet.hand(5, "four-of-a-kind")
    tablet.tap("settle-despite", case="later-cards-wrong")
    tablet = same_after_a_restart(tablet)
    assert "Turn, River or Dealer" in tablet.state["outcome"]["despite"]
    tablet.tap("clear")
    tablet.hand(5, "four-of-a-kind")
    tablet = same_after_a_restart(tablet)
    tablet.exchange()
    cable.mode = Mode.CUT
    tablet.tap("record")
    tablet = same_after_a_restart(tablet)
    cable.mode = Mode.UP
    tablet.exchange()
    tablet.do("register")
    tablet.do("declare", case="card-exposed")
    tablet = same_after_a_restart(tablet)
    assert tablet.state["carried"] == [3, 5]


def test_a_half_open_connection_is_given_up(tablet: Tablet, cable: Wire) -> None:
    cable.mode = Mode.HALF_OPEN
    identity = tablet.folder.identity()
    link = Link(identity, tablet.folder.private_key(identity.key), 0.5)
    began = time.monotonic()
    with pytest.raises(NotReached):
        link.get("/v1/device/status")
    assert time.monotonic() - began < 5


def test_a_tablet_that_was_fenced_says_so_and_keeps_what_it_has(
    office: Office, tablet: Tablet, tmp_path: Path
) -> None:
    """The round goes on at the other tablet, seats and all."""
    tablet.register(2, 3)
    table = tablet.folder.identity().table
    spare = Tablet.at_a_table(office, tmp_path / "spare")
    identity = spare.folder.identity()
    link = Link(identity, spare.folder.private_key(identity.key))
    link.post("/v1/device/take-over", {"table": table, **approval("higher-duties")})
    spare.folder.keep(replace(identity, table=table))
    spare = spare.restarted()
    spare.exchange()
    spare.sign_on()
    assert (spare.state["step"], spare.state["round"]["seats"]) == ("playing", [2, 3])

    tablet.tap("no-winners")
    tablet.parts.sender.step()
    assert tablet.parts.sender.status.state is LinkState.STOPPED
    assert f"took over table {table}" in tablet.state["link"]["sentence"]
    assert tablet.state["queued"] == 1

    assert spare.do("no-winners")["step"] == "betting"
    assert spare.do("register")["step"] == "playing"
    assert _books(office, spare) == ["credit", "settlement", "credit"]


def test_a_tablet_that_is_kept_out_accepts_nothing(office: Office, tablet: Tablet) -> None:
    """It would be lost: whoever is enrolled anew cannot send what was said before."""
    tablet.register(2)
    device = tablet.folder.identity().device
    revoked = office.of_role("area-manager").post(
        f"/v1/devices/{device}/revocation", {"reason": "its screen is broken"}
    )
    assert revoked.status == 200, revoked.text
    tablet.parts.sender.look()
    tablet.parts.sender.step()
    assert tablet.state["link"]["kept_out"]
    assert tablet.state["said"] == []
    assert "nothing that is said here will be recorded" in tablet.declined("no-winners")
    assert (tablet.state["queued"], tablet.state["step"]) == (0, "playing")


def test_a_tablet_that_lost_its_outbox_says_nothing_new(office: Office, tablet: Tablet) -> None:
    tablet.register(1)
    for file in tablet.folder.path.glob("outbox.sqlite*"):
        file.unlink()
    again = tablet.restarted()
    again.sign_on()
    again.parts.sender.step()
    assert again.parts.sender.status.state is LinkState.STOPPED
    assert "lost its disk" in again.parts.sender.status.sentence
    with psycopg.connect(office.database_url) as connection:
        found = connection.execute(
            "SELECT state FROM device WHERE id = %s", [tablet.folder.identity().device]
        ).fetchone()
    assert found == ("enrolled",), "it was stopped before it could fork"
