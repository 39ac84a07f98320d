"""Engines that a campaign may break."""

from tests.integration.conftest import breakable as breakable
from tests.integration.conftest import env as env
