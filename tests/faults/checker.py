"""The promise, checked: the invariants I1 to I6, from the database and the agents' own word.

Each check yields a sentence for everything that is not so. It imports nothing of the product.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from tests.faults.books import (
    Books,
    Row,
    canonical,
    digest,
    genesis,
    open_receipt,
    read_books,
)
from tests.faults.contributions import contributions
from tests.faults.kept import Json, Kept

Complaints = Iterator[str]


def check(database_url: str, kept: Sequence[Kept], verifier_key: str) -> list[str]:
    """Everything that is not as it was promised, each with the invariant it breaks."""
    books = read_books(database_url)
    acknowledged = [one for one in kept if one.acknowledged_ns]
    receipts: dict[str, Json] = {}
    return [
        *_receipts_are_signed(acknowledged, verifier_key, receipts),
        *_nothing_acknowledged_is_lost(books, acknowledged, receipts),
        *_nothing_is_doubled(books, kept),
        *_nothing_is_reordered(books, kept),
        *_the_books_balance(books),
        *_the_chain_recomputes(books, acknowledged, receipts),
        *_what_was_first_is_first(acknowledged, receipts),
    ]


def _receipts_are_signed(
    acknowledged: Sequence[Kept], verifier_key: str, receipts: dict[str, Json]
) -> Complaints:
    for kept in acknowledged:
        receipt = open_receipt(kept.receipt, verifier_key)
        if receipt is None:
            yield f"I1: the receipt of {kept.key} is not the server's"
        else:
            receipts[kept.key] = receipt


def _nothing_acknowledged_is_lost(
    books: Books, acknowledged: Sequence[Kept], receipts: dict[str, Json]
) -> Complaints:
    """I1: every acknowledged message is there, with equal fields."""
    for kept in acknowledged:
        rows = books.messages.get(kept.key)
        if rows is None:
            yield f"I1: {kept.key} was acknowledged and is lost"
            continue
        if rows[0].digest.hex() != digest("message", kept.message):
            yield f"I1: {kept.key} was recorded as another message than was sent"
        if rows[0].answer != canonical(kept.answer):
            yield f"I1: {kept.key} was answered otherwise than is recorded"
        request = json.loads(books.requests.get(rows[0].request, b'{"messages": []}'))
        if kept.message not in request["messages"]:
            yield f"I1: the signed request of {kept.key} is not kept"
        yield from _entries_are_as_answered(kept, books.entries_of(kept.key))
        yield from _receipt_is_as_answered(kept, receipts.get(kept.key, {}))


def _entries_are_as_answered(kept: Kept, entries: Sequence[Row]) -> Complaints:
    assert kept.answer is not None
    answered = [
        (one["meter"], one["seq"], one["kind"], one["amount"], one["after"], one["hash"])
        for one in kept.answer.get("entries", ())
    ]
    recorded = [
        (row.meter_id, row.seq, row.kind, row.amount_micros, row.after_micros, row.hash.hex())
        for row in entries
    ]
    if answered != recorded:
        yield f"I1: the entries of {kept.key} are not those that were answered"
    for row in entries:
        body = json.loads(row.body)
        said = (body["actor"], body["agent_at"], body["message"], body["meter"], body["seq"])
        sent = kept.message
        if said != (sent["actor"], sent["agent_at"], kept.key, row.meter_id, row.seq):
            yield f"I1: entry {row.seq} of {row.meter_id} is not what {kept.key} sent"


def _receipt_is_as_answered(kept: Kept, receipt: Json) -> Complaints:
    answer = kept.answer or {}
    head = answer["head"]
    promised = {
        "device": kept.device,
        "epoch": kept.epoch,
        "number": kept.number,
        "message": digest("message", kept.message),
        "answer": digest("answer", answer),
        "result": answer["answer"],
        "at": answer["at"],
        "entries": len(answer.get("entries", ())),
        "meter": head["meter"],
        "meter_seq": head["seq"],
        "head": head["hash"],
    }
    if {name: receipt.get(name) for name in promised} != promised:
        yield f"I1: the receipt of {kept.key} is for something else"


def _nothing_is_doubled(books: Books, kept: Sequence[Kept]) -> Complaints:
    """I2: no key twice, and each wager credited once, with what it is worth."""
    for key, rows in books.messages.items():
        if len(rows) > 1:
            yield f"I2: {key} is recorded {len(rows)} times"
    known = {one.key for one in kept}
    for key in books.messages:
        if key.startswith("device:") and key not in known:
            yield f"I2: nobody sent {key}"
    credited = [row for rows in books.entries.values() for row in rows if row.kind == "credit"]
    for round_id, times in Counter(row.round_id for row in credited).items():
        if times > 1:
            yield f"I2: the wagers of {round_id} were credited {times} times"
    for one, credited_micros, returned_micros in contributions(kept):
        made = Counter[str]()
        for row in books.entries_of(one.key):
            made[row.kind] += row.amount_micros
        if made["credit"] != credited_micros:
            yield f"I2: {one.key} credited {made['credit']} and its wagers are {credited_micros}"
        if made["reversal"] not in (0, -returned_micros):
            yield f"I2: {one.key} took back {-made['reversal']} of {returned_micros}"


def _nothing_is_reordered(books: Books, kept: Sequence[Kept]) -> Complaints:
    """I3: per device the order of the outbox without a gap; per meter 1, 2, 3 and so on."""
    sent = Counter((one.device, one.epoch) for one in kept)
    for device, number in sent.items():
        if books.last_numbers.get(device) != number:
            yield f"I3: {device} sent {number} messages, and {books.last_numbers.get(device)} count"
    numbers: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for key in books.messages:
        if key.startswith("device:"):
            _, device_id, epoch, count = key.split(":")
            numbers[device_id, epoch].append(int(count))
    for named, found in numbers.items():
        if sorted(found) != list(range(1, len(found) + 1)):
            yield f"I3: the numbers of {named} have a gap"
    for meter, rows in books.entries.items():
        seqs = [row.seq for row in rows]
        if seqs != list(range(1, books.meters[meter].seq + 1)):
            yield f"I3: the entries of {meter} are not 1 to {books.meters[meter].seq}"
        yield from _outboxes_are_in_order(meter, rows)


def _outboxes_are_in_order(meter: str, rows: Sequence[Row]) -> Complaints:
    last: dict[str, int] = {}
    for row in rows:
        if (row.message or "").startswith("device:"):
            device, _, number = row.message.rpartition(":")
            if int(number) < last.get(device, 0):
                yield f"I3: on {meter} {row.message} comes after {device}:{last[device]}"
            last[device] = int(number)


def _the_books_balance(books: Books) -> Complaints:
    """I4: before + amount = after, the lines add up to nought, and rule 9.3's floor holds."""
    for meter, rows in books.entries.items():
        value = 0
        for row in rows:
            lines = json.loads(row.body)["lines"]
            if row.before_micros != value or row.before_micros + row.amount_micros != (
                value := row.after_micros
            ):
                yield f"I4: entry {row.seq} of {meter} does not go on from the one before"
            if sum(amount for _, amount in lines) or lines[0] != ["meter", row.amount_micros]:
                yield f"I4: the lines of entry {row.seq} of {meter} do not balance"
        if value != books.meters[meter].value_micros:
            yield f"I4: {meter} says {books.meters[meter].value_micros} and its journal {value}"
        yield from _stands_above_the_floor(meter, rows)


