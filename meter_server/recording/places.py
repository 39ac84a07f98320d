"""A device speaks for its own table: the key of one table must not settle another one's round."""

from meter_server.domain import commands
from meter_server.domain.commands import Command
from meter_server.domain.floor import Floor
from meter_server.domain.refusals import Kind, Refusal


def speaks_for_another_table(
    floor: Floor, command: Command, table_id: str | None
) -> Refusal | None:
    """The refusal, where a message that comes from a table is about another one."""
    own = place(floor, command)
    if table_id is None or own is None or own == table_id:
        return None
    return Refusal(
        Kind.NOT_AUTHORISED,
        f"This device stands at table {table_id} and speaks for no other.",
        rule="house control",
        remedy=f"Do it at table {own}.",
    )


def place(floor: Floor, command: Command) -> str | None:
    """The table a command is about; None where it names none that is known."""
    match command:
        case commands.RecordOutcome() | commands.CorrectBonus():
            known = floor.rounds.get(command.round_id)
            return None if known is None else known.table_id
        case (
            commands.RegisterWagers()
            | commands.DeclareIrregularity()
            | commands.ReportGates()
            | commands.OpenTable()
            | commands.CloseTable()
        ):
            return command.table_id
        case _:
            return None
