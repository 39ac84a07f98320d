"""One message at a time, typed by a person: to try a table, or to see what the server says."""

import json

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.link import Json
from table_agent.ports import Clock
from table_agent.running import Parts
from table_agent.sender import LinkState


def read(text: str) -> Json:
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise DeviceError(f"That is not JSON ({error}): put it in single quotes.") from None
    if not isinstance(parsed, dict):
        raise DeviceError('That is no JSON object: it begins with {"kind": ...}.')
    return parsed


def send(parts: Parts, clock: Clock, command: Json, actor: str, grant: str | None) -> Json:
    """Through the outbox, so that its number is never given twice; gives the answer.

    Where nobody answers it stays queued, and goes first the next time.
    """
    number = parts.outbox.put(clock.instant(), actor, command, grant)
    while (item := parts.outbox.item(number)) is not None and item.answer is None:
        parts.sender.step()
        if parts.sender.status.state is not LinkState.UP:
            raise DeviceError(f"Message {number} stays queued. {parts.sender.status.sentence}")
    assert item is not None  # noqa: S101 - the last message is never pruned
    assert item.answer is not None  # noqa: S101 - or the loop would go on
    return item.answer
