"""The agent's link to the server: messages in their order, every receipt checked."""

from collections.abc import Sequence
from dataclasses import dataclass

from meter_server.contract.canonical import answer_digest, canonical_json, message_digest
from meter_server.contract.device import link
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.link import Json
from meter_server.contract.notes import NotTrusted
from meter_server.contract.receipts import Receipt, open_receipt


@dataclass(frozen=True, slots=True)
class Answered:
    """What the server recorded of one message, and its word for it."""

    answer: Json
    replayed: bool
    note: str
    receipt: Receipt


class Link(link.Link):
    def send(self, messages: Sequence[Json]) -> list[Answered]:
        """Messages in the order of their numbers; where fewer are answered, send the rest again."""
        identity = self.identity
        body = {"device": identity.device, "epoch": identity.epoch, "messages": list(messages)}
        answers = self.post("/v1/messages", body)["answers"]
        return [
            self._trusted(message, answered)
            for message, answered in zip(messages, answers, strict=False)
        ]

    def beat(self, receipt: str | None) -> int:
        """We live, and this is the last receipt we hold; the last number the server has of us."""
        return int(self.post("/v1/device/heartbeat", {"receipt": receipt})["last_number"])

    def table(self) -> Json:
        """How our table stands."""
        return self.get("/v1/device/table")

    def _trusted(self, message: Json, answered: Json) -> Answered:
        """The receipt must be the server's own, for this message and for this answer."""
        identity = self.identity
        try:
            receipt = open_receipt(answered["receipt"], [identity.verifier])
        except NotTrusted as error:
            raise DeviceError(f"The server's receipt cannot be trusted: {error}") from None
        named = (receipt.device, receipt.epoch, receipt.number, receipt.message, receipt.answer)
        expected = (
            identity.device,
            identity.epoch,
            message["number"],
            message_digest(canonical_json(message)),
            answer_digest(canonical_json(answered["answer"])),
        )
        if named != expected:
            raise DeviceError(
                f"The server's receipt is not for message {message['number']}: tell the operator."
            )
        return Answered(answered["answer"], answered["replayed"], answered["receipt"], receipt)
