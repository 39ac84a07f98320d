"""Settlements put right over HTTP: two persons, a reason, and the later prizes that differ."""

from pathlib import Path
from typing import Any

from tests.integration.office import Client, Office
from tests.integration.rulings.tables import (
    MANAGER,
    Played,
    determine,
    file_of,
    hand,
    number_of,
)
from tests.rules import rule


def _correct(office: Office, round_id: str, *hands: Any, shared: str = "") -> Any:
    body = {"hands": list(hands), "shared_cards": shared, "admitted": [], "reason": "the camera"}
    return office.of_role(MANAGER).confirmed_by(
        office.of_role("area-manager"), f"/v1/rounds/{round_id}/corrections", body
    )


def _tried(office: Office, system: str, round_id: str, what: str, body: dict[str, Any]) -> Any:
    """The second person looks before confirming; a look leaves no trace in the books."""
    area_manager, before = office.of_role("area-manager"), _seq(office, system)
    path, wanted = f"/v1/rounds/{round_id}/{what}/trial", {**body, "reason": "only a look"}
    tried = area_manager.post(path, wanted)
    assert tried.status == 200, tried.text
    assert _seq(office, system) == before
    assert office.of_role("dealer").post(path, wanted).status == 403
    return tried.json()


def _came_true(tried: Any, result: Any) -> None:
    assert tried["later_prizes"] == result["later_prizes"]
    facts = ("meter", "kind", "amount_micros", "after_micros")
    entries = [
        [{key: one[key] for key in facts} for one in has["entries"]] for has in (tried, result)
    ]
    assert entries[0] == entries[1] != []


def _seq(office: Office, system: str) -> int:
    return int(office.of_role(MANAGER).get(f"/v1/systems/{system}").json()["seq"])


def _value(person: Client, system: str) -> int:
    return int(person.get(f"/v1/systems/{system}").json()["value_cents"])


