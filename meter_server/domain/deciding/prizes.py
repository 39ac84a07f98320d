"""Royal and straight-flush prizes: determined by the right rank, withheld, paid once."""

from dataclasses import replace

from meter_server.domain.awards import UNDECIDED, Award, AwardState
from meter_server.domain.commands import DeterminePrize, PayPrize, WithholdPrize
from meter_server.domain.deciding.rulings import Ruled, rule_on_prize
from meter_server.domain.entries import Json
from meter_server.domain.floor import Draft
from meter_server.domain.money import dollars
from meter_server.domain.people import Context, Person, require
from meter_server.domain.refusals import Kind, Refused, several
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.games import Game


def determine(draft: Draft, command: DeterminePrize, context: Context) -> None:
    """Confirm the computed amount; nobody types one, and nobody confirms an own record (AUT-2)."""
    award = draft.award(command.award_id)
    game = draft.round(award.round_id).game
    person = require(context, Action.DETERMINE_PRIZE, game.key)
    refuse_own(award, person, game)
    _refuse_ended(award, game)
    refuse_contested(award, game)
    if (command.amount_micros, command.meter_seq) != (award.amount_micros, award.meter_seq):
        raise Refused(
            Kind.NOT_AS_SEEN,
            f"The prize is {dollars(award.amount_micros)} at meter entry {award.meter_seq}, "
            "which is not what was seen.",
            rule=game.rules.determination,
            remedy="Look at the statement again and confirm what it says now.",
        )
    draft.put(replace(award, state=AwardState.DETERMINED, determined_by=person.staff_number))
    rule_on_prize(
        draft, award, Ruled.DETERMINED, Action.DETERMINE_PRIZE, {"meter_seq": award.meter_seq}
    )


def withhold(draft: Draft, command: WithholdPrize, context: Context) -> None:
    """Withhold until an investigation is done; the meter effect stands (A-54)."""
    award = draft.award(command.award_id)
    game = draft.round(award.round_id).game
    require(context, Action.WITHHOLD_PRIZE, game.key)
    if award.state in (AwardState.PAID, AwardState.VOIDED):
        raise _ended(award, game)
    draft.put(replace(award, state=AwardState.WITHHELD, determined_by=None))
    rule_on_prize(draft, award, Ruled.WITHHELD, Action.WITHHOLD_PRIZE, {"reason": command.reason})


def pay(draft: Draft, command: PayPrize, context: Context) -> None:
    """Pay a determined prize, once."""
    award = draft.award(command.award_id)
    game = draft.round(award.round_id).game
    require(context, Action.PAY_PRIZE, game.key)
    if award.state is AwardState.PAID:
        raise Refused(
            Kind.ALREADY_PAID,
            f"Prize {award.id} is paid already.",
            rule=game.rules.determination,
            remedy="Look up the payment in the prize's history.",
        )
    if award.state is AwardState.VOIDED:
        raise _ended(award, game)
    if award.state is not AwardState.DETERMINED:
        raise Refused(
            Kind.PRIZE_NOT_DETERMINED,
            f"Prize {award.id} is {award.state}, not determined.",
            rule=game.rules.determination,
            remedy="A TG Assistant Casino Manager determines it before it is paid.",
        )
    refuse_contested(award, game)
    draft.put(
        replace(award, state=AwardState.PAID, payment=f"{command.method} {command.reference}")
    )
    detail: dict[str, Json] = {"method": command.method, "reference": command.reference}
    if command.winner_digest is not None:
        detail["winner"] = command.winner_digest
    rule_on_prize(draft, award, Ruled.PAID, Action.PAY_PRIZE, detail)


def refuse_own(award: Award, person: Person, game: Game) -> None:
    """Nobody decides about a prize by their own record (AUT-2)."""
    # A prize of an older release names only the first two.
    if person.staff_number in {award.recorded_by, award.approved_by, *award.behind}:
        raise Refused(
            Kind.OWN_OUTCOME,
            "Who records an outcome, approves or confirms its record, cannot determine its prize "
            "or decide its order.",
            rule=game.rules.determination,
            remedy="Call another TG Assistant Casino Manager.",
        )


def _refuse_ended(award: Award, game: Game) -> None:
    if award.state not in UNDECIDED:
        raise _ended(award, game)


def _ended(award: Award, game: Game) -> Refused:
    return Refused(
        Kind.PRIZE_ENDED,
        f"Prize {award.id} is {award.state} already.",
        rule=game.rules.determination,
        remedy="Nothing is left to decide about it.",
    )


def refuse_contested(award: Award, game: Game) -> None:
    if award.contested_with:
        rounds = several(sorted(award.contested_with))
        raise Refused(
            Kind.ORDER_CONTESTED,
            f"The order of this prize's round with {rounds} is contested.",
            rule=game.rules.sequential,
            remedy="A TG Assistant Casino Manager decides the order first.",
        )
