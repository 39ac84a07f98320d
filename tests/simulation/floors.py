"""Random floors: product and second model live through the same day, compared at every step."""

from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.strategies import DataObject

from meter_server.domain.deciding import decide
from meter_server.domain.floor import Floor, apply
from meter_server.domain.refusals import Refusal
from tests.independent import state
from tests.independent.model import take
from tests.independent.transcription import (
    ADMITS,
    CASES,
    DEALER,
    GAMES,
    HIGHER,
    LADDER,
    MINUTE,
    PERCENT,
    SIGN_LIFE,
    SIGN_PERIOD,
    TERMS_PERIOD,
)
from tests.simulation.asking import command_of, context_of
from tests.simulation.comparing import compare, micros
from tests.simulation.coverage import Coverage
from tests.simulation.dealing import KINDS, outcome, some
from tests.simulation.open_questions import is_open

SECOND = 1_000_000
START = 1_790_000_000 * SECOND
COSTS = (100, 250, 500, 1000, 2500)
TABLES = ("wsop", "ultimate", "three-card", "three-card", "wsop", "ultimate")
SYSTEMS = ("A", "B", "C")
TRAINING = "Z"


class RandomFloor(RuleBasedStateMachine):
    """Each rule asks both for the same, rightly or wrongly, and holds their answers together."""

    coverage: ClassVar[Coverage] = Coverage()

    def __init__(self) -> None:
        super().__init__()
        self.product = Floor()
        self.model = state.Floor()
        self.now = START
        self.number = 0

    # Asking

    def ask(self, data: DataObject, do: str, rank: str, **what: Any) -> bool:
        """Ask both; whether it was accepted. Now and then the wrong person asks."""
        request = {
            "do": do,
            "at": self.now,
            **self._people(data, rank),
            "agent_at": None,
            **what,
        }
        if do == "determine":
            self._as_seen(request)
        if is_open(self.model, request):
            return False
        history = self.product.history
        try:
            answer = decide(self.product, command_of(request), context_of(request))
        except ValueError as crash:
            raise AssertionError(f"the product gave up over {request}") from crash
        reasons = take(self.model, request)
        if isinstance(answer, Refusal):
            assert reasons, f"refused without a reason in the rules: {answer.sentence} {request}"
            assert answer.kind.value in reasons, f"{answer.sentence} but {reasons} {request}"
            self.coverage.meet("refused", answer.kind.value)
            return False
        assert not reasons, f"accepted, but {reasons} {request}"
        self.product = apply(self.product, answer)
        self._cover(request, [entry.kind.value for entry in answer.entries])
        compare(self.product, self.model, history)
        return True

    def _people(self, data: DataObject, rank: str) -> dict[str, Any]:
        able = (f"{rank}-1", rank)
        slip = data.draw(st.integers(0, 24), label="who")
        usual = {"who": able, "approver": None, "second": ("second", DEALER)}
        if slip == 24 and rank != DEALER:
            return {**usual, "who": ("low", LADDER[LADDER.index(rank) - 1])}
        if slip in (20, 21):
            return {**usual, "who": ("dealer-1", DEALER), "approver": able}
        if slip == 22:
            return {**usual, "second": None}
        if slip == 23:
            return {**usual, "second": able}
        if slip in (18, 19):
            return {**usual, "who": ("assistant-1", LADDER[-1])}
        return usual

    def _as_seen(self, request: dict[str, Any]) -> None:
        """The place on the meter is an identifier; the model judges only whether it was seen."""
        award = self.product.awards.get(request["award"])
        seq = 0 if award is None else award.meter_seq
        request["meter_seq"] = seq if request["seq_as_seen"] else seq + 1

    def _cover(self, request: dict[str, Any], entries: list[str]) -> None:
        self.coverage.meet("accepted", request["do"])
        for kind in entries:
            self.coverage.meet("entry", kind)
        case = request.get("case") or request.get("invalidated")
        if case is not None:
            table = request.get("table") or self.model.rounds[request["round"]].table
            self.coverage.meet("case", case, self.model.tables[table].game)
        if request["do"] == "act":
            sign = self.model.signs[request["notice"]]
            if sign.state == "used":
                self.coverage.meet("made", sign.change["what"])

    def new(self, what: str) -> str:
        self.number += 1
        return f"{what}{self.number}"

    # What there is to choose from

    def table(self, data: DataObject, *, playing: bool | None = None) -> str | None:
        names = [
            name
            for name, table in self.model.tables.items()
            if playing is None or (table.playing is not None) == playing
        ]
        return data.draw(st.sampled_from(names), label="table") if names else None

    def system(self, data: DataObject, label: str = "system") -> str:
        return data.draw(st.sampled_from(sorted(self.model.meters())), label=label)

    def round(self, data: DataObject, *states: str) -> str | None:
        """A round, mostly a recent one."""
        names = [
            name
            for name, round_ in self.model.rounds.items()
            if not states or round_.state in states
        ]
        return data.draw(st.sampled_from(names[-6:]), label="round") if names else None

    def award(self, data: DataObject) -> str | None:
        names = sorted(self.model.awards)
        return data.draw(st.sampled_from(names), label="award") if names else None

    # The floor opens

    @initialize(data=st.data())
    def open_the_floor(self, data: DataObject) -> None:
        self._option = data.draw(st.sampled_from((1, 2)), label="option")
        self._seed = data.draw(st.sampled_from(sorted(PERCENT[1])), label="seed")
        costs = data.draw(st.permutations(COSTS), label="costs")
        for place, game in enumerate(TABLES):
            name = f"T{place}"
            self.ask(data, "define table", LADDER[-1], table=name, game=game, seats=9 - place % 3)
            self.ask(data, "open table", HIGHER, table=name)
        groups = (["T0", "T2"], ["T1", "T3"], ["T4"])
        for place, system in enumerate(SYSTEMS):
            known = [table for table in groups[place] if table in self.model.tables]
            self._open(data, system, costs[place], known)
        self._open(data, TRAINING, costs[3], [], training=True)

    def _open(
        self,
        data: DataObject,
        system: str,
        cost: int,
        tables: list[str],
        *,
        training: bool = False,
    ) -> None:
        reseed = self._seed * cost * 10_000
        value = data.draw(
            st.none() | st.integers(reseed - 1, 4 * reseed), label=f"value of {system}"
        )
        self.ask(
            data,
            "open system",
            LADDER[-1],
            system=system,
            terms=(self._option, self._seed, cost),
            tables=tables,
            value=value,
            training=training,
        )

    @rule(data=st.data())
    def open_another_system(self, data: DataObject) -> None:
        option, seed = self._option, self._seed
        if data.draw(st.integers(0, 9), label="other terms") == 9:
            option = 3 - option
        used = {meter.terms.cost_cents for meter in self.model.meters().values()}
        cost = data.draw(st.sampled_from([*COSTS, 5, 705]), label="cost")
        if data.draw(st.integers(0, 2), label="a cost in use") and cost in used:
            cost += 5
        tables = data.draw(st.sampled_from([[], ["T5"], ["T0"], ["nowhere"]]), label="tables")
        name = data.draw(st.sampled_from(["D", "E", "A"]), label="system")
        known = {
            "system": name,
            "terms": (option, seed, cost),
            "tables": tables,
            "value": None,
            "training": False,
        }
        self.ask(data, "open system", LADDER[-1], **known)

    @rule(data=st.data())
    def define_another_table(self, data: DataObject) -> None:
        game = data.draw(st.sampled_from(GAMES), label="game")
        seats = data.draw(st.sampled_from((1, 9, 9, 10, 0)), label="seats")
        name = data.draw(st.sampled_from(["T1", "T6", "T7"]), label="table")
        if self.ask(data, "define table", LADDER[-1], table=name, game=game, seats=seats):
            self.ask(data, "open table", HIGHER, table=name)

    @rule(data=st.data())
    def top_up(self, data: DataObject) -> None:
        amount = data.draw(
            st.integers(-1, 3_000_000) | st.integers(1, 200_000 * SECOND), label="micros"
        )
        name = data.draw(st.sampled_from([*sorted(self.model.meters()), "nowhere"]))
        self.ask(data, "top up", LADDER[-1], system=name, amount=amount)

    # Play

    @rule(data=st.data())
    def begin(self, data: DataObject) -> None:
        table = self.table(data, playing=False) if self._mostly(data) else self.table(data)
        if table is not None:
            self._register(data, table)

    @rule(data=st.data())
    def play_a_round(self, data: DataObject) -> None:
        table = self.table(data, playing=False)
        if table is not None and self._register(data, table):
            self._record(data, str(self.model.tables[table].playing))

    @rule(data=st.data())
    def finish(self, data: DataObject) -> None:
        round_ = self.round(data, "registered") if self._mostly(data) else self.round(data)
        if round_ is not None:
            self._record(data, round_)

    def _mostly(self, data: DataObject) -> bool:
        return data.draw(st.integers(0, 9), label="mostly") != 9

    def _register(self, data: DataObject, name: str) -> bool:
        self.now += SECOND
        table = self.model.tables[name]
        seats = self._seats(data, table)
        cost = 100
        if table.system is not None:
            cost = self.model.meter(table.system).terms.cost_cents
        if not self._mostly(data):
            cost += data.draw(st.sampled_from((0, 1, -1)), label="wrong cost")
        used = sorted(self.model.rounds)
        round_ = self.new("R")
        if used and not self._mostly(data) and not self._mostly(data):
            round_ = used[0]
        return self.ask(
            data,
            "register",
            HIGHER if table.manual else DEALER,
            round=round_,
            table=name,
            seats=seats,
            cost_cents=cost,
            paper=self._paper(data, table),
        )

    def _seats(self, data: DataObject, table: state.Table) -> list[int]:
        standing = sorted(table.standing)
        all_stay = data.draw(st.booleans(), label="all stay")
        if standing and all_stay:
            return standing
        everyone = list(range(1, table.seats + 1))
        if data.draw(st.integers(0, 2), label="full table") == 2:
            return everyone
        least = 1 if self._mostly(data) else 0
        strange = [0, 10] if not self._mostly(data) else []
        return some(data, [*everyone, *strange], least)

    def _paper(self, data: DataObject, table: state.Table) -> str | None:
        usual = "page 7" if table.manual else None
        return usual if self._mostly(data) else data.draw(st.sampled_from((None, "page 8")))

    @rule(data=st.data())
    def two_tables_win(self, data: DataObject) -> None:
        """One after the other on one meter, and perhaps the second won before the first."""
        system = self.system(data)
        pair = [self._win(data, system, minutes_late=late) for late in (0, 3)]
        first, second = pair
        if first is None or second is None:
            return
        match data.draw(st.sampled_from(("order", "correct", "void", "nothing")), label="then"):
            case "order":
                if data.draw(st.booleans(), label="the other way"):
                    first, second = second, first
                self.ask(data, "order", LADDER[-1], earlier=first, later=second)
            case "correct":
                self._correct(data, first)
                self._grant(data, second, first)
            case "void":
                self.ask(data, "void", LADDER[-1], round=first, invalidated=None)
                self._grant(data, second, first)

    def _win(self, data: DataObject, system: str, minutes_late: int) -> str | None:
        """A winning round at some table of the system, which it plays first if it must."""
        tables = [name for name in self.model.tables_of(system) if self.model.tables[name].open]
        if not tables:
            return None
        name = data.draw(st.sampled_from(tables), label="table")
        table = self.model.tables[name]
        if table.playing is None and not self._register(data, name):
            return None
        round_ = str(table.playing)
        late = data.draw(st.sampled_from((0, minutes_late)), label="late")
        self._record(data, round_, kinds=("cards",), minutes_late=(late,))
        return round_ if self.model.rounds[round_].state == "settled" else None

    def _grant(self, data: DataObject, winner: str, corrected: str) -> None:
        for key, held in list(self.model.awards.items()):
            if held.round == winner:
                self.ask(data, "grant", LADDER[-1], award=key, corrected=corrected)

    def _record(
        self,
        data: DataObject,
        name: str,
        *,
        kinds: tuple[str, ...] = KINDS,
        minutes_late: tuple[int, ...] = (0, 0, 1, 90),
    ) -> None:
        self.now += SECOND
        round_ = self.model.rounds[name]
        found = outcome(data, round_.game, round_.seats("live"), kinds)
        case = None
        if data.draw(st.integers(0, 7), label="despite a misdeal") == 7:
            case = data.draw(st.sampled_from(["later-cards-wrong"] * 6 + ["misdeal", "no case"]))
        exceptional = found.pop("kind") in ("declared", "impossible") or case is not None
        table = self.model.tables[round_.table]
        late = data.draw(st.sampled_from((*minutes_late, None)), label="minutes late")
        agent_at = None if late is None else self.now - late * MINUTE
        self.ask(
            data,
            "record",
            HIGHER if (exceptional and self._mostly(data)) or table.manual else DEALER,
            round=name,
            **found,
            case=case,
            paper=self._paper(data, table),
            agent_at=agent_at,
        )

    # Irregularities

    @rule(data=st.data())
    def something_goes_wrong(self, data: DataObject) -> None:
        """In a round, and perhaps again in what follows it."""
        name = self.table(data)
        if name is None:
            return
        table = self.model.tables[name]
        for _ in range(3):
            if table.playing is not None or self._register(data, name):
                self._declare(data, name, carried=False)

    @rule(data=st.data())
    def something_happens_to_what_is_carried(self, data: DataObject) -> None:
        standing = [name for name, table in self.model.tables.items() if table.standing]
        if standing and self._mostly(data):
            self._declare(data, data.draw(st.sampled_from(standing), label="table"), carried=True)
        else:
            name = self.table(data)
            assert name is not None
            self._declare(data, name, carried=data.draw(st.booleans(), label="carried"))

    def _declare(self, data: DataObject, name: str, *, carried: bool) -> None:
        self.now += SECOND
        table = self.model.tables[name]
        cases = [
            case
            for case, effects in CASES.items()
            if table.game in effects and (effects[table.game].what == "cancel carried") == carried
        ]
        case = data.draw(st.sampled_from(cases), label="case")
        if not self._mostly(data):
            case = data.draw(st.sampled_from([*CASES, "earthquake"]), label="any case")
        effect = CASES.get(case, {}).get(table.game)
        seats, joining = self._concerned(data, table, case)
        self.ask(
            data,
            "irregularity",
            DEALER if effect is None else effect.rank,
            table=name,
            case=case,
            seats=seats,
            joining=joining,
        )

    def _concerned(
        self, data: DataObject, table: state.Table, case: str
    ) -> tuple[list[int], list[int]]:
        everyone = set(range(1, table.seats + 1))
        live = set(table.standing)
        if table.playing is not None:
            live = self.model.rounds[table.playing].seats("live")
        if not self._mostly(data):
            return some(data, everyone), some(data, everyone | {10})
        admits = case == ADMITS and data.draw(st.booleans(), label="joining")
        return some(data, live, 0 if admits else 1), some(
            data, everyone - live, 1
        ) if admits else []

    # Prizes

    @rule(data=st.data())
    @precondition(lambda self: self.model.awards)
    def look_after_a_prize(self, data: DataObject) -> None:
        self.now += SECOND
        award = self.award(data) if self._mostly(data) else "R0/1"
        assert award is not None
        do = data.draw(st.sampled_from(("determine", "determine", "withhold", "pay")), label="do")
        if do == "determine":
            held = self.model.awards.get(award)
            amount = 0 if held is None else micros(held.amount)
            wrong = data.draw(st.integers(0, 9), label="not as seen")
            self.ask(
                data,
                do,
                LADDER[-1],
                award=award,
                amount=amount + (wrong == 9),
                seq_as_seen=wrong != 8,
            )
        else:
            self.ask(data, do, LADDER[-1] if do == "withhold" else DEALER, award=award)

    @rule(data=st.data())
    @precondition(lambda self: self.model.awards)
    def determine_and_pay(self, data: DataObject) -> None:
        award = str(self.award(data))
        amount = micros(self.model.awards[award].amount)
        if self.ask(
            data, "determine", LADDER[-1], award=award, amount=amount, seq_as_seen=True
        ) and data.draw(st.booleans(), label="pay"):
            self.ask(data, "pay", DEALER, award=award)

    @rule(data=st.data())
    @precondition(lambda self: any(award.contested for award in self.model.awards.values()))
    def decide_an_order(self, data: DataObject) -> None:
        pairs = sorted(
            {
                (award.round, other)
                for award in self.model.awards.values()
                for other in award.contested
            }
        )
        first, second = data.draw(st.sampled_from(pairs), label="contested")
        if data.draw(st.booleans(), label="the other way"):
            first, second = second, first
        self.ask(data, "order", LADDER[-1], earlier=first, later=second)

    @rule(data=st.data())
    @precondition(lambda self: self.model.awards)
    def decide_any_order(self, data: DataObject) -> None:
        first, second = self.round(data), self.round(data)
        self.ask(data, "order", LADDER[-1], earlier=first, later=second)

    # Corrections

    @rule(data=st.data())
    @precondition(lambda self: self.model.rounds)
    def void(self, data: DataObject) -> None:
        round_ = self.round(data, "settled") if self._mostly(data) else self.round(data)
        if round_ is None:
            return
        invalid = ["invalidated-disruption", "invalidated-fraud", "begun-by-mistake"]
        case = data.draw(
            st.sampled_from([None, None, *invalid, "jackpot-cards-wrong", "misdeal"]), label="case"
        )
        self.ask(data, "void", LADDER[-1], round=round_, invalidated=case)

    @rule(data=st.data())
    @precondition(lambda self: self.model.rounds)
    def correct(self, data: DataObject) -> None:
        name = self.round(data, "settled") if self._mostly(data) else self.round(data)
        if name is not None:
            self._correct(data, name)

    def _correct(self, data: DataObject, name: str) -> None:
        round_ = self.model.rounds[name]
        everyone = set(range(1, self.model.tables[round_.table].seats + 1))
        admitted: list[int] = []
        if data.draw(st.integers(0, 3), label="admit") == 3:
            admitted = some(data, everyone - set(round_.places))
            if not self._mostly(data):
                admitted = some(data, everyone | {10})
        eligible = round_.seats("live", "folded") | set(admitted)
        found = outcome(data, round_.game, eligible)
        found.pop("kind")
        self.ask(data, "correct", LADDER[-1], round=name, **found, admitted=admitted)

    @rule(data=st.data())
    @precondition(lambda self: self.model.rounds)
    def correct_a_bonus(self, data: DataObject) -> None:
        latest = [table.latest for table in self.model.tables.values() if table.latest]
        name = data.draw(st.sampled_from(latest), label="round")
        if not self._mostly(data):
            name = str(self.round(data))
        round_ = self.model.rounds[name]
        hands = [None, "flush", "full-house", "four-of-a-kind", "straight", "no-pair"]
        if not self._mostly(data):
            hands = ["royal-flush"]
        seats = some(data, set(round_.places), 1) if self._mostly(data) else [1]
        chosen = {seat: data.draw(st.sampled_from(hands), label="hand") for seat in seats}
        self.ask(data, "correct bonus", HIGHER, round=name, hands=chosen)

    @rule(data=st.data())
    @precondition(lambda self: self.model.awards)
    def grant(self, data: DataObject) -> None:
        award = self.award(data)
        assert award is not None
        system = self.model.awards[award].system
        settled = list(self.model.meter(system).settled)
        corrected = data.draw(st.sampled_from(settled), label="corrected")
        self.ask(data, "grant", LADDER[-1], award=award, corrected=corrected)

    # Tables

    @rule(data=st.data())
    def something_changes_at_a_table(self, data: DataObject) -> None:
        name = self.table(data)
        do = data.draw(st.sampled_from(("close table", "tournament", "manual", "gates")))
        match do:
            case "close table":
                players = data.draw(st.booleans(), label="players")
                self.ask(data, do, HIGHER, table=name, players=players)
            case "gates":
                gates = ["display", "amounts", "settlement-times", "meter-reading"]
                failing = data.draw(st.lists(st.sampled_from(gates), unique=True, max_size=2))
                self.ask(data, do, DEALER, table=name, failing=failing)
            case _:
                on = data.draw(st.booleans(), label="on")
                self.ask(data, do, LADDER[2], table=name, on=on)

    @rule(data=st.data())
    def put_a_table_right(self, data: DataObject) -> None:
        name = self.table(data)
        assert name is not None
        table = self.model.tables[name]
        if not table.open or table.hands_left is not None:
            self.ask(data, "open table", HIGHER, table=name)
        if table.failing:
            self.ask(data, "gates", DEALER, table=name, failing=[])
        if table.tournament:
            self.ask(data, "tournament", HIGHER, table=name, on=False)
        if table.manual and data.draw(st.booleans(), label="end manual"):
            self.ask(data, "manual", LADDER[2], table=name, on=False)

    # Notices

    @rule(data=st.data())
    def draft_a_notice(self, data: DataObject) -> None:
        self._draft(data)

    @rule(data=st.data())
    @precondition(lambda self: self.model.signs)
    def something_happens_to_a_sign(self, data: DataObject) -> None:
        notice = data.draw(st.sampled_from(sorted(self.model.signs)), label="notice")
        do = data.draw(st.sampled_from(("show", "show", "dark", "dark", "withdraw", "act")))
        table = str(self.table(data))
        sign = self.model.signs[notice]
        if sign.since and do == "dark":
            table = data.draw(st.sampled_from(sorted(sign.since)), label="shown at")
        match do:
            case "show":
                hand = data.draw(st.sampled_from((None, None, "broken")), label="by hand")
                self.ask(data, do, LADDER[2], notice=notice, table=table, by_hand=hand)
            case "dark":
                dark = self.now
                self.now += data.draw(st.sampled_from((MINUTE - 1, MINUTE, MINUTE + 1)))
                lit = data.draw(st.sampled_from((None, self.now, self.now)), label="lit again")
                self.ask(data, do, DEALER, notice=notice, table=table, dark=dark, lit=lit)
            case "withdraw":
                self.ask(data, do, LADDER[-1], notice=notice)
            case "act":
                self._act(data, notice)

    @rule(data=st.data())
    @precondition(lambda self: self.model.signs)
    def put_up_a_sign_and_wait(self, data: DataObject) -> None:
        notice = data.draw(st.sampled_from(sorted(self.model.signs)), label="notice")
        self._show_and_act(data, notice)

    @rule(data=st.data())
    def announce_a_change_and_make_it(self, data: DataObject) -> None:
        notice = self._draft(data)
        if notice is not None:
            self._show_and_act(data, notice)

    @rule(data=st.data())
    def time_passes(self, data: DataObject) -> None:
        spans = (MINUTE, SIGN_PERIOD - MINUTE, SIGN_PERIOD, TERMS_PERIOD, SIGN_LIFE + 1)
        self.now += data.draw(st.sampled_from(spans), label="time")

    def _show_and_act(self, data: DataObject, notice: str) -> None:
        """Wait to the edge of its period: a moment too early is refused, the next is not."""
        change = self.model.signs[notice].change
        for name in self._shown_at(change):
            self.now += SECOND
            self.ask(data, "show", DEALER, notice=notice, table=name, by_hand=None)
        period = TERMS_PERIOD if change["what"] == "terms" else SIGN_PERIOD
        self.now += period - 1
        self._act(data, notice)
        self.now += data.draw(st.sampled_from((1, 1, 1, SIGN_LIFE + 1, SIGN_LIFE + 2)))
        self._act(data, notice)

    def _shown_at(self, change: dict[str, Any]) -> list[str]:
        match change["what"]:
            case "close":
                return self.model.tables_of(change["system"])
            case "terms":
                return [name for each in change["terms"] for name in self.model.tables_of(each)]
            case _:
                return [change["table"]]

    def _act(self, data: DataObject, notice: str) -> None:
        offline: list[str] = []
        if data.draw(st.integers(0, 3), label="some offline") == 3:
            offline = data.draw(st.lists(st.sampled_from(sorted(self.model.tables)), unique=True))
        self.ask(data, "act", LADDER[-1], notice=notice, offline=offline)

    def _draft(self, data: DataObject) -> str | None:
        notice = self.new("N") if self._mostly(data) else "N1"
        what = data.draw(st.sampled_from(("add", "remove", "transfer", "close", "terms", "terms")))
        change: dict[str, Any] = {"what": what}
        if what == "close":
            change |= {"system": self.system(data), "shares": self._shares(data)}
        elif what == "terms":
            change |= {"terms": self._new_terms(data)}
        else:
            change |= {"table": self.table(data)}
            if what != "remove":
                change |= {"to": self.system(data, "to")}
        accepted = self.ask(data, "notice", LADDER[-1], notice=notice, change=change)
        return notice if accepted else None

    def _shares(self, data: DataObject) -> dict[str, int]:
        targets = data.draw(
            st.lists(st.sampled_from(sorted(self.model.meters())), unique=True, max_size=3),
            label="targets",
        )
        if not targets:
            return {}
        first = data.draw(st.integers(1, 9_999), label="first share")
        if len(targets) == 1:
            return {targets[0]: 10_000 if self._mostly(data) else first}
        shares = dict.fromkeys(targets[2:], 0)
        return {targets[0]: first, targets[1]: 10_000 - first, **shares}

    def _new_terms(self, data: DataObject) -> dict[str, tuple[int, int, int]]:
        """Mostly all systems together; sometimes with new costs, or one left behind."""
        option = data.draw(st.sampled_from((1, 2)), label="option")
        seed = data.draw(st.sampled_from(sorted(PERCENT[1])), label="seed")
        meters = {name: meter for name, meter in self.model.meters().items() if not meter.closed}
        if not self._mostly(data):
            meters = dict(list(self.model.meters().items())[:1])
        factor = data.draw(st.sampled_from((1, 1, 2)), label="cost factor")
        return {
            name: (option, seed, meter.terms.cost_cents * factor)
            for name, meter in meters.items()
            if not self.model.training[name]
        }
