"""The books after a run, from the rows alone: everything once, chained, balanced, and to the micro.

Fast is worth nothing if it is not also right.
"""

import hashlib
import json
from dataclasses import dataclass

import psycopg

from meter_server.contract.canonical import answer_digest, canonical_json
from meter_server.contract.notes import VerifierKey
from meter_server.contract.receipts import open_receipt
from tests.bench.rounds import SEATS

METER = "hot"
_SEED_MICROS = 10_000_000_000
_CONTRIBUTION_MICROS = 340_600
"""34.06 % of $1, as the table of option 1 prints it for a seed of 10,000."""
_RECEIPTS_OPENED = 200


@dataclass(frozen=True)
class Sent:
    """What was sent in a run."""

    agents: int
    requests_each: int
    messages_each: int

    @property
    def messages_of_each(self) -> int:
        return self.requests_each * self.messages_each

    @property
    def messages(self) -> int:
        return self.agents * self.messages_of_each

    @property
    def rounds(self) -> int:
        return self.agents * ((self.messages_of_each + 1) // 2)


def require_right(database_url: str, sent: Sent) -> None:
    """Every message has its one answer and its one entry, and the meter stands where it must."""
    with psycopg.connect(database_url) as connection:
        _require_counts(connection, sent)
        _require_chain(connection, sent)


def require_answered(answers: tuple[bytes, ...], sent: Sent, server: VerifierKey) -> None:
    """Every message was accepted; of the receipts a sample is opened."""
    told = [one for answer in answers for one in json.loads(answer)["answers"]]
    assert len(told) == sent.messages
    assert {(one["answer"]["answer"], one["replayed"]) for one in told} == {("accepted", False)}
    for one in told[:: max(1, len(told) // _RECEIPTS_OPENED)]:
        receipt = open_receipt(one["receipt"], [server])
        assert receipt.answer == answer_digest(canonical_json(one["answer"]))


def _require_counts(connection: psycopg.Connection, sent: Sent) -> None:
    counted = connection.execute(
        "SELECT (SELECT count(*) FROM message WHERE key LIKE 'device:%'),"
        " (SELECT count(*) FROM request), (SELECT count(*) FROM round),"
        " (SELECT count(*) FROM entry WHERE kind = 'credit'),"
        " (SELECT count(*) FROM entry WHERE kind = 'settlement'),"
        " (SELECT array_agg(DISTINCT last_number) FROM device_number)"
    ).fetchone()
    requests = sent.agents * sent.requests_each
    settled = sent.messages - sent.rounds
    expected = (sent.messages, requests, sent.rounds, sent.rounds, settled, [sent.messages_of_each])
    assert counted == expected


def _require_chain(connection: psycopg.Connection, sent: Sent) -> None:
    head = hashlib.sha256(b"prize-meter journal 1\n" + METER.encode()).digest()
    value, expected_seq = 0, 1
    rows = connection.execute("SELECT seq, body, hash FROM entry ORDER BY seq")
    for seq, body, stored in rows:
        head = hashlib.sha256(head + body).digest()
        entry = json.loads(body)
        assert (stored, seq, entry["seq"]) == (head, expected_seq, expected_seq)
        assert sum(micros for _, micros in entry["lines"]) == 0
        assert entry["before"] == value
        value, expected_seq = entry["after"], expected_seq + 1
    assert value == _SEED_MICROS + sent.rounds * len(SEATS) * _CONTRIBUTION_MICROS
    meter = connection.execute("SELECT value_micros, seq, head FROM meter").fetchone()
    assert meter == (value, expected_seq - 1, head)
