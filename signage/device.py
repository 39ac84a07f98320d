"""The gateway as a device of the house: it signs what it asks as a table agent does."""

from pydantic import ValidationError

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder
from meter_server.contract.device.link import Link
from meter_server.contract.frames import Floor
from signage.gateway.sources import Unreached

ASK_SECONDS_MAX = 3


def link_of(folder: Folder) -> Link:
    """Who we are is read anew, so that enrolling needs no restart."""
    identity = folder.identity()
    return Link(identity, folder.private_key(identity.key), ASK_SECONDS_MAX)


def fetch_floor(folder: Folder) -> Floor:
    """The floor from the server itself."""
    try:
        return Floor.model_validate(link_of(folder).get("/v1/frames"))
    except DeviceError as error:
        raise Unreached(str(error)) from None
    except ValidationError as error:
        raise Unreached(f"The server's frames are in another form ({error}).") from None
