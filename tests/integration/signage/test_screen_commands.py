"""Screens by command line, as a manager types what a screen shows."""

import json
from pathlib import Path

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from tests.integration.devices.floor import open_system, open_table, unique
from tests.integration.office import Office
from tests.integration.programs import wait_until
from tests.integration.signage.browsers import Browser, next_of
from tests.integration.signage.gateways import enrolled, running
from tests.integration.terminal import Terminal


def test_a_screen_is_paired_given_another_part_replaced_and_removed(
    office: Office, engines: tuple[Postgres, Redis], tmp_path: Path
) -> None:
    table, name = open_table(office), unique("screen")
    system, _ = open_system(office, [table])
    manager = Terminal.signed_in(office, tmp_path)
    enrolled(office, tmp_path / "gateway")
    with running(tmp_path / "gateway", engines[1].url) as gateway:
        one, other = Browser.opened(gateway), Browser.opened(gateway)
        with one.looking() as events, other.looking() as others:
            code = next_of(events, "screen")["code"]
            pair = ("screen", "pair", name, code.lower(), "--meter", system, "--layout", "rotating")
            wait_until(lambda: manager.ask(*pair).returncode == 0, 20)
            assert next_of(events, "screen")["role"]["layout"] == "rotating"
            listed = manager.type("screen", "list")
            assert "never" in listed  # it has told nothing yet
            assert f"board of {system}, rotating" in " ".join(listed.split())

            told = manager.type("screen", "assign", name, "--table", table)
            assert told == f"{name} is the sign of {table}.\n"
            assert next_of(events, "screen")["role"]["table"] == table
            one.shows(system, 1)

            def shown() -> list[tuple[str, int, int]]:
                found = json.loads(manager.type("screen", "displays", "--screen", name, "--json"))
                return [(one["subject"], one["from_seq"], one["to_seq"]) for one in found]

            wait_until(lambda: shown() == [(system, 1, 1)], 20)

            replace = ("screen", "replace", name, next_of(others, "screen")["code"])
            told = manager.type(*replace)
            assert told == f"{name} is the sign of {table}, on the new screen.\n"
            assert next_of(events, "screen")["screen"] is None
            assert next_of(others, "screen")["screen"] == name
            assert "Give --table for a sign, or --meter for a board" in manager.is_refused(
                "screen", "assign", name, "--table", table, "--meter", system
            )
            assert manager.type("screen", "remove", name) == f"{name} is removed.\n"
            assert shown() == [(system, 1, 1)]  # the proof is kept
