"""How the gateway on this machine is doing, as the command line tells it."""

from dataclasses import asdict, dataclass
from math import inf, isfinite
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder
from signage.gateway.hub import STALE_SECONDS
from signage.settings import PROGRAM, Settings

ASK_SECONDS_MAX = 3


@dataclass(frozen=True, slots=True)
class Look:
    gateway: str
    epoch: int
    server: str
    screens: int | None
    """None where nothing serves here."""
    stale_screens: int | None
    frame_age_seconds: float | None
    """None where no values have come yet."""

    @property
    def fresh(self) -> bool:
        return self.frame_age_seconds is not None and self.frame_age_seconds <= STALE_SECONDS

    @property
    def told(self) -> dict[str, Any]:
        return {**asdict(self), "fresh": self.fresh}

    @property
    def sentence(self) -> str:
        who = f"Gateway {self.gateway}, epoch {self.epoch}, of {self.server}."
        if self.screens is None:
            return f"{who}\nNothing serves screens here: use 'signage serve'."
        if self.frame_age_seconds is None or not self.fresh:
            return f"{who}\nScreens: {self.screens}. No fresh values for them: see the log."
        return (
            f"{who}\nScreens: {self.screens}, not current: {self.stale_screens}. "
            f"Values {self.frame_age_seconds:.1f} s old."
        )


def look(settings: Settings) -> Look:
    """Raises DeviceError where this gateway is not enrolled."""
    identity = Folder(settings.folder, PROGRAM).identity()
    found = _metrics(settings)
    age = found.get("signage_frame_age_seconds", inf)
    screens, stale = found.get("signage_screens"), found.get("signage_stale_screens")
    return Look(
        gateway=identity.device,
        epoch=identity.epoch,
        server=identity.server,
        screens=None if screens is None else int(screens),
        stale_screens=None if stale is None else int(stale),
        frame_age_seconds=age if isfinite(age) else None,
    )


def _metrics(settings: Settings) -> dict[str, float]:
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104
    address = f"http://{host}:{settings.port}/metrics"
    try:
        with urlopen(address, timeout=ASK_SECONDS_MAX) as answer:
            text = answer.read().decode()
        return {
            sample.name: sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
    except (URLError, OSError):
        return {}
    except ValueError:
        raise DeviceError(f"What answers at {address} is no gateway.") from None
