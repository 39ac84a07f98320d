"""Whatever a superuser changes in the live database shows in the export, and where."""

from collections.abc import Callable
from random import Random

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from deploy.demo.postgres import SUPERUSER, Postgres
from deploy.demo.redis import Redis
from tests.integration.verify.exports import exported, sentences, verified
from tests.integration.verify.live_tampers import TAMPERS, Changed, undone
from tests.integration.verify.lived import Lived
from tests.integration.verify.located import require_found
from tests.integration.verify.tried import DATABASE as CHANGED
from tests.integration.verify.tried import Tried


@pytest.fixture
def superuser(lived: Lived, engines: tuple[Postgres, Redis]) -> psycopg.Connection:
    name = conninfo_to_dict(lived.database_url)["dbname"]
    return psycopg.connect(engines[0].url(SUPERUSER, str(name)))


def test_every_change_to_the_live_database_is_found_and_located(
    lived: Lived,
    superuser: psycopg.Connection,
    tried: Tried,
    record_property: Callable[[str, object], None],
) -> None:
    with superuser:
        for number in range(CHANGED):
            random = Random(number)  # noqa: S311
            with undone(superuser):
                tamper = random.choice(TAMPERS)
                changed = tamper(superuser, random)
                lines = exported(superuser, lived.key.name)
            found = verified(lines, (lived.key,), lived.checkpoints, lived.receipts).findings
            require_found(found, changed.what, changed.at, number)
            tried["the live database", tamper.__name__] += 1
    record_property("changes to the live database by a superuser, each found", CHANGED)


def test_without_triggers_and_constraints_alone_nothing_is_found(
    lived: Lived, superuser: psycopg.Connection
) -> None:
    """What is found above is the change, not the way of making it."""
    with superuser, undone(superuser):
        lines = exported(superuser, lived.key.name)
    found = verified(lines, (lived.key,), lived.checkpoints, lived.receipts).findings
    assert sentences(found) == []
    with pytest.raises(AssertionError, match="not found"):
        require_found(found, Changed("nothing", frozenset()).what, frozenset(), 0)
