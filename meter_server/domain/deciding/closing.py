"""Closing a table: what it still carries goes back to the players."""

from dataclasses import replace

from meter_server.domain.deciding.wagers import cancel_carry
from meter_server.domain.floor import Draft
from meter_server.domain.rulebook.authority import Action, grant_for
from meter_server.domain.tables import Table, TableState


def close(draft: Draft, table: Table) -> None:
    """Return carried wagers, and close (AUT-16)."""
    if table.carry is not None:
        grant = grant_for(Action.CLOSE_TABLE, table.game_key)
        rule = "" if grant is None else grant.rule
        detail = {"case": "table-closed", "reason": "", "rule": rule}
        cancel_carry(draft, table, table.carry, table.carry.stakes, detail)
    draft.put(replace(table, state=TableState.CLOSED, hands_left=None, carry=None))
