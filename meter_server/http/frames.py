"""The floor for gateways that have no Redis just now; the same frames go to Redis."""

from meter_server.contract import frames
from meter_server.domain.rulebook.readings import Readings
from meter_server.http.api.endpoints import Family
from meter_server.http.api.signed import GATEWAY, Machine
from meter_server.reading import shown
from meter_server.reading.shown import Failing
from meter_server.storage.database import Database

family = Family("frames", "What signs show")


@family.get("/v1/frames", GATEWAY, "The floor as signs show it, for a gateway without Redis.")
def show(caller: Machine) -> frames.Floor:
    return caller.parts.feed.read()


def floor(
    database: Database, readings: Readings, failing: Failing, *, amounts_at_once: bool
) -> frames.Floor:
    """What a frame tells, from one read."""
    found = shown.floor(database, readings, failing, amounts_at_once=amounts_at_once)
    return frames.Floor.model_validate(found)
