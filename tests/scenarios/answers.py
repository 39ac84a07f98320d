"""The expected answer of an event, held against what happened.

The entries of an answer are told completely and in order; of the books an answer tells what matters
to its story.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from meter_server.domain.entries import Account, Entry, EntryKind
from meter_server.domain.floor import Floor
from meter_server.domain.money import plain_dollars
from meter_server.domain.refusals import Refusal
from tests.scenarios.house import Answer
from tests.scenarios.words import Words, WordsError

_BETWEEN_ITEMS = re.compile(r',\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A comma, but not one inside quotes."""
_RULE = r"\d+(?:\.\d+)*(?:\([a-z]\)(?:-\([a-z]\))?)?"
_PLACE = (
    rf"(?:(?:WSOP|Three Card) (?:Tables \d and \d|{_RULE}(?:, {_RULE})*)"
    r"|Casino Control Act s \d+)"
)
_CITATION = re.compile(rf"{_PLACE}(?:[;,] {_PLACE})*|inferred, (?:A-\d+|[a-z ]+)|house control")
_SHOUTED = re.compile(r"\b(?!WSOP\b)[A-Z]{4,}\b")
_SETTLED = "settled"
_KINDS = {_SETTLED, *EntryKind} - {EntryKind.SETTLEMENT}
_FALLS = {EntryKind.REVERSAL, EntryKind.PRIZE, EntryKind.TRANSFER_OUT, EntryKind.CLOSING}
_SOURCES = {Account.WAGERS_TAKEN, Account.SEED_FUNDING}


@dataclass(frozen=True, slots=True)
class Told:
    """An entry in the words of the language: its kind, its amount, and whatever else it says."""

    kind: str
    amount: str
    more: dict[str, str]

    def __str__(self) -> str:
        more = "".join(f" {word} {text}" for word, text in self.more.items() if text)
        return f"{self.kind} {self.amount}{more}"


def differences(expected: str, answer: Answer, books: Floor) -> list[str]:
    """Every way in which the answer is not the expected one."""
    items = [item.strip() for item in _BETWEEN_ITEMS.split(expected)]
    if items[0].startswith("refused "):
        return _refusal_differs(items[0], answer)
    if answer.refusal is not None:
        return [f"it was refused: {answer.refusal.kind}: {answer.refusal.sentence}"]
    entries = [item for item in items if item.split()[0] in _KINDS]
    found = _entries_differ(entries, answer)
    if answer.draining != ("draining" in items):
        found.append("it drains" if answer.draining else "it does not drain")
    for item in items:
        if item not in entries and item not in ("nothing", "draining"):
            found.extend(_book_differs(item, books))
    return found


def _refusal_differs(item: str, answer: Answer) -> list[str]:
    words = Words(item)
    words.must("refused")
    kind, rule = words.take("the kind of refusal"), words.after("by")
    words.end()
    if answer.refusal is None:
        return [f"it was accepted: {_listed(answer)}"]
    found = []
    if answer.refusal.kind.value != kind:
        found.append(f"it was refused as {answer.refusal.kind}: {answer.refusal.sentence}")
    if rule is not None and answer.refusal.rule != rule:
        found.append(f"it was refused by {answer.refusal.rule}")
    return found + _poor_sentence(answer.refusal)


def _poor_sentence(refusal: Refusal) -> list[str]:
    """A refusal is whole sentences: what, by which rule, and what to do."""
    parts = (refusal.reason, refusal.remedy)
    whole = all(
        part.endswith(".") and not part[0].islower() and not _SHOUTED.search(part) for part in parts
    )
    if whole and _CITATION.fullmatch(refusal.rule):
        return []
    return [f"this is no clear sentence: {refusal.sentence}"]


def _entries_differ(items: list[str], answer: Answer) -> list[str]:
    told = [_told(entry) for entry in answer.entries]
    expected = [_expected(item) for item in items]
    cited = all(_CITATION.fullmatch(entry.rule) for entry in answer.entries)
    if cited and len(told) == len(expected) and all(map(_same, expected, told)):
        return []
    return [f"its entries are {_listed(answer)}"]


def _listed(answer: Answer) -> str:
    return ", ".join(str(_told(entry)) for entry in answer.entries) or "nothing"


def _same(expected: Told, told: Told) -> bool:
    return (
        expected.kind == told.kind
        and expected.amount in ("", told.amount)
        and all(told.more.get(word) == text for word, text in expected.more.items())
    )


def _expected(item: str) -> Told:
    words = Words(item)
    kind = words.take()
    more: dict[str, str] = {}
    amount = ""
    if kind == EntryKind.PRIZE:
        more["seat"] = words.take("the seat")
    if kind == EntryKind.RULING:
        more["what"] = words.take("what is ruled")
    elif kind != _SETTLED:
        amount = plain_dollars(words.dollars())
    while words:
        word = words.take()
        if word in ("seats", "returned", "reregistered", "spent", "carried"):
            more[word] = "none" if words.maybe("none") else _seats(words.numbers())
        elif word in ("at", "refund", "bonus", "prizes", "seed-funding"):
            more[word] = plain_dollars(words.dollars())
        elif word in ("on", "case", "rule", "of", "because", "by", "order"):
            more[word] = words.take()
        else:
            raise WordsError(f"{word!r} says nothing about a {kind} entry.")
    return Told(kind, amount, more)


def _seats(seats: object) -> str:
    found = [int(str(seat)) for seat in seats] if isinstance(seats, (list, frozenset)) else []
    return " ".join(map(str, sorted(found))) or "none"


def _names(names: object) -> list[str]:
    return [str(name) for name in names] if isinstance(names, list) else []


