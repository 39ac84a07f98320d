"""How its table stands, for the agent there."""

from collections.abc import Iterable
from datetime import UTC, datetime

from meter_server.contract.tables import (
    CallTold,
    CarryTold,
    MeterTold,
    NoticeTold,
    PersonTold,
    PrizeTold,
    RoundTold,
    SeatTold,
    TableTold,
    TermsTold,
)
from meter_server.domain.awards import Award
from meter_server.domain.entries import timestamp
from meter_server.domain.meter import Meter, MeterState
from meter_server.domain.notices import Notice
from meter_server.domain.rounds import Round
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Carry, Table, TableState
from meter_server.http.api.endpoints import Family
from meter_server.http.api.signed import AT_TABLE, AtTable
from meter_server.reading import standing
from meter_server.storage.calls import Call
from meter_server.storage.codec import change_to_json
from meter_server.storage.staff import Account, AccountState

family = Family("standing", "How a table stands")


@family.get(
    "/v1/device/table",
    AT_TABLE,
    "How the table of this agent stands, with the last of its messages that is counted in.",
)
def show(caller: AtTable) -> TableTold:
    parts, device = caller.parts, caller.device
    checkpoint = parts.watch.kept_outside
    found = standing.of_table(parts.desk.database, caller.console.table_id, device, checkpoint)
    row, table = found.row, found.row.table
    return TableTold(
        device=device.id,
        epoch=device.epoch,
        last_number=row.last_number,
        table=table.id,
        game=table.game_key.value,
        seats=table.seats,
        open=table.state is TableState.OPEN,
        hands_left=table.hands_left,
        tournament=table.tournament,
        manual=table.manual,
        failing=sorted(gate.value for gate in table.failing | parts.watch.gates.failing()),
        draining_for=table.draining_for,
        meter=_meter(row.meter),
        open_round=_round(found.open_round, row.awards),
        last_round=_round(found.last_round, row.awards),
        carry=_carry(table.carry),
        notices=[_notice(notice, table, parts.readings) for notice in found.notices],
        calls=[_call(one) for one in row.calls],
        signed_on=_person(caller.here),
        readings=parts.readings.label(),
        checkpoint=row.checkpoint,
        at=_instant(parts.desk.now()),
    )


def _terms(terms: Terms) -> TermsTold:
    return TermsTold(
        option=terms.option_number, seed_dollars=terms.seed_dollars, cost_cents=terms.cost_cents
    )


def _meter(meter: Meter | None) -> MeterTold | None:
    if meter is None:
        return None
    return MeterTold(
        system=meter.id,
        training=meter.training,
        open=meter.state is MeterState.OPEN,
        terms=_terms(meter.terms),
        value_micros=meter.value_micros,
        seq=meter.seq,
    )


def _round(round_: Round | None, awards: Iterable[Award]) -> RoundTold | None:
    if round_ is None:
        return None
    settled = round_.settled
    return RoundTold(
        round=round_.id,
        state=round_.state.value,
        terms=_terms(round_.terms),
        seats=[
            SeatTold(
                seat=seat,
                state=held.state.value,
                hand=None if held.hand is None else held.hand.value,
            )
            for seat, held in sorted(round_.seats.items())
        ],
        bonus=[] if settled is None else sorted(settled.bonus_micros.items()),
        prizes=[_prize(award) for award in awards if award.round_id == round_.id],
        settled_at=None if settled is None else timestamp(settled.at_us),
    )


def _prize(award: Award) -> PrizeTold:
    return PrizeTold(
        prize=award.id,
        seat=award.seat,
        hand=award.hand.value,
        amount_micros=award.amount_micros,
        state=award.state.value,
        contested=bool(award.contested_with),
    )


def _carry(carry: Carry | None) -> CarryTold | None:
    if carry is None:
        return None
    return CarryTold(round=carry.round_id, seats=sorted(carry.stakes), whole=carry.whole)


def _notice(notice: Notice, table: Table, readings: Readings) -> NoticeTold:
    """Its clock at this table; a closure waits for the last sign of all (SYS-8)."""
    shown = not notice.missing([table.id])
    ready = notice.ready_at_us([table.id], readings) if shown else None
    return NoticeTold(
        notice=notice.id,
        change=change_to_json(notice.change)["kind"],
        ready_at=None if ready is None else timestamp(ready),
    )


def _call(call: Call) -> CallTold:
    return CallTold(
        call=call.id,
        rank=call.role_key,
        rank_title=call.role_title,
        reason=call.reason,
        called_at=_instant(call.called_at),
        coming=call.coming_name,
    )


def _person(account: Account | None) -> PersonTold | None:
    if account is None or account.state is not AccountState.ACTIVE:
        return None
    role = account.role
    return PersonTold(number=account.number, name=account.name, role=role.title, level=role.level)


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
