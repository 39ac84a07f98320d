"""Whether wagers can be registered just now, and if not, why: the one sentence on the console.

The server decides; this tells the dealer before a chip is taken (WAG-2, WAG-3).
"""

from table_agent.sender import LinkState, LinkStatus
from table_agent.table import Table

_GATES = {
    "amounts": "the meter cannot record amounts",
    "settlement-times": "times for settlement cannot be recorded",
    "meter-reading": "the meter cannot be read as at a settlement",
    "display": "the prize meter display at this table does not work",
}


def why_no_wagers(table: Table, link: LinkStatus, chosen: frozenset[int]) -> str | None:
    """The first thing that stands in the way, in the order in which a person would mend them."""
    return why_closed(table, link) or _why_draining(table, chosen) or _why_not_now(table, chosen)


def why_closed(table: Table, link: LinkStatus) -> str | None:
    """Why no wagers are taken here at all."""
    return _why_not_here(table) or _why_not_reached(table, link) or _why_not_operating(table)


def _why_not_here(table: Table) -> str | None:
    told = table.told
    if not table.open or told.hands_left == 0:
        return "The table is closed: open it first."
    if told.meter is None:
        return "This table belongs to no prize meter system: play without jackpot."
    if not told.meter.open:
        return "The prize meter system is closed: play without jackpot."
    if told.tournament:
        return "This table plays a tournament: no Jackpot wagers."
    if told.manual:
        return "Manual arrangements: write wagers, outcomes and irregularities on paper."
    return None


def _why_not_reached(table: Table, link: LinkStatus) -> str | None:
    rule = table.game.rules.operating
    if link.state is LinkState.STOPPED:
        return f"{link.sentence} [{rule}]"
    if link.state is not LinkState.UP:
        return (
            "The link to the server is down: take no Jackpot wagers until it is back, or until a "
            f"TG Area Manager has declared manual arrangements. [{rule}]"
        )
    return None


def _why_not_operating(table: Table) -> str | None:
    for gate, words in _GATES.items():
        if gate in table.told.failing:
            rules = table.game.rules
            rule = rules.display if gate == "display" else rules.operating
            return (
                f"Not operating properly: {words}. Take no Jackpot wagers and call the TG Area "
                f"Manager. [{rule}]"
            )
    return None


def _why_draining(table: Table, chosen: frozenset[int]) -> str | None:
    notice = table.told.draining_for
    if notice is None or (table.carried and chosen == table.carried):
        return None
    return f"Notice {notice} is due: no new Jackpot wagers until the change has been made."


def _why_not_now(table: Table, chosen: frozenset[int]) -> str | None:
    if table.open_round is not None:
        return "A round is open: record its outcome first."
    if table.queued:
        return "What was sent before is not recorded yet: wait for it."
    if not chosen:
        return "No seat has a Jackpot wager: play without jackpot, or touch the seats that have."
    return None
