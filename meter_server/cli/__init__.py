"""The command line ``meter-server``: one module per family of commands, imported when called."""

import click

from meter_server.cli import output
from meter_server.cli.lazy import LazyCommand, LazyGroup

COMMANDS = {
    "migrate": LazyCommand(
        "meter_server.cli.migrate:migrate", "Bring the database to this version's schema."
    ),
    "serve": LazyCommand(
        "meter_server.cli.serve:serve", "Answer tables, staff and probes over HTTP."
    ),
    "worker": LazyCommand("meter_server.cli.tasks:worker", "Do the tasks that are due."),
    "beat": LazyCommand(
        "meter_server.cli.tasks:beat", "Send the periodic tasks when they are due."
    ),
    "status": LazyCommand("meter_server.cli.status:status", "Ask every part how it is."),
    "login": LazyCommand("meter_server.cli.login:login", "Sign in at a server."),
    "logout": LazyCommand("meter_server.cli.login:logout", "Sign out."),
    "whoami": LazyCommand(
        "meter_server.cli.login:whoami", "Show who is signed in and what they may do."
    ),
    "staff": LazyCommand("meter_server.cli.staff:staff", "Manage the accounts of people."),
    "table": LazyCommand("meter_server.cli.table:table", "Define, open and close tables."),
    "system": LazyCommand(
        "meter_server.cli.system:system", "Open prize meter systems and see their meters."
    ),
    "notice": LazyCommand(
        "meter_server.cli.notice:notice", "Announce changes on the signs, and make them in time."
    ),
    "prize": LazyCommand(
        "meter_server.cli.prize:prize", "See, determine, withhold and pay prizes."
    ),
    "correction": LazyCommand(
        "meter_server.cli.correction:correction", "Put settlements right, or void them."
    ),
    "manual": LazyCommand(
        "meter_server.cli.manual:manual", "Work on paper, and key it in afterwards."
    ),
    "meter": LazyCommand(
        "meter_server.cli.meter:meter", "Read meters as at any moment, and settlements."
    ),
    "proposal": LazyCommand(
        "meter_server.cli.proposal:proposal", "See, confirm or reject what takes two persons."
    ),
    "device": LazyCommand(
        "meter_server.cli.device:device", "Enrol table agents and gateways, and keep them out."
    ),
    "screen": LazyCommand(
        "meter_server.cli.screen:screen", "Pair signs and boards, and see what they have shown."
    ),
    "keys": LazyCommand("meter_server.cli.keys:keys", "Create the key that signs receipts."),
    "export": LazyCommand(
        "meter_server.cli.export:export", "Write the books for an auditor, to be checked offline."
    ),
    "settings": LazyCommand(
        "meter_server.cli.settings:settings", "Show the settings in force, without secrets."
    ),
    "openapi": LazyCommand(
        "meter_server.cli.openapi:openapi", "Show the OpenAPI document of the HTTP interface."
    ),
    "rules": LazyCommand(
        "meter_server.cli.rules:rules", "Show the tables in force with their rule numbers."
    ),
    "settle": LazyCommand(
        "meter_server.cli.settle:settle_command", "Work out what a round wins from the meter."
    ),
    "classify": LazyCommand("meter_server.cli.classify:classify", "Name a five-card hand."),
    "odds": LazyCommand(
        "meter_server.cli.odds:odds", "Show the odds of each hand and the designed return."
    ),
}

meter_server = click.version_option(package_name="prize-meter")(
    LazyGroup(
        lazy_commands=COMMANDS,
        help="The server of a casino's progressive jackpots: it keeps every meter.",
    )
)


def main() -> None:
    """Run ``meter-server`` and leave with its exit code."""
    raise SystemExit(output.run(meter_server, "meter-server"))
