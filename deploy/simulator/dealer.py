"""The dealer of one table: plays rounds on its console, with everything that may come between."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from deploy.simulator.dealing import Deal, Show, deal, stacked, winners
from deploy.simulator.players import Players, folds
from deploy.simulator.table import Tablet
from deploy.simulator.tally import Tally
from deploy.simulator.wire import Fate
from meter_server.contract.device.link import Json
from meter_server.domain.hands import METER_HANDS, Hand
from meter_server.domain.rulebook.authority import Action, Rank, grant_for
from meter_server.domain.rulebook.irregularities import Effect
from meter_server.domain.rulebook.terms import Terms
from table_agent import irregularities
from table_agent.agent import Declined
from table_agent.irregularities import Irregularity
from table_agent.sender import LinkState

ROUND_SECONDS = 90.0
"""Of a round on a real floor, half of it while wagers are placed."""
_ENDS_THE_ROUND = frozenset({Effect.CARRY_ALL, Effect.REFUND_ALL})
_NEEDS_OTHERS = frozenset({Effect.CARRY_HANDS, Effect.REGROUP, Effect.FORFEIT})
_DECLINED_SECONDS = 2.0
_CUTS_MAX = 3


@dataclass(frozen=True)
class Rates:
    """How often, of all rounds."""

    irregular: float = 0.02
    cut: float = 0.02
    restart: float = 0.005
    new_dealer: float = 0.01
    come_and_go: float = 0.1


@dataclass(frozen=True)
class Staff:
    """Who stands at consoles, and who is called to them."""

    dealers: tuple[str, ...]
    supervisors: Mapping[str, str]
    """By rank, the number of somebody who has it."""
    pin: str

    def approval(self, rank: Rank) -> Json | None:
        """None where the dealer's own rank will do."""
        number = self.supervisors.get(rank.key)
        return None if number is None else {"number": number, "pin": self.pin}


@dataclass(frozen=True)
class Stacked:
    """A show in one round of one table; ``meet`` waits until all its tables may record."""

    show: Show
    meet: Callable[[], object] = lambda: None


