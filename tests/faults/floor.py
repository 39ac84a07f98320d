"""The floor of a campaign: many tables on one meter, others on several, an agent at each."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import laying_out
from tests.faults import playing
from tests.faults.agents import Agent, Habits
from tests.integration.programs import Environment, free_port, migrate

_HOT_SHARE = 0.6
"""Of the tables, on one meter."""
_OTHER_METERS = ("warm", "mild", "cool")


@dataclass(frozen=True)
class Floor:
    agents: Sequence[Agent]
    ports: Sequence[int]
    environment: Environment
    """With which its servers are started: the same database, the same signing key."""
    verifier_key: str


def open_floor(
    env: Environment, folder: Path, tables: int, seed: int, habits: Habits | None = None
) -> Floor:
    migrate(env)
    environment, verifier_key = laying_out.with_signing_key(env, folder)
    chance = random.Random(seed)  # noqa: S311 - a run that can be had again
    ports = [free_port(), free_port()]
    devices = laying_out.lay_out(env["DATABASE_URL"], _tables_of(tables))
    agents = [
        _agent(device, place, ports, random.Random(chance.random()), habits or Habits())  # noqa: S311
        for place, device in enumerate(devices)
    ]
    return Floor(agents, ports, environment, verifier_key)


def _tables_of(tables: int) -> dict[str, int]:
    hot = round(tables * _HOT_SHARE)
    others = {
        meter: len(range(place, tables - hot, len(_OTHER_METERS)))
        for place, meter in enumerate(_OTHER_METERS)
    }
    return {"hot": hot, **others}


def _agent(
    device: laying_out.Device, place: int, ports: Sequence[int], own: random.Random, habits: Habits
) -> Agent:
    began = f"{device.id}/{laying_out.EPOCH}"
    return Agent(
        device=device.id,
        epoch=laying_out.EPOCH,
        key=device.key,
        ports=ports,
        address=f"127.0.1.{place + 1}",
        commands=playing.commands(began, device.table, device.cost_cents, own),
        actor=laying_out.DEALER,
        chance=own,
        habits=habits,
    )