def _stands_above_the_floor(meter: str, rows: Sequence[Row]) -> Complaints:
    """After every message: seed x cost, and what came and went since the reset."""
    opening = json.loads(rows[0].body)["detail"]
    seed = opening["seed"] * opening["cost_cents"] * 10_000
    since = 0
    for message, made in groupby(rows, key=lambda row: row.message):
        for row in made:
            since = 0 if row.kind in ("opening", "reset") else since + row.amount_micros
            last = row
        if last.after_micros < max(seed, seed + since):
            yield f"I4: {meter} is below its floor after {message}"


def _the_chain_recomputes(
    books: Books, acknowledged: Sequence[Kept], receipts: dict[str, Json]
) -> Complaints:
    """I5: every hash follows from the one before, and signed heads lie on the chain and grow."""
    heads: dict[tuple[str, int], str] = {}
    for meter, rows in books.entries.items():
        head = genesis(meter)
        for row in rows:
            if row.previous != head:
                yield f"I5: entry {row.seq} of {meter} is not chained to the one before"
            head = hashlib.sha256(head + row.body).digest()
            if row.hash != head:
                yield f"I5: the hash of entry {row.seq} of {meter} is not of its bytes"
            heads[meter, row.seq] = head.hex()
        if books.meters[meter].head != head:
            yield f"I5: the head of {meter} is not its last hash"
    for key, receipt in receipts.items():
        if heads.get((receipt["meter"], receipt["meter_seq"])) != receipt["head"]:
            yield f"I5: the head that {key} was given is not on the chain"
    for one, other in pairwise(acknowledged):
        if one.device == other.device and {one.key, other.key} <= receipts.keys():
            earlier, later = receipts[one.key]["meter_seq"], receipts[other.key]["meter_seq"]
            if earlier > later:
                yield f"I5: the head of {other.key} is older than that of {one.key}"


def _what_was_first_is_first(acknowledged: Sequence[Kept], receipts: dict[str, Json]) -> Complaints:
    """I6: what was acknowledged before another was sent has the smaller seq on their meter."""
    moments = [(one.acknowledged_ns, True, one) for one in acknowledged if one.key in receipts]
    moments += [(one.sent_ns, False, one) for one in acknowledged if one.key in receipts]
    acknowledged_head: Counter[str] = Counter()
    for _, is_acknowledgement, one in sorted(moments, key=lambda moment: moment[:2]):
        receipt = receipts[one.key]
        meter, seq = receipt["meter"], receipt["meter_seq"]
        if is_acknowledgement:
            acknowledged_head[meter] = max(acknowledged_head[meter], seq)
        elif seq - receipt["entries"] < acknowledged_head[meter]:
            yield f"I6: {one.key} was sent after {meter} stood at {acknowledged_head[meter]}"