class Dealer:
    def __init__(
        self, tablet: Tablet, staff: Staff, rates: Rates, tally: Tally, dice: Random, speed: float
    ) -> None:
        """A speed of 0 waits for nothing."""
        self._tablet, self._staff, self._rates = tablet, staff, rates
        self._tally, self._dice, self._speed = tally, dice, speed
        self._game = tablet.standing().game
        self._cases = [
            one
            for one in irregularities.of_game(self._game)
            if one.effect is not Effect.CANCEL_CARRIED
        ]
        self._players = Players(tablet.standing().told.seats, dice)
        self.counts: Counter[str] = Counter()
        self.stacked: set[str] = set()
        """Rounds that were dealt from a stacked deck."""

    def begin(self) -> None:
        """Sign on, and end what an earlier evening left open."""
        self._sign_on()
        while True:
            now = self._tablet.standing()
            if now.open_round is not None:
                self._record_nothing()
            elif now.carried:
                self._tablet.tap("sensed", seats=sorted(now.carried))
                self._tablet.tap_here("register")
                self._tablet.exchange()
            else:
                return

    def play(self, show: Stacked | None = None) -> None:
        """One round, from the wagers to its record."""
        dice, rates = self._dice, self._rates
        self._pass_time()
        if dice.random() < rates.new_dealer:
            self._sign_on()
        self._players.come_and_go(rates.come_and_go, dice)
        if show is not None:
            self._fill(winners(show.show, self._game))
        cut, restart = dice.random() < rates.cut, dice.random() < rates.restart
        cut_at_outcome, without = dice.random() < 0.5, dice.random() < 0.5
        case = dice.choice(self._cases) if dice.random() < rates.irregular and not show else None
        seats = sorted(self._players.seats)
        dealt = stacked(self._game, seats, show.show, dice) if show else None
        dealt = dealt or deal(self._game, seats, dice)
        if not self._register(seats, cut and not cut_at_outcome, without and not show, restart):
            return
        self._pass_time()
        terms = self._tablet.standing().terms
        assert terms is not None  # noqa: S101 - a wager was registered
        folded = {seat for seat in seats if folds(dealt, seat, terms)}
        if show is None:
            self._tally.add([dealt.hand(seat) for seat in seats], len(folded))
        if case is not None and self._happens(case):
            return
        self._report(dealt, folded, terms)
        if show is not None:
            self.stacked.add(self._tablet.standing().place)
            show.meet()
        kept = [seat for seat in self._live() if seat not in folded]
        settling = case is not None and case.effect is Effect.SETTLE
        self._record(case if settling else None, cut and cut_at_outcome, restart)
        if case is not None and dice.random() < 0.5 and kept:
            self._put_bonus_right(kept[0])

    def _pass_time(self) -> None:
        if self._speed:
            spread = self._dice.uniform(0.6, 1.4)
            self._tablet.wait(ROUND_SECONDS / 2 / self._speed * spread)

    def _fill(self, least: int) -> None:
        while len(self._players.seats) < least:
            self._players.seats.add(self._players.free()[0])

    def _sign_on(self) -> None:
        number = self._dice.choice(self._staff.dealers)
        self._tablet.tap("sign-on", number=number, pin=self._staff.pin)
        self.counts["dealers signed on"] += 1

    def _register(self, seats: list[int], cut: bool, without: bool, restart: bool) -> bool:
        """Whether cards are dealt for the jackpot."""
        tablet = self._tablet
        tablet.tap("sensed", seats=seats)
        try:
            tablet.tap_here("register")
        except Declined:
            self.counts["rounds without jackpot"] += 1
            tablet.wait(_DECLINED_SECONDS)
            return False
        if cut:
            self._cut()
        if cut and without and tablet.step() is not LinkState.UP:
            # The players do not want to wait: no card was dealt, and the chips go back.
            tablet.tap_here("play-without-jackpot")
            self.counts["rounds without jackpot"] += 1
        if restart:
            tablet.restart()
        tablet.exchange()
        return tablet.standing().open_round is not None

    def _cut(self) -> None:
        fates = self._dice.choices(list(Fate), k=self._dice.randint(1, _CUTS_MAX))
        self._tablet.wire.cut(*fates)

    def _happens(self, case: Irregularity) -> bool:
        """Declare an irregularity; whether the round is over by that."""
        seats = self._live()
        if case.effect is Effect.SETTLE or (case.effect in _NEEDS_OTHERS and len(seats) < 2):
            return False
        free = self._players.free()
        joining = [self._dice.choice(free)] if case.admits_seats and free else []
        named = [self._dice.choice(seats)] if case.names_seats else []
        self._tablet.tap_here(
            "declare",
            case=case.case,
            seats=named,
            joining=joining,
            reason="simulated",
            approval=self._staff.approval(case.rank),
        )
        self._tablet.exchange()
        self.counts["irregularities"] += 1
        return case.effect in _ENDS_THE_ROUND

    def _live(self) -> list[int]:
        opened = self._tablet.standing().open_round
        return sorted(opened.seats) if opened else []

    def _report(self, dealt: Deal, folded: set[int], terms: Terms) -> None:
        """Whatever wins is shown: by its cards where it comes off the meter, else by its name."""
        by_cards = False
        for seat in self._live():
            hand = dealt.hand(seat) if seat in dealt.own else Hand.NO_PAIR
            if hand in METER_HANDS:
                by_cards = True
                self._tap_hand(seat, None, dealt.own_written(seat), folded=seat in folded)
            elif terms.bonus_micros(hand):
                self._tap_hand(seat, hand.value, "", folded=seat in folded)
        if by_cards:
            self._tablet.tap_here("shared-cards", cards=dealt.shared_written)

    def _tap_hand(self, seat: int, hand: str | None, cards: str, *, folded: bool) -> None:
        self._tablet.tap_here("hand", seat=seat, hand=hand, cards=cards, folded=folded)

    def _record(self, case: Irregularity | None, cut: bool, restart: bool) -> None:
        if case is None:
            self._tablet.tap_here("record")
        else:
            approval = self._staff.approval(case.rank)
            self._tablet.tap_here("settle-despite", case=case.case)
            self._tablet.tap_here("record", approval=approval)
            self.counts["irregularities"] += 1
        if cut:
            self._cut()
        if restart:
            self._tablet.restart()
        self._tablet.exchange()

    def _record_nothing(self) -> None:
        self._tablet.tap_here("no-winners")
        self._tablet.exchange()

    def _put_bonus_right(self, seat: int) -> None:
        """A hand was read wrongly, and then rightly again: both are recorded."""
        last = self._tablet.standing().last_round
        grant = grant_for(Action.CORRECT_BONUS, self._game.key)
        if (
            last is None
            or grant is None
            or any(hand in METER_HANDS for hand in last.hands.values())
        ):
            return
        right = last.hands.get(seat)
        wrong = Hand.FULL_HOUSE if right is Hand.FLUSH else Hand.FLUSH
        for hand in (wrong, right):
            named = [{"seat": seat, "hand": hand and hand.value}]
            approval = self._staff.approval(grant.rank)
            self._tablet.tap_here("correct-bonus", hands=named, approval=approval)
            self._tablet.exchange()
