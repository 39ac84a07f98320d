"""Irregularities: what a case of the rules does to the Jackpot wagers of a table."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from meter_server.domain.commands import DeclareIrregularity
from meter_server.domain.deciding.outcomes import refuse_unless_open
from meter_server.domain.deciding.paper import check_paper, require_for_paper
from meter_server.domain.deciding.rulings import Ruled, rule_on_round
from meter_server.domain.deciding.wagers import cancel_carry, check_seats, credit, pick, reverse
from meter_server.domain.entries import Json
from meter_server.domain.floor import Draft
from meter_server.domain.people import Context, require
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round, RoundState, Seat, SeatState, with_seats
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.games import Game
from meter_server.domain.rulebook.irregularities import CASES, Effect, Ruling
from meter_server.domain.tables import Carry, Table, round_over

_LEAVES = "misdeal-player-leaves"
_WAGERS_OF_THE_ROUND = (SeatState.LIVE, SeatState.FOLDED)


@dataclass(frozen=True, slots=True)
class _Declared:
    """An irregularity that is in order: the case provides for it and the rank suffices."""

    command: DeclareIrregularity
    table: Table
    ruling: Ruling

    def detail(self, **more: Json) -> dict[str, Json]:
        """What every cancel names (IRR-3); who declared it is in the entry's stamp."""
        paper: dict[str, Json] = {} if self.command.paper is None else {"paper": self.command.paper}
        return {
            "case": self.command.case,
            "reason": self.command.reason,
            "rule": self.ruling.rule,
            **paper,
            **more,
        }

    def is_of(self, round_id: str) -> bool:
        return self.command.round_id in (None, round_id)

    def rule(self, draft: Draft, what: Ruled, round_: Round, seats: frozenset[int]) -> None:
        rule_on_round(draft, round_, what, self.ruling.rule, self.detail(seats=sorted(seats)))


def declare(draft: Draft, command: DeclareIrregularity, context: Context) -> None:
    """Look the case up for the table's game, check the rank, and do what it says."""
    table = draft.table(command.table_id)
    ruling = ruling_for(table.game, command.case)
    require(context, ruling.action, table.game_key, either=command.paper is not None)
    require_for_paper(table, command.paper, context)
    _refuse_other_table(draft, command)
    declared = _Declared(command, table, ruling)
    check_paper(table, _begun(draft, declared), command.paper, context)
    if command.joining:
        check_seats(table, command.joining)
    _EFFECTS[ruling.effect](draft, declared)


def _refuse_other_table(draft: Draft, command: DeclareIrregularity) -> None:
    if command.round_id is None or draft.round(command.round_id).table_id == command.table_id:
        return
    raise Refused(
        Kind.UNKNOWN,
        f"Round {command.round_id} was not played at table {command.table_id}.",
        rule="house control",
        remedy="Check the name.",
    )


def _begun(draft: Draft, declared: _Declared) -> Round | None:
    """The round it is about, as far as it decides whether paper must tell of it.

    Wagers carried out of a paper round are the system's again once the arrangements have ended.
    """
    table, round_id = declared.table, declared.table.open_round_id
    if declared.ruling.effect is Effect.CANCEL_CARRIED:
        on_paper = table.manual or declared.command.paper is not None
        round_id = table.carry.round_id if table.carry is not None and on_paper else None
    return None if round_id is None else draft.round(round_id)


def ruling_for(game: Game, case_key: str) -> Ruling:
    case = CASES.get(case_key)
    ruling = None if case is None else case.rulings.get(game.key)
    if ruling is None:
        raise Refused(
            Kind.CASE_NOT_PROVIDED,
            f"The {game.title} rules have no case {case_key!r}.",
            rule=game.rules.dispute,
            remedy="Choose a case of this game, or call the TG Area Manager for a ruling.",
        )
    return ruling


def _play_on(draft: Draft, declared: _Declared) -> None:
    """Nothing changes for the jackpot: eligibility stands."""
    declared.rule(draft, Ruled.PLAYED_ON, _open_round(draft, declared), declared.command.seats)


