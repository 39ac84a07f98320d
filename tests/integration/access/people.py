"""The people of a test's house, let in the way people are."""

from dataclasses import dataclass
from typing import Any

from meter_server.access import accounts, proposals, staffing
from meter_server.access.audit import Origin, Source
from meter_server.access.desk import Desk
from meter_server.access.proposals import Handlers
from meter_server.storage.audit_trail import Line, page
from meter_server.storage.staff import Account

OFFICE = Origin(Source.OFFICE, "127.0.0.7", "request-1")
MACHINE = Origin(Source.MACHINE, "root@server", "cli-1")

MANAGER, ADMINISTRATOR = "4001", "9001"


def password_of(number: str) -> str:
    return f"correct horse of {''.join(reversed(number))}"


def pin_of(number: str) -> str:
    return f"73{number[::-1]}"


@dataclass(frozen=True)
class House:
    desk: Desk
    handlers: Handlers

    @classmethod
    def founded(cls, desk: Desk) -> "House":
        for number, role in (
            (MANAGER, "assistant-casino-manager"),
            (ADMINISTRATOR, "administrator"),
        ):
            accounts.create_first(desk, MACHINE, number, "A. N.", role, password_of(number))
        return cls(desk, staffing.handlers(desk))

    def account(self, number: str) -> Account:
        return accounts.find(self.desk, number)

    def propose(self, action: str, *, by: str = ADMINISTRATOR, **body: Any) -> str:
        model = self.handlers[action].model(**body)
        proposed = proposals.propose(
            self.desk, self.handlers, OFFICE, self.account(by), action, model
        )
        return proposed.id

    def confirm(self, proposal_id: str, *, by: str = MANAGER) -> proposals.CarriedOut:
        return proposals.confirm(self.desk, self.handlers, OFFICE, self.account(by), proposal_id)

    def decide(self, action: str, **body: Any) -> proposals.CarriedOut:
        """Proposed by the administrator and confirmed by the manager."""
        return self.confirm(self.propose(action, **body))

    def hire(self, number: str, role: str) -> Account:
        once = self.decide("create-account", number=number, name="B. C.", role=role).once
        assert once is not None
        return accounts.accept_invitation(
            self.desk, OFFICE, number, once["code"], password_of(number), pin_of(number)
        )

    def trail(self) -> list[Line]:
        with self.desk.database.connection() as connection:
            return [line for _, line in page(connection, 0, 1000)]

    def last(self) -> Line:
        return self.trail()[-1]
