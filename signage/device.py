"""The gateway as a device of the house: it signs what it asks as a table agent does."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder
from meter_server.contract.device.link import Json, Link
from meter_server.contract.displays import Batch, Roster
from meter_server.contract.frames import Floor
from signage.gateway.sources import Unreached

ASK_SECONDS_MAX = 3

Answer = TypeVar("Answer", bound=BaseModel)


def link_of(folder: Folder) -> Link:
    """Who we are is read anew, so that enrolling needs no restart."""
    identity = folder.identity()
    return Link(identity, folder.private_key(identity.key), ASK_SECONDS_MAX)


def fetch_floor(folder: Folder) -> Floor:
    """The floor from the server itself."""
    return _asked(Floor, lambda: link_of(folder).get("/v1/frames"))


def report(folder: Folder, batch: Batch) -> Roster:
    """What screens display; the answer says who they are."""
    body = batch.model_dump(mode="json")
    return _asked(Roster, lambda: link_of(folder).post("/v1/displays", body))


def _asked(kind: type[Answer], ask: Callable[[], Json]) -> Answer:
    try:
        return kind.model_validate(ask())
    except DeviceError as error:
        raise Unreached(str(error)) from None
    except ValidationError as error:
        raise Unreached(f"The server answers in another form ({error}).") from None
