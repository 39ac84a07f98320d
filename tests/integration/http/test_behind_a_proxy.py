"""Behind a proxy that the installation has named, the trail shows whom the proxy saw."""

from pathlib import Path

import psycopg
import pytest

from tests.integration.inside import office_inside
from tests.integration.office import PASSWORD, ROLES


@pytest.mark.parametrize(
    ("proxies", "address"), [("127.0.0.0/8", "198.51.100.7"), ("10.0.0.5", "127.0.0.1")]
)
def test_the_trail_names_the_caller_and_not_the_proxy(
    database_url: str, redis_url: str, tmp_path: Path, proxies: str, address: str
) -> None:
    with office_inside(database_url, redis_url, tmp_path, proxies) as office:
        begun = office.nobody().post(
            "/v1/session",
            {"number": ROLES["dealer"], "password": PASSWORD, "bearer": True},
            X_Forwarded_For="192.0.2.66, 198.51.100.7",
        )
        assert begun.status == 201, begun.text
        with psycopg.connect(database_url) as connection:
            seen = connection.execute(
                "SELECT address FROM audit_trail WHERE tag = 'office:session:sign-in'"
                " UNION SELECT address FROM session"
            ).fetchall()
    assert seen == [(address,)]
