"""The messages that a checkpoint covers: how they are listed, and whether they still are so."""

from meter_server.contract.checkpoints import Checkpoint, Covered, Recorded, message_list
from meter_server.contract.notes import NotTrusted
from meter_server.storage import checkpoints
from meter_server.storage.database import Connection
from meter_server.watching.books import instant


def take_uncovered(connection: Connection) -> str:
    """The list of all that no checkpoint has: it is in the next one, or the caller rolls back."""
    return message_list(map(_recorded, checkpoints.take_uncovered(connection)))


def require_listed(connection: Connection, signed: Checkpoint) -> str:
    """The checkpoint's list as the database has it; NotTrusted where another one was signed."""
    listed = checkpoints.listed(connection, signed.number)
    if signed.messages != (Covered.of(listed) if signed.messages or listed else None):
        raise NotTrusted(f"Checkpoint {signed.number} has another list of messages than it signs.")
    return listed


def require_covered(connection: Connection, signed: Checkpoint) -> None:
    """Every message of the list is there as it was listed; NotTrusted names the first other one."""
    lines = require_listed(connection, signed).splitlines(keepends=True)
    keys = [line.partition(" ")[0] for line in lines]
    found = set(map(Recorded.line, map(_recorded, checkpoints.messages(connection, keys))))
    for key, line in zip(keys, lines, strict=True):
        if line not in found:
            raise NotTrusted(
                f"The message {key} is missing, or is another one than checkpoint "
                f"{signed.number} lists."
            )


def _recorded(message: checkpoints.Message) -> Recorded:
    return Recorded(
        key=message.key,
        digest=message.digest.hex(),
        at=instant(message.at),
        answer=message.answer.decode("utf-8", "surrogateescape"),
        request=None if message.request is None else message.request.hex(),
    )