def _carry_all(draft: Draft, declared: _Declared) -> None:
    """Every wager of the round stands for the next one: a void round has no folds (A-25)."""
    table, round_ = declared.table, _open_round(draft, declared)
    carried = round_.in_state(*_WAGERS_OF_THE_ROUND)
    earlier = {} if table.carry is None else table.carry.stakes
    carry = Carry({**earlier, **round_.stakes(carried)}, whole=True, round_id=round_.id)
    draft.put(
        replace(with_seats(round_, carried, SeatState.CARRIED), state=RoundState.CARRIED),
        replace(round_over(table), carry=carry if carry.stakes else None),
    )
    declared.rule(draft, Ruled.CARRIED, round_, carried)


def _carry_hands(draft: Draft, declared: _Declared) -> None:
    """The named hands are void and their wagers stand for the next round (A-21, A-22)."""
    table, round_ = declared.table, _open_round(draft, declared)
    seats = _named_live(round_, declared)
    earlier = {} if table.carry is None else table.carry.stakes
    carry = Carry({**earlier, **round_.stakes(seats)}, whole=False, round_id=round_.id)
    draft.put(with_seats(round_, seats, SeatState.CARRIED), replace(table, carry=carry))
    declared.rule(draft, Ruled.CARRIED, round_, seats)


def _regroup(draft: Draft, declared: _Declared) -> None:
    """Cancel the game and re-register what remains for the round in progress (A-19, A-55)."""
    table, round_ = declared.table, _open_round(draft, declared)
    leaving, joining = _leaving_and_joining(round_, declared)
    live = round_.in_state(SeatState.LIVE)
    remaining = (live - leaving) | joining
    detail = declared.detail(returned=sorted(leaving), reregistered=sorted(remaining))
    reverse(draft, table, round_.id, round_.stakes(live), detail)
    regrouped = with_seats(round_, leaving, SeatState.RETURNED)
    if not remaining:
        draft.put(replace(regrouped, state=RoundState.CANCELLED), round_over(table))
        return
    # The chips lie there at the cost of their round, whatever has come into force since.
    terms = round_.terms
    detail = declared.detail(carried=[])
    stakes = credit(draft, round_.meter_id, terms, table, round_.id, remaining, detail)
    fresh = {seat: Seat(SeatState.LIVE, stake) for seat, stake in stakes.items()}
    draft.put(replace(regrouped, seats={**regrouped.seats, **fresh}))


def _leaving_and_joining(
    round_: Round, declared: _Declared
) -> tuple[frozenset[int], frozenset[int]]:
    command = declared.command
    if declared.ruling.action is not Action.REREGISTER_WAGERS:
        if command.joining:
            raise Refused(
                Kind.SEATS_NOT_NAMED,
                "This case returns wagers; it admits none.",
                rule=declared.ruling.rule,
                remedy="Declare a wager that was not registered as its own case.",
            )
        return _named_live(round_, declared), frozenset()
    if not command.seats and not command.joining:
        raise _seats_not_named(declared)
    leaving = _named_live(round_, declared) if command.seats else frozenset[int]()
    taken = sorted(
        seat
        for seat in command.joining
        if seat in round_.seats and round_.seats[seat].state is not SeatState.RETURNED
    )
    if taken:
        raise Refused(
            Kind.SEAT_HAS_WAGER,
            f"Seat {taken[0]} has its one Jackpot wager in this round already.",
            rule=declared.table.game.rules.one_wager_a_hand,
            remedy="Name the seat whose wager is missing.",
        )
    return leaving, command.joining


