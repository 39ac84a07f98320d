"""The document that is checked in is the one the code writes."""

import json
from pathlib import Path

from meter_server.http.app import FAMILIES, OPENAPI, create_app
from tests.unit.http import nowhere

FILE = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_file_is_what_the_code_says() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == OPENAPI, (
        "Run 'meter-server openapi --write docs/openapi.json' and look at the difference."
    )


def test_the_server_serves_it() -> None:
    def unused() -> None:
        raise AssertionError

    client = create_app(unused, "1.2.3", nowhere.parts()).test_client()  # type: ignore[arg-type]
    assert client.get("/v1/openapi.json").get_json() == OPENAPI


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
