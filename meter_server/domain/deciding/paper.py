"""Paper records: keyed in by two persons, with the reference and the time on the paper (A-57)."""

from meter_server.domain.people import Context, require, require_second
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.games import Game
from meter_server.domain.tables import Table


def require_for_paper(table: Table, paper: str | None, context: Context) -> None:
    """Paper is keyed in by two persons (A-57)."""
    if paper is not None:
        require(context, Action.KEY_IN_PAPER, table.game_key)
        require_second(context)


def refuse_paper_unless_manual(table: Table, paper: str | None) -> None:
    """Paper counts only where manual arrangements stand (A-57)."""
    if paper is not None and not table.manual:
        raise Refused(
            Kind.MANUAL_NOT_DECLARED,
            f"No manual arrangements are declared at table {table.id}.",
            rule=table.game.rules.operating,
            remedy="A TG Area Manager declares them before paper is keyed in.",
        )


def refuse_future_paper(game: Game, context: Context) -> None:
    """A time that is yet to come would put a prize behind all that are won until then (A-38)."""
    if context.agent_at_us is not None and context.agent_at_us > context.at_us:
        raise Refused(
            Kind.MANUAL_ON_PAPER,
            "The time that stands on the paper is yet to come.",
            rule=game.rules.operating,
            remedy="Key in the day and the time as they were written down.",
        )


def check_paper(table: Table, begun: Round | None, paper: str | None, context: Context) -> None:
    """What began on paper goes on on paper, also after the arrangements, and tells its time."""
    if begun is None or not begun.on_paper:
        refuse_paper_unless_manual(table, paper)
    elif paper is None:
        raise Refused(
            Kind.MANUAL_ON_PAPER,
            f"Round {begun.id} was keyed in from paper.",
            rule=begun.game.rules.operating,
            remedy="Key in what became of it from paper too, with the reference.",
        )
    if paper is not None:
        _refuse_untold_time(table.game, context)
        refuse_future_paper(table.game, context)


def _refuse_untold_time(game: Game, context: Context) -> None:
    if context.agent_at_us is None:
        raise Refused(
            Kind.MANUAL_ON_PAPER,
            "When it was written down is not said.",
            rule=game.rules.sequential,
            remedy="Key in the time that stands on the paper.",
        )
