"""Jackpot wagers: registered once, contributing once, carried or taken back."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from meter_server.domain.commands import RegisterWagers
from meter_server.domain.deciding.paper import (
    refuse_future_paper,
    refuse_paper_unless_manual,
    require_for_paper,
)
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.meter import Meter, MeterState, Posting
from meter_server.domain.money import MICROS_PER_CENT, dollars
from meter_server.domain.people import Context, require
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round, RoundState, Seat, SeatState
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Carry, Gate, Stake, Table, TableState


def register(draft: Draft, command: RegisterWagers, context: Context) -> None:
    """Begin the jackpot game of a round (WAG-4, WAG-5, MET-3, A-16)."""
    table = draft.table(command.table_id)
    require(context, Action.REGISTER_WAGERS, table.game_key)
    require_for_paper(table, command.paper, context)
    draft.refuse_known("round", command.round_id)
    meter = draft.open_meter(_group(table))
    _refuse_unless_taking_wagers(table, command, context)
    check_seats(table, command.seats)
    _refuse_wrong_cost(table, meter, command.cost_cents)
    stakes = _stakes(draft, table, command)
    draft.put(
        Round(
            id=command.round_id,
            table_id=table.id,
            meter_id=meter.id,
            game_key=table.game_key,
            terms=meter.terms,
            on_paper=command.paper is not None,
            seats={seat: Seat(SeatState.LIVE, stakes[seat]) for seat in sorted(stakes)},
        ),
        replace(table, open_round_id=command.round_id, carry=None),
    )


def _stakes(draft: Draft, table: Table, command: RegisterWagers) -> dict[int, Stake]:
    """The stakes of the new round: carried ones as they are, the others credited now.

    A whole game carried with the same seats adds nothing (A-17); with other seats it is cancelled
    and registered anew (A-19). Hands carried alone go on or go back alone (A-21). A carried wager
    is its hand's one wager of this round (IRR-2).
    """
    meter_id = _group(table)
    carry = table.carry
    kept: dict[int, Stake] = {}
    if carry is not None and draft.round(carry.round_id).terms != draft.meter(meter_id).terms:
        # New terms came while the table could not be reached: options are never mixed (SYS-10).
        detail: dict[str, Json] = {
            "case": "terms-changed",
            "reason": "",
            "rule": table.game.rules.exact_cost,
        }
        cancel_carry(draft, table, carry, carry.stakes, detail)
    elif carry is not None:
        carried = set(carry.stakes)
        left = carried - command.seats
        if carry.whole and carried != command.seats:
            case = "misdeal-player-leaves" if left else "misdeal-player-joins"
            cancel_carry(draft, table, carry, left, _named_case(table, case))
        else:
            if left:
                gone = {**_named_case(table, "no-ante-next-round"), **_gone(left)}
                reverse(draft, table, carry.round_id, pick(carry.stakes, left), gone)
            kept = pick(carry.stakes, carried & command.seats)
    fresh = frozenset(command.seats) - set(kept)
    evidence: dict[str, Json] = {"carried": sorted(kept)}
    if command.paper is not None:
        evidence["paper"] = command.paper
    terms = draft.meter(meter_id).terms
    return kept | credit(draft, meter_id, terms, table, command.round_id, fresh, evidence)


def _named_case(table: Table, case: str) -> dict[str, Json]:
    return {"case": case, "reason": "", "rule": table.game.rules.misdeal}


def _gone(seats: Iterable[int]) -> dict[str, Json]:
    return {"returned": sorted(seats), "reregistered": []}


def cancel_carry(
    draft: Draft, table: Table, carry: Carry, returned: Iterable[int], detail: Mapping[str, Json]
) -> None:
    """Cancel a carried game; the wagers that stay are registered anew with the next round."""
    gone = set(returned)
    staying = sorted(set(carry.stakes) - gone)
    seats: dict[str, Json] = {"returned": sorted(gone), "reregistered": list(staying)}
    reverse(draft, table, carry.round_id, carry.stakes, {**detail, **seats})
    if carry.whole:
        draft.put(replace(draft.round(carry.round_id), state=RoundState.CANCELLED))


def credit(
    draft: Draft,
    meter_id: str,
    terms: Terms,
    table: Table,
    round_id: str,
    seats: frozenset[int],
    detail: Mapping[str, Json],
) -> dict[int, Stake]:
    """One credit for a registration, with its seats inside, at the rate of its terms (MET-3)."""
    wagered = len(seats) * terms.cost_micros
    contributed = len(seats) * terms.contribution_micros
    draft.post(
        meter_id,
        Posting(
            EntryKind.CREDIT,
            contributed,
            (
                (Account.WAGERS_TAKEN, -wagered),
                (Account.HOUSE_MARGIN, wagered - contributed),
            ),
            rule=table.game.rules.minimum,
            detail={
                **detail,
                "cost_cents": terms.cost_cents,
                "rate_bp": terms.rate_bp,
                "seats": sorted(seats),
            },
            table_id=table.id,
            round_id=round_id,
            turnover_micros=wagered,
        ),
    )
    stake = Stake(terms.cost_micros, terms.contribution_micros, draft.meter(meter_id).epoch)
    return dict.fromkeys(sorted(seats), stake)


def reverse(
    draft: Draft,
    table: Table,
    round_id: str,
    stakes: Mapping[int, Stake],
    detail: Mapping[str, Json],
) -> None:
    """Take wagers back: off the meter comes only what is still on it (IRR-1, A-18).

    What an earlier reset paid away stays paid; the house bears it. The seed is guarded afterwards.
    The meter is the one the round played for: its table may have moved to another since.
    """
    meter = draft.meter(draft.round(round_id).meter_id)
    on_meter = [stake for stake in stakes.values() if stake.epoch == meter.epoch]
    returned = sum(stake.cost_micros for stake in stakes.values())
    reversed_ = sum(stake.credited_micros for stake in on_meter)
    draft.post(
        meter.id,
        Posting(
            EntryKind.REVERSAL,
            -reversed_,
            (
                (Account.REFUNDS, returned),
                (Account.HOUSE_MARGIN, reversed_ - returned),
            ),
            rule=str(detail.get("rule", table.game.rules.misdeal)),
            detail={
                **detail,
                "seats": sorted(stakes),
                "spent": sorted(seat for seat, held in stakes.items() if held not in on_meter),
                "stakes": [
                    [seat, stake.cost_micros, stake.credited_micros, stake.epoch]
                    for seat, stake in sorted(stakes.items())
                ],
            },
            table_id=table.id,
            round_id=round_id,
            turnover_micros=-sum(stake.cost_micros for stake in on_meter),
        ),
    )
    guard_seed(draft, meter.id, table.game.rules.reset, table.id, round_id)


def guard_seed(
    draft: Draft, meter_id: str, rule: str, table_id: str | None, round_id: str | None
) -> None:
    """Reset to seed x cost where the meter has fallen below it (MET-4, A-18)."""
    meter = draft.meter(meter_id)
    if meter.state is MeterState.OPEN and meter.below_seed:
        reset(draft, meter_id, meter.terms.reseed_micros, rule, table_id, round_id)


def reset(
    draft: Draft,
    meter_id: str,
    to_micros: int,
    rule: str,
    table_id: str | None,
    round_id: str | None,
) -> None:
    added = to_micros - draft.meter(meter_id).value_micros
    draft.post(
        meter_id,
        Posting(
            EntryKind.RESET,
            added,
            ((Account.SEED_FUNDING, -added),),
            rule=rule,
            detail={"to": to_micros},
            table_id=table_id,
            round_id=round_id,
        ),
    )


def pick(stakes: Mapping[int, Stake], seats: Iterable[int]) -> dict[int, Stake]:
    return {seat: stakes[seat] for seat in sorted(seats)}


def _group(table: Table) -> str:
    if table.meter_id is None:
        raise Refused(
            Kind.TABLE_IN_NO_GROUP,
            f"Table {table.id} belongs to no prize meter system.",
            rule=table.game.rules.group,
            remedy="Add it to a system after its notice has stood for 20 minutes.",
        )
    return table.meter_id


def _refuse_unless_taking_wagers(table: Table, command: RegisterWagers, context: Context) -> None:
    if table.state is TableState.CLOSED:
        raise Refused(
            Kind.TABLE_CLOSED,
            f"Table {table.id} is closed.",
            rule="WSOP 14.7; Three Card 13.8",
            remedy="Open the table first.",
        )
    if table.tournament:  # TRN-1, A-47
        raise Refused(
            Kind.TOURNAMENT,
            f"Table {table.id} is used for a tournament, whose chips never feed a meter.",
            rule="WSOP 13.2.5; Three Card 12.2.5",
            remedy="End the tournament at this table before taking Jackpot wagers.",
        )
    if table.manual and command.paper is None:
        raise Refused(
            Kind.MANUAL_ON_PAPER,
            f"Table {table.id} works under manual arrangements, on paper.",
            rule=table.game.rules.operating,
            remedy="Key in the paper record with its reference, or end manual arrangements.",
        )
    refuse_paper_unless_manual(table, command.paper)
    if command.paper is not None:
        refuse_future_paper(table.game, context)
    if not table.manual:
        _refuse_failing_gate(table, table.failing | context.failing)
    _refuse_new_game_while_draining(table, command.seats)
    if table.open_round_id is not None:
        raise Refused(
            Kind.GAME_OPEN,
            f"Round {table.open_round_id} is still open at table {table.id}.",
            rule=table.game.rules.one_wager_a_hand,
            remedy="Record its outcome first.",
        )


def _refuse_new_game_while_draining(table: Table, seats: frozenset[int]) -> None:
    """A carried game may still be played out; nothing new begins (SYS-6)."""
    carried = set() if table.carry is None else set(table.carry.stakes)
    if table.draining_for is not None and seats != carried:
        raise Refused(
            Kind.DRAINING,
            f"Table {table.id} takes no new Jackpot wagers: notice {table.draining_for} is due.",
            rule="WSOP 9.1.1(g)-(i); Three Card 6.1.1(g)-(i)",
            remedy="Play without jackpot until the change has been made.",
        )


def _refuse_failing_gate(table: Table, failing: frozenset[Gate]) -> None:
    """Two gates before wagers: operating properly, and the table's own display (WAG-2, WAG-3)."""
    rules = table.game.rules
    words = {
        Gate.AMOUNTS: "the meter cannot record the amounts",
        Gate.SETTLEMENT_TIMES: "the time for settlement cannot be recorded",
        Gate.METER_READING: "the meter cannot be read as at a settlement",
    }
    for number, (gate, word) in enumerate(words.items(), start=1):
        if gate in failing:
            raise Refused(
                Kind.NOT_OPERATING,
                f"The equipment at table {table.id} is not operating properly: {word}.",
                rule=f"{rules.operating}.{number}",
                remedy="Take no Jackpot wagers; call the TG Area Manager for manual arrangements.",
            )
    if Gate.DISPLAY in failing:  # SGN-1, SGN-3
        raise Refused(
            Kind.DISPLAY_NOT_OPERATING,
            f"The prize meter display at table {table.id} is not operating.",
            rule=rules.display,
            remedy="Take no Jackpot wagers until it shows the meter again, or until a TG Area "
            "Manager has declared manual arrangements.",
        )


