"""Prizes from the record to the payment, over HTTP: seen, rightly determined, paid once."""

import hashlib
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.integration.office import PASSWORD, PIN, Office
from tests.integration.rulings.tables import (
    MANAGER,
    Played,
    as_seen,
    determine,
    file_of,
    hand,
    number_of,
)
from tests.rules import rule


def _rows(office: Office, query: str, *values: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(office.database_url) as connection:
        return connection.execute(query.encode(), values).fetchall()


def _journal(office: Office, prize: str) -> list[dict[str, Any]]:
    """The rulings about a prize, as the journal has them."""
    found = _rows(office, "SELECT body FROM entry WHERE kind = 'ruling' ORDER BY at, seq")
    bodies = [json.loads(bytes(body)) for (body,) in found]
    return [body for body in bodies if body["detail"].get("award") == prize]


@rule("AUT-2", "A-39", "SET-5")
@pytest.mark.parametrize("game", ["wsop", "ultimate", "three-card"])
def test_a_royal_from_the_record_to_the_payment(office: Office, tmp_path: Path, game: str) -> None:
    played = Played.begin(office, tmp_path, game)
    manager, cage = office.of_role(MANAGER), office.of_role("cage")
    prize = played.royal()

    queue = manager.get(f"/v1/prizes?state=pending&system={played.system}").json()["items"]
    assert [one["prize"] for one in queue] == [prize]
    file = file_of(manager, prize)
    # Seed 10,000 x cost, two wagers at 34.06 %; j is that up to a whole dollar, all for one royal.
    before = 10_000 * played.cost * 10_000 + 2 * played.cost * 3406
    j = -(-before // 1_000_000) * 1_000_000
    assert file["meter_before_micros"] == before
    assert file["meter_after_micros"] == 10_000 * played.cost * 10_000
    assert file["prize"]["amount_cents"] == j // 10_000
    assert (file["statement"]["j"], file["statement"]["royals"]) == (j, 1)
    assert file["own_cards"].split()[:2] == ["As", "Ks"]
    assert file["warnings"] == []
    assert [one["round"] for one in file["order"]] == [file["prize"]["round"]]
    assert file["orders"] is None
    assert [(one["kind"], one["by"]) for one in file["story"]] == [
        ("settlement", number_of("dealer"))
    ]

    unpaid = cage.command(f"/v1/prizes/{prize}/payment", {"method": "cheque", "reference": "1"})
    assert (unpaid.status, unpaid.json()["kind"]) == (409, "prize-not-determined")
    determined = determine(manager, prize)
    assert determined.status == 200, determined.text
    paid = cage.command(f"/v1/prizes/{prize}/payment", {"method": "cheque", "reference": "77"})
    assert paid.status == 200, paid.text
    twice = cage.command(f"/v1/prizes/{prize}/payment", {"method": "cheque", "reference": "78"})
    assert (twice.status, twice.json()["kind"]) == (409, "already-paid")

    shown = file_of(cage, prize)["prize"]
    assert (shown["state"], shown["determined_by"]) == ("paid", number_of(MANAGER))
    assert shown["payment"] == "cheque 77"
    rulings = _journal(office, prize)
    assert [(one["detail"]["what"], one["actor"]) for one in rulings] == [
        ("determined", number_of(MANAGER)),
        ("paid", number_of("cage")),
    ]
    assert [one["amount"] for one in rulings] == [0, 0]


@rule("AUT-2")
def test_a_determination_takes_the_person_again_and_what_was_seen(
    office: Office, tmp_path: Path
) -> None:
    prize = Played.begin(office, tmp_path).royal()
    manager = office.colleague(MANAGER)
    path, seen = f"/v1/prizes/{prize}/determination", as_seen(manager, prize)
    without = {name: value for name, value in seen.items() if name != "pin"}
    assert manager.command(path, without).status == 422
    assert manager.command(path, {**seen, "password": PASSWORD}).status == 422
    wrong = manager.command(path, {**seen, "pin": "000001"})
    assert (wrong.status, wrong.json()["kind"]) == (401, "wrong-credentials")
    more = manager.command(path, {**seen, "amount_cents": seen["amount_cents"] + 1})
    assert (more.status, more.json()["kind"]) == (409, "not-as-seen")
    later = manager.command(path, {**seen, "meter_seq": seen["meter_seq"] + 1})
    assert (later.status, later.json()["kind"]) == (409, "not-as-seen")
    assert file_of(manager, prize)["prize"]["state"] == "pending"
    by_password = manager.command(path, {**without, "password": PASSWORD})
    assert by_password.status == 200, by_password.text


@rule("AUT-2")
def test_whoever_recorded_an_outcome_does_not_determine_its_prize(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    played.agent.sign_on(number_of(MANAGER))
    round_id = played.register(1, actor=number_of(MANAGER))
    won = played.record(
        round_id, hand(1, cards="As Ks"), shared="Ts Js Qs", actor=number_of(MANAGER)
    )
    prize = won["prizes"][0]["id"]
    own = determine(office.of_role(MANAGER), prize)
    assert (own.status, own.json()["kind"]) == (403, "own-outcome")
    assert determine(office.colleague(MANAGER), prize).status == 200


def test_no_digest_that_is_kept_could_tell_a_pin(office: Office, tmp_path: Path) -> None:
    """The message's digest is for ever: had it the PIN in it, a million tries would find it."""
    prize = Played.begin(office, tmp_path).royal()
    manager = office.of_role(MANAGER)
    seen = as_seen(manager, prize)
    path = f"/v1/prizes/{prize}/determination"
    done = manager.post(path, seen, Idempotency_Key="once")
    assert done.status == 200, done.text
    key = f"staff:{number_of(MANAGER)}:once"
    [(kept,)] = _rows(office, "SELECT digest FROM message WHERE key = %s", key)
    with_pin = hashlib.sha256(f"POST {path}\n{json.dumps(seen)}".encode()).digest()
    assert bytes(kept) != with_pin
    # The same thing asked for again, by the other secret, is the same request.
    again = {**seen, "password": PASSWORD}
    del again["pin"]
    assert manager.post(path, again, Idempotency_Key="once").json() == done.json()


@rule("A-54")
def test_a_withheld_prize_is_determined_later(office: Office, tmp_path: Path) -> None:
    prize = Played.begin(office, tmp_path).straight_flush()
    manager = office.of_role(MANAGER)
    withheld = manager.command(f"/v1/prizes/{prize}/withholding", {"reason": "a device is seen"})
    assert withheld.status == 200, withheld.text
    [ruling] = _journal(office, prize)
    assert (ruling["rule"], ruling["detail"]["reason"]) == ("WSOP 14.2.3", "a device is seen")
    assert file_of(manager, prize)["story"][-1]["reason"] == "a device is seen"
    unpaid = manager.command(f"/v1/prizes/{prize}/payment", {"method": "chips", "reference": "1"})
    assert unpaid.json()["kind"] == "prize-not-determined"
    assert determine(manager, prize).status == 200


@rule("A-28")
def test_a_royal_without_cards_and_an_impossible_pair_carry_their_warnings(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path, "three-card")
    round_id = played.register(1, 2)
    royals = [hand(seat, name="royal-flush") for seat in (1, 2)]
    refused = played.agent.do(
        "record-outcome", round=round_id, hands=royals, shared_cards="", case=None
    ).answer
    assert refused["kind"] == "split-not-possible"
    grant = played.agent.authorise("confirm-exceptional-hand", number_of("higher-duties"))
    won = played.record(round_id, *royals, grant=grant)
    file = file_of(office.of_role(MANAGER), won["prizes"][0]["id"])
    assert file["prize"]["cautions"] == ["check-the-deck", "without-cards"]
    assert [("deck" in one, "cards" in one) for one in file["warnings"]] == [
        (True, False),
        (False, True),
    ]
    assert file["own_cards"] == ""
    assert file["story"][0]["approved_by"] == number_of("higher-duties")


@rule("A-38")
def test_a_contested_order_is_shown_both_ways_and_decided(office: Office, tmp_path: Path) -> None:
    first, second = Played.group(office, tmp_path, ["wsop", "three-card"])
    rounds = [one.register(1, 2, 3) for one in (first, second)]
    late = first.agent.message(
        "record-outcome",
        round=rounds[0],
        hands=[hand(1, cards="As Ks")],
        shared_cards="Ts Js Qs",
        case=None,
    )
    prizes = [second.record(rounds[1], hand(1, cards="9h 8h 7h"), shared="Jh Th")["prizes"][0]]
    [answered] = first.agent.link.send([late])
    prizes.append(answered.answer["prizes"][0])
    flush, royal = (prize["id"] for prize in prizes)

    manager = office.of_role(MANAGER)
    contested = manager.get(f"/v1/prizes?contested=true&system={first.system}").json()["items"]
    assert {one["prize"] for one in contested} == {flush, royal}
    held = determine(manager, royal)
    assert (held.status, held.json()["kind"]) == (409, "order-contested")

    orders = file_of(manager, royal)["orders"]
    # m with six wagers; as recorded the straight flush takes a tenth of j before the royal.
    reseed = 10_000 * first.cost * 10_000
    m = reseed + 6 * first.cost * 3406
    j = -(-m // 1_000_000) * 1_000_000
    tenth = j // 10
    left = max(m - tenth, reseed)
    royal_after = -(-left // 1_000_000) * 1_000_000
    assert orders["recorded"]["rounds"] == [rounds[1], rounds[0]]
    assert orders["recorded"]["amounts_cents"] == {
        flush: tenth // 10_000,
        royal: royal_after // 10_000,
    }
    assert orders["by_the_tables_clocks"]["rounds"] == rounds
    assert orders["by_the_tables_clocks"]["amounts_cents"] == {
        royal: j // 10_000,
        flush: reseed // 10 // 10_000,
    }

    decided = manager.command("/v1/orders", {"rounds": rounds, "reason": "camera 12"})
    assert decided.status == 200, decided.text
    seen = file_of(manager, royal)["prize"]
    assert (seen["amount_cents"], seen["contested_with"]) == (j // 10_000, [])
    assert determine(manager, royal).status == 200
    again = manager.command("/v1/orders", {"rounds": rounds, "reason": "camera 12"})
    assert (again.status, again.json()["kind"]) == (409, "order-not-contested")


def test_the_winner_is_known_beside_the_journal_only(office: Office, tmp_path: Path) -> None:
    prize = Played.begin(office, tmp_path).royal()
    manager, cage = office.of_role(MANAGER), office.of_role("cage")
    details = {"name": "Ada Nguyen", "identified_by": "passport PA1234567", "contact": None}
    noted = cage.post(f"/v1/prizes/{prize}/winner", details)
    assert noted.status == 200, noted.text
    digest = noted.json()["digest"]
    assert determine(manager, prize).status == 200
    payment = {"method": "cheque", "reference": "9"}
    assert cage.command(f"/v1/prizes/{prize}/payment", payment).status == 200

    assert _journal(office, prize)[-1]["detail"]["winner"] == digest
    [(salt,)] = _rows(office, "SELECT salt FROM winner WHERE digest = %s", digest)
    text = json.dumps(details, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(b"prize-meter winner 1\n" + salt + text.encode()).hexdigest() == digest
    kept_for_ever = _rows(
        office,
        "SELECT convert_from(body, 'UTF8') FROM entry UNION ALL"
        " SELECT convert_from(answer, 'UTF8') FROM message UNION ALL"
        " SELECT audit_trail::text FROM audit_trail",
    )
    assert any(digest in text for (text,) in kept_for_ever)
    assert not any("Nguyen" in text for (text,) in kept_for_ever)

    shown = office.of_role("compliance").get(f"/v1/winners/{prize}")
    assert (shown.status, shown.json()["name"]) == (200, "Ada Nguyen")
    looked = _rows(
        office,
        "SELECT person, subject FROM audit_trail WHERE tag = 'office:winner:show' AND allowed",
    )
    assert looked == [(number_of("compliance"), prize)]
    assert office.of_role("dealer").get(f"/v1/winners/{prize}").status == 403
    late = cage.post(f"/v1/prizes/{prize}/winner", {**details, "name": "Somebody Else"})
    assert (late.status, late.json()["kind"]) == (409, "already-paid")


def test_prizes_come_in_pages_in_the_order_of_their_settlements(
    office: Office, tmp_path: Path
) -> None:
    played = Played.begin(office, tmp_path)
    prizes = [played.straight_flush(seat) for seat in (1, 2, 3)]
    dealer, path = office.of_role("dealer"), f"/v1/prizes?system={played.system}&limit=2"
    first = dealer.get(path).json()
    assert [one["prize"] for one in first["items"]] == prizes[:2]
    rest = dealer.get(f"{path}&after={first['next']}").json()
    assert ([one["prize"] for one in rest["items"]], rest["next"]) == (prizes[2:], None)
    assert office.of_role("administrator").get(path).status == 403
    assert dealer.get("/v1/prizes/nowhere/1/1/1").status == 404
    assert PIN not in dealer.get(path).text
