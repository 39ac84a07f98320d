"""One server with its floor for all tests of a module, and gateways beside it."""

from tests.integration.http.conftest import office as office
