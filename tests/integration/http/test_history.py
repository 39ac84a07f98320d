"""The meter as at any moment, and every settlement's statement, for those who may read them."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from meter_server.storage.queries import queries
from table_agent.link import Answered
from tests.integration.devices.floor import Agent, open_system, open_table, unique
from tests.integration.office import PASSWORD, ROLES, Office
from tests.integration.programs import environment, run
from tests.integration.rulings import tables as rulings

SEED_MICROS = 10_000 * 10_000
"""For each cent of the cost."""


class Played:
    """A round of two wagers with a royal flush, on a meter of its own."""

    def __init__(self, office: Office, folder: Path) -> None:
        self.table = open_table(office)
        self.system, self.cost = open_system(office, [self.table])
        self.agent = Agent.enrolled(office, folder, unique("t"), self.table)
        self.agent.sign_on()
        self.round = self.agent.next_round()
        self.credit = self.register(self.round)
        hands = [{"seat": 1, "hand": None, "cards": "As Ks", "folded": False}]
        told = {"hands": hands, "shared_cards": "Ts Js Qs", "case": None}
        self.outcome = self.agent.do("record-outcome", round=self.round, **told)

    def register(self, round_id: str) -> Answered:
        wagers = {"table": self.table, "seats": [1, 2], "cost_cents": self.cost}
        return self.agent.do("register-wagers", round=round_id, **wagers)

    @property
    def seed(self) -> int:
        return SEED_MICROS * self.cost

    @property
    def meter(self) -> int:
        """m: the seed, and two wagers at 34.06 %."""
        return self.seed + 2 * self.cost * 3406


@pytest.fixture(scope="module")
def played(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(office, tmp_path_factory.mktemp("agent"))


def _read(office: Office, played: Played, query: str, role: str = "area-manager") -> Any:
    return office.of_role(role).get(f"/v1/systems/{played.system}/reading?{query}")


@pytest.mark.rule("WAG-3", "AUD-1")
def test_the_meter_is_read_as_at_each_entry(office: Office, played: Played) -> None:
    j = -(-played.meter // 1_000_000) * 1_000_000
    values = [played.seed, played.meter, played.meter, played.meter - j, played.seed]
    kinds = ["opening", "credit", "settlement", "prize", "reset"]
    found = [_read(office, played, f"seq={seq}").json() for seq in range(1, 6)]
    assert [one["value_micros"] for one in found] == values
    assert [one["kind"] for one in found] == kinds
    assert [one["seq"] for one in found] == [1, 2, 3, 4, 5]
    assert found[1]["value_cents"] == played.meter // 10_000


@pytest.mark.rule("WAG-3", "AUD-1")
def test_the_meter_is_read_as_at_the_time_for_settlement(office: Office, played: Played) -> None:
    found = _read(office, played, f"round={played.round}").json()
    assert (found["value_micros"], found["seq"], found["kind"]) == (played.meter, 3, "settlement")
    assert (found["round"], found["table"]) == (played.round, played.table)


def test_the_meter_is_read_as_at_an_instant(office: Office, played: Played) -> None:
    """What was recorded at that very microsecond counts; a microsecond before, it does not."""
    at = datetime.fromisoformat(played.credit.answer["at"])
    before = (at - timedelta(microseconds=1)).isoformat().replace("+00:00", "Z")
    assert _read(office, played, f"at={played.credit.answer['at']}").json()["seq"] == 2
    assert _read(office, played, f"at={before}").json()["seq"] == 1
    settled = _read(office, played, f"at={played.outcome.answer['at']}").json()
    assert (settled["seq"], settled["value_micros"]) == (5, played.seed)


def test_a_moment_that_has_not_come_is_not_read(office: Office, played: Played) -> None:
    """What will be recorded by then, nobody knows: a figure would be false evidence."""
    for at in ("2099-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"):
        asked = _read(office, played, f"at={at}")
        assert asked.status == 422, asked.text
        told = asked.json()["detail"]
        assert told.startswith("That moment has not come yet: the server's time is 20")
        assert told.endswith("Z. Ask for one that has passed.")


@pytest.mark.rule("AUD-1")
def test_the_worked_statement_is_read_as_it_was_recorded(office: Office, played: Played) -> None:
    found = office.of_role("inspector").get(f"/v1/settlements?round={played.round}").json()
    [settlement] = [e for e in played.outcome.answer["entries"] if e["kind"] == "settlement"]
    assert found["statement"] == settlement["detail"]["statement"]
    assert found["at"] == played.outcome.answer["at"]
    worked = found["statement"]
    assert (worked["meter"], worked["r"]) == (played.meter, played.seed)
    assert worked["j"] == worked["paid"] == -(-played.meter // 1_000_000) * 1_000_000
    assert found["outcome"]["hands"] == [[1, "royal-flush"]]


@pytest.mark.parametrize("role", sorted(ROLES))
def test_only_an_area_manager_or_above_and_the_readers_may(
    office: Office, played: Played, role: str
) -> None:
    """WSOP 9.5.3: an Area Manager (or above); audit, compliance and inspectors look after us."""
    may = {"area-manager", "assistant-casino-manager", "audit", "compliance", "inspector"}
    for path in (
        f"/v1/systems/{played.system}/reading?seq=1",
        f"/v1/settlements?round={played.round}",
    ):
        asked = office.of_role(role).get(path)
        assert asked.status == (200 if role in may else 403), asked.text
    assert office.nobody().get(f"/v1/settlements?round={played.round}").status == 401


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ("", 422, "name the moment by one of at, seq and round"),
        ("seq=1&round=a/1/1", 422, "name the moment by one of at, seq and round"),
        ("seq=0", 422, "'seq'"),
        ("at=2027-03-01T02:10:00", 422, "give the instant with its offset"),
        ("at=1803867000", 422, "give the instant with its offset"),
        ("at=2027-02-30T02:10:00Z", 422, "'at'"),
        ("at=yesterday", 422, "'at'"),
        ("round=../x", 422, "'round'"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(
    office: Office, played: Played, query: str, status: int, sentence: str
) -> None:
    asked = _read(office, played, query)
    assert asked.status == status, asked.text
    assert sentence in asked.json()["detail"]


def _not_found(office: Office, played: Played, query: str) -> Any:
    asked = _read(office, played, query)
    assert asked.status == 404, asked.text
    return asked.json()["detail"]


def test_before_its_first_entry_a_meter_recorded_nothing(office: Office, played: Played) -> None:
    assert _not_found(office, played, "at=2001-01-01T00:00:00Z") == (
        f"The meter of {played.system} recorded nothing by then: it was opened later. Ask for a "
        "later moment, or for entry 1, which opened it."
    )


def test_beyond_the_last_entry_it_is_told_which_one_is_the_last(
    office: Office, played: Played
) -> None:
    assert _not_found(office, played, "seq=6") == (
        f"The meter of {played.system} has no entry 6: the last one is 5. Ask for that one or an "
        "earlier one."
    )


def test_a_system_that_nobody_opened_has_no_meter_to_read(office: Office, played: Played) -> None:
    path = "/v1/systems/nowhere/reading"
    for query in ("seq=1", "round=nobody/1/1", f"round={played.round}", "at=2001-01-01T00:00:00Z"):
        asked = office.of_role("area-manager").get(f"{path}?{query}")
        assert asked.status == 404, asked.text
        assert asked.json()["detail"] == "There is no system nowhere: see the list."


def test_a_round_that_nobody_played_is_told_as_that(office: Office, played: Played) -> None:
    assert _not_found(office, played, "round=nobody/1/1") == (
        "There is no round named nobody/1/1. Look up its name, or ask for an instant or an entry."
    )


def test_a_settlement_of_another_meter_is_not_this_meters(
    office: Office, played: Played, tmp_path: Path
) -> None:
    other = Played(office, tmp_path)
    assert _not_found(office, played, f"round={other.round}") == (
        f"The round {other.round} was played for the system {other.system}: read that one's meter."
    )


def test_a_round_without_a_settlement_has_no_time_for_it(office: Office, tmp_path: Path) -> None:
    played = Played(office, tmp_path)
    begun = played.agent.next_round()
    assert played.register(begun).answer["answer"] == "accepted"
    assert _not_found(office, played, f"round={begun}") == (
        f"The round {begun} has no time for settlement: it is registered. Ask for an instant or an "
        "entry."
    )


_LONG = """
    INSERT INTO entry SELECT
        %(meter)s, seq, 'credit', 0, 0, 0, 1, now() + seq * interval '1 second',
        'T', 'r/1/' || seq / 2, NULL, convert_to(seq::text, 'UTF8'), sha256('0'),
        sha256(sha256('0') || convert_to(seq::text, 'UTF8'))
    FROM generate_series(1000, 21000) AS seq
