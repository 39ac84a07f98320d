"""The last things this table said, each with its answer: what a dealer is asked about."""

from collections.abc import Sequence

from meter_server.contract.device.link import Json
from meter_server.domain.rulebook.irregularities import CASES
from table_agent.outbox import Item
from table_agent.wording import seats_of


def rounds(items: Sequence[Item]) -> list[Json]:
    """The newest first."""
    return [_line(item) for item in reversed(items)]


def _line(item: Item) -> Json:
    answer = item.answer
    return {
        "number": item.number,
        "at": item.message["agent_at"],
        "by": item.message["actor"],
        "what": _what(item.message["command"]),
        "answer": "queued" if answer is None else answer["answer"],
        "sentence": "" if answer is None else answer.get("reason", ""),
    }


def _what(command: Json) -> str:
    match command["kind"]:
        case "register-wagers":
            return f"Wagers of {seats_of(command['seats'])}"
        case "record-outcome":
            return _outcome(command["hands"])
        case "declare-irregularity":
            return _case(command["case"])
        case "correct-bonus":
            return "Bonus hands corrected"
        case "open-table":
            return "Table opened"
        case "close-table":
            return "Table closed"
        case _:
            return "Conditions reported"


def _case(key: str) -> str:
    """Somebody may type one that the rules do not have."""
    case = CASES.get(key)
    return f"Case {key}" if case is None else case.title


def _outcome(hands: Sequence[Json]) -> str:
    won = [one for one in hands if not one["folded"]]
    if not won:
        return "No winners"
    return "; ".join(
        f"seat {one['seat']} {(one['hand'] or one['cards']).replace('-', ' ')}" for one in won
    )
