"""What a command looks at: loaded for a whole batch at once, before anything is decided."""

from meter_server.domain import commands
from meter_server.domain.awards import round_of
from meter_server.domain.commands import Command
from meter_server.domain.hands import Hand
from meter_server.storage.rows import Needs

_NONE: frozenset[str] = frozenset()


def needs_of(command: Command) -> Needs:
    """What one command needs; a command this does not know is a bug, and raises."""
    match command:
        case commands.OpenSystem():
            return Needs(all_systems=True, meters=frozenset({command.meter_id}))
        case commands.TopUpMeter():
            return Needs(meters=frozenset({command.meter_id}))
        case (
            commands.DefineTable()
            | commands.OpenTable()
            | commands.CloseTable()
            | commands.SetTournament()
            | commands.SetManual()
            | commands.SetLimits()
            | commands.ReportGates()
        ):
            return Needs(tables=frozenset({command.table_id}))
        case commands.DeclareIrregularity():
            named = _NONE if command.round_id is None else frozenset({command.round_id})
            return Needs(tables=frozenset({command.table_id}), rounds=named, last_rounds=not named)
        case commands.RegisterWagers():
            return Needs(tables=frozenset({command.table_id}), rounds=frozenset({command.round_id}))
        case commands.RecordOutcome():
            rounds = frozenset({command.round_id})
            return Needs(rounds=rounds, contested_rounds=rounds if _may_win(command) else _NONE)
        case commands.CorrectBonus():
            return Needs(rounds=frozenset({command.round_id}))
        case commands.CorrectSettlement() | commands.VoidSettlement():
            rounds = frozenset({command.round_id})
            return Needs(
                rounds=rounds,
                awards_of_rounds=rounds,
                contested_rounds=rounds,
                history_of_rounds=rounds,
            )
        case commands.GrantTopUp():
            winner = round_of(command.award_id)
            rounds = frozenset({command.corrected_round_id, winner})
            return Needs(
                rounds=rounds,
                awards=frozenset({command.award_id}),
                awards_of_rounds=frozenset({winner}),
                contested_rounds=rounds,
                history_of_rounds=rounds,
            )
        case commands.DecideOrder():
            rounds = frozenset(command.round_ids)
            return Needs(
                rounds=rounds,
                awards_of_rounds=rounds,
                contested_rounds=rounds,
                history_of_rounds=rounds,
            )
        case commands.DeterminePrize() | commands.WithholdPrize() | commands.PayPrize():
            return Needs(awards=frozenset({command.award_id}))
        case (
            commands.DraftNotice()
            | commands.ConfirmDisplay()
            | commands.ReportDarkSign()
            | commands.WithdrawNotice()
            | commands.ActOnNotice()
        ):
            return Needs(notices=frozenset({command.notice_id}), all_systems=True, undecided=True)


def _may_win(command: commands.RecordOutcome) -> bool:
    """Whether the outcome can hold a prize off the meter: by its name or by its cards."""
    return any(
        report.own_cards or report.hand in (Hand.ROYAL_FLUSH, Hand.STRAIGHT_FLUSH)
        for report in command.hands.values()
    )
