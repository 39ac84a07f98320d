"""What a look at the system finds, for people and programs."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from meter_server.storage.heartbeats import Heartbeat


class Part(StrEnum):
    """What can fail by itself. The values are published."""

    DATABASE = "Database"
    SCHEMA = "Schema"
    REDIS = "Redis"
    WORKER = "Worker"


# PostgreSQL holds everything that matters; without Redis or a worker the tables are still served.
NEEDED_TO_SERVE = {Part.DATABASE, Part.SCHEMA}


class State(StrEnum):
    """How one part is. The values are published."""

    WORKING = "working"
    FAILING = "failing"
    UNKNOWN = "unknown"


class Overall(StrEnum):
    """What that means for the casino. The values are published."""

    READY = "ready"
    DEGRADED = "degraded"
    NOT_READY = "not ready"


@dataclass(frozen=True)
class Finding:
    """One part, how it is, and a sentence that says so and what to do."""

    part: Part
    state: State
    sentence: str
    detail: str | None = None
    """Addresses and error texts: for the log and the machine's own people, not for whoever asks."""


@dataclass(frozen=True)
class Health:
    """All findings of one look."""

    findings: tuple[Finding, ...]
    heartbeat: Heartbeat | None

    @property
    def overall(self) -> Overall:
        """Weigh the findings."""
        if any(finding.part in NEEDED_TO_SERVE for finding in self._troubles):
            return Overall.NOT_READY
        return Overall.DEGRADED if self._troubles else Overall.READY

    @property
    def reason(self) -> str | None:
        """Say the first trouble, if there is one."""
        return next((finding.sentence for finding in self._troubles), None)

    def published(self, version: str) -> dict[str, Any]:
        """Give the findings in the form that programs read."""
        return {
            "status": self.overall,
            "reason": self.reason,
            "version": version,
            "parts": [
                {"part": finding.part, "state": finding.state, "sentence": finding.sentence}
                for finding in self.findings
            ],
        }

    @property
    def _troubles(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.state is not State.WORKING]
