"""A message that nobody could record is sent again, and recorded once."""

from pathlib import Path

import pytest

from meter_server.contract.device.errors import Refused
from tests.integration.conftest import Breakable
from tests.integration.devices.floor import Agent, gates, open_table, unique
from tests.integration.office import office as open_office


def test_without_the_database_a_device_is_told_to_send_it_again(
    breakable: Breakable, log: Path, tmp_path: Path
) -> None:
    with open_office(breakable.env, log) as office:
        agent = Agent.enrolled(office, tmp_path / "agent", unique("t"), open_table(office))
        agent.sign_on()
        sent = gates(1, agent.identity.table)
        breakable.postgres.stop()
        with pytest.raises(Refused, match="try again in 2 seconds") as refused:
            agent.link.send([sent])
        breakable.postgres.start()
        [answered] = agent.link.send([sent])
        [again] = agent.link.send([sent])
    assert refused.value.status == 503
    assert (answered.replayed, again.replayed) == (False, True)
