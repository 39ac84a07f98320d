"""Decisions: command + floor -> entries and changed values, or a refusal."""

from collections.abc import Callable
from typing import Any

from meter_server.domain import commands
from meter_server.domain.commands import Command
from meter_server.domain.deciding import (
    bonus_hands,
    changes,
    corrections,
    irregularities,
    orders,
    outcomes,
    prizes,
    systems,
    top_ups,
    wagers,
)
from meter_server.domain.entries import Stamp
from meter_server.domain.floor import Accepted, Draft, Floor
from meter_server.domain.people import Context
from meter_server.domain.refusals import Refusal, Refused
from meter_server.domain.rulebook import VERSION

_DECIDERS: dict[type, Callable[[Draft, Any, Context], None]] = {
    commands.OpenSystem: systems.open_system,
    commands.TopUpMeter: systems.top_up_meter,
    commands.DefineTable: systems.define_table,
    commands.OpenTable: systems.open_table,
    commands.CloseTable: systems.close_table,
    commands.SetTournament: systems.set_tournament,
    commands.SetManual: systems.set_manual,
    commands.SetLimits: systems.set_limits,
    commands.ReportGates: systems.report_gates,
    commands.RegisterWagers: wagers.register,
    commands.RecordOutcome: outcomes.record,
    commands.DeclareIrregularity: irregularities.declare,
    commands.CorrectBonus: bonus_hands.correct_bonus,
    commands.CorrectSettlement: corrections.correct_settlement,
    commands.VoidSettlement: corrections.void_settlement,
    commands.GrantTopUp: top_ups.grant_top_up,
    commands.DecideOrder: orders.decide_order,
    commands.DeterminePrize: prizes.determine,
    commands.WithholdPrize: prizes.withhold,
    commands.PayPrize: prizes.pay,
    commands.DraftNotice: changes.draft_notice,
    commands.ConfirmDisplay: changes.confirm_display,
    commands.ReportDarkSign: changes.report_dark_sign,
    commands.WithdrawNotice: changes.withdraw_notice,
    commands.ActOnNotice: changes.act_on_notice,
}


def decide(floor: Floor, command: Command, context: Context) -> Accepted | Refusal:
    """The one decision: nothing is changed, the answer says what would be."""
    draft = Draft(floor)
    try:
        _DECIDERS[type(command)](draft, command, context)
    except Refused as refused:
        return refused.refusal
    return draft.accepted()


def stamp(context: Context) -> Stamp:
    """What every entry of a command is stamped with."""
    return Stamp(
        at_us=context.at_us,
        actor=context.actor.staff_number,
        approver=context.approved_by,
        second=None if context.second is None else context.second.staff_number,
        agent_at_us=context.agent_at_us,
        message=context.message,
        request_digest=context.request_digest,
        rulebook=VERSION,
        readings=context.readings.label(),
    )