def _cancel_carried(draft: Draft, declared: _Declared) -> None:
    """After a misdeal somebody leaves or joins: the carried game is cancelled now (IRR-1)."""
    table, carry = declared.table, declared.table.carry
    if carry is None or table.open_round_id is not None or not declared.is_of(carry.round_id):
        raise Refused(
            Kind.NOTHING_CARRIED,
            f"No such wagers are carried to the next round at table {table.id}.",
            rule=declared.ruling.rule,
            remedy="Register the wagers of the next round.",
        )
    seats = declared.command.seats
    _refuse_without_wager(sorted(seats - set(carry.stakes)), declared)
    if not seats and (not carry.whole or declared.command.case == _LEAVES):
        raise _seats_not_named(declared)
    if carry.whole:
        cancel_carry(draft, table, carry, seats, declared.detail())
        draft.put(replace(table, carry=None))
        return
    detail = declared.detail(returned=sorted(seats), reregistered=[])
    reverse(draft, table, carry.round_id, pick(carry.stakes, seats), detail)
    left = {seat: stake for seat, stake in carry.stakes.items() if seat not in seats}
    draft.put(replace(table, carry=replace(carry, stakes=left) if left else None))


def _refund_all(draft: Draft, declared: _Declared) -> None:
    """Return every wager of the round, folded ones included (A-24)."""
    table, round_ = declared.table, _open_round(draft, declared)
    seats = round_.in_state(*_WAGERS_OF_THE_ROUND)
    detail = declared.detail(returned=sorted(seats), reregistered=[])
    reverse(draft, table, round_.id, round_.stakes(seats), detail)
    draft.put(
        replace(with_seats(round_, seats, SeatState.RETURNED), state=RoundState.REFUNDED),
        round_over(table),
    )


def _settle(_draft: Draft, declared: _Declared) -> None:
    raise Refused(
        Kind.RECORD_OUTCOME_INSTEAD,
        "The jackpot of this round is settled although the hand is a misdeal.",
        rule=declared.ruling.rule,
        remedy="Record the outcome on hole cards and Flop, naming this case.",
    )


def _forfeit(draft: Draft, declared: _Declared) -> None:
    """The named wagers are lost; what they contributed stays (A-43)."""
    round_ = _open_round(draft, declared)
    seats = _named_live(round_, declared)
    draft.put(with_seats(round_, seats, SeatState.FORFEITED))
    declared.rule(draft, Ruled.FORFEITED, round_, seats)


_EFFECTS: dict[Effect, Callable[[Draft, _Declared], None]] = {
    Effect.PLAY_ON: _play_on,
    Effect.CARRY_ALL: _carry_all,
    Effect.CARRY_HANDS: _carry_hands,
    Effect.REGROUP: _regroup,
    Effect.CANCEL_CARRIED: _cancel_carried,
    Effect.REFUND_ALL: _refund_all,
    Effect.SETTLE: _settle,
    Effect.FORFEIT: _forfeit,
}


def _open_round(draft: Draft, declared: _Declared) -> Round:
    """The round in progress, which is the named one where one is named."""
    table = declared.table
    round_id = declared.command.round_id or table.open_round_id or table.last_round_id
    if round_id is None:
        raise Refused(
            Kind.ROUND_ENDED,
            f"No jackpot game is open at table {table.id}.",
            rule=table.game.rules.misdeal,
            remedy="Register the wagers of a round first.",
        )
    round_ = draft.round(round_id)
    refuse_unless_open(round_)
    return round_


def _named_live(round_: Round, declared: _Declared) -> frozenset[int]:
    seats = declared.command.seats
    if not seats:
        raise _seats_not_named(declared)
    _refuse_without_wager(sorted(seats - round_.in_state(SeatState.LIVE)), declared)
    return seats


def _refuse_without_wager(missing: list[int], declared: _Declared) -> None:
    if missing:
        raise Refused(
            Kind.SEAT_WITHOUT_WAGER,
            f"Seat {missing[0]} has no such Jackpot wager at table {declared.table.id}.",
            rule=declared.ruling.rule,
            remedy="Name seats whose wagers are registered.",
        )


def _seats_not_named(declared: _Declared) -> Refused:
    return Refused(
        Kind.SEATS_NOT_NAMED,
        "The case needs the seats it concerns.",
        rule=declared.ruling.rule,
        remedy="Name the seats.",
    )
