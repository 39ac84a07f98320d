"""A busy floor: several agents and managers at once over HTTP, with everything that can go wrong.

One table works on paper and is keyed in meanwhile, another one is moved between the systems.
Whatever order they came in, the books hold, every dollar of prizes is somebody's, and the offline
verifier accepts the export.
"""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg

from tests.counts import count
from tests.independent.transcription import CASES
from tests.integration.devices.floor import open_table
from tests.integration.office import PIN, ROLES, Answer, Client, Office
from tests.integration.rulings.signs import act, confirm, draft, twenty_minutes_pass
from tests.integration.rulings.tables import MANAGER, Played, hand
from tests.integration.rulings.test_irregularities import action_of
from tests.integration.rulings.test_races import journals_hold
from tests.integration.verify.exports import exported, sentences, verified
from tests.rules import rule

STEPS = count(reduced=12, full=150)
PAPER_ROUNDS = count(reduced=3, full=30)
MOVES = count(reduced=2, full=20)
PAPER_AT = "2026-03-02T08:30:00.000000Z"
MANAGERS = 3
SUPERVISOR = ROLES[MANAGER]
OUTCOMES = {
    "wsop": [("As Ks", "Ts Js Qs"), ("9h 8h", "7h 6h 5h"), ("2c 7d", "9s Jh 4c")],
    "ultimate": [("As Ks", "Ts Js Qs"), ("9h 8h", "7h 6h 5h"), ("2c 7d", "9s Jh 4c")],
    "three-card": [("As Ks Qs", "Ts Js"), ("9h 8h 7h", "6h 5h"), ("2c 7d 9s", "Jh 4c")],
}


def _play(played: Played, dice: random.Random) -> None:
    """A table's day: rounds, wins and irregularities; a refusal is an answer like any other."""
    for _ in range(STEPS):
        round_id = played.agent.next_round()
        seats = sorted(dice.sample(range(1, 8), dice.randint(1, 5)))
        begun = played.agent.do(
            "register-wagers",
            round=round_id,
            table=played.table,
            seats=seats,
            cost_cents=played.cost,
        ).answer
        if begun["answer"] == "refused":
            continue
        if dice.random() < 0.5:
            _something_goes_wrong(played, dice, seats)
        own, shared = dice.choices(OUTCOMES[played.game], weights=[1, 2, 5])[0]
        played.agent.do(
            "record-outcome",
            round=round_id,
            hands=[hand(seats[0], cards=own)],
            shared_cards=shared,
            case=None,
        )


def _something_goes_wrong(played: Played, dice: random.Random, seats: list[int]) -> None:
    case = dice.choice([case for case, games in CASES.items() if played.game in games])
    grant = played.agent.authorise(action_of(case, played.game), SUPERVISOR)
    played.declare(case, *dice.sample(seats, 1), joining=[], grant=grant)


def _manage(person: Client, second: Client, dice: random.Random) -> None:
    """A manager's day: prizes and corrections, whichever they come upon."""
    for _ in range(STEPS):
        prizes = person.get("/v1/prizes?limit=200").json()["items"]
        if not prizes:
            continue
        dice.choice(_DEEDS)(person, second, dice.choice(prizes))


def _heard(answer: Answer) -> None:
    """Done, or refused in a sentence with its kind: nobody is left without an answer."""
    assert answer.status < 500, answer.text
    if answer.status >= 400:
        assert answer.json()["kind"], answer.text


def _determine(person: Client, _second: Client, prize: dict[str, Any]) -> None:
    seen = {"amount_cents": prize["amount_cents"], "meter_seq": prize["meter_seq"], "pin": PIN}
    _heard(person.command(f"/v1/prizes/{prize['prize']}/determination", seen))


def _withhold(person: Client, _second: Client, prize: dict[str, Any]) -> None:
    _heard(person.command(f"/v1/prizes/{prize['prize']}/withholding", {"reason": "a suspicion"}))


def _pay(person: Client, _second: Client, prize: dict[str, Any]) -> None:
    winner = {"name": "A Winner", "identified_by": "passport", "contact": None}
    _heard(person.post(f"/v1/prizes/{prize['prize']}/winner", winner))
    payment = {"method": "cheque", "reference": "1"}
    _heard(person.command(f"/v1/prizes/{prize['prize']}/payment", payment))


def _void(person: Client, second: Client, prize: dict[str, Any]) -> None:
    body = {"reason": "a ruling", "invalidated": None}
    _heard(person.confirmed_by(second, f"/v1/rounds/{prize['round']}/voids", body))


def _correct(person: Client, second: Client, prize: dict[str, Any]) -> None:
    body = {"hands": [], "shared_cards": "", "admitted": [], "reason": "the camera"}
    _heard(person.confirmed_by(second, f"/v1/rounds/{prize['round']}/corrections", body))


def _top_up_the_meter(person: Client, second: Client, prize: dict[str, Any]) -> None:
    body = {"amount_cents": 12_345, "reason": "a birthday"}
    _heard(person.confirmed_by(second, f"/v1/systems/{prize['system']}/top-ups", body))


def _top_up_the_prize(person: Client, second: Client, prize: dict[str, Any]) -> None:
    """After whichever round of the meter was put right."""
    others = person.get(f"/v1/prizes?system={prize['system']}&state=voided").json()["items"]
    for other in others[-1:]:
        body = {"corrected_round": other["round"]}
        _heard(person.confirmed_by(second, f"/v1/prizes/{prize['prize']}/top-ups", body))


