"""Whatever anybody sends, the answer is one that the OpenAPI document tells of, and never a 5xx."""

from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from redis import Redis as Counters
from schemathesis import Case
from schemathesis.checks import ignored_auth, positive_data_acceptance
from schemathesis.core.failures import FailureGroup

from deploy.demo.postgres import Postgres
from deploy.demo.redis import Redis
from meter_server.http.app import OPENAPI
from tests.counts import FULL, count
from tests.integration.office import Client, Office

schema = schemathesis.openapi.from_dict(OPENAPI)
MANAGER = "assistant-casino-manager"


@pytest.fixture(scope="module")
def people(office: Office) -> dict[str, Client]:
    """Signed in before random requests use up what one address may try."""
    return {role: office.of_role(role) for role in (MANAGER, "administrator", "dealer")}


@pytest.fixture(autouse=True)
def counted_afresh(engines: tuple[Postgres, Redis]) -> None:
    """All together ask more than one person may in a minute, and 429 tells nothing else."""
    with Counters.from_url(engines[1].url) as counters:
        counters.flushall()


@schema.parametrize()
@settings(
    max_examples=count(reduced=3, full=40),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("role", [MANAGER, "administrator"] if FULL else [MANAGER])
def test_every_answer_is_documented(
    case: Case[Any], office: Office, people: dict[str, Client], role: str
) -> None:
    signs_out = case.operation.definition.raw.get("operationId") == "session.sign_out"
    person = people["dealer" if signs_out else role]  # the others must stay signed in
    case.call_and_validate(
        base_url=f"http://127.0.0.1:{office.port}",
        headers={"Authorization": f"Bearer {person.token}"},
        # Data that fits the types may still be refused: by the rules, or because it names nobody.
        # An invented cookie is not looked at where there is a bearer token.
        excluded_checks=[positive_data_acceptance, ignored_auth],
    )


def test_an_answer_that_is_not_documented_would_be_found(
    office: Office, people: dict[str, Client]
) -> None:
    silent = deepcopy(OPENAPI)
    del silent["paths"]["/v1/tables/{table_id}"]["get"]["responses"]["404"]
    operation = schemathesis.openapi.from_dict(silent)["/v1/tables/{table_id}"]["GET"]
    case = operation.Case(path_parameters={"table_id": "nowhere"})
    with pytest.raises(FailureGroup, match="404"):
        case.call_and_validate(
            base_url=f"http://127.0.0.1:{office.port}",
            headers={"Authorization": f"Bearer {people[MANAGER].token}"},
        )
