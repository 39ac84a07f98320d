"""One message at a time, typed by a person: to try a table, or to see what the server says."""

import json
from datetime import UTC, datetime

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.link import Json
from table_agent.link import Answered, Link


def read(text: str) -> Json:
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise DeviceError(f"That is not JSON ({error}): put it in single quotes.") from None
    if not isinstance(parsed, dict):
        raise DeviceError('That is no JSON object: it begins with {"kind": ...}.')
    return parsed


def send(link: Link, command: Json, actor: str, grant: str | None) -> Answered:
    """Under the number that follows the last one the server has heard of this device."""
    number = link.get("/v1/device/status")["last_number"] + 1
    now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    message = {
        "number": number,
        "agent_at": now,
        "actor": actor,
        "grant": grant,
        "command": command,
    }
    [answered] = link.send([message])
    return answered
