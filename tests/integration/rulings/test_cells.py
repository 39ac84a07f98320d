"""Every (role, action, game) cell of the authority table, asked over HTTP.

Who may is typed here from the requirements (part 1.5); whoever may is refused for another reason
than the rank, or not at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest

from meter_server.contract.device.errors import Refused
from meter_server.domain.rulebook.authority import Action
from tests.integration.devices.floor import open_table, unique
from tests.integration.office import BETS, PIN, ROLES, Office
from tests.integration.rulings.tables import Played, hand
from tests.rules import rule

LADDER = ("dealer", "higher-duties", "area-manager", "assistant-casino-manager")
GAMES = ("wsop", "ultimate", "three-card")
NOT_AUTHORISED = "not-authorised"
AT = "2026-03-02T08:30:00.000000Z"


@dataclass
class Floor:
    """One table of each game, with a settled round and a pending prize."""

    office: Office
    tables: dict[str, Played]
    spare: dict[str, str] = field(default_factory=dict)
    """Tables that nobody plays at, to be opened and closed."""
    settled: dict[str, str] = field(default_factory=dict)
    prizes: dict[str, str] = field(default_factory=dict)
    standing: dict[str, str] = field(default_factory=dict)
    """Which role stands at the table's console now."""


@pytest.fixture(scope="module")
def floor(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Floor:
    floor = Floor(office, {})
    for game in GAMES:
        played = Played.begin(office, tmp_path_factory.mktemp(game), game)
        floor.tables[game] = played
        floor.spare[game] = open_table(office, game)
        floor.prizes[game] = played.straight_flush()
        floor.settled[game] = floor.prizes[game].rpartition("/")[0]
    return floor


Probe = Callable[[Floor, str, str], str]
"""The kind of the refusal that a role hears at a table of a game; empty where it is accepted."""


def _says(floor: Floor, role: str, game: str, kind: str, **command: Any) -> str:
    agent = floor.tables[game].agent
    if role in LADDER and floor.standing.get(game) != role:  # a rank is of whoever stands there now
        agent.sign_on(ROLES[role])
        floor.standing[game] = role
    answered = agent.do(kind, actor=ROLES[role], **command)
    return str(answered.answer.get("kind", ""))


def _case(case: str) -> Probe:
    def declare(floor: Floor, role: str, game: str) -> str:
        """Without a game at the table: whoever may declare it hears that there is none."""
        command = {"table": floor.tables[game].table, "case": case, "seats": [1], "joining": []}
        return _says(floor, role, game, "declare-irregularity", reason="", **command)

    return declare


def _register(floor: Floor, role: str, game: str) -> str:
    """At another cost: whoever may register hears that."""
    played = floor.tables[game]
    round_id = played.agent.next_round()
    command = {"table": played.table, "round": round_id, "seats": [1], "cost_cents": 1}
    return _says(floor, role, game, "register-wagers", **command)


def _record(floor: Floor, role: str, game: str) -> str:
    command: dict[str, Any] = {"round": floor.settled[game], "hands": []}
    command |= {"shared_cards": "", "case": None}
    return _says(floor, role, game, "record-outcome", **command)


def _exceptional(floor: Floor, role: str, game: str) -> str:
    """A straight flush without its cards; who may not confirm it is asked for the cards."""
    played = floor.tables[game]
    round_id = played.register(1)
    command = {"round": round_id, "shared_cards": "", "case": None}
    hands = [hand(1, name="straight-flush")]
    told = _says(floor, role, game, "record-outcome", hands=hands, **command)
    if told:
        played.record(round_id)
    return NOT_AUTHORISED if told == "cards-needed" else told


def _correct_bonus(floor: Floor, role: str, game: str) -> str:
    return _says(floor, role, game, "correct-bonus", round=floor.settled[game], hands=[])


def _office(path: str, body: object) -> Probe:
    def ask(floor: Floor, role: str, game: str) -> str:
        named = {
            "table": floor.spare[game],
            "prize": floor.prizes[game],
            "round": floor.settled[game],
        }
        person = floor.office.of_role(role)
        answer = person.command(path.format(**named), body)
        return str(answer.json().get("kind") or "") if answer.status >= 400 else ""

    return ask


def _read(floor: Floor, role: str, game: str) -> str:
    """The meter as at the time for settlement of a round at this table."""
    system, round_id = floor.tables[game].system, floor.settled[game]
    answer = floor.office.of_role(role).get(f"/v1/systems/{system}/reading?round={round_id}")
    return str(answer.json()["kind"]) if answer.status >= 400 else ""


def _order(floor: Floor, role: str, game: str) -> str:
    return _office("/v1/orders", {"rounds": [floor.settled[game]], "reason": "camera"})(
        floor, role, game
    )


def _define(floor: Floor, role: str, game: str) -> str:
    body = {"table": unique("T"), "game": game, "seats": 5, **BETS}
    return _office("/v1/tables", body)(floor, role, game)


OUTCOME: dict[str, Any] = {"hands": [], "shared_cards": "", "paper": "7", "case": None, "at": AT}
CORRECTION = {"hands": [], "shared_cards": "", "admitted": [], "reason": "because"}
HIGHER, AREA, TOP = LADDER[1:], LADDER[2:], LADDER[3:]
READERS = ("audit", "compliance", "inspector")

# The ranks of WSOP and Ultimate, those of Three Card, and how to ask.
CELLS: dict[Action, tuple[tuple[str, ...], tuple[str, ...], Probe]] = {
    Action.REGISTER_WAGERS: (LADDER, LADDER, _register),
    Action.RECORD_OUTCOME: (LADDER, LADDER, _record),
    Action.DETERMINE_PRIZE: (
        TOP,
        TOP,
        _office(
            "/v1/prizes/{prize}/determination", {"amount_cents": 1, "meter_seq": 1, "pin": PIN}
        ),
    ),
    Action.PAY_PRIZE: (
        (*LADDER, "cage"),
        (*LADDER, "cage"),
        _office("/v1/prizes/{prize}/payment", {"method": "cheque", "reference": "1"}),
    ),
    Action.CANCEL_MISTAKEN_GAME: (HIGHER, HIGHER, _case("begun-by-mistake")),
    Action.DECLARE_EXPOSED_CARDS: (LADDER, LADDER, _case("cards-exposed")),
    Action.DECLARE_WRONG_CARDS: (AREA, HIGHER, _case("wrong-cards")),
    Action.DECLARE_WRONG_COUNT: (HIGHER, HIGHER, _case("order-determined")),
    Action.HANDLE_CARDS_WITHOUT_WAGER: (HIGHER, LADDER, _case("cards-without-wager")),
    Action.REFUND_FOR_JACKPOT_CARDS: ((), HIGHER, _case("jackpot-cards-wrong")),
    Action.HANDLE_VIEWED_HANDS: (HIGHER, HIGHER, _case("other-hand-viewed")),
    Action.INVALIDATE_FOR_DISRUPTION: (HIGHER, HIGHER, _case("invalidated-disruption")),
    Action.INVALIDATE_FOR_FRAUD: (HIGHER, TOP, _case("invalidated-fraud")),
    Action.VOID_WAGER: (TOP, TOP, _case("wager-void")),
    Action.WITHHOLD_PRIZE: (
        TOP,
        TOP,
        _office("/v1/prizes/{prize}/withholding", {"reason": "because"}),
    ),
    Action.READ_METER: ((*AREA, *READERS), (*AREA, *READERS), _read),
    # The final word is the one without which no settlement is put right.
    Action.DECIDE_DISPUTE: (
        AREA,
        AREA,
        _office("/v1/rounds/{round}/corrections/trial", CORRECTION),
    ),
    Action.HANDLE_DECK: (HIGHER, HIGHER, _case("deck-wrong")),
    Action.OPEN_TABLE: (HIGHER, HIGHER, _office("/v1/tables/{table}/opening", None)),
    Action.CLOSE_TABLE: (
        HIGHER,
        HIGHER,
        _office("/v1/tables/{table}/closing", {"players_present": True}),
    ),
    Action.SET_TOURNAMENT: (
        HIGHER,
        HIGHER,
        _office("/v1/tables/{table}/tournament", {"on": False}),
    ),
    Action.CONFIRM_SIGN: (
        AREA,
        AREA,
        _office("/v1/notices/none/displays", {"table": "T", "reason": "because"}),
    ),
    Action.MANAGE_SYSTEMS: (TOP, TOP, _define),
    Action.DECLARE_MANUAL: (
        AREA,
        AREA,
        _office("/v1/tables/{table}/manual/end", {"paper_rounds": 0, "paper_wagers": 0}),
    ),
    Action.SET_LIMITS: (AREA, AREA, _office("/v1/tables/{table}/limits", BETS)),
    Action.RETURN_WAGERS: (LADDER, LADDER, _case("cards-taken")),
    Action.REREGISTER_WAGERS: (HIGHER, HIGHER, _case("wager-not-registered")),
    Action.CONFIRM_EXCEPTIONAL_HAND: (HIGHER, HIGHER, _exceptional),
    Action.CORRECT_BONUS: (HIGHER, HIGHER, _correct_bonus),
    Action.CORRECT_SETTLEMENT: (TOP, TOP, _office("/v1/rounds/{round}/corrections", CORRECTION)),
    Action.DECIDE_ORDER: (TOP, TOP, _order),
    Action.KEY_IN_PAPER: (HIGHER, HIGHER, _office("/v1/rounds/{round}/paper", OUTCOME)),
}


def test_no_action_is_forgotten() -> None:
    assert set(CELLS) == set(Action)


@rule("AUT-1", "AUT-2", "AUT-3", "AUT-4", "AUT-5", "AUT-6", "AUT-7", "AUT-8")
@rule("AUT-9", "AUT-10", "AUT-11", "AUT-12", "AUT-13", "AUT-14", "AUT-15", "AUT-16")
@rule("AUT-17", "AUT-18", "A-44", "A-45")
@pytest.mark.parametrize(("action", "game"), list(product(CELLS, GAMES)))
def test_an_action_takes_its_rank_in_this_game(floor: Floor, action: Action, game: str) -> None:
    holdem, three_card, probe = CELLS[action]
    allowed = three_card if game == "three-card" else holdem
    for role in ROLES:
        told = probe(floor, role, game)
        if role in allowed:
            assert told != NOT_AUTHORISED, (role, told)
        else:
            assert told in (NOT_AUTHORISED, "case-not-provided"), (role, told)


@pytest.mark.parametrize("role", [role for role in ROLES if role not in LADDER])
def test_nobody_outside_the_ladder_stands_at_a_console(floor: Floor, role: str) -> None:
    agent = floor.tables["wsop"].agent
    with pytest.raises(Refused, match="To stand at a console takes a Dealer"):
        agent.sign_on(ROLES[role])
    with pytest.raises(Refused, match="To authorise at a console takes a Dealer"):
        agent.authorise("close-table", ROLES[role])
