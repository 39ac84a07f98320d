"""The demo's floor: which tables there are, in which systems, and which agents at them."""

from typing import Any

from deploy.demo.folder import DataFolder

IDENTITY = "identity.json"
"""What an enrolled device has in its folder; not imported, because a start must be quick."""


TABLES = (  # with game, seats, and the least and most of its bets in cents
    ("T1", "wsop", 9, 10_00, 500_00),
    ("T2", "wsop", 9, 10_00, 500_00),
    ("T3", "ultimate", 6, 25_00, 1_000_00),
    ("T4", "three-card", 7, 10_00, 500_00),
    ("T5", "three-card", 7, 25_00, 1_000_00),
    ("T6", "ultimate", 6, 25_00, 1_000_00),
    ("T7", "wsop", 9, 25_00, 1_000_00),
    ("P1", "wsop", 9, 5_00, 100_00),
)
_TERMS = {"option": 1, "seed_dollars": 20_000}
SYSTEMS: tuple[dict[str, Any], ...] = (
    {"system": "main", **_TERMS, "cost_cents": 500, "tables": ["T1", "T2", "T4"]},
    {"system": "premium", **_TERMS, "cost_cents": 1_000, "tables": ["T3", "T5"]},
    {"system": "grand", **_TERMS, "cost_cents": 2_500, "tables": ["T6", "T7"]},
    {"system": "practice", **_TERMS, "cost_cents": 500, "tables": ["P1"], "training": True},
)
AGENT, AGENT_TABLE = "t2-a", "T2"
"""The table that is left for a person to play at."""
PLAYED = ("T1", "T3", "T4", "T5", "T6", "T7")
"""Those that play by themselves."""
GATEWAY = "gateway-1"


def agent_of(table: str) -> str:
    return f"{table.lower()}-a"


def is_set_up(folder: DataFolder) -> bool:
    """Whether the last thing is there; what was cut short goes on where it stopped."""
    return (folder.agent(agent_of(PLAYED[-1])) / IDENTITY).exists()
