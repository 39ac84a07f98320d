"""What the random floors leave out: here product and second model are known to differ."""

from typing import Any

from tests.independent import state


def is_open(model: state.Floor, request: dict[str, Any]) -> bool:
    """Whether the request touches a question that test_found.py holds open."""
    return request["do"] == "act" and _no_table_concerned(model, request["notice"])


def _no_table_concerned(model: state.Floor, notice: str) -> bool:
    change = model.signs[notice].change
    match change["what"]:
        case "terms":
            return not any(model.tables_of(system) for system in change["terms"])
        case "close":
            return not model.tables_of(change["system"])
        case _:
            return False
