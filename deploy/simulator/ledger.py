"""What the meters must stand at, summed up again from what the tables said.

It knows what each table asked for and that it was accepted; amounts are worked out here from the
rulebook's figures. The server's own are only compared.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deploy.simulator.table import Event
from meter_server.contract.device.link import Json
from meter_server.contract.messages import DeclareIrregularity, Message, RecordOutcome
from meter_server.domain.hands import Hand
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.irregularities import CASES, Effect
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.settlement import settle
from table_agent.table import bonus_of, read


@dataclass(frozen=True)
class System:
    """A prize meter system as it stood when the evening began."""

    name: str
    terms: Terms
    value_micros: int
    epoch: int
    seq: int
    games: Mapping[str, GameKey]
    """By table."""


@dataclass
class _Table:
    playing: dict[int, int] = field(default_factory=dict)
    """By seat: the epoch in which its wager contributed."""
    carried: dict[int, int] = field(default_factory=dict)
    carried_whole: bool = False
    hands: dict[int, Hand] = field(default_factory=dict)


class Ledger:
    """Of one system."""

    def __init__(self, system: System, readings: Readings) -> None:
        self._terms, self._games, self._readings = system.terms, system.games, readings
        self.value_micros, self.epoch = system.value_micros, system.epoch
        self.entries = 0
        self.counts: Counter[str] = Counter()
        self.bonus_micros = 0
        self.prizes: dict[str, int] = {}
        """By prize: round and seat, as the server names it."""
        self._tables: defaultdict[str, _Table] = defaultdict(_Table)

    def take(self, event: Event) -> None:
        """In the order in which the meter recorded them."""
        if event.answer["answer"] == "refused":
            self.counts["refused"] += 1
            return
        self.entries += len(event.answer["entries"])
        message = Message.model_validate(event.message)
        table, command = self._tables[event.table], message.command
        match command.kind:
            case "register-wagers":
                self._register(table, set(command.seats))
            case "record-outcome":
                self._record(event.table, table, command)
            case "declare-irregularity":
                self.counts[f"irregularity: {command.case}"] += 1
                effect = CASES[command.case].rulings[self._games[event.table]].effect
                _EFFECTS[effect](self, table, command)
            case "correct-bonus":
                self.counts["bonus corrections"] += 1
                before = self._bonus(table)
                table.hands |= {one.seat: Hand(one.hand) for one in command.hands if one.hand}
                for one in command.hands:
                    if one.hand is None:
                        table.hands.pop(one.seat, None)
                self.bonus_micros += self._bonus(table) - before

    def _register(self, table: _Table, seats: set[int]) -> None:
        """A whole game that was carried goes on with the same seats, or goes back whole; single
        hands go on or go back alone."""
        self.counts["rounds"] += 1
        carried, table.carried = table.carried, {}
        changed = table.carried_whole and carried.keys() != seats
        back = carried if changed else {s: e for s, e in carried.items() if s not in seats}
        if back:
            self._return(back)
        kept = {seat: epoch for seat, epoch in carried.items() if seat not in back}
        table.playing = kept | self._wagered(seats - kept.keys())

    def _wagered(self, seats: Iterable[int]) -> dict[int, int]:
        placed = dict.fromkeys(seats, self.epoch)
        self.counts["wagers"] += len(placed)
        self.value_micros += len(placed) * self._terms.contribution_micros
        return placed

    def _return(self, wagers: Mapping[int, int]) -> None:
        """Off the meter comes what is still on it."""
        self.counts["wagers returned"] += len(wagers)
        on_meter = sum(epoch == self.epoch for epoch in wagers.values())
        self.value_micros -= on_meter * self._terms.contribution_micros
        self._top_up()

    def _top_up(self) -> None:
        if self.value_micros < self._terms.reseed_micros:
            self.value_micros = self._terms.reseed_micros
            self.epoch += 1

    def _record(self, name: str, table: _Table, command: RecordOutcome) -> None:
        self.counts["rounds settled"] += 1
        if command.case is not None:
            self.counts[f"irregularity: {command.case}"] += 1
        game = GAMES[self._games[name]]
        reading = read(game, frozenset(table.playing), command.hands, command.shared_cards)
        statement = settle(
            game,
            self._terms,
            self.value_micros,
            reading.royals,
            reading.straight_flushes,
            readings=self._readings,
        )
        for share in statement.shares:
            for seat in reading.seats_with(share.hand):
                self.prizes[f"{command.round}/{seat}"] = share.paid_micros
        self.value_micros = statement.meter_after_micros
        self.epoch += statement.reset
        table.playing, table.hands = {}, dict(reading.hands)
        self.bonus_micros += self._bonus(table)

    def _bonus(self, table: _Table) -> int:
        return sum(bonus_of(self._terms, table.hands, self._readings).values())

    def play_on(self, table: _Table, command: DeclareIrregularity) -> None:
        """Nothing changes."""

    def carry_all(self, table: _Table, _command: DeclareIrregularity) -> None:
        table.carried |= table.playing
        table.playing, table.carried_whole = {}, True

    def carry_hands(self, table: _Table, command: DeclareIrregularity) -> None:
        table.carried |= {seat: table.playing.pop(seat) for seat in command.seats}
        table.carried_whole = False

    def regroup(self, table: _Table, command: DeclareIrregularity) -> None:
        staying = (table.playing.keys() - set(command.seats)) | set(command.joining)
        self._return(table.playing)
        table.playing = self._wagered(staying)

    def refund_all(self, table: _Table, _command: DeclareIrregularity) -> None:
        self._return(table.playing)
        table.playing = {}

    def forfeit(self, table: _Table, command: DeclareIrregularity) -> None:
        for seat in command.seats:
            del table.playing[seat]


_EFFECTS: Mapping[Effect, Callable[[Ledger, _Table, DeclareIrregularity], None]] = {
    Effect.PLAY_ON: Ledger.play_on,
    Effect.CARRY_ALL: Ledger.carry_all,
    Effect.CARRY_HANDS: Ledger.carry_hands,
    Effect.REGROUP: Ledger.regroup,
    Effect.REFUND_ALL: Ledger.refund_all,
    Effect.FORFEIT: Ledger.forfeit,
}


def summed(system: System, events: Sequence[Event], readings: Readings) -> Ledger:
    """All that the system's tables said, in the meter's order."""
    ledger = Ledger(system, readings)
    for event in sorted((one for one in events if one.table in system.games), key=_place):
        ledger.take(event)
    return ledger


def _place(event: Event) -> tuple[int, int]:
    head: Json = event.answer["head"]
    return int(head["seq"]), int(event.message["number"])
