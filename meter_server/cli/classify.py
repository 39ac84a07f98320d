"""``meter-server classify``: name a five-card hand."""

import click

from meter_server.cli import output
from meter_server.domain import hands
from meter_server.domain.cards import FULL_DECK, format_cards, parse_cards
from meter_server.domain.refusals import Refused


@click.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--deck", type=int, default=FULL_DECK, show_default=True, help="52, 40, 36 or 32.")
@output.json_option
def classify(cards: tuple[str, ...], deck: int, as_json: bool) -> None:
    """Name the hand that five CARDS make, for example "As Ks Qs Js Ts"."""
    try:
        parsed = parse_cards(" ".join(cards))
        hand = hands.classify(parsed, deck)
    except Refused as refused:
        raise output.Refusal(str(refused)) from None
    written = format_cards(parsed)
    if as_json:
        output.print_json({"cards": written, "deck": deck, "hand": hand.value})
    else:
        click.echo(f"{written}: {hand.title} ({deck}-card deck)")
