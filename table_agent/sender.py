"""The one sender: takes the queue to the server in order, and says how the link stands.

``step`` does one thing and says how long to wait; whoever calls it again and again is the agent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from random import Random

from meter_server.contract.checkpoints import open_checkpoint
from meter_server.contract.device.errors import DeviceError, NotReached, Refused
from meter_server.contract.device.link import Json
from meter_server.contract.messages import MESSAGES_MAX
from meter_server.contract.notes import NotTrusted, VerifierKey
from table_agent.outbox import HistoryLost, Outbox
from table_agent.ports import Clock, Server

BEAT_SECONDS = 5.0
LOOK_SECONDS = 2.0
"""How old the meter on the console may become."""
FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 15.0
STOPPED_PAUSE_SECONDS = 30.0
"""A device that is kept out asks now and then whether somebody has let it in again."""

UNREADABLE = frozenset({HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})
"""The server understood nothing of the request: sent again, it never will."""

KEPT_OUT = "device-kept-out"
"""The kind of a refusal that no later message escapes."""

TABLE = "table"
"""Under which name the outbox remembers how the table stood."""


class LinkState(StrEnum):
    CONNECTING = "connecting"
    """Nobody has answered yet since the start."""
    UP = "up"
    DOWN = "down"
    """Nobody answers, or not now: it goes on by itself."""
    STOPPED = "stopped"
    """It does not go on until a person has done something."""


@dataclass(frozen=True, slots=True)
class LinkStatus:
    state: LinkState
    sentence: str = ""
    since: float = 0.0
    kept_out: bool = False
    """Nothing said here will be recorded: another tablet took the table over, or it is revoked."""


class Sender:
    def __init__(
        self, outbox: Outbox, server: Server, clock: Clock, trusted: VerifierKey, chance: Random
    ) -> None:
        self._outbox = outbox
        self._server = server
        self._clock = clock
        self._trusted = trusted
        self._chance = chance
        self._failures = 0
        self._most = MESSAGES_MAX
        self._beat_at = self._look_at = clock.seconds()
        self._covering: str | None = None
        self.status = LinkStatus(LinkState.CONNECTING)
        self.told: Json | None = outbox.recall(TABLE)
        """How the table stood when the server was last asked."""

    def step(self) -> float:
        """Do what is due: send what is queued, show that we live, look how the table stands.

        The seconds until the next step; nothing where more is queued. The link is up afterwards, or
        the sentence says why not.
        """
        try:
            pause = self._due()
        except NotReached as error:
            return self._fail(LinkState.DOWN, error)
        except Refused as error:
            return self._refused(error)
        except DeviceError as error:
            # A history that was lost, a receipt that cannot be trusted, a disk that fails.
            return self._fail(LinkState.STOPPED, error)
        self._failures = 0
        self._become(LinkState.UP)
        return pause

    def look(self) -> None:
        """Look how the table stands with the next step."""
        self._look_at = self._clock.seconds()

    def _due(self) -> float:
        now = self._clock.seconds()
        if now >= self._beat_at:
            # First of all: where either side has lost its history, nothing new is said.
            self._require_own(self._server.beat(self._outbox.last_receipt()))
            self._beat_at = now + BEAT_SECONDS
        queued = self._outbox.queued(self._most)
        if queued:
            self._send(queued)
            return 0.0
        if now >= self._look_at:
            self._look()
            self._look_at = now + LOOK_SECONDS
        return max(0.0, min(self._look_at, self._beat_at) - self._clock.seconds())

    def _send(self, queued: Sequence[Json]) -> None:
        try:
            answers = self._server.send(queued)
        except Refused as refused:
            if refused.status not in UNREADABLE:
                raise
            self._unreadable(queued, refused)
            return
        if not answers:
            raise NotReached("The server answered none of the messages.")
        self._outbox.answered(answers)
        self._most = MESSAGES_MAX
        self.look()

    def _unreadable(self, queued: Sequence[Json], refused: Refused) -> None:
        """One message spoils its request: sent alone, the others are heard until it is found."""
        if len(queued) > 1:
            self._most = 1
            return
        raise DeviceError(
            f"The server cannot read message {queued[0]['number']} and records nothing behind it: "
            f"{refused} Have this tablet enrolled again."
        )

    def _require_own(self, recorded: int) -> None:
        """A tablet that was restored from an old copy, or lost its disk, would say other things
        under numbers that are taken, and be frozen for it."""
        own = self._outbox.last_number
        if recorded > own:
            raise DeviceError(
                f"The server has recorded {recorded} messages of this tablet, whose outbox knows "
                f"{own}: it was restored from an old copy or lost its disk. Have it enrolled again."
            )

    def _look(self) -> None:
        told = self._server.table()
        if self.told is None or _lasting(told) != _lasting(self.told):
            self._outbox.remember(TABLE, told)
        self.told = told
        note = told["checkpoint"]
        if note is None or note == self._covering:
            return
        try:
            self._outbox.covered(open_checkpoint(note, [self._trusted]))
        except NotTrusted as error:
            raise DeviceError(f"The server's checkpoint cannot be trusted: {error}") from None
        self._covering = note

    def _refused(self, refused: Refused) -> float:
        match refused.status, refused.problem.get("kind"):
            case HTTPStatus.CONFLICT, "gap":
                last = refused.problem.get("last_number")
                return self._gap(last if isinstance(last, int) else 0)
            case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN | HTTPStatus.CONFLICT, _:
                return self._fail(LinkState.STOPPED, refused)
            case status, _ if status in UNREADABLE:
                return self._fail(LinkState.STOPPED, refused)
            case _:
                asked = min(refused.retry_after_seconds, LONGEST_PAUSE_SECONDS)
                return asked + self._fail(LinkState.DOWN, refused)

    def _gap(self, last: int) -> float:
        """We send from the first that has no receipt, so a server that lacks earlier ones has lost
        what it gave receipts for. Sending them again would hide that."""
        known = self._outbox.last_answered
        if last < known:
            lost = HistoryLost(
                f"The server knows {last} messages of this table and gave receipts for {known}."
            )
            return self._fail(LinkState.STOPPED, lost)
        return self._fail(LinkState.DOWN, NotReached("The server waits for an earlier message."))

    def _fail(self, state: LinkState, error: DeviceError) -> float:
        kept_out = isinstance(error, Refused) and error.problem.get("kind") == KEPT_OUT
        self._become(state, str(error), kept_out=kept_out)
        if state is LinkState.STOPPED:
            self._failures = 0
            # Only the heartbeat, which comes first, shows whether we are let in again.
            self._beat_at = self._clock.seconds()
            return STOPPED_PAUSE_SECONDS
        longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**self._failures)
        self._failures = min(self._failures + 1, 30)
        # Spread over the whole pause: tables that lost the server together do not come back
        # together.
        return self._chance.uniform(FIRST_PAUSE_SECONDS / 2, longest)

    def _become(self, state: LinkState, sentence: str = "", *, kept_out: bool = False) -> None:
        since = self.status.since if state is self.status.state else self._clock.seconds()
        self.status = LinkStatus(state, sentence, since, kept_out)


def _lasting(told: Json) -> Json:
    """Without what moves all the time: a tablet's disk does not live for ever."""
    lasting = {name: value for name, value in told.items() if name not in ("at", "checkpoint")}
    meter = told["meter"]
    return {**lasting, "meter": meter and {**meter, "value_micros": 0, "seq": 0}}
