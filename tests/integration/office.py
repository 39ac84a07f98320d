"""People in the back office: accounts made, signed in and asking over a real socket."""

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from argon2 import PasswordHasher

from meter_server.contract.signing_keys import new_signing_key
from tests.integration.programs import Environment, migrate, serving

PASSWORD = "correct horse battery"  # noqa: S105 - of people who exist for one test
PIN = "739182"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Secrets of people who exist for one test need not be slow to guess."""
BETS = {"minimum_cents": 1_000, "maximum_cents": 50_000}
"""Of every table that a test defines without caring."""
ROLES = {
    "dealer": "1001",
    "higher-duties": "2001",
    "area-manager": "3001",
    "assistant-casino-manager": "4001",
    "administrator": "9001",
    "audit": "9002",
    "cage": "9003",
    "compliance": "9004",
    "inspector": "9005",
}
COLLEAGUES = {role: f"{number}b" for role, number in ROLES.items()}
"""A second person of each role, who proposes what the first one may have to confirm."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Client:
    """One person, or nobody yet, at one server."""

    port: int
    token: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        sent = {**self.headers, **(headers or {})}
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None
        if isinstance(body, bytes):
            data = body
        elif body is not None:
            data = json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, data, sent)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read().decode())
        finally:
            connection.close()

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        return self.ask(
            "POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()}
        )

    def command(self, path: str, body: object = None) -> Answer:
        """Under a key of its own."""
        return self.post(path, body, Idempotency_Key=uuid4().hex)

    def confirmed_by(self, second: "Client", path: str, body: object = None) -> Answer:
        """Propose, and have it confirmed: the second person's answer."""
        proposed = self.post(path, body)
        assert proposed.status == 202, proposed.text
        return second.post(f"/v1/proposals/{proposed.json()['id']}/confirmation")


@dataclass(frozen=True)
class Office:
    port: int
    database_url: str
    _signed_in: dict[str, Client] = field(default_factory=dict)

    def nobody(self) -> Client:
        return Client(self.port)

    def sign_in(self, number: str) -> Client:
        begun = self.nobody().post(
            "/v1/session", {"number": number, "password": PASSWORD, "bearer": True}
        )
        assert begun.status == 201, begun.text
        return Client(self.port, begun.json()["token"])

    def person(self, number: str) -> Client:
        """Somebody who signed in once and stays."""
        if number not in self._signed_in:
            self._signed_in[number] = self.sign_in(number)
        return self._signed_in[number]

    def of_role(self, role: str) -> Client:
        return self.person(ROLES[role])

    def colleague(self, role: str) -> Client:
        return self.person(COLLEAGUES[role])


@contextmanager
def office(env: Environment, log: Path) -> Iterator[Office]:
    """A server with two persons of each role."""
    migrate(env)
    people(env["DATABASE_URL"])
    key = log.with_name("signing-key")
    key.touch(mode=0o600)
    key.write_text(new_signing_key("casino.example/prize-meter"), encoding="utf-8")
    secrets = {"METER_SERVER_SIGNING_KEY_FILE": str(key), "METER_SERVER_CARD_KEY": "k" * 40}
    with serving({**env, **secrets}, log) as port:
        yield Office(port, env["DATABASE_URL"])


def people(database_url: str) -> None:
    hashed, pin_hashed = (QUICK.hash(secret) for secret in (PASSWORD, PIN))
    everybody = [(number, role) for each in (ROLES, COLLEAGUES) for role, number in each.items()]
    with psycopg.connect(database_url) as connection:
        for number, role in everybody:
            connection.execute(
                "INSERT INTO staff"
                " (number, name, role_key, state, created_at, password_hash, pin_hash)"
                " VALUES (%s, %s, %s, 'active', now(), %s, %s)",
                (number, f"The {role}", role, hashed, pin_hashed),
            )
