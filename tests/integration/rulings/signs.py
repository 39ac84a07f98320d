"""Notices put up by hand, and the time that they must stand."""

from typing import Any

import psycopg

from tests.integration.devices.floor import unique
from tests.integration.office import Client, Office
from tests.integration.rulings.tables import MANAGER


def draft(office: Office, change: dict[str, Any]) -> str:
    name = unique("N")
    drafted = office.of_role(MANAGER).confirmed_by(
        office.of_role("area-manager"), "/v1/notices", {"notice": name, "change": change}
    )
    assert drafted.status == 200, drafted.text
    return name


def confirm(person: Client, notice: str, table: str) -> Any:
    body = {"table": table, "reason": "the sign has no link"}
    return person.command(f"/v1/notices/{notice}/displays", body)


def twenty_minutes_pass(office: Office, notice: str) -> None:
    """The sign was lit earlier than it was: the only way to wait in a test on a real clock."""
    with psycopg.connect(office.database_url) as connection:
        connection.execute(
            "UPDATE notice SET body = jsonb_set(body, '{shown_since_us}', ("
            " SELECT jsonb_object_agg(key, value::bigint - 1200000000)"
            " FROM jsonb_each_text(body -> 'shown_since_us'))) WHERE id = %s",
            (notice,),
        )


def act(person: Client, notice: str) -> Any:
    return person.command(f"/v1/notices/{notice}/action", {"offline_tables": []})
