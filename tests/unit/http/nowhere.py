"""The real parts, joined as for a server, with engines at addresses where nobody listens."""

from meter_server import bootstrap
from meter_server.http.api.parts import Parts
from meter_server.settings import Settings


def parts() -> Parts:
    settings = Settings.model_validate(
        {"DATABASE_URL": "postgresql://127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"}
    )
    return bootstrap.web_parts(settings, bootstrap.database(settings))
