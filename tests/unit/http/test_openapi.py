"""The document that is checked in is the one the code writes."""

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from meter_server.health.findings import Health
from meter_server.http.app import FAMILIES, OPENAPI, create_app
from tests.unit.http import nowhere

FILE = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_file_is_what_the_code_says() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == OPENAPI, (
        "Run 'meter-server openapi --write docs/openapi.json' and look at the difference."
    )


@pytest.fixture
def client() -> FlaskClient:
    def unused() -> Health:
        raise AssertionError

    return create_app(unused, "1.2.3", nowhere.parts()).test_client()


def test_the_server_serves_it(client: FlaskClient) -> None:
    assert client.get("/v1/openapi.json").get_json() == OPENAPI


@pytest.mark.parametrize("path", OPENAPI["paths"])
def test_a_path_allows_the_methods_it_documents_and_no_others(
    client: FlaskClient, path: str
) -> None:
    """Where a name has slashes, what stands under it is not another such name."""
    at = path.replace("{prize_id}", "t07-a/2/118/3").replace("{round_id}", "t07-a/2/118")
    allowed = client.options(re.sub(r"{\w+}", "main-floor", at)).allow
    assert {method.lower() for method in allowed} - {"head", "options"} == set(
        OPENAPI["paths"][path]
    )


def test_every_operation_is_guarded_unless_it_is_the_way_in() -> None:
    """Deny by default: whoever adds an endpoint without a guard must add it here too."""
    way_in = {"session.sign_in", "session.accept_invitation", "devices.enrol"}
    open_to_all = {
        endpoint.name
        for family in FAMILIES
        for endpoint in family.endpoints
        if not endpoint.guard.security
    }
    assert open_to_all <= way_in
    assert open_to_all
