"""What the endpoints work with, joined in ``bootstrap`` for each server process."""

from dataclasses import dataclass

from meter_server.storage.database import Database


@dataclass(frozen=True)
class Parts:
    database: Database