def _decide(person: Client, _second: Client, prize: dict[str, Any]) -> None:
    rounds = [prize["round"], *prize["contested_with"]]
    _heard(person.command("/v1/orders", {"rounds": rounds, "reason": "camera 12"}))


_DEEDS: list[Callable[[Client, Client, dict[str, Any]], None]] = [
    _determine,
    _determine,
    _pay,
    _withhold,
    _void,
    _correct,
    _decide,
    _top_up_the_meter,
    _top_up_the_prize,
]


def _work_on_paper(played: Played, dice: random.Random) -> None:
    """A table whose link is down: two persons key its paper in while the others play."""
    office, path = played.office, f"/v1/tables/{played.table}/manual"
    clerk, area_manager = office.of_role("higher-duties"), office.of_role("area-manager")
    assert area_manager.command(path, {"reason": "the link is down"}).status == 200
    wagers = 0
    for line in range(1, PAPER_ROUNDS + 1):
        seats = dice.sample(range(1, 8), dice.randint(1, 5))
        wagers += len(seats)
        on_paper = {"paper": f"sheet 1, line {line}", "at": PAPER_AT}
        keyed = clerk.confirmed_by(
            area_manager,
            f"/v1/tables/{played.table}/paper",
            {"line": str(line), "seats": seats, "cost_cents": played.cost, **on_paper},
        )
        assert keyed.status == 200, keyed.text
        own, shared = dice.choice(OUTCOMES[played.game])
        hands = [hand(seats[0], cards=own)]
        keyed = clerk.confirmed_by(
            area_manager,
            f"/v1/rounds/paper/{played.table}/{line}/paper",
            {"hands": hands, "shared_cards": shared, "case": None, **on_paper},
        )
        assert keyed.status == 200, keyed.text
    counted = {"paper_rounds": PAPER_ROUNDS, "paper_wagers": wagers}
    assert area_manager.command(f"{path}/end", counted).status == 200
    [gap] = office.of_role("audit").get(f"/v1/manual?table={played.table}").json()["items"]
    assert gap["reconciled"], gap


def _move_a_table(office: Office, systems: list[str]) -> None:
    """Each move after its own notice; both meters are played for meanwhile."""
    table, one, two = open_table(office), *systems
    changes: list[dict[str, Any]] = [{"kind": "add-table", "system": one}]
    changes += [{"kind": "transfer-table", "system": to} for to in [two, one] * (MOVES // 2)]
    for change in [*changes, {"kind": "remove-table"}]:
        notice = draft(office, {**change, "table": table})
        assert confirm(office.of_role("area-manager"), notice, table).status == 200
        twenty_minutes_pass(office, notice)
        made = act(office.of_role(MANAGER), notice)
        assert made.status == 200, made.text
    assert office.of_role(MANAGER).get(f"/v1/tables/{table}").json()["system"] is None


@rule("MET-1", "MET-6", "AUD-2", "SET-4", "A-39", "A-57", "A-58", "SYS-7")
def test_a_busy_floor_leaves_books_that_an_auditor_accepts(office: Office, tmp_path: Path) -> None:
    seed = random.SystemRandom().getrandbits(32)
    print(f"random.Random({seed}) rolled these dice")
    dice = random.Random(seed)  # noqa: S311 - dice, not secrets
    tables = Played.group(office, tmp_path / "one", ["wsop", "three-card", "ultimate"])
    *more, without_link = Played.group(office, tmp_path / "two", ["three-card", "wsop", "wsop"])
    tables += more
    people = [office.of_role(MANAGER), office.colleague(MANAGER)]
    with ThreadPoolExecutor(len(tables) + MANAGERS + 2) as pool:
        days = [pool.submit(_play, played, random.Random(dice.random())) for played in tables]  # noqa: S311
        for turn in range(MANAGERS):
            person, second = people[turn % 2], people[1 - turn % 2]
            own = random.Random(dice.random())  # noqa: S311
            days.append(pool.submit(_manage, person, second, own))
        paper = random.Random(dice.random())  # noqa: S311
        days.append(pool.submit(_work_on_paper, without_link, paper))
        systems = [tables[0].system, without_link.system]
        days.append(pool.submit(_move_a_table, office, systems))
        for day in days:
            day.result()

    journals_hold(office)
    with psycopg.connect(office.database_url) as connection:
        apart = connection.execute(
            "SELECT meter.id FROM meter"
            " WHERE coalesce((SELECT sum((line ->> 1)::bigint) FROM entry,"
            " jsonb_array_elements(convert_from(body, 'UTF8')::jsonb -> 'lines') AS line"
            " WHERE entry.meter_id = meter.id AND line ->> 0 = 'prizes'), 0)"
            " <> coalesce((SELECT sum((body ->> 'amount_micros')::bigint) FROM award"
            " WHERE award.meter_id = meter.id AND state <> 'voided'), 0)"
        ).fetchall()
        assert apart == []
        below = connection.execute(
            "SELECT id FROM meter WHERE value_micros < seed_dollars::bigint * cost_cents * 10000"
        ).fetchall()
        assert below == []
        export = exported(connection)
    verifier = verified(export)
    assert sentences(verifier.findings) == []
