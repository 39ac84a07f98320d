"""Every irregularity of the rules through the agents' interface, for each game.

Effects and ranks are those of the second transcription of the rules, not of the code under test.
"""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import psycopg
import pytest

from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.irregularities import CASES as BOOK
from tests.independent.transcription import ADMITS, AREA, ASSISTANT, CASES, DEALER, GAMES, HIGHER
from tests.integration.office import ROLES, Office
from tests.integration.rulings.tables import Played, accepted
from tests.rules import rule

NUMBERS = {
    DEALER: ROLES["dealer"],
    HIGHER: ROLES["higher-duties"],
    AREA: ROLES["area-manager"],
    ASSISTANT: ROLES["assistant-casino-manager"],
}
LADDER = tuple(NUMBERS)
# What each effect writes into the journal, and what the entry says was done.
ENTRIES = {
    "play on": [("ruling", "played-on")],
    "carry": [("ruling", "carried")],
    "carry hands": [("ruling", "carried")],
    "forfeit": [("ruling", "forfeited")],
    "regroup": [("reversal", None), ("credit", None)],
    "cancel carried": [("reversal", None)],
    "refund": [("reversal", None)],
}
NAMES_SEATS = {"carry hands", "forfeit", "regroup", "cancel carried"}
PROVIDED = [(case, game) for case, by_game in CASES.items() for game in by_game]


@pytest.fixture(scope="module")
def tables(office: Office, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Played]:
    return {game: Played.begin(office, tmp_path_factory.mktemp(game), game) for game in GAMES}


@pytest.fixture
def played(tables: dict[str, Played], game: str) -> Iterator[Played]:
    """The game's table, which every test leaves without a game and without carried wagers."""
    yield tables[game]
    _finish(tables[game])


def _finish(played: Played) -> None:
    manager = played.office.of_role("area-manager")
    while True:
        table = manager.get(f"/v1/tables/{played.table}").json()
        if table["open_round"] is not None:
            played.record(table["open_round"])
        elif table["carried"]:
            played.register(*table["carried"])
        else:
            return


def _declare(played: Played, case: str, rank: str) -> Any:
    """By the Dealer, with the word of a supervisor of this rank."""
    effect = CASES[case][played.game].what
    grant = None
    if rank != DEALER:
        grant = played.agent.authorise(action_of(case, played.game), NUMBERS[rank])
    seats = [2] if effect in NAMES_SEATS and case != ADMITS else []
    joining = [4] if case == ADMITS else []
    return played.declare(case, *seats, joining=joining, reason="as seen", grant=grant)


def action_of(case: str, game: str) -> str:
    """What a supervisor is asked for at the console: the console knows it from the rulebook."""
    return BOOK[case].rulings[GameKey(game)].action


def _begin(played: Played, effect: str) -> str:
    round_id = played.register(1, 2, 3)
    if effect == "cancel carried":
        assert _declare(played, "misdeal", ASSISTANT)["answer"] == "accepted"
    return round_id


def _journal(office: Office, message: str) -> list[dict[str, Any]]:
    with psycopg.connect(office.database_url) as connection:
        found = connection.execute(
            "SELECT body FROM entry WHERE message = %s ORDER BY seq", (message,)
        ).fetchall()
    return [json.loads(bytes(body)) for (body,) in found]


@rule("IRR-3", "CASE-1", "CASE-2", "CASE-3", "CASE-4", "CASE-5", "CASE-6", "CASE-7")
@rule("CASE-8", "CASE-9", "CASE-10", "CASE-11", "CASE-12", "CASE-13", "CASE-14", "CASE-15")
@rule("CASE-16", "CASE-17", "CASE-18", "CASE-19", "CASE-20", "CASE-21", "CASE-22", "CASE-23")
@rule("CASE-24", "CASE-25", "CASE-26", "AUT-11", "A-45")
@pytest.mark.parametrize(("case", "game"), PROVIDED)
def test_a_case_takes_its_rank_and_tells_who_ordered_it_and_why(
    office: Office, played: Played, case: str, game: str
) -> None:
    effect, rank = CASES[case][game]
    round_id = _begin(played, effect)
    if effect == "settle":
        _settles_despite(played, case, rank, round_id)
        return
    for below in LADDER[: LADDER.index(rank)]:
        refused = _declare(played, case, below)
        assert refused["kind"] == "not-authorised", refused
        assert refused["rule"]
        assert refused["remedy"]

    done = _declare(played, case, rank)

    assert done["answer"] == "accepted", done
    entries = _journal(office, done["message"])
    assert [(one["kind"], one["detail"].get("what")) for one in entries] == ENTRIES[effect]
    for entry in entries:
        assert entry["actor"] == NUMBERS[DEALER]
        assert entry["approver"] == (None if rank == DEALER else NUMBERS[rank])
        assert entry["detail"]["case"] == case
        assert entry["detail"]["reason"] == "as seen"
        assert entry["detail"]["rule"].startswith(
            "Three Card " if game == "three-card" else "WSOP "
        )
        assert entry["table"] == played.table


def _settles_despite(played: Played, case: str, rank: str, round_id: str) -> None:
    """The jackpot is settled although the hand is a misdeal (A-20), by an outcome."""
    declared = played.declare(case, grant=played.agent.authorise(action_of(case, played.game)))
    assert declared["kind"] == "record-outcome-instead"
    outcome = {"round": round_id, "hands": [], "shared_cards": "", "case": case}
    alone = played.agent.do("record-outcome", **outcome).answer
    assert alone["kind"] == "not-authorised"
    grant = played.agent.authorise(action_of(case, played.game), NUMBERS[rank])
    settled = accepted(played.agent.do("record-outcome", grant=grant, **outcome))
    [entry] = _journal(played.office, settled["message"])
    assert (entry["detail"]["case"], entry["approver"]) == (case, NUMBERS[rank])


@rule("A-20", "A-43")
@pytest.mark.parametrize(
    ("case", "game"), [pair for pair in product(CASES, GAMES) if pair not in PROVIDED]
)
def test_a_case_that_a_game_does_not_have_is_refused(played: Played, case: str, game: str) -> None:
    refused = played.declare(case, 1)
    assert refused["kind"] == "case-not-provided"
    assert refused["rule"].startswith("Three Card " if game == "three-card" else "WSOP ")


@rule("IRR-1", "IRR-4", "A-55")
@pytest.mark.parametrize("game", GAMES)
def test_several_seats_leave_and_join_at_once(office: Office, played: Played, game: str) -> None:
    assert played.game == game
    played.register(1, 2, 3)
    grant = played.agent.authorise("reregister-wagers", NUMBERS[HIGHER])
    done = played.declare(ADMITS, 1, 3, joining=[5, 6], reason="lit wrongly", grant=grant)
    reversal, credit = _journal(office, done["message"])
    assert reversal["detail"]["returned"] == [1, 3]
    assert reversal["detail"]["reregistered"] == [2, 5, 6]
    assert credit["detail"]["seats"] == [2, 5, 6]
    assert reversal["amount"] == -credit["amount"] == -3 * played.cost * 3406
