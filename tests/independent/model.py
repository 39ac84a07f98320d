"""The second model: the rules read and written again, sharing no line with the product.

It is asked in plain words and numbers and answers with the reasons to refuse, or with none.
"""

from collections.abc import Callable

from tests.independent import (
    awards,
    corrections,
    grants,
    irregularities,
    outcomes,
    places,
    signs,
    wagers,
)
from tests.independent.state import Floor, Reasons, Request

_HANDLERS: dict[str, Callable[[Floor, Request], Reasons]] = {
    "define table": places.define_table,
    "open system": places.open_system,
    "top up": places.top_up,
    "open table": places.open_table,
    "close table": places.close_table,
    "tournament": places.set_tournament,
    "manual": places.set_manual,
    "limits": places.set_limits,
    "gates": places.report_gates,
    "register": wagers.register,
    "record": outcomes.record,
    "irregularity": irregularities.declare,
    "correct bonus": corrections.correct_bonus,
    "correct": corrections.correct_settlement,
    "void": corrections.void_settlement,
    "grant": grants.grant_top_up,
    "order": awards.decide_order,
    "determine": awards.determine,
    "withhold": awards.withhold,
    "pay": awards.pay,
    "notice": signs.draft,
    "show": signs.show,
    "dark": signs.go_dark,
    "withdraw": signs.withdraw,
    "act": signs.act,
}
REQUESTS = tuple(_HANDLERS)


def take(floor: Floor, request: Request) -> Reasons:
    """Do what is asked, or say every reason why it must be refused."""
    table = request.get("table")
    if table is not None and table not in floor.tables and request["do"] != "define table":
        return {"unknown"}
    return _HANDLERS[request["do"]](floor, request)