def check_seats(table: Table, seats: frozenset[int]) -> None:
    """One wager for each hand, at most one for each seat of the table (WAG-4)."""
    if not seats:
        raise Refused(
            Kind.NO_SEATS,
            "No seat is named.",
            rule=table.game.rules.one_wager_a_hand,
            remedy="Name the seats with a Jackpot wager, or play without jackpot.",
        )
    beyond = sorted(seat for seat in seats if not 1 <= seat <= table.seats)
    if beyond:
        raise Refused(
            Kind.SEAT_NOT_AT_TABLE,
            f"Table {table.id} has seats 1 to {table.seats}, not {beyond[0]}.",
            rule=table.game.rules.one_wager_a_hand,
            remedy="Correct the seat.",
        )


def _refuse_wrong_cost(table: Table, meter: Meter, cost_cents: int) -> None:
    """Exactly the cost: an excess is handed back, a short one refused (WAG-5, A-26)."""
    if cost_cents != meter.terms.cost_cents:
        raise Refused(
            Kind.WRONG_COST,
            f"A Jackpot wager at table {table.id} costs {dollars(meter.terms.cost_micros)}, "
            f"not {dollars(cost_cents * MICROS_PER_CENT)}.",
            rule=table.game.rules.exact_cost,
            remedy="Hand back an excess, refuse a short wager, and register the exact cost.",
        )
