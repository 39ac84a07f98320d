"""What an evening came to, for a person to read."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from deploy.simulator.books import Compared, Line
from deploy.simulator.evening import Evening
from deploy.simulator.tally import Seen, returned
from meter_server.domain.awards import round_of
from meter_server.domain.money import dollars
from meter_server.domain.rulebook.terms import Terms


def show(console: Console, evening: Evening, compared: Compared, terms: Terms) -> None:
    console.print(happenings(evening, compared))
    if evening.tally.dealt:
        console.print(hands(evening, compared, terms))
    console.print(books(compared))
    for name in compared.others:
        console.print(
            f"Somebody else moved the meter of {name} meanwhile, so its sums are not compared."
        )


def happenings(evening: Evening, compared: Compared) -> Table:
    table = Table("what happened", "how often", title="The evening", title_justify="left")
    table.columns[1].justify = "right"
    for what, times in rows(evening, compared):
        table.add_row(what, times)
    return table


def rows(evening: Evening, compared: Compared) -> Iterator[tuple[str, str]]:
    """In the order of interest; also for the page of the proof."""
    found: Counter[str] = Counter()
    for ledger in compared.ledgers.values():
        found += ledger.counts
    cases = {key: times for key, times in found.items() if key.startswith("irregularity: ")}
    for what in ("rounds", "rounds settled", "wagers", "wagers returned", "bonus corrections"):
        yield what, f"{found[what]:,}"
    yield "messages refused", f"{found['refused']:,}"
    yield "hands dealt", f"{evening.tally.dealt:,}"
    yield "hands folded", f"{evening.tally.folded:,}"
    for what, times in sorted(evening.counts.items()):
        if what != "irregularities":
            yield what, f"{times:,}"
    yield "irregularities", f"{sum(cases.values()):,} of {len(cases)} kinds"
    yield "seconds", f"{evening.seconds:.0f}"


def hands(evening: Evening, compared: Compared, terms: Terms) -> Table:
    table = Table(
        *("hand", "seen", "by the odds", "999 evenings of 1,000", ""),
        title="Hands of shuffled decks",
        title_justify="left",
    )
    for column in table.columns[1:4]:
        column.justify = "right"
    for hand, seen in evening.tally.seen():
        expected, band = f"{seen.expected:,.1f}", f"{seen.low:,.0f} to {seen.high:,.0f}"
        table.add_row(hand.title, f"{seen.value:,.0f}", expected, band, _judged(seen))
    table.add_section()
    back = paid_back(evening, compared, terms).times(100)
    band = f"{back.low:.0f} to {back.high:.0f} %"
    shares = (f"{back.value:.2f} %", f"{back.expected:.2f} %")
    table.add_row("returned of wagers", *shares, band, _judged(back))
    return table


def paid_back(evening: Evening, compared: Compared, terms: Terms) -> Seen:
    """Of every wager that stood, at all systems together; they share one option and one seed.

    Prizes of stacked decks do not count.
    """
    wagered = paid = wagers = 0
    for name, ledger in compared.ledgers.items():
        stood = ledger.counts["wagers"] - ledger.counts["wagers returned"]
        wagers += stood
        wagered += stood * compared.costs_micros[name]
        won = (m for prize, m in ledger.prizes.items() if round_of(prize) not in evening.stacked)
        paid += ledger.bonus_micros + sum(won)
    return returned(terms, wagers, paid / wagered if wagered else 0.0)


def books(compared: Compared) -> Table:
    table = Table(
        *("system", "what", "the floor", "the server", ""),
        title="The books, summed up again from what the tables said",
        title_justify="left",
    )
    for column in table.columns[2:4]:
        column.justify = "right"
    for line in compared.lines:
        verdict = "equal" if line.equal else "[bold red]NOT EQUAL[/]"
        table.add_row(line.system, line.what, *_figures(line), verdict)
    return table


def _figures(line: Line) -> tuple[str, str]:
    if line.micros:
        return dollars(line.floor), dollars(line.server)
    return f"{line.floor:,}", f"{line.server:,}"


def _judged(seen: Seen) -> str:
    return "" if seen.within else "[red]outside[/]"
