"""Random floors: product and second model live through the same day, compared at every step."""

from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from meter_server.domain.deciding import decide
from meter_server.domain.entries import Entry
from meter_server.domain.floor import Floor, apply
from meter_server.domain.refusals import PRECEDENCE, Kind, Refusal
from tests.independent import state
from tests.independent.model import take
from tests.independent.prizes import House
from tests.independent.transcription import (
    ADMITS,
    CASES,
    DEALER,
    GAMES,
    HIGHER,
    INVALIDATING,
    LADDER,
    MINUTE,
    PERCENT,
    SIGN_LIFE,
    SIGN_PERIOD,
    TERMS_PERIOD,
)
from tests.simulation.asking import command_of, context_of
from tests.simulation.comparing import compare, micros, same_differences
from tests.simulation.coverage import Coverage
from tests.simulation.dealing import KINDS, outcome, report, some, yes

SECOND = 1_000_000
DICE = st.randoms(use_true_random=True)
"""A seed for each step: far faster than drawing every choice, and steps still shrink away."""
START = 1_790_000_000 * SECOND
COSTS = (100, 250, 500, 1000, 2500)
TABLES = ("wsop", "ultimate", "three-card", "three-card", "wsop", "ultimate")
PERIODS = (TERMS_PERIOD, SIGN_PERIOD, 3 * TERMS_PERIOD)
BETS = ((1_000, 50_000), (1, 1), (0, 1_000), (1_001, 1_000), (-1, 1))
SYSTEMS = ("A", "B", "C")
CHANGES = ("add", "remove", "transfer", "close", "terms", "terms", "minimum")
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

    def ask(self, dice: Random, do: str, rank: str, **what: Any) -> bool:
        """Ask both; whether it was accepted. Now and then the wrong person asks."""
        request = {
            "do": do,
            "at": self.now,
            **self._people(dice, rank),
            "agent_at": None,
            **what,
        }
        if do in ("determine", "correct", "void"):
            self._as_seen(dice, request)
        history = self.product.history
        try:
            answer = decide(
                self.product, command_of(request), context_of(request, self.model.house)
            )
        except ValueError as crash:
            raise AssertionError(f"the product gave up over {request}") from crash
        reasons = take(self.model, request)
        if isinstance(answer, Refusal):
            assert reasons, f"refused without a reason in the rules: {answer.sentence} {request}"
            assert answer.kind.value in reasons, f"{answer.sentence} but {reasons} {request}"
            first = min((Kind(reason) for reason in reasons), key=PRECEDENCE.__getitem__)
            assert answer.kind is first, (
                f"{answer.sentence} although {first.value} comes first {request}"
            )
            self.coverage.meet("refused", answer.kind.value)
            return False
        assert not reasons, f"accepted, but {reasons} {request}"
        self.product = apply(self.product, answer)
        self._cover(request, answer.entries)
        compare(self.product, self.model, history)
        if do in ("correct", "void", "order"):
            same_differences(answer.later_prizes, self.model)
        return True

    def _people(self, dice: Random, rank: str) -> dict[str, Any]:
        able = (f"{rank}-1", rank)
        slip = dice.randint(0, 24)
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

    def _as_seen(self, dice: Random, request: dict[str, Any]) -> None:
        """The place on the meter is an identifier; the model judges only whether it was seen."""
        if request["do"] == "determine":
            award = self.product.awards.get(request["award"])
            seq = 0 if award is None else award.meter_seq
            request["meter_seq"] = seq if request["seq_as_seen"] else seq + 1
            return
        round_ = self.product.rounds.get(request["round"])
        settled = None if round_ is None else round_.settled
        seq = 0 if settled is None else settled.stands_by
        request["as_seen"] = self._mostly(dice)
        request["seen_seq"] = seq if request["as_seen"] else seq + dice.choice((-1, 1))

    def _cover(self, request: dict[str, Any], entries: tuple[Entry, ...]) -> None:
        self.coverage.meet("accepted", request["do"])
        for entry in entries:
            self.coverage.meet("entry", entry.kind.value)
            if entry.detail.get("taken_back"):
                self.coverage.meet("taken back by", str(entry.detail["what"]))
            if "top_up_of" in entry.detail and self._has_paid_top_up(entry):
                self.coverage.meet("granted beside a paid top-up")
        case = request.get("case") or request.get("invalidated")
        if case is not None:
            table = request.get("table") or self.model.rounds[request["round"]].table
            self.coverage.meet("case", case, self.model.tables[table].game)
        if request["do"] == "act":
            sign = self.model.signs[request["notice"]]
            if sign.state == "used":
                self.coverage.meet("made", sign.change["what"])

    def _has_paid_top_up(self, entry: Entry) -> bool:
        return any(
            held.granted and held.state == "paid" and held.seat == entry.detail["seat"]
            for held in self.model.awards_of(str(entry.round_id))
        )

    def new(self, what: str) -> str:
        self.number += 1
        return f"{what}{self.number}"

    # What there is to choose from

    def table(self, dice: Random, *, playing: bool | None = None) -> str | None:
        names = [
            name
            for name, table in self.model.tables.items()
            if playing is None or (table.playing is not None) == playing
        ]
        return dice.choice(names) if names else None

    def system(self, dice: Random) -> str:
        return dice.choice(sorted(self.model.meters()))

    def round(self, dice: Random, *states: str) -> str | None:
        """A round, mostly a recent one."""
        names = [
            name
            for name, round_ in self.model.rounds.items()
            if not states or round_.state in states
        ]
        return dice.choice(names[-6:]) if names else None

    def award(self, dice: Random) -> str | None:
        names = sorted(self.model.awards)
        return dice.choice(names) if names else None

    # The floor opens

    @initialize(dice=DICE)
    def open_the_floor(self, dice: Random) -> None:
        self.model.house = House(
            dice.choice((1, 1, 5, 100)), dice.choice((False, False, True)), dice.choice(PERIODS)
        )
        self._option = dice.choice((1, 2))
        self._seed = dice.choice(sorted(PERCENT[1]))
        costs = dice.sample(COSTS, len(COSTS))
        for place, game in enumerate(TABLES):
            name = f"T{place}"
            self._define(dice, name, game, 9 - place % 3, (1_000, 50_000))
            self.ask(dice, "open table", HIGHER, table=name)
        groups = (["T0", "T2"], ["T1", "T3"], ["T4"])
        for place, system in enumerate(SYSTEMS):
            known = [table for table in groups[place] if table in self.model.tables]
            self._open(dice, system, costs[place], known)
        self._open(dice, TRAINING, costs[3], [], training=True)

    def _open(
        self,
        dice: Random,
        system: str,
        cost: int,
        tables: list[str],
        *,
        training: bool = False,
    ) -> None:
        reseed = self._seed * cost * 10_000
        value = None if yes(dice) else dice.randint(reseed, 4 * reseed)
        if not self._mostly(dice) and training:
            value = reseed - 1
        self.ask(
            dice,
            "open system",
            LADDER[-1],
            system=system,
            terms=(self._option, self._seed, cost),
            tables=tables,
            value=value,
            training=training,
        )

    @rule(dice=DICE)
    def open_another_system(self, dice: Random) -> None:
        option, seed = self._option, self._seed
        if dice.randint(0, 9) == 9:
            option = 3 - option
        used = {meter.terms.cost_cents for meter in self.model.meters().values()}
        cost = dice.choice([*COSTS, 5, 705])
        if dice.randint(0, 2) and cost in used:
            cost += 5
        tables = dice.choice([[], ["T5"], ["T0"], ["nowhere"]])
        name = dice.choice(["D", "E", "A"])
        known = {
            "system": name,
            "terms": (option, seed, cost),
            "tables": tables,
            "value": None,
            "training": False,
        }
        self.ask(dice, "open system", LADDER[-1], **known)

    @rule(dice=DICE)
    def define_another_table(self, dice: Random) -> None:
        game = dice.choice(GAMES)
        seats = dice.choice((1, 9, 9, 10, 0))
        name = dice.choice(["T1", "T6", "T7"])
        bets = dice.choice(BETS)
        if self._define(dice, name, game, seats, bets):
            self.ask(dice, "open table", HIGHER, table=name)

    def _define(
        self, dice: Random, name: str, game: str, seats: int, bets: tuple[int, int]
    ) -> bool:
        known = {"table": name, "game": game, "seats": seats, "bets": bets}
        return self.ask(dice, "define table", LADDER[-1], **known)

    @rule(dice=DICE)
    def top_up(self, dice: Random) -> None:
        amount = dice.randint(-1, dice.choice((1, 3_000_000, 200_000 * SECOND)))
        name = dice.choice([*sorted(self.model.meters()), "nowhere"])
        self.ask(dice, "top up", LADDER[-1], system=name, amount=amount)

    # Play

    @rule(dice=DICE)
    def begin(self, dice: Random) -> None:
        table = self.table(dice, playing=False) if self._mostly(dice) else self.table(dice)
        if table is not None:
            self._register(dice, table)

    @rule(dice=DICE)
    def play_a_round(self, dice: Random) -> None:
        table = self.table(dice, playing=False)
        if table is not None and self._register(dice, table):
            self._record(dice, str(self.model.tables[table].playing))

    @rule(dice=DICE)
    def finish(self, dice: Random) -> None:
        round_ = self.round(dice, "registered") if self._mostly(dice) else self.round(dice)
        if round_ is not None:
            self._record(dice, round_)

    def _mostly(self, dice: Random) -> bool:
        return dice.randint(0, 9) != 9

    def _register(self, dice: Random, name: str) -> bool:
        self.now += SECOND
        table = self.model.tables[name]
        seats = self._seats(dice, table)
        cost = 100
        if table.system is not None:
            cost = self.model.meter(table.system).terms.cost_cents
        if not self._mostly(dice):
            cost += dice.choice((0, 1, -1))
        used = sorted(self.model.rounds)
        round_ = self.new("R")
        if used and not self._mostly(dice) and not self._mostly(dice):
            round_ = used[0]
        return self.ask(
            dice,
            "register",
            HIGHER if table.manual else DEALER,
            round=round_,
            table=name,
            seats=seats,
            cost_cents=cost,
            paper=self._paper(dice, table),
        )

    def _seats(self, dice: Random, table: state.Table) -> list[int]:
        standing = sorted(table.standing)
        all_stay = yes(dice)
        if standing and all_stay:
            return standing
        everyone = list(range(1, table.seats + 1))
        if dice.randint(0, 2) == 2:
            return everyone
        least = 1 if self._mostly(dice) else 0
        strange = [0, 10] if not self._mostly(dice) else []
        return some(dice, [*everyone, *strange], least)

    def _paper(self, dice: Random, table: state.Table) -> str | None:
        usual = "page 7" if table.manual else None
        return usual if self._mostly(dice) else dice.choice((None, "page 8"))

    @rule(dice=DICE)
    def two_tables_win(self, dice: Random) -> None:
        """One after the other on one meter, and perhaps the second won before the first."""
        system = self.system(dice)
        pair = [self._win(dice, system, (0, late)) for late in (0, 3)]
        first, second = pair
        if first is None or second is None:
            return
        match dice.choice(("order", "correct", "void", "nothing")):
            case "order":
                self._decide(dice, first, second)
            case "correct":
                self._correct(dice, first)
                self._grant(dice, second, first)
            case "void":
                self.ask(dice, "void", LADDER[-1], round=first, invalidated=None)
                self._grant(dice, second, first)

    @rule(dice=DICE)
    def put_right_again_and_again(self, dice: Random) -> None:
        """Several prizes on one meter and several corrections, with top-ups granted and paid."""
        system = self.system(dice)
        for late in (0, 0, dice.choice((0, 3))):
            self._win(dice, system, (0, late))
        settled = list(self.model.meter(system).settled)[-5:]
        for _ in range(4 if settled else 0):
            name = dice.choice(settled)
            self._correct_somehow(dice, name)
            for key, held in list(self.model.awards.items()):
                if held.system == system and self._mostly(dice):
                    self._grant_and_pay(dice, key, name)

    @rule(dice=DICE)
    def come_late_after_a_top_up(self, dice: Random) -> None:
        """Another order then makes it wrong."""
        system = self.system(dice)
        first = self._win(dice, system)
        second = self._win(dice, system, (0, 0, 0))
        if first is None or second is None:
            return
        self.ask(dice, "void", LADDER[-1], round=first, invalidated=None)
        self._grant(dice, second, first)
        third = self._win(dice, system, (3, 3, 3))
        if third is not None:
            self._decide(dice, second, third)

    def _correct_somehow(self, dice: Random, name: str) -> None:
        match dice.choice(("correct", "correct", "void", "order")):
            case "correct":
                self._correct(dice, name, kinds=("plain", "cards", "cards"))
            case "void":
                self.ask(dice, "void", LADDER[-1], round=name, invalidated=None)
            case "order":
                self._decide(dice, name)

    def _grant_and_pay(self, dice: Random, award: str, corrected: str) -> None:
        self.ask(dice, "grant", LADDER[-1], award=award, corrected=corrected)
        for key, held in list(self.model.awards.items()):
            chosen = yes(dice) if held.granted else not self._mostly(dice)
            if key.partition("+")[0] == award and held.state == "pending" and chosen:
                self._determine_and_pay(dice, key)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.rounds)
    def win_down_to_the_seed(self, dice: Random) -> None:
        """Ten per cent of j leave exactly seed x cost where m = seed x cost + j / 10."""
        name = self.round(dice, "registered")
        if name is None or not self.model.rounds[name].seats("live"):
            return
        round_ = self.model.rounds[name]
        meter = self.model.meter(round_.system)
        j = -(-10 * meter.terms.reseed // 9)
        missing = micros(meter.terms.reseed + j / 10 - meter.value)
        if missing <= 0 or not self.ask(
            dice, "top up", LADDER[-1], system=round_.system, amount=missing
        ):
            return
        seat = min(round_.seats("live"))
        self.ask(
            dice,
            "record",
            HIGHER,
            round=name,
            hands={seat: report("straight-flush")},
            shared=(),
            case=None,
            paper=self._paper(dice, self.model.tables[round_.table]),
            agent_at=None,
        )

    def _decide(self, dice: Random, *named: str) -> None:
        """Mostly about all that contest each other, sometimes about whatever was named."""
        order = {*named}
        if self._mostly(dice):
            for award in self.model.awards.values():
                if order & {award.round, *award.contested}:
                    order |= {award.round, *award.contested}
        chosen = dice.sample(sorted(order), len(order))
        if self._mostly(dice):
            self.ask(dice, "order", LADDER[-1], order=chosen, **self._somebody_else())
        else:
            self.ask(dice, "order", LADDER[-1], order=chosen)

    @rule(dice=DICE)
    def one_table_wins_while_another_plays(self, dice: Random) -> None:
        """What the other wagered may be paid away before its round is over."""
        playing = [name for name, table in self.model.tables.items() if table.playing]
        name = dice.choice(playing) if playing else self.table(dice)
        assert name is not None
        table = self.model.tables[name]
        if table.system is None or not (table.playing or self._register(dice, name)):
            return
        self._win(dice, table.system)
        if table.playing is None:
            return
        if yes(dice):
            self._record(dice, table.playing, kinds=("plain",))
        else:
            self._declare(dice, name, carried=False)

    def _win(self, dice: Random, system: str, minutes_late: tuple[int, ...] = (0,)) -> str | None:
        """A winning round at some table of the system, which it plays first if it must."""
        tables = [name for name in self.model.tables_of(system) if self.model.tables[name].open]
        if not tables:
            return None
        name = dice.choice(tables)
        table = self.model.tables[name]
        if table.playing is None and not self._register(dice, name):
            return None
        round_ = str(table.playing)
        self._record(dice, round_, kinds=("cards",), minutes_late=minutes_late)
        return round_ if self.model.rounds[round_].state == "settled" else None

    def _grant(self, dice: Random, winner: str, corrected: str) -> None:
        for key, held in list(self.model.awards.items()):
            if held.round == winner:
                self.ask(dice, "grant", LADDER[-1], award=key, corrected=corrected)

    def _record(
        self,
        dice: Random,
        name: str,
        *,
        kinds: tuple[str, ...] = KINDS,
        minutes_late: tuple[int, ...] = (0, 0, 1, 90),
    ) -> None:
        self.now += SECOND
        round_ = self.model.rounds[name]
        found = outcome(dice, round_.game, round_.seats("live"), kinds)
        case = None
        if dice.randint(0, 7) == 7:
            case = dice.choice(["later-cards-wrong"] * 6 + ["misdeal", "no case"])
        exceptional = found.pop("kind") in ("declared", "impossible") or case is not None
        table = self.model.tables[round_.table]
        late = dice.choice((*minutes_late, None, -1 if table.manual else 0))
        agent_at = None if late is None else self.now - late * MINUTE
        self.ask(
            dice,
            "record",
            HIGHER if (exceptional and self._mostly(dice)) or table.manual else DEALER,
            round=name,
            **found,
            case=case,
            paper=self._paper(dice, table),
            agent_at=agent_at,
        )

    # Irregularities

    @rule(dice=DICE)
    def something_goes_wrong(self, dice: Random) -> None:
        """In a round, and perhaps again in what follows it."""
        name = self.table(dice)
        if name is None:
            return
        table = self.model.tables[name]
        for _ in range(3):
            if table.playing is not None or self._register(dice, name):
                self._declare(dice, name, carried=False)

    @rule(dice=DICE)
    def something_happens_to_what_is_carried(self, dice: Random) -> None:
        standing = [name for name, table in self.model.tables.items() if table.standing]
        if standing and self._mostly(dice):
            self._declare(dice, dice.choice(standing), carried=True)
        else:
            name = self.table(dice)
            assert name is not None
            self._declare(dice, name, carried=yes(dice))

    def _declare(self, dice: Random, name: str, *, carried: bool) -> None:
        self.now += SECOND
        table = self.model.tables[name]
        cases = [
            case
            for case, effects in CASES.items()
            if table.game in effects and (effects[table.game].what == "cancel carried") == carried
        ]
        if table.playing and table.standing and not carried and yes(dice):
            # Hands are carried already: let the whole round follow them.
            cases = [case for case in cases if CASES[case][table.game].what == "carry"]
        case = dice.choice(cases)
        if not self._mostly(dice):
            case = dice.choice([*CASES, "earthquake"])
        effect = CASES.get(case, {}).get(table.game)
        seats, joining = self._concerned(dice, table, case)
        paper = self._paper(dice, table)
        rank = DEALER if effect is None else effect.rank
        late = dice.choice((0, 1, 90, None, -1 if paper else 0))
        self.ask(
            dice,
            "irregularity",
            HIGHER if paper and rank == DEALER else rank,
            table=name,
            case=case,
            seats=seats,
            joining=joining,
            paper=paper,
            round=self._round_named(dice, table) if paper else None,
            agent_at=None if late is None else self.now - late * MINUTE,
            **(self._confirmed_by_a_manager() if paper and yes(dice) else {}),
        )

    def _confirmed_by_a_manager(self) -> dict[str, Any]:
        """Who keys in has the rank for that alone; the other one has it for any case."""
        return {
            "who": ("higher-1", HIGHER),
            "approver": None,
            "second": ("assistant-3", LADDER[-1]),
        }

    def _round_named(self, dice: Random, table: state.Table) -> str | None:
        """As the paper names it; now and then another one, or none that is known."""
        usual = table.playing or table.standing_from or table.latest
        if self._mostly(dice) or not self._mostly(dice):
            return usual
        return dice.choice((None, "R0", *sorted(self.model.rounds)[-5:]))

    def _concerned(
        self, dice: Random, table: state.Table, case: str
    ) -> tuple[list[int], list[int]]:
        everyone = set(range(1, table.seats + 1))
        live = set(table.standing)
        if table.playing is not None:
            live = self.model.rounds[table.playing].seats("live")
        if not self._mostly(dice):
            return some(dice, everyone), some(dice, everyone | {10})
        admits = case == ADMITS and yes(dice)
        return some(dice, live, 0 if admits else 1), some(
            dice, everyone - live, 1
        ) if admits else []

    # Prizes

    @rule(dice=DICE)
    @precondition(lambda self: self.model.awards)
    def look_after_a_prize(self, dice: Random) -> None:
        self.now += SECOND
        award = self.award(dice) if self._mostly(dice) else "R0/1"
        assert award is not None
        do = dice.choice(("determine", "determine", "withhold", "pay"))
        if do == "determine":
            held = self.model.awards.get(award)
            amount = 0 if held is None else micros(held.amount)
            wrong = dice.randint(0, 9)
            self.ask(
                dice,
                do,
                LADDER[-1],
                award=award,
                amount=amount + (wrong == 9),
                seq_as_seen=wrong != 8,
            )
        else:
            self.ask(dice, do, LADDER[-1] if do == "withhold" else DEALER, award=award)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.awards)
    def determine_and_pay(self, dice: Random) -> None:
        self._determine_and_pay(dice, str(self.award(dice)))

    def _determine_and_pay(self, dice: Random, award: str) -> None:
        what = {"award": award, "amount": micros(self.model.awards[award].amount)}
        other = self._somebody_else()
        if self.ask(dice, "determine", LADDER[-1], **what, **other, seq_as_seen=True):
            self.ask(dice, "pay", DEALER, award=award)

    def _somebody_else(self) -> dict[str, Any]:
        """Who corrects and grants nothing, and so may decide about everything."""
        return {"who": ("assistant-2", LADDER[-1]), "approver": None}

    @rule(dice=DICE)
    @precondition(lambda self: any(award.contested for award in self.model.awards.values()))
    def decide_an_order(self, dice: Random) -> None:
        contested = sorted(award.round for award in self.model.awards.values() if award.contested)
        self._decide(dice, dice.choice(contested))

    @rule(dice=DICE)
    @precondition(lambda self: self.model.awards)
    def decide_any_order(self, dice: Random) -> None:
        first, second = self.round(dice), self.round(dice)
        self._decide(dice, str(first), str(second))

    # Corrections

    @rule(dice=DICE)
    @precondition(lambda self: self.model.rounds)
    def void(self, dice: Random) -> None:
        round_ = self.round(dice, "settled") if self._mostly(dice) else self.round(dice)
        if round_ is None:
            return
        invalid = [*INVALIDATING, *INVALIDATING, "begun-by-mistake"]
        case = dice.choice([None, None, *invalid, "jackpot-cards-wrong", "misdeal"])
        self.ask(dice, "void", LADDER[-1], round=round_, invalidated=case)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.rounds)
    def correct(self, dice: Random) -> None:
        name = self.round(dice, "settled") if self._mostly(dice) else self.round(dice)
        if name is not None:
            self._correct(dice, name)

    def _correct(self, dice: Random, name: str, kinds: tuple[str, ...] = KINDS) -> None:
        round_ = self.model.rounds[name]
        everyone = set(range(1, self.model.tables[round_.table].seats + 1))
        admitted: list[int] = []
        if dice.randint(0, 3) == 3:
            admitted = some(dice, everyone - (set(round_.places) - round_.seats("returned")))
            if not self._mostly(dice):
                admitted = some(dice, everyone | {10})
        eligible = round_.seats("live", "folded") | set(admitted)
        found = outcome(dice, round_.game, eligible, kinds)
        found.pop("kind")
        self.ask(dice, "correct", LADDER[-1], round=name, **found, admitted=admitted)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.rounds)
    def correct_a_bonus(self, dice: Random) -> None:
        latest = [table.latest for table in self.model.tables.values() if table.latest]
        name = dice.choice(latest)
        if not self._mostly(dice):
            name = str(self.round(dice))
        round_ = self.model.rounds[name]
        hands = [None, "flush", "full-house", "four-of-a-kind", "straight", "no-pair"]
        if not self._mostly(dice):
            hands = ["royal-flush"]
        seats = some(dice, set(round_.places), 1) if self._mostly(dice) else [1]
        chosen = {seat: dice.choice(hands) for seat in seats}
        self.ask(dice, "correct bonus", HIGHER, round=name, hands=chosen)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.awards)
    def grant(self, dice: Random) -> None:
        award = self.award(dice)
        assert award is not None
        system = self.model.awards[award].system
        settled = list(self.model.meter(system).settled)
        corrected = dice.choice(settled)
        self.ask(dice, "grant", LADDER[-1], award=award, corrected=corrected)

    # Tables

    @rule(dice=DICE)
    def something_changes_at_a_table(self, dice: Random) -> None:
        name = self.table(dice)
        do = dice.choice(("close table", "tournament", "manual", "gates", "limits"))
        match do:
            case "close table":
                players = yes(dice)
                self.ask(dice, do, HIGHER, table=name, players=players)
            case "gates":
                gates = ["display", "amounts", "settlement-times", "meter-reading"]
                failing = some(dice, gates, most=2)
                self.ask(dice, do, DEALER, table=name, failing=failing)
            case "limits":
                bets = self._bets(dice, str(name))
                self.ask(dice, do, LADDER[2], table=name, bets=bets)
            case _:
                on = yes(dice)
                self.ask(dice, do, LADDER[2], table=name, on=on)

    @rule(dice=DICE)
    def put_a_table_right(self, dice: Random) -> None:
        name = self.table(dice)
        assert name is not None
        table = self.model.tables[name]
        if not table.open or table.hands_left is not None:
            self.ask(dice, "open table", HIGHER, table=name)
        if table.failing:
            self.ask(dice, "gates", DEALER, table=name, failing=[])
        if table.tournament:
            self.ask(dice, "tournament", HIGHER, table=name, on=False)
        if table.manual and yes(dice):
            self.ask(dice, "manual", LADDER[2], table=name, on=False)

    # Notices

    @rule(dice=DICE)
    def draft_a_notice(self, dice: Random) -> None:
        self._draft(dice)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.signs)
    def something_happens_to_a_sign(self, dice: Random) -> None:
        notice = dice.choice(sorted(self.model.signs))
        do = dice.choice(("show", "show", "dark", "dark", "withdraw", "act"))
        table = str(self.table(dice))
        sign = self.model.signs[notice]
        if sign.since and do == "dark":
            table = dice.choice(sorted(sign.since))
        match do:
            case "show":
                hand = dice.choice((None, None, "broken"))
                self.ask(dice, do, LADDER[2], notice=notice, table=table, by_hand=hand)
            case "dark":
                # Once reported dark and not yet lit, it has been dark since then.
                dark = sign.dark.get(table, self.now)
                self.now += dice.choice((MINUTE - 1, MINUTE, MINUTE + 1))
                lit = dice.choice((None, self.now, self.now))
                self.ask(dice, do, DEALER, notice=notice, table=table, dark=dark, lit=lit)
            case "withdraw":
                self.ask(dice, do, LADDER[-1], notice=notice)
            case "act":
                self._act(dice, notice)

    @rule(dice=DICE)
    @precondition(lambda self: self.model.signs)
    def put_up_a_sign_and_wait(self, dice: Random) -> None:
        notice = dice.choice(sorted(self.model.signs))
        self._show_and_act(dice, notice)

    @rule(dice=DICE)
    def announce_a_change_and_make_it(self, dice: Random) -> None:
        notice = self._draft(dice)
        if notice is not None:
            self._show_and_act(dice, notice)

    @rule(dice=DICE)
    def time_passes(self, dice: Random) -> None:
        spans = (MINUTE, SIGN_PERIOD - MINUTE, SIGN_PERIOD, TERMS_PERIOD, SIGN_LIFE + 1)
        self.now += dice.choice(spans)

    def _show_and_act(self, dice: Random, notice: str) -> None:
        """Wait to the edge of its period: a moment too early is refused, the next is not."""
        change = self.model.signs[notice].change
        for name in self._shown_at(change):
            self.now += SECOND
            self.ask(dice, "show", DEALER, notice=notice, table=name, by_hand=None)
        period = self.model.house.terms_period if change["what"] == "terms" else SIGN_PERIOD
        self.now += period - 1
        self._act(dice, notice)
        self.now += dice.choice((1, 1, 1, SIGN_LIFE + 1, SIGN_LIFE + 2))
        self._act(dice, notice)

    def _shown_at(self, change: dict[str, Any]) -> list[str]:
        match change["what"]:
            case "close":
                return self.model.tables_of(change["system"])
            case "terms":
                return [name for each in change["terms"] for name in self.model.tables_of(each)]
            case _:
                return [change["table"]]

    def _act(self, dice: Random, notice: str) -> None:
        offline: list[str] = []
        if dice.randint(0, 3) == 3:
            offline = some(dice, self.model.tables)
        self.ask(dice, "act", LADDER[-1], notice=notice, offline=offline)

    def _draft(self, dice: Random) -> str | None:
        notice = self.new("N") if self._mostly(dice) else "N1"
        what = dice.choice(CHANGES)
        change: dict[str, Any] = {"what": what}
        if what == "close":
            change |= {"system": self.system(dice), "shares": self._shares(dice)}
        elif what == "terms":
            change |= {"terms": self._new_terms(dice)}
        elif what == "minimum":
            name = str(self.table(dice))
            change |= {"table": name, "bets": self._bets(dice, name)}
        else:
            change |= {"table": self.table(dice)}
            if what != "remove":
                change |= {"to": self.system(dice)}
        accepted = self.ask(dice, "notice", LADDER[-1], notice=notice, change=change)
        return notice if accepted else None

    def _bets(self, dice: Random, table: str) -> tuple[int, int]:
        """Near what stands, a cent above it or below it; or such as cannot be."""
        if not self._mostly(dice):
            return dice.choice(BETS)
        least, most = self.model.tables[table].bets
        return least + dice.choice((-1, 0, 1, 1, 2)), most + dice.choice((-1, 0, 1))

    def _shares(self, dice: Random) -> dict[str, int]:
        targets = some(dice, self.model.meters(), most=3)
        dice.shuffle(targets)
        if not targets:
            return {}
        first = dice.randint(1, 9_999)
        if len(targets) == 1:
            return {targets[0]: 10_000 if self._mostly(dice) else first}
        shares = dict.fromkeys(targets[2:], 0)
        return {targets[0]: first, targets[1]: 10_000 - first, **shares}

    def _new_terms(self, dice: Random) -> dict[str, tuple[int, int, int]]:
        """Mostly all systems together; sometimes with new costs, or one left behind."""
        option = dice.choice((1, 2))
        seed = dice.choice(sorted(PERCENT[1]))
        meters = {name: meter for name, meter in self.model.meters().items() if not meter.closed}
        if not self._mostly(dice):
            meters = dict(list(self.model.meters().items())[:1])
        factor = dice.choice((1, 1, 2))
        return {
            name: (option, seed, meter.terms.cost_cents * factor)
            for name, meter in meters.items()
            if not self.model.training[name]
        }
