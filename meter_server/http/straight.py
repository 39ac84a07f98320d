"""The straight way of an ordinary report, past Flask and without a thread of its own.

Nearly all requests are of one kind: messages of a table, signed, with nothing to be said against
them. One thread takes all of those in turns, and waits for none of them. Whatever is not ordinary,
from a missing signature to a supervisor's grant, is not judged here: it takes the way of all other
requests, where it is refused or heard. That it may be asked twice does no harm, because a message
is recorded once under its number.
"""

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import structlog
from limits import RateLimitItem
from pydantic import ValidationError

from meter_server import failpoints
from meter_server.access import devices
from meter_server.access.audit import Origin, Source
from meter_server.access.consoles import Console
from meter_server.contract import signatures
from meter_server.contract.messages import Messages
from meter_server.contract.signatures import (
    CONTENT_DIGEST,
    SIGNATURE,
    SIGNATURE_INPUT,
    NotSigned,
    Signed,
)
from meter_server.failpoints import Place
from meter_server.http import messages, requests
from meter_server.http.api import bodies, limits
from meter_server.http.api.parts import Parts
from meter_server.http.api.signed import AtTable
from meter_server.http.left import Left
from meter_server.http.problems import Problem
from meter_server.metrics.counts import WAITING
from meter_server.recording.door import Status, Unavailable
from meter_server.storage.errors import StorageError

_log = structlog.get_logger(__name__)

_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came, with the address of whoever asks."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes
    address: str


@dataclass(frozen=True, slots=True)
class Told:
    """Ordinary reports have only one kind of answer."""

    body: str | Iterator[str]
    request_id: str


class Straight:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._counting = ThreadPoolExecutor(1, thread_name_prefix="limits")

    async def answer(self, asked: Asked) -> Told | Left:
        if (asked.method, asked.path) != ("POST", messages.PATH):
            return Left()
        left = Left(requests.request_id(asked.headers.get(requests.ID_HEADER.lower(), "")))
        try:
            answers = await self._answers(asked, left)
            if answers is None:
                return left
            body = failpoints.written(Place.REPLYING, answers.model_dump_json())
            requests.ended(
                "POST", messages.PATH, asked.path, 200, left.began, request_id=left.request_id
            )
        except (StorageError, Unavailable) as error:
            left.failure = error
            return left
        except (NotSigned, Problem, ValidationError):
            return left
        except Exception:  # noqa: BLE001 - the other way tells whoever asks
            _log.exception("the straight way broke", request_id=left.request_id)
            return left
        return Told(body, left.request_id)

    async def _answers(self, asked: Asked, left: Left) -> messages.Answers | None:
        await self._count(limits.ADDRESS, asked.address, left)
        caller = await self._caller(asked, left.request_id)
        if caller is None:
            return None
        await self._count(limits.DEVICE, caller.device.id, left)
        if asked.headers.get("content-type") != _JSON:
            return None
        bodies.require_strict(asked.body)
        body = Messages.model_validate_json(asked.body)
        if not _is_ordinary(caller, body):
            return None
        submissions = messages.submissions_of(caller, body)
        # Let those who came together get this far first: they will share a commit.
        await asyncio.sleep(0)
        with WAITING.track_inprogress():
            answers = await self._parts.arrivals.of(self._parts.send(submissions))
        self._parts.feed.ring()
        statuses = [answer.status for answer in answers]
        if statuses[0] not in messages.RECORDED or Status.FORKED in statuses:
            return None
        return messages.answers_of(caller, submissions, answers)

    async def _count(self, limit: RateLimitItem, who: str, left: Left) -> None:
        counts = self._parts.limits
        if not counts.spend_of_share(limit, who):
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._counting, counts.spend, limit, who)
        left.counted.add(limit.namespace)

    async def _caller(self, asked: Asked, request_id: str) -> AtTable | None:
        signed = Signed(
            method=asked.method,
            path=asked.path,
            query=asked.query,
            body=asked.body,
            headers={
                name: asked.headers.get(name.lower(), "")
                for name in (CONTENT_DIGEST, SIGNATURE_INPUT, SIGNATURE)
            },
        )
        asking = self._parts.keys.asked(signatures.named_key(signed))
        known = await self._parts.arrivals.of(asking)
        desk, signer = self._parts.desk, self._parts.signer
        if known is None or not devices.is_let_in(known, signed, desk.now()):
            return None
        table_id = known.device.table_id
        if table_id is None or signer is None:
            return None
        return AtTable(
            parts=self._parts,
            device=known.device,
            key=known.key,
            here=known.here,
            request=signed,
            origin=Origin(Source.CONSOLE, asked.address, request_id, known.device.id),
            signer=signer,
            console=Console(known.device.id, table_id),
        )


def _is_ordinary(caller: AtTable, body: Messages) -> bool:
    """In the name of whoever stands there now, and of nobody else: the database need not be asked
    who stood there before, or what a grant is for."""
    here = None if caller.here is None else caller.here.number
    return all(message.actor == here and message.grant is None for message in body.messages)
