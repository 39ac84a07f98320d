"""Who stands at the console, and whose word stands behind one action there.

A PIN goes to the server and nowhere else: what comes back is a grant, good for one message.
"""

from typing import Protocol

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.link import Json
from meter_server.domain.rulebook.authority import LADDER, Action
from table_agent.outbox import Outbox

_PERSON = "person"


class Asking(Protocol):
    """Signed requests that are never kept: ``Link``."""

    def post(self, path: str, body: Json) -> Json: ...

    def get(self, path: str) -> Json: ...


class People:
    def __init__(self, outbox: Outbox, link: Asking) -> None:
        self._outbox = outbox
        self._link = link
        self.asked: int | None = None
        """The approval that the console waits for."""

    def sign_on(self, body: Json) -> None:
        """Also in the middle of a round: the next message is in the new name."""
        told = self._link.post("/v1/sign-on", body)
        role = told["role"]
        person = {
            "number": told["number"],
            "name": told["name"],
            "role": role["title"],
            "level": role["level"] or 0,
            "present": True,
        }
        self._outbox.remember(_PERSON, person)

    def sign_off(self) -> None:
        self._link.post("/v1/sign-off", {})
        person = self._outbox.recall(_PERSON)
        if person is not None:
            self._outbox.remember(_PERSON, {**person, "present": False})

    def here(self) -> Json | None:
        person = self._outbox.recall(_PERSON)
        return person if person is not None and person["present"] else None

    def level(self) -> int:
        person = self.here()
        return LADDER[0].level if person is None else int(person["level"])

    def require_present(self) -> None:
        if self.here() is None:
            raise DeviceError("Nobody has signed on here: sign on with card or number and PIN.")

    def actor(self) -> str:
        """In whose name a message goes: whoever is here, or was last. Finishing a round never waits
        for somebody to sign on."""
        person = self._outbox.recall(_PERSON)
        if person is None:
            raise DeviceError("Nobody has signed on here: sign on with card or number and PIN.")
        return str(person["number"])

    def authorise(self, body: Json, action: Action) -> str:
        return str(self._link.post("/v1/authorise", {**body, "action": action.value})["grant"])

    def ask(self, action: Action) -> None:
        """A supervisor may approve it from a device of their own."""
        self.asked = int(
            self._link.post("/v1/device/approvals", {"action": action.value})["approval"]
        )

    def asked_for(self, approval: int) -> Json:
        """Its ``state``; ``by`` whom, and the ``grant``, once it is approved."""
        return self._link.get(f"/v1/device/approvals/{approval}")

    def end_asking(self, approval: int) -> None:
        self.asked = None
        self._link.post(f"/v1/device/approvals/{approval}/end", {})

    def call(self, rank: str, reason: str) -> None:
        self._link.post("/v1/device/calls", {"rank": rank, "reason": reason})

    def end_call(self, call: int) -> None:
        self._link.post(f"/v1/device/calls/{call}/end", {})
