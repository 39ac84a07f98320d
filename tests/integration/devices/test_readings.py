"""How an installation reads the rules goes from its settings into what it records."""

import json
from pathlib import Path

import psycopg

from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.office import office
from tests.integration.programs import Environment


def test_the_settings_reach_a_settlement(env: Environment, log: Path, tmp_path: Path) -> None:
    chosen = {"METER_SERVER_SPLIT_BASIS": "printed", "METER_SERVER_PAYABLE_UNIT_DOLLARS": "0.25"}
    with office({**env, **chosen}, log) as opened:
        table = open_table(opened)
        _, cost = open_system(opened, [table])
        agent = Agent.enrolled(opened, tmp_path / "agent", unique("t"), table)
        agent.sign_on()
        played = agent.next_round()
        agent.do("register-wagers", round=played, table=table, seats=[1, 2], cost_cents=cost)
        hand = {"seat": 1, "hand": None, "cards": "9s Ks", "folded": False}
        agent.do("record-outcome", round=played, hands=[hand], shared_cards="Ts Js Qs", case=None)
        with psycopg.connect(env["DATABASE_URL"]) as connection:
            [(body,)] = connection.execute(
                "SELECT body FROM entry WHERE kind = 'settlement'"
            ).fetchall()
            [(prize,)] = connection.execute(
                "SELECT before_micros - after_micros FROM entry WHERE kind = 'prize'"
            ).fetchall()
    assert json.loads(body)["readings"] == "split=printed;unit=0.25"
    # The seed x cost and two contributions, up to a dollar; 10 % of that, up to a quarter.
    j_dollars = -(-(10_000 * cost * 10_000 + 2 * cost * 3406) // 1_000_000)
    assert prize == -(-j_dollars * 100_000 // 250_000) * 250_000
