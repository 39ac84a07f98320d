"""Whatever an enrolled device signs, the answer is one that the document tells of, and no 5xx."""

from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import positive_data_acceptance

from meter_server.contract import signatures
from meter_server.http.app import OPENAPI
from tests.counts import count
from tests.integration.devices.floor import Agent, open_table, unique
from tests.integration.office import Office


def _is_signed(operation: dict[str, Any]) -> bool:
    return bool(operation["security"] == [{"signature": []}])


def _of_devices() -> dict[str, Any]:
    """The operations that are signed, without the headers by which they are: those are ours."""
    document = deepcopy(OPENAPI)
    signed = {
        path: operations
        for path, operations in document["paths"].items()
        if any(map(_is_signed, operations.values()))
    }
    for operations in signed.values():
        for operation in operations.values():
            operation["security"] = []
            operation["parameters"] = [
                one for one in operation["parameters"] if one["in"] != "header"
            ]
    return {**document, "paths": signed}


OF_PEOPLE = {
    f"{method.upper()} {path}"
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
    if not _is_signed(operation)
}
document = schemathesis.openapi.from_dict(_of_devices())
# What is too long is refused before anybody counts what is in it.
document.config.checks.negative_data_rejection.expected_statuses += ["413"]
schema = document.exclude(lambda context: context.operation.label in OF_PEOPLE)


@pytest.fixture(scope="module")
def agent(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Agent:
    folder: Path = tmp_path_factory.mktemp("agent")
    return Agent.enrolled(office, folder, unique("t"), open_table(office))


@schema.parametrize()
@settings(
    max_examples=count(reduced=10, full=200),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_to_a_device_is_documented(
    case: Case[Any], office: Office, agent: Agent
) -> None:
    if isinstance(case.body, dict) and "messages" in case.body:
        # What is said in another device's name is refused before it is looked at.
        case.body |= {"device": agent.identity.device, "epoch": agent.identity.epoch}
    base_url = f"http://127.0.0.1:{office.port}"
    request = requests.Request(**case.as_transport_kwargs(base_url=base_url)).prepare()
    target = urlsplit(request.url or "")
    body = request.body or b""
    assert isinstance(body, bytes)
    request.headers.update(
        signatures.signature_headers(
            agent.folder.private_key(agent.identity.key),
            request.method or "",
            target.path,
            body,
            datetime.now(UTC),
            target.query,
        )
    )
    with requests.Session() as session:
        response = session.send(request, timeout=20)
    if "%" not in target.path:  # a path of ours has no such letters: another one may be signed
        assert "not-signed" not in response.text  # else all of this would prove little
    case.validate_response(response, excluded_checks=[positive_data_acceptance])