@rule("A-58")
def test_an_overlooked_straight_flush_is_settled_at_its_own_time(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    manager = office.of_role(MANAGER)
    # Room for prizes: the meter stands at twice its seed.
    top_up = {"amount_cents": 10_000 * played.cost, "reason": "room"}
    colleague = office.colleague(MANAGER)
    path = f"/v1/systems/{played.system}/top-ups"
    assert manager.confirmed_by(colleague, path, top_up).status == 200
    overlooked = played.register(1)
    played.record(overlooked)
    later = played.straight_flush(2)
    won = file_of(manager, later)["prize"]["amount_cents"]

    right = {"hands": [hand(1, cards="9s 8s")], "shared_cards": "Ts Js Qs"}
    tried = _tried(office, played.system, overlooked, "corrections", {**right, "admitted": []})
    corrected = _correct(office, overlooked, hand(1, cards="9s 8s"), shared="Ts Js Qs")

    assert corrected.status == 200, corrected.text
    result = corrected.json()["proposal"]["result"]
    _came_true(tried, result)
    reseed = 10_000 * played.cost * 10_000
    m = 2 * reseed + played.cost * 3406
    prize = -(-m // 1_000_000) * 1_000_000 // 10
    assert [entry["kind"] for entry in result["entries"]] == ["correction"]
    assert result["entries"][0]["amount_micros"] == -prize
    # The later one would have been a tenth of what this one had left.
    left = m - prize + played.cost * 3406
    due = -(-left // 1_000_000) * 1_000_000 // 10 // 10_000
    assert result["later_prizes"] == [
        {"prize": later, "won_cents": won, "due_cents": due, "top_up_cents": max(due - won, 0)}
    ]
    [found] = [
        one["prize"]
        for one in manager.get(f"/v1/prizes?system={played.system}").json()["items"]
        if one["round"] == overlooked
    ]
    story = file_of(manager, found)["story"]
    assert [(one["kind"], one["by"], one["second"], one["reason"]) for one in story] == [
        ("settlement", number_of("dealer"), None, None),
        ("correction", number_of(MANAGER), number_of("area-manager"), "the camera"),
    ]


@rule("A-58")
def test_a_voided_settlement_leaves_a_later_winner_a_top_up(office: Office, tmp_path: Path) -> None:
    played = Played.begin(office, tmp_path)
    manager, area_manager = office.of_role(MANAGER), office.of_role("area-manager")
    royal = played.royal()
    later = played.royal(3)
    voided_round = file_of(manager, royal)["prize"]["round"]
    won = file_of(manager, later)["prize"]["amount_cents"]

    body = {"reason": "a marked deck", "invalidated": "invalidated-fraud"}
    alone = manager.confirmed_by(manager, f"/v1/rounds/{voided_round}/voids", body)
    assert (alone.status, alone.json()["kind"]) == (403, "second-person-needed")
    tried = _tried(
        office, played.system, voided_round, "voids", {"invalidated": "invalidated-fraud"}
    )
    voided = manager.confirmed_by(area_manager, f"/v1/rounds/{voided_round}/voids", body)
    assert voided.status == 200, voided.text
    _came_true(tried, voided.json()["proposal"]["result"])
    assert {"prize": royal, "state": "voided"}.items() <= tried["prizes"][0].items()
    [differs] = voided.json()["proposal"]["result"]["later_prizes"]
    assert (differs["prize"], differs["won_cents"]) == (later, won)
    assert differs["top_up_cents"] == differs["due_cents"] - won > 0
    assert file_of(manager, royal)["prize"]["state"] == "voided"

    granted = manager.confirmed_by(
        area_manager, f"/v1/prizes/{later}/top-ups", {"corrected_round": voided_round}
    )
    assert granted.status == 200, granted.text
    top_up = f"{later}+{voided_round}"
    seen = file_of(manager, top_up)["prize"]
    assert (seen["amount_cents"], seen["tops_up"]) == (differs["top_up_cents"], later)
    own = determine(manager, top_up)  # who granted it recorded it
    assert (own.status, own.json()["kind"]) == (403, "own-outcome")
    assert determine(office.colleague(MANAGER), top_up).status == 200
    twice = manager.confirmed_by(area_manager, f"/v1/rounds/{voided_round}/voids", body)
    assert (twice.status, twice.json()["kind"]) == (409, "round-ended")


@rule("A-58")
def test_nothing_paid_is_taken_back(office: Office, tmp_path: Path) -> None:
    played = Played.begin(office, tmp_path)
    manager = office.of_role(MANAGER)
    prize = played.royal()
    assert determine(manager, prize).status == 200
    payment = {"method": "cheque", "reference": "3"}
    assert manager.command(f"/v1/prizes/{prize}/payment", payment).status == 200
    round_id = file_of(manager, prize)["prize"]["round"]
    refused = manager.confirmed_by(
        office.of_role("area-manager"),
        f"/v1/rounds/{round_id}/voids",
        {"reason": "too late", "invalidated": None},
    )
    assert (refused.status, refused.json()["kind"]) == (409, "already-paid")
    trial = {"reason": "too late", "invalidated": None}
    tried = manager.post(f"/v1/rounds/{round_id}/voids/trial", trial)
    assert (tried.status, tried.json()["kind"]) == (409, "already-paid")


@rule("A-59")
def test_a_bonus_hand_is_put_right_at_the_table_until_the_next_registration(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    round_id = played.register(1, 2)
    played.record(round_id, hand(1, name="flush"))
    hands = [{"seat": 2, "hand": "full-house"}]
    alone = played.agent.do("correct-bonus", round=round_id, hands=hands).answer
    assert (alone["kind"], alone["rule"]) == ("not-authorised", "inferred, A-59")
    grant = played.agent.authorise("correct-bonus", number_of("higher-duties"))
    done = played.agent.do("correct-bonus", round=round_id, hands=hands, grant=grant).answer
    assert [entry["kind"] for entry in done["entries"]] == ["correction"]
    assert done["entries"][0]["amount"] == 0
    played.register(1)
    grant = played.agent.authorise("correct-bonus", number_of("higher-duties"))
    late = played.agent.do("correct-bonus", round=round_id, hands=[], grant=grant).answer
    assert late["kind"] == "too-late"


@rule("A-58", "AUD-1")
def test_of_two_corrections_proposed_of_one_round_one_is_made(
    office: Office, tmp_path: Path
) -> None:
    """Whoever confirms the second has looked at what the first has changed since."""
    played = Played.begin(office, tmp_path)
    manager, area_manager = office.of_role(MANAGER), office.of_role("area-manager")
    round_id = played.register(1, 2)
    played.record(round_id)
    common = {"shared_cards": "", "admitted": [], "reason": "the camera"}
    first, second, third = (
        manager.post(f"/v1/rounds/{round_id}/{what}", body)
        for what, body in (
            ("corrections", {**common, "hands": [hand(1, name="flush")]}),
            ("corrections", {**common, "hands": [hand(2, name="flush")]}),
            ("voids", {"reason": "a ruling", "invalidated": None}),
        )
    )
    made = area_manager.post(f"/v1/proposals/{first.json()['id']}/confirmation")
    assert made.status == 200, made.text
    for stale in (second, third):
        late = area_manager.post(f"/v1/proposals/{stale.json()['id']}/confirmation")
        assert (late.status, late.json()["kind"]) == (409, "not-as-seen"), late.text
    assert _correct(office, round_id, hand(2, name="flush")).status == 200
