"""What a notice announces, in the words of the wire."""

from typing import Annotated, Literal

from pydantic import Field

from meter_server.domain import notices
from meter_server.domain.notices import Change
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Limits
from meter_server.http.api.models import Cents, Name, Strict

_SYSTEMS_MAX = 50
COST_CENTS_MAX = 1_000_000


class AddTable(Strict):
    kind: Literal["add-table"]
    table: Name
    system: Name


class RemoveTable(Strict):
    kind: Literal["remove-table"]
    table: Name


class TransferTable(Strict):
    kind: Literal["transfer-table"]
    table: Name
    system: Name


class CloseSystem(Strict):
    kind: Literal["close-system"]
    system: Name
    shares_bp: dict[Name, int] = Field(
        max_length=_SYSTEMS_MAX,
        description="Who gets the surplus: hundredths of a percent, 10,000 in all.",
    )


class TermsWanted(Strict):
    option: Literal[1, 2]
    seed_dollars: int = Field(ge=1, le=1_000_000, examples=[10_000])
    cost_cents: int = Field(ge=1, le=COST_CENTS_MAX, examples=[500])


class ChangeTerms(Strict):
    kind: Literal["change-terms"]
    terms: dict[Name, TermsWanted] = Field(min_length=1, max_length=_SYSTEMS_MAX)


class RaiseMinimum(Strict):
    kind: Literal["raise-minimum"]
    table: Name
    minimum_cents: Cents = Field(description="Above the one that stands.", examples=[2_500])
    maximum_cents: Cents = Field(examples=[50_000])


ChangeSent = Annotated[
    AddTable | RemoveTable | TransferTable | CloseSystem | ChangeTerms | RaiseMinimum,
    Field(discriminator="kind"),
]


def change_of(words: ChangeSent) -> Change:
    """ValueError where the rules print no such terms."""
    match words:
        case AddTable():
            return notices.AddTable(words.table, words.system)
        case RemoveTable():
            return notices.RemoveTable(words.table)
        case TransferTable():
            return notices.TransferTable(words.table, words.system)
        case CloseSystem():
            return notices.CloseSystem(words.system, dict(words.shares_bp))
        case ChangeTerms():
            return notices.ChangeTerms(
                {
                    system: Terms(one.option, one.seed_dollars, one.cost_cents)
                    for system, one in words.terms.items()
                }
            )
        case RaiseMinimum():
            limits = Limits(words.minimum_cents, words.maximum_cents)
            return notices.RaiseMinimum(words.table, limits)


def words_of(change: Change) -> ChangeSent:
    match change:
        case notices.AddTable():
            return AddTable(kind="add-table", table=change.table_id, system=change.to_meter_id)
        case notices.RemoveTable():
            return RemoveTable(kind="remove-table", table=change.table_id)
        case notices.TransferTable():
            return TransferTable(
                kind="transfer-table", table=change.table_id, system=change.to_meter_id
            )
        case notices.CloseSystem():
            shares = dict(change.shares_bp)
            return CloseSystem(kind="close-system", system=change.meter_id, shares_bp=shares)
        case notices.ChangeTerms():
            terms = {
                system: TermsWanted.model_construct(
                    option=one.option_number,
                    seed_dollars=one.seed_dollars,
                    cost_cents=one.cost_cents,
                )
                for system, one in change.terms.items()
            }
            return ChangeTerms(kind="change-terms", terms=terms)
        case notices.RaiseMinimum():
            return RaiseMinimum(
                kind="raise-minimum",
                table=change.table_id,
                minimum_cents=change.limits.minimum_cents,
                maximum_cents=change.limits.maximum_cents,
            )
