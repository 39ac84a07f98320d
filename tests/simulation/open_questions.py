"""Where the random floors look away, because the product is known to differ there.

Each has its test in test_found.py, which fails as soon as the product no longer differs.
"""

from tests.independent import state


def order_amounts_are_open(model: state.Floor, earlier: str, later: str) -> bool:
    """A round of the two is or was contested with a third, or has a top-up granted on top."""
    pair = {earlier, later}
    if any(award.granted and award.round in pair for award in model.awards.values()):
        return True
    turned = [set(event[2:]) for event in model.books.events if event[0] == "order turned"]
    return any(pair & rounds for rounds in turned) or any(
        award.contested - pair for award in model.awards.values() if award.round in pair
    )


def order_is_open(do: str, reasons: set[str]) -> bool:
    """Requests refused for several reasons at once, where the product does not tell the first."""
    return any(do in asked and together <= reasons for asked, together in _NOT_THE_FIRST)


_NOT_THE_FIRST: tuple[tuple[tuple[str, ...], set[str]], ...] = (
    (("open system", "notice", "act"), {"cost-taken", "terms-differ"}),
    (("act",), {"notice-ended"}),
    (("show",), {"notice-ended", "not-authorised"}),
)
