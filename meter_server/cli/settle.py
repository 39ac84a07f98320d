"""``meter-server settle``: the manager's calculator; it prints the worked statement."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import click

from meter_server.cli import output
from meter_server.domain.hands import Hand
from meter_server.domain.money import (
    MICROS_PER_CENT,
    MICROS_PER_DOLLAR,
    dollars,
    parse_dollars,
    plain_dollars,
)
from meter_server.domain.refusals import Refused
from meter_server.domain.rulebook.games import GAMES, Game, GameKey
from meter_server.domain.rulebook.irregularities import CASES
from meter_server.domain.rulebook.readings import Readings, SplitBasis
from meter_server.domain.rulebook.terms import OPTIONS, Terms
from meter_server.domain.settlement import Share, Statement, settle
from meter_server.domain.statements import fraction_text
from meter_server.domain.writing import INTEGER_MAX


class Dollars(click.ParamType[int]):
    """An amount such as ``412345.678901``, in millionths."""

    name = "dollars"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            micros = parse_dollars(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if micros > INTEGER_MAX:
            most = plain_dollars(INTEGER_MAX)
            self.fail(
                f"{value} dollars are more than a journal holds: give at most {most}.", param, ctx
            )
        return micros


@click.command("settle")
@click.option("--game", type=click.Choice([key.value for key in GameKey]), required=True)
@click.option("--option", type=click.Choice([str(number) for number in OPTIONS]), required=True)
@click.option("--seed", type=int, required=True, help="Initial seed for each $1, such as 20000.")
@click.option("--cost", type=Dollars(), required=True, help="Cost of the wager, such as 5.00.")
@click.option("--meter", type=Dollars(), required=True, help="Value at the time for settlement.")
@click.option("--royals", type=int, default=0, show_default=True)
@click.option("--straight-flushes", type=int, default=0, show_default=True)
@click.option(
    "--unit", type=Dollars(), default="0.01", show_default=True, help="Prizes are paid up to it."
)
@click.option(
    "--basis",
    type=click.Choice([basis.value for basis in SplitBasis]),
    default=SplitBasis.FORMULA.value,
    show_default=True,
    help="Shares by the exact formula or by the percentages as printed.",
)
@output.json_option
def settle_command(
    game: str,
    option: str,
    seed: int,
    cost: int,
    meter: int,
    royals: int,
    straight_flushes: int,
    unit: int,
    basis: str,
    as_json: bool,
) -> None:
    """Work out what a round wins. No meter is read or changed."""
    played = GAMES[GameKey(game)]
    try:
        readings = Readings(split_basis=SplitBasis(basis), payable_unit_micros=unit)
        terms = Terms(int(option), seed, _whole_cents(cost))
        _refuse_below_seed(played, terms, meter)
        statement = settle(played, terms, meter, royals, straight_flushes, readings=readings)
    except (ValueError, Refused) as refused:
        raise output.Refusal(str(refused)) from None
    if as_json:
        output.print_json(_document(statement))
    else:
        _print(played, statement, readings)


def _whole_cents(cost_micros: int) -> int:
    """Nought where the cost has a part of a cent: no terms accept it."""
    cents, rest = divmod(cost_micros, MICROS_PER_CENT)
    return 0 if rest else cents


def _refuse_below_seed(game: Game, terms: Terms, meter_micros: int) -> None:
    if meter_micros < terms.reseed_micros:
        raise ValueError(
            f"A meter never stands below seed x cost, here {dollars(terms.reseed_micros)}, and "
            f"{dollars(meter_micros)} does. [{game.rules.minimum}] Correct the meter, the seed "
            "or the cost."
        )


def _document(statement: Statement) -> dict[str, object]:
    terms = statement.terms
    return {
        "rulebook": statement.rulebook,
        "readings": statement.readings,
        "game": statement.game,
        "option": terms.option_number,
        "seed": terms.seed_dollars,
        "cost": plain_dollars(terms.cost_micros),
        "meter": plain_dollars(statement.meter_micros),
        "j": plain_dollars(statement.j_micros),
        "r": plain_dollars(statement.r_micros),
        "royals": statement.royals,
        "straight_flushes": statement.straight_flushes,
        "pool": plain_dollars(statement.pool_micros),
        "shares": [_share_document(share, statement) for share in statement.shares],
        "royal_each": plain_dollars(statement.paid_each(Hand.ROYAL_FLUSH)),
        "straight_flush_each": plain_dollars(statement.paid_each(Hand.STRAIGHT_FLUSH)),
        "paid_total": plain_dollars(statement.paid_micros),
        "meter_after_payment": plain_dollars(statement.meter_after_payment_micros),
        "meter_after": plain_dollars(statement.meter_after_micros),
        "reset": statement.reset,
        "reset_rule": statement.reset_rule,
        "reachable": statement.reachable,
    }


def _share_document(share: Share, statement: Statement) -> dict[str, object]:
    """Exact amounts are dollars as ``numerator/denominator``."""
    by_formula = _by_formula(share, statement)
    return {
        "hand": share.hand.value,
        "count": share.count,
        "rule": share.rule,
        "of_pool": None if share.of_pool is None else fraction_text(share.of_pool),
        "of_j": fraction_text(share.formula.of_j),
        "of_r": fraction_text(share.formula.of_r),
        "by_formula": fraction_text(by_formula / MICROS_PER_DOLLAR),
        "printed": share.printed_text,
        "by_printed": fraction_text(share.printed_micros / MICROS_PER_DOLLAR),
        "paid": plain_dollars(share.paid_micros),
    }


def _print(game: Game, statement: Statement, readings: Readings) -> None:
    click.echo(
        f"{game.title}, Option {statement.terms.option_number}: worked statement\n"
        f"Rulebook {statement.rulebook}; readings {statement.readings}.\n"
        f"{_deck_sentence(game, statement)}\n"
    )
    headings = ("", _right("amount"), "rule")
    output.print_table("1. The prize pool", headings, _pool_rows(game, statement))
    if statement.shares:
        _print_shares(game, statement, readings)
    else:
        click.echo("2. No royal and no straight flush: nothing is paid from the meter.\n")
    output.print_table("3. The meter", headings, _meter_rows(game, statement))
    if statement.shares:
        click.echo(
            f"Determined by a TG Assistant Casino Manager (or above) [{game.rules.determination}]:"
            "\n\nName ______________________  Signature ____________________  Time ____________"
        )


def _deck_sentence(game: Game, statement: Statement) -> str:
    if statement.reachable:
        return "One deck of 52 cards can give these hands in one round."
    deck_rule = CASES["deck-wrong"].rulings[game.key].rule
    return click.wrap_text(
        "WARNING: one deck of 52 cards cannot give these hands in one round. Check the entry and "
        f"the deck [{deck_rule}]. It is recorded only when a TG Higher Duties Dealer (or above) "
        "confirms it, and held for the TG Assistant Casino Manager [A-28].",
        width=79,
    )


def _print_shares(game: Game, statement: Statement, readings: Readings) -> None:
    output.print_table(
        f"2. Each hand wins ({statement.shares[0].rule})",
        ("", *(_right(share.hand.title) for share in statement.shares)),
        _share_rows(statement),
    )
    click.echo(
        f"Paid by the {_BASIS[readings.split_basis]} and up to the next "
        f"{dollars(readings.payable_unit_micros)} [{game.rules.payable_amount}].\n"
    )


_BASIS = {SplitBasis.FORMULA: "formula", SplitBasis.PRINTED: "printed share"}


def _pool_rows(game: Game, statement: Statement) -> Iterator[tuple[str, str, str]]:
    rules, terms = game.rules, statement.terms
    seed_micros = terms.seed_dollars * MICROS_PER_DOLLAR
    yield "seed for each $1 of cost", _amount(seed_micros), rules.minimum
    yield "cost of the Jackpot wager", _amount(terms.cost_micros), rules.exact_cost
    yield "m, the meter recorded", _amount(statement.meter_micros), rules.time_for_settlement
    yield "j, m up to a whole dollar", _amount(statement.j_micros), rules.rounded_value
    yield "r, reseed: seed x cost", _amount(statement.r_micros), rules.reset
    yield "R, royal flushes", _count(statement.royals), ""
    yield "S, straight flushes", _count(statement.straight_flushes), ""
    if statement.royals:
        rule = statement.shares[0].rule
        yield "prize pool: j + r(R - 1)", _amount(statement.pool_micros), rule
    else:
        yield "prize pool: j", _amount(statement.pool_micros), ""


def _share_rows(statement: Statement) -> Iterator[tuple[str, ...]]:
    def row(label: str, cell: Callable[[Share], str]) -> tuple[str, ...]:
        return (label, *(cell(share) for share in statement.shares))

    yield row("hands", lambda share: _count(share.count))
    yield row("share by the formula", lambda share: _right(_share_text(share)))
    yield row("share as printed", lambda share: _right(share.printed_text))
    yield row("by the formula", lambda share: _amount(_by_formula(share, statement)))
    yield row("by the printed share", lambda share: _amount(share.printed_micros))
    yield row(
        "printed less formula",
        lambda share: _amount(share.printed_micros - _by_formula(share, statement)),
    )
    yield row("rounded up by", lambda share: _amount(share.paid_micros - share.exact_micros))
    yield row("PAID TO EACH", lambda share: _amount(share.paid_micros))


def _meter_rows(game: Game, statement: Statement) -> Iterator[tuple[str, str, str]]:
    yield "meter before", _amount(statement.meter_micros), game.rules.minimum
    yield "prizes paid in all", _amount(-statement.paid_micros), ""
    yield "meter after payment", _amount(statement.meter_after_payment_micros), ""
    if statement.reset_rule is None:
        not_below = f"no reset: not below {dollars(statement.reset_to_micros)}"
        yield not_below, "", game.rules.reset
    else:
        yield "RESET: the house adds", _amount(statement.top_up_micros), statement.reset_rule
    yield "METER AFTERWARDS", _amount(statement.meter_after_micros), ""


def _by_formula(share: Share, statement: Statement) -> Fraction:
    return share.formula.amount_micros(statement.j_micros, statement.r_micros)


def _share_text(share: Share) -> str:
    if share.of_pool is not None:
        return f"{share.of_pool} of the pool"
    return f"{share.formula.of_j} j + {share.formula.of_r} r"


_WIDTH = 20
_DECIMALS = 7
"""Six decimals and the sign that more follow."""


def _amount(micros: int | Fraction) -> str:
    """Dollars with their points under each other; ``…`` where more decimals follow."""
    exact = Fraction(micros)
    cut = abs(exact.numerator) // exact.denominator
    if exact.denominator == 1:
        text = dollars(cut)
    else:
        text = f"${cut // MICROS_PER_DOLLAR:,}.{cut % MICROS_PER_DOLLAR:06d}…"
    whole, decimals = text.split(".")
    sign = "-" if exact < 0 else ""
    return _right(f"{sign}{whole}.{decimals:<{_DECIMALS}}")


def _count(number: int) -> str:
    return _right(f"{number}{'':{_DECIMALS + 1}}")


def _right(text: str) -> str:
    return text.rjust(_WIDTH)
