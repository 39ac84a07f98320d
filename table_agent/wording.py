"""Sentences, and parts of them, that a dealer reads."""

from collections.abc import Iterable, Mapping

from meter_server.domain.money import dollars
from meter_server.domain.rulebook.irregularities import Effect
from meter_server.domain.rulebook.terms import Terms
from table_agent.irregularities import Irregularity
from table_agent.table import OpenRound


def seats_of(seats: Iterable[int]) -> str:
    """``seat 3``, ``seats 1, 4 and 6``; ``no seat`` where somebody typed a message without one."""
    named = sorted(seats)
    if not named:
        return "no seat"
    *others, last = named
    return f"seats {', '.join(map(str, others))} and {last}" if others else f"seat {last}"


def each_of(seats: Iterable[int]) -> str:
    named = seats_of(seats)
    return f"each of {named}" if named.startswith("seats ") else named


def chips(terms: Terms | None, carried: frozenset[int], chosen: frozenset[int]) -> list[str]:
    """Which chips move with a registration: carried wagers stand, and what differs goes back or
    comes (WSOP 11.13, Three Card 11.15)."""
    if terms is None:
        return []
    cost, said = dollars(terms.cost_micros), []
    if carried - chosen:
        said.append(f"Return {cost} to {each_of(carried - chosen)}.")
    if chosen - carried:
        said.append(f"Take {cost} from {each_of(chosen - carried)}.")
    if carried & chosen:
        said.append(f"The Jackpot wagers of {seats_of(carried & chosen)} stand: take no chips.")
    return said


def give_back(opened: OpenRound, seats: frozenset[int]) -> str:
    return f"Return {dollars(opened.terms.cost_micros)} to {each_of(seats)}."


def consequences(
    found: Irregularity, opened: OpenRound, seats: frozenset[int], joining: frozenset[int]
) -> list[str]:
    """What the dealer does with the chips after an irregularity."""
    match found.effect:
        case Effect.CARRY_ALL:
            return [f"The Jackpot wagers of {seats_of(opened.seats)} stand for the next round."]
        case Effect.CARRY_HANDS:
            return [f"The Jackpot wagers of {seats_of(seats)} stand for the next round."]
        case Effect.REGROUP:
            back = [give_back(opened, seats)] if seats else []
            lit = [f"The Jackpot wagers of {seats_of(joining)} count from now."] if joining else []
            return back + lit
        case Effect.REFUND_ALL:
            return [give_back(opened, opened.seats)]
        case Effect.FORFEIT:
            return [f"The Jackpot wagers of {seats_of(seats)} are lost: take them."]
        case _:
            return [found.what_happens]


def differences(before: Mapping[int, int], after: Mapping[int, int]) -> list[str]:
    """What corrected bonus hands change at each seat."""
    more = {seat: after.get(seat, 0) - before.get(seat, 0) for seat in {*before, *after}}
    return [
        f"Pay seat {seat} {dollars(micros)} more."
        if micros > 0
        else f"Seat {seat} was paid {dollars(-micros)} too much."
        for seat, micros in sorted(more.items())
        if micros
    ]
