"""I1 to I6, from the rows and from what agents were told; it shares no line with the door."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.simulation.servers import SYSTEMS, World

SEED_DOLLARS = 10_000
Entry = dict[str, Any]


def complaints(world: World) -> list[str]:
    journal: dict[str, list[Entry]] = defaultdict(list)
    for stored in world.store.entries:
        journal[stored.entry.meter_id].append(json.loads(stored.body) | {"hash": stored.hash.hex()})
    found = [sentence for name in journal for sentence in _of_meter(world, name, journal[name])]
    return [*found, *_of_agents(world, journal), *_of_order(world, journal)]


def _of_meter(world: World, name: str, entries: list[Entry]) -> Iterator[str]:
    """I3, I4, I5: in a row, balanced, never below its least, chained."""
    head = hashlib.sha256(f"prize-meter journal 1\n{name}".encode()).digest()
    stored = [one for one in world.store.entries if one.entry.meter_id == name]
    value, reseed = 0, SEED_DOLLARS * SYSTEMS[name] * 10_000
    for place, (entry, row) in enumerate(zip(entries, stored, strict=True), start=1):
        if entry["seq"] != place:
            yield f"I3 {name}: entry {entry['seq']} stands in place {place}"
        if entry["before"] != value or entry["before"] + entry["amount"] != entry["after"]:
            yield f"I4 {name} {place}: {entry['before']} after {value}"
        if sum(amount for _, amount in entry["lines"]):
            yield f"I4 {name} {place}: its lines do not add up to nought"
        value = entry["after"]
        ends = place == len(entries) or entries[place]["message"] != entry["message"]
        if ends and value < reseed:
            yield f"I4 {name} {place}: {value} is below {reseed}"
        if row.previous != head or row.hash != hashlib.sha256(head + row.body).digest():
            yield f"I5 {name} {place}: the chain is broken"
        head = row.hash
    meter = world.store.meters[name]
    if (meter.seq, meter.value_micros) != (len(entries), value):
        yield f"I4 {name}: the meter's row is not the end of its journal"


def _of_agents(world: World, journal: dict[str, list[Entry]]) -> Iterator[str]:
    """I1, I2, I3: what was acknowledged is there, once, in the order of the outbox."""
    hashes = {(name, e["seq"]): e["hash"] for name, entries in journal.items() for e in entries}
    made: dict[str, list[int]] = defaultdict(list)
    for entries in journal.values():
        for entry in entries:
            made[entry["message"]].append(entry["seq"])
    for agent in world.agents:
        last = 0
        for sent in agent.outbox:
            key = sent.submission.key.text
            stored = world.store.messages.get(key)
            if not sent.acknowledged:
                yield f"I1 {key}: never answered"
            if stored is None or (sent.acknowledged and stored.answer != sent.answer):
                yield f"I1 {key}: acknowledged with an answer that is not kept"
            told = json.loads(sent.answer or "{}").get("entries", [])
            if any(hashes.get((one["meter"], one["seq"])) != one["hash"] for one in told):
                yield f"I1 {key}: its entries are not in the journal"
            if len(told) != len(made[key]) or len(set(made[key])) != len(made[key]):
                yield f"I2 {key}: {len(made[key])} entries, and {len(told)} were told"
            if made[key] and min(made[key]) <= last:
                yield f"I3 {key}: recorded before the message that was sent before it"
            last = max(made[key], default=last)


def _of_order(world: World, journal: dict[str, list[Entry]]) -> Iterator[str]:
    """I6: acknowledged before another was sent, therefore before it on the meter."""
    times = {sent.submission.key.text: sent for agent in world.agents for sent in agent.outbox}
    for name, entries in journal.items():
        latest_sent = 0
        for entry in entries:
            sent = times.get(entry["message"])
            if sent is None:
                continue
            if sent.acknowledged and sent.acknowledged < latest_sent:
                yield f"I6 {name} {entry['seq']}: acknowledged before an earlier one was sent"
            latest_sent = max(latest_sent, sent.first_sent)
