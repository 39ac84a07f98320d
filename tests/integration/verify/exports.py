"""Exports of a real database, and what the verifier says of them."""

from psycopg import Connection

from deploy.verify.jackpot_verify import Finding, Key, Verifier, look_through
from meter_server.reading.export import lines
from meter_server.storage.exporting import Rows


def exported(connection: Connection, origin: str | None = None) -> list[str]:
    """In the transaction of the caller, so that what is not committed is exported too."""
    with connection.transaction():
        return list(lines(Rows(connection), origin))


def verified(
    export: list[str], keys: tuple[Key, ...] = (), checkpoints: str = "", receipts: str = ""
) -> Verifier:
    data = [line.encode("ascii") + b"\n" for line in export]
    verifier = Verifier(
        list(keys), ("log", checkpoints), ("notes", receipts), look_through(iter(data))
    )
    verifier.run(data)
    return verifier


def sentences(findings: list[Finding]) -> list[str]:
    return [f"{one.file}:{one.line} {one.where}: {one.what}" for one in findings]
