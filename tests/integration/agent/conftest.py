"""One server with its floor for all tests of a module; each test has a table of its own."""

from tests.integration.http.conftest import office as office