"""


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("entry_as_at", "entry_at"),
        ("entry_at_seq", "entry_pkey"),
        ("entry_of_settlement", "entry_round"),
    ],
)
def test_each_question_is_one_look_into_an_index(
    office: Office, played: Played, query: str, index: str
) -> None:
    """However long the journal is: no scan, no sorting. Here it has 20,000 entries more."""
    values = {"meter": played.system, "seq": 2000, "round": "r/1/2000", "at": datetime.now(UTC)}
    text = f"EXPLAIN (FORMAT JSON) {getattr(queries, query).sql}"
    with psycopg.connect(office.database_url) as connection:
        connection.execute(_LONG, {"meter": played.system})
        connection.execute("ANALYZE entry")
        [(plan,)] = connection.execute(text.encode(), values).fetchall()
        connection.rollback()
    told = json.dumps(plan)
    assert f'"Index Name": "{index}"' in told
    assert "Sort" not in told
    assert "Seq Scan" not in told


def test_a_person_reads_meter_and_statement_at_a_terminal(
    office: Office, played: Played, tmp_path: Path
) -> None:
    env = environment(office.database_url, "redis://unused", XDG_CONFIG_HOME=str(tmp_path))
    password = tmp_path / "password"
    password.write_text(PASSWORD)
    server = ("--server", f"http://127.0.0.1:{office.port}", "--password-file", str(password))
    signed_in = run(env, "login", ROLES["area-manager"], *server)
    assert signed_in.returncode == 0, signed_in.stderr

    read = run(env, "meter", "read", played.system, "--round", played.round)
    dollars = f"${played.meter // 1_000_000:,}.{played.meter % 1_000_000:06d}".rstrip("0")
    assert f"{played.system} stood at {dollars} after entry 3 (settlement)" in read.stdout
    told = run(env, "meter", "statement", played.round).stdout
    assert f"Round {played.round} at table {played.table}, entry 3 of {played.system}" in told
    assert "1 x royal-flush, each" in told
    assert "METER AFTERWARDS" in told
    as_json = json.loads(run(env, "meter", "statement", played.round, "--json").stdout)
    assert as_json["statement"]["meter"] == played.meter
    for wrong in (("read", played.system), ("read", played.system, "--seq", "1", "--at", "x")):
        refused = run(env, "meter", *wrong)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "Name the moment by one of --at, --seq and --round." in refused.stderr
    beyond = run(env, "meter", "read", played.system, "--seq", "999")
    assert "has no entry 999: the last one is 5. Ask for that one" in beyond.stderr
    unknown = run(env, "meter", "statement", "nobody/1/1")
    assert "No settlement of the round nobody/1/1 is recorded. Record its" in unknown.stderr
    unknown = run(env, "prize", "show", "NAME")
    assert unknown.stderr == "meter-server: There is no NAME here: see the list.\n"


@pytest.mark.rule("AUD-1", "IRR-3")
def test_what_people_ruled_is_listed_for_those_who_read_history(
    office: Office, tmp_path: Path
) -> None:
    played = rulings.Played.begin(office, tmp_path)
    held = played.register(1, 2)
    short = played.declare("subsequent-wager-short", 2, reason="two chips short")
    assert short["answer"] == "accepted"
    played.record(held)
    prize = played.straight_flush(3)
    manager = office.of_role("assistant-casino-manager")
    why = {"reason": "an inquiry"}
    assert manager.command(f"/v1/prizes/{prize}/withholding", why).status == 200
    assert rulings.determine(manager, prize).status == 200
    payment = {"method": "cheque", "reference": "77"}
    assert office.of_role("cage").command(f"/v1/prizes/{prize}/payment", payment).status == 200

    path = f"/v1/systems/{played.system}/rulings"
    listed = office.of_role("audit").get(path).json()["items"]
    dealer, manages = ROLES["dealer"], ROLES["assistant-casino-manager"]
    assert [(one["what"], one["actor"], one["round"] == held) for one in listed] == [
        ("carried", dealer, True),
        ("withheld", manages, False),
        ("determined", manages, False),
        ("paid", ROLES["cage"], False),
    ]
    assert listed[0]["detail"]["seats"] == [2]
    assert listed[0]["detail"]["reason"] == "two chips short"
    assert listed[3]["detail"]["reference"] == "77"

    first = office.of_role("inspector").get(f"{path}?limit=1").json()
    assert (first["items"], first["next"]) == (listed[:1], str(listed[0]["seq"]))
    rest = office.of_role("inspector").get(f"{path}?after={first['next']}").json()
    assert (rest["items"], rest["next"]) == (listed[1:], None)
    paid = office.of_role("compliance").get(f"{path}?what=paid").json()["items"]
    assert paid == listed[3:]
    assert office.of_role("dealer").get(path).status == 403
    assert office.of_role("audit").get(f"{path}?what=lost").status == 422
