"""Whatever anybody sends, the answer is one that the OpenAPI document tells of, and never a 5xx."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import ignored_auth, positive_data_acceptance

from meter_server.http.app import OPENAPI
from tests.counts import count
from tests.integration.office import ROLES, Office

schema = schemathesis.openapi.from_dict(OPENAPI)


@schema.parametrize()
@settings(
    max_examples=count(reduced=5, full=500),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("role", ["assistant-casino-manager", "administrator"])
def test_every_answer_is_documented(case: Case[Any], office: Office, role: str) -> None:
    person = office.person(ROLES[role])
    if case.operation.definition.raw.get("operationId") == "session.sign_out":
        person = office.of_role("dealer")  # the others must stay signed in
    case.call_and_validate(
        base_url=f"http://127.0.0.1:{office.port}",
        headers={"Authorization": f"Bearer {person.token}"},
        # Data that fits the types may still be refused: by the rules, or because it names nobody.
        # An invented cookie is not looked at where there is a bearer token.
        excluded_checks=[positive_data_acceptance, ignored_auth],
    )