def _told(entry: Entry) -> Told:
    lines = {account: -micros for account, micros in entry.lines}
    more = {
        "on": entry.meter_id,
        "at": _at(entry),
        "rule": entry.rule,
        "refund": plain_dollars(-lines.get(Account.REFUNDS, 0)),
        "bonus": plain_dollars(-lines.get(Account.BONUS_PAYOUTS, 0)),
        "prizes": plain_dollars(-lines.get(Account.PRIZES, 0)),
        "seed-funding": plain_dollars(lines.get(Account.SEED_FUNDING, 0)),
        "case": str(entry.detail.get("case", "")),
        "seat": str(entry.detail.get("seat", "")),
        "of": str(entry.detail.get("top_up_of") or entry.detail.get("award", "")),
        "what": str(entry.detail.get("what", "")),
        "because": str(entry.detail.get("reason", "")),
        "by": f"{entry.detail.get('method', '')} {entry.detail.get('reference', '')}".strip(),
        "order": " ".join(_names(entry.detail.get("order"))),
    }
    for word in ("seats", "returned", "reregistered", "spent", "carried"):
        if word in entry.detail:
            more[word] = _seats(entry.detail[word])
    return Told(_kind(entry), _amount(entry), more)


def _at(entry: Entry) -> str:
    """Where the meter stood; of a ruling on a prize, the amount that was seen."""
    seen = entry.detail.get("amount")
    return plain_dollars(seen if isinstance(seen, int) else entry.before_micros)


def _kind(entry: Entry) -> str:
    return _SETTLED if entry.kind is EntryKind.SETTLEMENT else entry.kind.value


def _amount(entry: Entry) -> str:
    """As people say it: a reset by what it resets to, a fall without its sign."""
    if entry.kind in (EntryKind.SETTLEMENT, EntryKind.RULING):
        return ""
    if entry.kind is EntryKind.RESET:
        return plain_dollars(entry.after_micros)
    return plain_dollars(-entry.amount_micros if entry.kind in _FALLS else entry.amount_micros)


def _book_differs(item: str, books: Floor) -> list[str]:
    words = Words(item)
    page = words.take()
    if page not in _PAGES:
        raise WordsError(f"the books have no page {page!r}; see README.md.")
    expected, actual = _PAGES[page](words, books)
    words.end()
    return [] if expected == actual else [f"{item!r} is not so: it is {actual}"]


Compared = tuple[str, str]


def _meter(words: Words, books: Floor) -> Compared:
    meter = words.take() if words.peek() in books.meters else next(iter(books.meters))
    if words.peek() in ("open", "closed"):
        return words.take(), books.meters[meter].state.value
    return plain_dollars(words.dollars()), plain_dollars(books.meters[meter].value_micros)


def _minimum(words: Words, books: Floor) -> Compared:
    """The least that the meter must record (MET-1)."""
    meter = books.meters[words.take("the system")]
    return plain_dollars(words.dollars()), plain_dollars(meter.minimum_micros)


def _round(words: Words, books: Floor) -> Compared:
    round_ = books.rounds[words.take("the round")]
    if not words.maybe("seats"):
        return words.take("its state"), round_.state.value
    seats = sorted(words.numbers())
    state = words.take("their state")
    return " ".join([state] * len(seats)), " ".join(round_.seats[seat].state for seat in seats)


def _carry(words: Words, books: Floor) -> Compared:
    carry = books.tables[words.take("the table")].carry
    expected = "none" if words.maybe("none") else _seats(words.numbers())
    return expected, "none" if carry is None else _seats(list(carry.stakes))


def _award(words: Words, books: Floor) -> Compared:
    award = books.awards.get(words.take("the prize"))
    if award is None:
        return words.take("its state"), "none"
    expected, actual = [words.take("its state")], [award.state.value]
    while words:
        match word := words.take():
            case "hand":
                expected.append(words.take())
                actual.append(award.hand.value)
            case "contested":
                with_rounds = " ".join(sorted(award.contested_with)) or "none"
                expected.append(words.take())
                actual.append(with_rounds)
            case "caution":
                expected.append(words.take())
                actual.append(" ".join(sorted(award.cautions)) or "none")
            case _:
                expected.append(plain_dollars(int(Words(word).dollars())))
                actual.append(plain_dollars(award.amount_micros))
    return " ".join(expected), " ".join(actual)


def _notice(words: Words, books: Floor) -> Compared:
    notice = books.notices[words.take("the notice")]
    return words.take("its state"), notice.state.value


def _table(words: Words, books: Floor) -> Compared:
    table = books.tables[words.take("the table")]
    match word := words.take("what about it"):
        case "open" | "closed":
            return word, table.state.value
        case "hands":
            return words.take("how many"), str(table.hands_left)
        case "in":
            return words.take("the system"), str(table.meter_id or "none")
        case "bets":
            assert table.limits is not None
            limits = (table.limits.minimum_cents, table.limits.maximum_cents)
            told = [cents * 10_000 for cents in limits]
            return str([words.dollars(), words.dollars()]), str(told)
        case "draining":
            return words.take("for which notice"), str(table.draining_for or "none")
        case _:
            raise WordsError(f"{word!r} says nothing about a table.")


def _account(words: Words, books: Floor) -> Compared:
    """What an account has come to over a system's whole life."""
    meter, account = words.take("the system"), Account(words.take("the account"))
    total = sum(
        micros
        for entry in books.history.get(meter, ())
        for name, micros in entry.lines
        if name is account
    )
    return plain_dollars(words.dollars()), plain_dollars(-total if account in _SOURCES else total)


_PAGES: dict[str, Callable[[Words, Floor], Compared]] = {
    "account": _account,
    "award": _award,
    "carry": _carry,
    "meter": _meter,
    "minimum": _minimum,
    "notice": _notice,
    "round": _round,
    "table": _table,
}
