"""What the findings mean together."""

import pytest

from meter_server.health.findings import Finding, Health, Overall, Part, State


@pytest.mark.parametrize(
    ("troubled", "overall"),
    [
        (None, Overall.READY),
        (Part.DATABASE, Overall.NOT_READY),
        (Part.SCHEMA, Overall.NOT_READY),
        (Part.REDIS, Overall.DEGRADED),
        (Part.WORKER, Overall.DEGRADED),
    ],
)
@pytest.mark.parametrize("state", [State.FAILING, State.UNKNOWN])
def test_one_trouble(troubled: Part | None, state: State, overall: Overall) -> None:
    health = Health(
        tuple(
            Finding(part, state if part is troubled else State.WORKING, f"About {part}.")
            for part in Part
        ),
        heartbeat=None,
    )
    assert health.overall is overall
    assert health.reason == (f"About {troubled}." if troubled else None)
