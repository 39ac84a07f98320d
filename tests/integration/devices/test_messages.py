"""Messages of table agents through the agent's own link: recorded once, with receipts."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from meter_server.contract.device.errors import Refused
from tests.integration.devices.floor import (
    AREA_MANAGER,
    Agent,
    gates,
    message,
    open_system,
    open_table,
    unique,
)
from tests.integration.office import PIN, ROLES, Office


@pytest.fixture
def table(office: Office) -> str:
    return open_table(office)


@pytest.fixture
def agent(office: Office, table: str, tmp_path: Path) -> Agent:
    agent = Agent.enrolled(office, tmp_path / "agent", unique("t"), table)
    agent.sign_on()
    return agent


def _rows(office: Office, query: str, *values: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(office.database_url) as connection:
        return connection.execute(query.encode(), values).fetchall()


def _key(agent: Agent, number: int) -> str:
    return f"device:{agent.identity.device}:{agent.identity.epoch}:{number}"


def test_a_round_from_wagers_to_a_royal_with_its_receipts(office: Office, tmp_path: Path) -> None:
    table = open_table(office)
    system, cost = open_system(office, [table])
    agent = Agent.enrolled(office, tmp_path, unique("t"), table)
    agent.sign_on()
    round_id = agent.next_round()

    wagers = agent.do("register-wagers", round=round_id, table=table, seats=[1, 2], cost_cents=cost)
    hands = [{"seat": 1, "hand": None, "cards": "As Ks", "folded": False}]
    outcome = agent.do(
        "record-outcome",
        round=round_id,
        hands=hands,
        shared_cards="Ts Js Qs",
        case=None,
    )

    # 2 wagers x cost x 34.06 %, in millionths of a dollar
    credited = 2 * cost * 3406
    [credit] = wagers.answer["entries"]
    assert (credit["kind"], credit["amount"]) == ("credit", credited)
    assert [one["kind"] for one in outcome.answer["entries"]] == ["settlement", "prize", "reset"]
    [prize] = outcome.answer["prizes"]
    assert (prize["seat"], prize["hand"], prize["state"]) == (1, "royal-flush", "pending")

    [(seq, head)] = _rows(office, "SELECT seq, head FROM meter WHERE id = %s", system)
    assert (wagers.receipt.meter, wagers.receipt.meter_seq, wagers.receipt.entries) == (
        system,
        2,
        1,
    )
    receipt = outcome.receipt
    assert (receipt.meter, receipt.meter_seq, receipt.head) == (system, seq, head.hex())
    assert (receipt.entries, receipt.number) == (3, 2)


def test_a_replay_gets_the_same_answer_and_the_same_receipt(agent: Agent, table: str) -> None:
    sent = gates(1, table)
    [first] = agent.link.send([sent])
    [again] = agent.link.send([sent])
    assert (first.replayed, again.replayed) == (False, True)
    assert (again.answer, again.note) == (first.answer, first.note)


def test_the_signed_request_is_kept_and_can_be_checked_by_anybody(
    office: Office, agent: Agent, table: str
) -> None:
    agent.link.send([gates(1, table), gates(2, table, "display")])
    [(body, signature_input, signature, public)] = _rows(
        office,
        "SELECT DISTINCT r.body, r.signature_input, r.signature, k.public_key FROM message AS m"
        " JOIN request AS r ON r.digest = m.request JOIN device_key AS k ON k.id = r.key_id"
        " WHERE m.key IN (%s, %s)",
        _key(agent, 1),
        _key(agent, 2),
    )
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    covered = signature_input.removeprefix("sig=")
    base = (
        '"@method": POST\n"@path": /v1/messages\n"@query": ?\n'
        f'"content-digest": sha-256=:{digest}:\n"@signature-params": {covered}'
    )
    signed = base64.b64decode(signature.removeprefix("sig=:").removesuffix(":"))
    Ed25519PublicKey.from_public_bytes(public).verify(signed, base.encode())
    assert [one["number"] for one in json.loads(body)["messages"]] == [1, 2]


def test_an_entry_names_the_request_that_brought_it(office: Office, tmp_path: Path) -> None:
    table = open_table(office)
    _, cost = open_system(office, [table])
    agent = Agent.enrolled(office, tmp_path, unique("t"), table)
    agent.sign_on()
    agent.do(
        "register-wagers",
        round=agent.next_round(),
        table=table,
        seats=[3],
        cost_cents=cost,
    )
    [(body, request)] = _rows(
        office,
        "SELECT convert_from(e.body, 'UTF8'), m.request FROM entry AS e JOIN message AS m"
        " ON m.key = e.message WHERE e.table_id = %s",
        table,
    )
    assert json.loads(body)["request"] == request.hex()


def test_a_hundred_messages_come_in_one_request_and_no_more(agent: Agent, table: str) -> None:
    sent = [gates(number, table) for number in range(1, 101)]
    answers = agent.link.send(sent)
    assert [one.receipt.number for one in answers] == list(range(1, 101))
    with pytest.raises(Refused, match="at most 100 items") as refused:
        agent.link.send([gates(number, table) for number in range(101, 202)])
    assert refused.value.status == 422


def test_a_gap_says_where_to_go_on(agent: Agent, table: str) -> None:
    agent.link.send([gates(1, table)])
    with pytest.raises(Refused, match="send again from number 2") as refused:
        agent.link.send([gates(3, table)])
    assert (refused.value.status, refused.value.problem["last_number"]) == (409, 1)
    assert agent.link.get("/v1/device/status")["last_number"] == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"number": "1"}, "'messages.0.number': should be a valid integer."),
        ({"number": 0}, "'messages.0.number': should be greater than or equal to 1."),
        ({"agent_at": "2027-03-01"}, "'messages.0.agent_at': string should match pattern"),
        ({"actor": "a b"}, "'messages.0.actor': use up to 40 letters, digits"),
        ({"grant": "short"}, "'messages.0.grant': string should match pattern"),
        ({"more": 1}, "'messages.0.more' is not a field here"),
        ({"command": {"kind": "open-system"}}, "'messages.0.command': tag 'open-system'"),
        (
            {"command": {"kind": "report-gates", "table": "T1", "failing": ["x"]}},
            "failing.0': should be 'amounts'",
        ),
    ],
)
def test_what_is_malformed_consumes_nothing(
    agent: Agent, table: str, change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        agent.link.send([{**gates(1, table), **change}])
    assert refused.value.status == 422
    assert sentence in str(refused.value)
    assert agent.link.get("/v1/device/status")["last_number"] == 0


def test_a_request_is_of_the_device_that_signed_it(agent: Agent, table: str) -> None:
    identity = agent.identity
    for device, epoch in (("another", identity.epoch), (identity.device, identity.epoch + 1)):
        body = {"device": device, "epoch": epoch, "messages": [gates(1, table)]}
        with pytest.raises(Refused, match=f"of device {identity.device} in epoch 1") as refused:
            agent.link.post("/v1/messages", body)
        assert refused.value.status == 422


def test_a_round_begins_under_the_name_of_its_device(agent: Agent, table: str) -> None:
    wagers = {
        "round": "another/1/1",
        "table": table,
        "seats": [1],
        "cost_cents": 500,
    }
    with pytest.raises(Refused, match=f"is named {agent.identity.device}/1/ and a number"):
        agent.do("register-wagers", **wagers)


def test_a_device_speaks_for_no_other_table(office: Office, agent: Agent, tmp_path: Path) -> None:
    other_table = open_table(office)
    _, cost = open_system(office, [other_table])
    other = Agent.enrolled(office, tmp_path / "other", unique("t"), other_table)
    other.sign_on()
    round_id = other.next_round()
    wagers = {"round": round_id, "table": other_table, "seats": [1], "cost_cents": cost}
    other.do("register-wagers", **wagers)

    for kind, more in (
        ("report-gates", {"table": other_table, "failing": ["display"]}),
        (
            "record-outcome",
            {"round": round_id, "hands": [], "shared_cards": "", "case": None},
        ),
    ):
        answered = agent.do(kind, **more)
        assert answered.answer["kind"] == "not-authorised"
        assert answered.answer["remedy"] == f"Do it at table {other_table}."
    assert other.link.get("/v1/device/status")["open_round"] == round_id


def test_who_never_signed_on_is_refused_and_the_next_message_is_heard(
    agent: Agent, table: str
) -> None:
    stranger = agent.do("report-gates", table=table, failing=[], actor=ROLES["higher-duties"])
    assert (stranger.answer["answer"], stranger.answer["kind"]) == ("refused", "not-authorised")
    number = ROLES["higher-duties"]
    assert stranger.answer["reason"] == (
        f"{number} has not signed on at this console, or may not act any more."
    )
    assert stranger.answer["rule"] == "house control"
    assert stranger.answer["remedy"] == "Sign on with card or number and PIN."
    unknown = agent.do("report-gates", table=table, failing=[], actor="nobody-77")
    assert unknown.answer["reason"].startswith("nobody-77 has not signed on at this console")
    assert agent.do("report-gates", table=table, failing=[]).answer["answer"] == "accepted"


def test_a_supervisors_grant_stands_behind_one_message(
    office: Office, agent: Agent, table: str
) -> None:
    closing: dict[str, Any] = {"table": table, "players_present": True}
    assert agent.do("close-table", **closing).answer["kind"] == "not-authorised"

    grant = agent.authorise("close-table")
    sent = agent.message("close-table", grant=grant, **closing)
    [granted] = agent.link.send([sent])
    [again] = agent.link.send([sent])
    assert (granted.answer["answer"], again.replayed) == ("accepted", True)
    assert agent.do("close-table", grant=grant, **closing).answer["kind"] == "not-authorised"

    other_action = agent.authorise("correct-bonus")
    assert agent.do("close-table", grant=other_action, **closing).answer["kind"] == "not-authorised"
    used = _rows(
        office,
        "SELECT person, allowed FROM audit_trail WHERE device = %s AND tag = 'console:grant:use'"
        " ORDER BY id",
        agent.identity.device,
    )
    assert used == [
        (AREA_MANAGER, True),
        (AREA_MANAGER, True),
        (None, False),
        (None, False),
    ]


def test_no_pin_is_ever_kept(office: Office, agent: Agent, table: str) -> None:
    agent.authorise("close-table")
    agent.link.send([gates(1, table)])
    kept = _rows(office, "SELECT convert_from(body, 'UTF8') FROM request")
    assert kept
    assert not any(PIN in body or '"pin"' in body for (body,) in kept)


def test_a_gateway_has_no_table_to_report(office: Office, tmp_path: Path) -> None:
    del tmp_path
    device = unique("g")
    confirmed = office.of_role("area-manager").confirmed_by(
        office.colleague("area-manager"),
        "/v1/devices",
        {"device": device, "kind": "gateway", "table": None},
    )
    assert confirmed.json()["proposal"]["result"]["device"] == device


def test_two_messages_of_one_number_in_one_request_are_malformed(agent: Agent, table: str) -> None:
    with pytest.raises(Refused, match="consecutive numbers") as refused:
        agent.link.send([message(1, "open-table", table=table), gates(1, table)])
    assert refused.value.status == 422
