"""Limits and notices by command line, as a manager types them."""

import json
from pathlib import Path

from tests.integration.devices.floor import open_system, open_table, unique
from tests.integration.office import COLLEAGUES, Office
from tests.integration.terminal import MANAGER, Terminal
from tests.rules import rule


@rule("SGN-5")
def test_a_minimum_falls_at_once_and_rises_after_its_notice(office: Office, tmp_path: Path) -> None:
    table, notice = open_table(office), unique("N")
    open_system(office, [table])
    manager = Terminal.signed_in(office, tmp_path)
    limits = ("table", "limits", table)
    told = manager.type(*limits, "--minimum", "5", "--maximum", "300")
    assert told == f"Bets at table {table} are $5.00 to $300.00.\n"
    refused = manager.is_refused(*limits, "--minimum", "25", "--maximum", "500")
    assert f"The minimum at table {table} rises only after its sign announced it." in refused
    assert "Draft a notice of the higher minimum" in refused

    wanted = ("--minimum", "25", "--maximum", "500")
    proposed = manager.type("notice", "draft", "minimum", notice, table, *wanted)
    proposal = proposed.split()[2].removesuffix(".")
    manager.type("proposal", "confirm", proposal, "--as", COLLEAGUES[MANAGER])
    [listed] = [
        one for one in json.loads(manager.type("notice", "list", "--json"))
        if one["notice"] == notice
    ]  # fmt: skip
    assert listed["change"] == {
        "kind": "raise-minimum",
        "table": table,
        "minimum_cents": 2_500,
        "maximum_cents": 50_000,
    }
    assert "does not show notice" in manager.is_refused("notice", "act", notice)
    told = manager.type("notice", "schedule", notice)
    assert told == f"What notice {notice} announces is done as soon as it may be, on your word.\n"
    assert notice in manager.type("notice", "scheduled")
    manager.type("notice", "confirm", notice, table, "--reason", "its sign is being mended")
    assert "must stand for another" in manager.is_refused("notice", "act", notice)
    assert manager.type("notice", "withdraw", notice) == f"Notice {notice} is withdrawn.\n"
    assert "No notice" in manager.is_refused("notice", "schedule", notice)
