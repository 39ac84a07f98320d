"""The outbox and its sender over a bad network, from a seed: nothing lost, doubled or reordered."""

from collections import Counter
from typing import Any

import pytest

from table_agent.outbox import Outbox
from table_agent.sender import LinkState, Sender
from tests.counts import count
from tests.rules import rule
from tests.simulation.tables import AT, TableLife, faults

SEEDS = range(count(reduced=60, full=3_000))
MESSAGES = 40


@rule("SET-4")
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_doubled_or_reordered(seed: int) -> None:
    life = TableLife(seed)
    life.live(MESSAGES)
    assert life.heal(), life.sender.status
    assert faults(life) == []
    assert life.sender.status.state is LinkState.UP


def test_the_network_was_bad_in_every_way() -> None:
    met: Counter[str] = Counter()
    for seed in range(5):
        life = TableLife(seed)
        life.live(MESSAGES)
        met += life.network.met
    assert {what for what, times in met.items() if times} == {
        "request lost",
        "request late",
        "late request arrived",
        "answer lost",
        "few answers",
        "killed before it was sent",
        "killed before the answer was kept",
    }


@pytest.mark.parametrize("seed", range(count(reduced=20, full=500)))
def test_a_server_that_lost_its_history_is_found_out(seed: int) -> None:
    life = TableLife(seed, badness=0.0)
    life.live(12)
    assert life.heal()
    life.roll_back()
    before = life.server.books.last
    life.say()
    life.clock.now += 60
    for _ in range(5):
        life.step()
    assert life.sender.status.state is LinkState.STOPPED
    assert "history" in life.sender.status.sentence or "old copy" in life.sender.status.sentence
    assert life.server.books.last == before, "something new was said to a server in doubt"


class Forgetful(Outbox):
    """Gives numbers out by counting what is still queued."""

    @property
    def last_number(self) -> int:
        return self.queued_count()


class Eager(Outbox):
    """Says again, as a new message, what it did not hear an answer to."""

    def queued(self, most: int = 100) -> list[dict[str, Any]]:
        found = super().queued(most)
        if found and found[0]["number"] > 1 and len(found) == 1:
            self.put(AT, found[0]["actor"], found[0]["command"])
        return found


class Careless(Outbox):
    """Takes a message for recorded when it was sent."""

    def queued(self, most: int = 100) -> list[dict[str, Any]]:
        found = super().queued(most)
        for message in found:
            self._disk.rows(
                "UPDATE message SET answer = '{\"answer\":\"accepted\"}', receipt = ''"
                " WHERE number = ?",
                message["number"],
            )
        return found


class Impatient(Sender):
    """Sends the newest first."""

    def _due(self) -> float:
        outbox = self._outbox
        self._server.send(list(reversed(outbox.queued())) or outbox.queued())
        return super()._due()


class Trusting(Sender):
    """Sends again whatever the server asks for, and asks nothing itself."""

    def _require_own(self, recorded: int) -> None:
        own = self._outbox.last_answered
        if recorded < own:
            self._outbox._disk.rows(
                "UPDATE message SET answer = NULL, receipt = NULL, meter = NULL, meter_seq = NULL,"
                " head = NULL WHERE number > ?",
                recorded,
            )


@pytest.mark.parametrize("broken", [Forgetful, Eager, Careless])
def test_the_checker_sees_a_broken_outbox(broken: type[Outbox]) -> None:
    assert any(_fails(TableLife(seed, outbox_kind=broken)) for seed in range(10))


def test_the_checker_sees_a_broken_sender() -> None:
    assert any(_fails(TableLife(seed, sender_kind=Impatient)) for seed in range(10))


def test_a_sender_that_trusts_a_restored_server_says_new_things_to_it() -> None:
    life = TableLife(3, badness=0.0, sender_kind=Trusting)
    life.live(12)
    assert life.heal()
    life.roll_back()
    before = life.server.books.last
    life.server.looks_at_receipts = False
    life.say()
    life.clock.now += 60
    for _ in range(5):
        life.step()
    assert life.server.books.last > before


def _fails(life: TableLife) -> bool:
    try:
        life.live(MESSAGES)
        return not life.heal() or faults(life) != []
    except Exception:  # noqa: BLE001 - a broken agent may break in any way
        return True
