#!/usr/bin/env python3
"""Checks an export of Prize Meter without any other part of Prize Meter.

    python3 jackpot_verify.py export.jsonl --key auditors.keys --checkpoints log --receipts notes

One file, to be carried and to be read. It needs Python 3.11 and the package `cryptography`, asks no
network and writes nothing. It was written from docs/protocol.md, whose sections the headings below
name, and from the rules documents; it shares no line with the server. In order of reading:

    1  what a finding is, and reading strictly
    2  the printed tables of the rules, and a settlement worked out
    3  signed notes: receipts and checkpoints
    4  the journal: chain, balance, and every kind of entry worked out again
    5  requests, messages and answers, and whether entries are what was asked for
    6  the whole export, row by row
    7  the report and the command line

Amounts are whole millionths of a dollar. "A-18" and the like are readings of the rules.
"""

import argparse
import base64
import binascii
import hashlib
import json
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:  # told in a sentence by main()
    Ed25519PublicKey = None  # type: ignore[assignment, misc]

Json = Any
Row = dict[str, Any]
FORM = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What Python raises where a value has not the form it should have."""

# ------------------------------------------------------------------ 1 findings, strict reading


class Bad(Exception):  # noqa: N818 - an answer about a row
    """What is wrong with a row, in a sentence."""


class Contradicted(Bad):
    """It may be good in itself; a receipt, a checkpoint or an answer says otherwise."""


class Unexplained(Bad):
    """Not proved wrong: something this verifier does not know and cannot work out."""


class Elsewhere(Bad):
    """What this row shows to be wrong in another one."""

    def __init__(self, what: str, line: int, where: str) -> None:
        super().__init__(what)
        self.place = (line, where)


class CannotRead(Exception):  # noqa: N818
    """There is nothing here that could be checked."""


@dataclass
class Finding:
    file: str
    line: int
    where: str
    what: str
    unexplained: bool = False
    rank: tuple[int, str] = (0, "")
    """What is wrong in itself comes first, then by its time what was given out otherwise, then what
    follows from missing rows, and last what the meters' own rows make of all that."""


def require(holds: object, otherwise: str) -> None:
    if not holds:
        raise Bad(otherwise)


def expect(what: str, should: Json, found: Json) -> None:
    if should != found or type(should) is not type(found):
        raise Bad(f"{what} should be {short(should)} and is {short(found)}")


def expect_fields(what: str, names: Iterable[str], found: Row) -> None:
    if set(found) != set(names):
        raise Bad(f"{what} has the fields {sorted(found)} and should have {sorted(names)}")


def short(value: Json) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return text if len(text) <= 200 else f"{text[:200]}..."


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def canonical(value: Json) -> bytes:
    """Protocol 2: ASCII, keys sorted, no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def as_written(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _once(pairs: list[tuple[str, Json]]) -> Row:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_float(text: str) -> Json:
    raise ValueError(f"{text} is not a whole number")


def parse(text: str) -> Json:
    """JSON without duplicate keys and without any number that is not whole."""
    return json.loads(
        text, object_pairs_hook=_once, parse_float=_no_float, parse_constant=_no_float
    )


def parse_canonical(text: str, what: str) -> Row:
    """An object in its one form: whatever is spelt otherwise was not written by the server."""
    try:
        value = parse(text)
    except FORM as error:
        raise Bad(f"{what} is not JSON as the protocol has it ({error})") from None
    if not isinstance(value, dict) or canonical(value) != as_written(text):
        raise Bad(f"{what} is not in canonical form")
    return value


NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"
COUNT = r"[1-9][0-9]{0,15}"
INSTANT = r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{6}Z"
DIGEST = r"[0-9a-f]{64}"
DEVICE_KEY = rf"device:(?P<device>{NAME}):(?P<epoch>{COUNT}):(?P<number>{COUNT})"
MESSAGE_KEY = rf"{DEVICE_KEY}|staff:{NAME}:{NAME}|notice:{NAME}"


def matches(pattern: str, value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_number(value: Json, least: int = -(2**53) + 1) -> bool:
    return type(value) is int and least <= value < 2**53


def is_instant(value: Json) -> bool:
    try:
        return matches(INSTANT, value) and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


def unbase64(text: str) -> bytes:
    """Base64 in its one padded form."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Bad("base64 that cannot be read") from None
    require(base64.b64encode(data).decode() == text, "base64 that is not in its one form")
    return data


# ------------------------------------------------------------------ 2 the rules, worked out

CENT, DOLLAR = 10_000, 1_000_000

# WSOP Tables 2 and 3, Three Card Tables 1 and 2: by option and seed, hundredths of a percent.
SEEDS = (10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 75_000)
RATES = {
    1: dict(zip(SEEDS, (3406, 3251, 3094, 2936, 2776, 2612, 2350), strict=True)),
    2: dict(zip(SEEDS, (3102, 2947, 2790, 2632, 2470, 2302, 2028), strict=True)),
}
# WSOP Tables 4 and 5, Three Card Tables 3 and 4: dollars for each $1 of Jackpot wager.
BONUS = {
    1: {"four-of-a-kind": 500, "full-house": 150, "flush": 100},
    2: {"four-of-a-kind": 600, "full-house": 100, "flush": 60, "straight": 40},
}
ROYAL, STRAIGHT_FLUSH = "royal-flush", "straight-flush"
OTHER_HANDS = "four-of-a-kind full-house flush straight three-of-a-kind two-pair one-pair no-pair"
HANDS = {ROYAL, STRAIGHT_FLUSH, *OTHER_HANDS.split()}
ONE_DECK = {(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)}
"""Royals and straight flushes that one deck can give at once (A-28)."""


class Rules(NamedTuple):
    """The numbers of one document's rules, by subject."""

    minimum: str
    reset: str
    reset_several: str
    time: str
    order: str
    bonus: str
    single: str
    royals: str
    straight_flushes: str
    dispute: str


HOLDEM = Rules(
    *("WSOP 9.3", "WSOP 9.4.1", "WSOP 9.4.1", "WSOP 10.2.2", "WSOP 10.2.4", "WSOP 10.1.2"),
    *("WSOP Tables 4 and 5", "WSOP 10.3.1", "WSOP 10.3.2", "WSOP 14.10"),
)
THREE_CARD = Rules(
    *("Three Card 6.3", "Three Card 6.4.1", "Three Card 6.4.2", "Three Card 7.3.2"),
    *("Three Card 7.3.4", "Three Card 7.1.2", "Three Card Tables 3 and 4"),
    *("Three Card 7.4.1, 7.4.2", "Three Card 7.4.3", "Three Card 13.10"),
)
GAMES = {"wsop": (HOLDEM, 2), "ultimate": (HOLDEM, 2), "three-card": (THREE_CARD, 3)}
"""Each game's rules, and how many of the five cards are the player's own."""


class Terms(NamedTuple):
    option: int
    seed: int
    cost_cents: int

    @property
    def rate_bp(self) -> int:
        return RATES[self.option][self.seed]

    @property
    def reseed(self) -> int:
        """r: seed x cost."""
        return self.seed * self.cost_cents * CENT

    @property
    def contribution(self) -> int:
        return self.cost_cents * self.rate_bp


def terms_of(told: Row) -> Terms:
    """Terms as an opening, a change or a statement tells them; the rate must be the printed one."""
    terms = Terms(told["option"], told["seed"], told["cost_cents"])
    is_printed = terms.seed in RATES.get(terms.option, {}) and is_number(terms.cost_cents, 1)
    require(is_printed, f"no seed {terms.seed} in option {terms.option} at {terms.cost_cents}c")
    if "rate_bp" in told:
        expect("the rate of this option and seed", terms.rate_bp, told["rate_bp"])
    return terms


def readings_of(label: str) -> tuple[bool, int]:
    """Protocol 12: whether parts are as printed, and the payable unit."""
    found = re.fullmatch(r"split=(formula|printed);unit=([0-9]+)\.([0-9]{2})", label)
    if found is None:
        raise Unexplained(f"the readings {label!r} are none that this verifier knows")
    return found[1] == "printed", (int(found[2]) * 100 + int(found[3])) * CENT


def up(amount: Fraction | int, unit: int) -> int:
    """The smallest multiple of the unit that is no less."""
    units = Fraction(amount) / unit
    return -(-units.numerator // units.denominator) * unit


def half_up(part: Fraction) -> Fraction:
    """As the tables print a part: three decimals of a percent."""
    steps = part * 100_000 + Fraction(1, 2)
    return Fraction(steps.numerator // steps.denominator, 100_000)


def percent(part: Fraction) -> str:
    thousandths = int(half_up(part) * 100_000)
    return f"{thousandths // 1000}.{thousandths % 1000:03d}%"


def written(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def statement(
    game: str, terms: Terms, meter: int, counted: tuple[int, int], label: str, reset_to: int
) -> Row:
    """The worked statement of a settlement (protocol 5): every step from m, R and S."""
    royals, straight_flushes = counted
    rules = GAMES[game][0]
    is_split = counted in ONE_DECK if rules is HOLDEM else royals <= 4 and straight_flushes <= 7
    require(is_split, f"no rule splits {royals} royal and {straight_flushes} straight flushes")
    j, r = up(meter, DOLLAR), terms.reseed
    shares = _shares(rules, counted, j, r, label)
    paid = sum(share["count"] * share["paid"] for share in shares)
    rule = rules.reset if meter - paid < reset_to else None
    rule = rules.reset_several if royals > 1 else rule
    return {
        "after": meter - paid if rule is None else reset_to,
        "after_payment": meter - paid,
        "cost_cents": terms.cost_cents,
        "game": game,
        "j": j,
        "meter": meter,
        "option": terms.option,
        "paid": paid,
        "pool": j + r * max(royals - 1, 0),
        "r": r,
        "reachable": counted in ONE_DECK,
        "readings": label,
        "reset": rule is not None,
        "reset_rule": rule,
        "reset_to": reset_to,
        "royals": royals,
        "rulebook": RULEBOOK,
        "seed": terms.seed,
        "shares": shares,
        "straight_flushes": straight_flushes,
    }


def _shares(rules: Rules, counted: tuple[int, int], j: int, r: int, label: str) -> list[Row]:
    """Royals 10/(10R+S) of the pool j + r(R-1), straight flushes 1/(10R+S); without a royal each
    straight flush (j-r)(1-0.9^S)/S + r/10."""
    royals, straight_flushes = counted
    as_printed, unit = readings_of(label)
    rule = rules.royals if royals else rules.straight_flushes
    shares = []
    for hand, count, weight in ((ROYAL, royals, 10), (STRAIGHT_FLUSH, straight_flushes, 1)):
        of_pool = Fraction(weight, 10 * royals + straight_flushes) if royals and count else None
        if not count:
            continue
        if of_pool is not None:
            of_j, of_r, text = of_pool, of_pool * (royals - 1), percent(of_pool)
            printed = (half_up(of_pool), half_up(of_pool) * (royals - 1))
        else:
            of_j = (1 - Fraction(9, 10) ** count) / count
            of_r = Fraction(1, 10) - of_j
            text, printed = f"{percent(of_j)}j + {percent(of_r)}r", (half_up(of_j), half_up(of_r))
        exact = printed[0] * j + printed[1] * r if as_printed else of_j * j + of_r * r
        shares.append(
            {
                "count": count,
                "exact": written(exact),
                "hand": hand,
                "of_j": written(of_j),
                "of_pool": None if of_pool is None else written(of_pool),
                "of_r": written(of_r),
                "paid": up(exact, unit),
                "printed": text,
                "rule": rules.single if sum(counted) == 1 else rule,
            }
        )
    return shares


def paid_each(worked: Row, hand: str) -> int:
    return next((share["paid"] for share in worked["shares"] if share["hand"] == hand), 0)


def five_card_hand(cards: list[str]) -> str:
    """Which hand five cards make; the Ace plays high or low, nothing wraps around (HND-1 to 3)."""
    if len(set(cards)) != 5 or not all(matches("[2-9TJQKA][cdhs]", card) for card in cards):
        raise Bad(f"{' '.join(cards)} are not five cards of one deck")
    ranks = sorted("23456789TJQKA".index(card[0]) for card in cards)
    flush = len({card[1] for card in cards}) == 1
    straight = ranks in ([*range(ranks[0], ranks[0] + 5)], [0, 1, 2, 3, 12])
    if flush and straight:
        return ROYAL if ranks[0] == 8 else STRAIGHT_FLUSH
    alike = sorted(Counter(ranks).values(), reverse=True)
    if alike[:2] in ([4, 1], [3, 2]):
        return "four-of-a-kind" if alike[0] == 4 else "full-house"
    if flush or straight:
        return "flush" if flush else "straight"
    by_alike = {(3, 1): "three-of-a-kind", (2, 2): "two-pair", (2, 1): "one-pair"}
    return by_alike.get((alike[0], alike[1]), "no-pair")


# ------------------------------------------------------------------ 3 signed notes (protocol 7-9)


class Key(NamedTuple):
    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n\x01" + self.public).digest()[:4]


def read_key(text: str) -> Key:
    name, key_id, encoded = [*text.split("+", 2), "", ""][:3]
    typed = unbase64(encoded)
    key = Key(name, typed[1:])
    is_key = len(typed) == 33 and typed[0] == 1 and name and key.id.hex() == key_id
    require(is_key, "this is no public key as it was given out: NAME+ID+KEY")
    return key


def signed_by(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


NOTE = re.compile(r"(?:[^\n]+\n)+(?:\n(?:\u2014 [^\n]*\n)*)?")


def split_notes(text: str) -> Iterator[tuple[int, str]]:
    """Notes one after the other, each with the line it begins at; empty lines may part them."""
    line, end = 1, 0
    for note in NOTE.finditer(text if text.endswith("\n") else f"{text}\n"):
        line += text.count("\n", end, note.start())
        yield line, note[0]
        line, end = line + note[0].count("\n"), note.end()


def open_note(note: str, keys: list[Key]) -> str:
    """The text of a note. With keys, one of them must have signed it, and none of them wrongly."""
    text, found, signatures = note.rpartition("\n\n")
    text += "\n"
    is_plain = all(line and line.isprintable() for line in text[:-1].split("\n"))
    is_whole = found and is_plain and signatures.endswith("\n")
    require(is_whole, "this is not a whole signed note")
    trusted = {(key.name, key.id): key for key in keys}
    known = 0
    for line in signatures[:-1].split("\n"):
        dash, name, encoded = [*line.split(" "), "", ""][:3]
        blob = unbase64(encoded)
        require(dash == "\u2014" and len(blob) >= 5, "a line of the note is no signature")
        key = trusted.get((name, blob[:4]))
        if key is not None:
            known += 1
            is_signed = signed_by(key.public, blob[4:], text.encode())
            require(is_signed, f"the signature of {name} is not for this text")
            origin = _origin(text)
            require(name == origin, f"a note of {origin} is signed by {name}")
    require(known or not keys, "none of the keys given has signed this note")
    return text


def _origin(text: str) -> str:
    second = text.split("\n")[1]
    return str(parse(second)["origin"]) if second.startswith("{") else second


RECEIPT = "format origin device epoch number message result answer at entries meter meter_seq head"


def read_receipt(text: str) -> Row:
    purpose, body, end = [*text.split("\n"), "", ""][:3]
    require(purpose == "prize-meter receipt 1" and not end, "this note is not a receipt")
    receipt = parse_canonical(body, "the receipt")
    expect_fields("the receipt", RECEIPT.split(), receipt)
    expect("the format", 1, receipt["format"])
    is_formed = is_instant(receipt["at"]) and is_number(receipt["entries"], 0)
    require(is_formed, "the receipt is not in the form of the protocol")
    return receipt


def key_of(receipt: Row) -> str:
    return f"device:{receipt['device']}:{receipt['epoch']}:{receipt['number']}"


class Checkpoint(NamedTuple):
    origin: str
    number: int
    at: str
    previous: str
    covers: str
    """How many messages it is the first to list, and their digest; nothing in version 1."""
    heads: dict[str, tuple[int, str]]
    text: str


def read_checkpoint(text: str) -> Checkpoint:
    purpose, *facts = text[:-1].split("\n")
    version = purpose.removeprefix("prize-meter checkpoint ")
    is_one = version in ("1", "2") and len(facts) >= 3 + int(version)
    require(is_one, "this note is not a checkpoint")
    origin, number, at, previous, *lines = facts
    covers = lines.pop(0) if version == "2" else ""
    heads = {}
    for line in lines:
        found = re.fullmatch(rf"({NAME}) ({COUNT}) ({DIGEST})", line)
        if found is None:
            raise Bad(f"{line!r} is no head of a meter")
        heads[found[1]] = (int(found[2]), found[3])
    is_formed = matches(COUNT, number) and is_instant(at) and matches(DIGEST, previous)
    is_formed = is_formed and (version == "1" or matches(rf"(0|{COUNT}) {DIGEST}", covers))
    is_sorted = [line.split(" ")[0] for line in lines] == sorted(heads)
    require(is_formed and is_sorted, "the checkpoint is not in the form of the protocol")
    first = sha256(f"prize-meter first checkpoint 1\n{origin}".encode())
    begins = number != "1" or previous == first
    require(begins, "the first checkpoint does not begin the chain of its origin")
    return Checkpoint(origin, int(number), at, previous, covers, heads, text)


def require_growth(earlier: Checkpoint, later: Checkpoint) -> None:
    """Protocol 9: of two checkpoints the later one has all of the earlier, and more."""
    expect("the number after this checkpoint's", earlier.number + 1, later.number)
    expect("the origin", earlier.origin, later.origin)
    expect("the digest of the checkpoint before", sha256(earlier.text.encode()), later.previous)
    require(later.at >= earlier.at, f"checkpoint {later.number} is older than the one before it")
    still = later.covers or not earlier.covers
    require(still, f"checkpoint {later.number} lists no messages, and the one before it does")
    for meter, (seq, head) in earlier.heads.items():
        now, now_head = later.heads.get(meter, (0, ""))
        if now < seq or (now == seq and now_head != head):
            lost = f"checkpoint {later.number} has lost or replaced entries of {meter}"
            raise Bad(f"{lost}: {seq} {head} before, {now} {now_head} now")


# ------------------------------------------------------------------ 4 the journal (protocol 3-5)


def _is_name(value: Json) -> bool:
    return matches(NAME, value)


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _or_null(is_formed: Callable[[Json], bool]) -> Callable[[Json], bool]:
    return lambda value: value is None or is_formed(value)


FIELDS: dict[str, Callable[[Json], bool]] = {
    "format": lambda value: value == 1 and type(value) is int,
    **dict.fromkeys(("seq", "epoch"), lambda value: is_number(value, 1)),
    **dict.fromkeys(("before", "amount", "after"), is_number),
    **dict.fromkeys(("meter", "actor"), _is_name),
    **dict.fromkeys(("table", "approver", "second"), _or_null(_is_name)),
    **dict.fromkeys(("kind", "rulebook", "readings"), _is_text),
    **dict.fromkeys(("rule",), lambda value: _is_text(value) and value != ""),
    "lines": lambda value: isinstance(value, list) and len(value) > 0,
    "detail": lambda value: isinstance(value, dict),
    "round": _or_null(lambda value: matches(rf"{NAME}(/{NAME}){{0,2}}", value)),
    "message": _or_null(lambda value: matches(MESSAGE_KEY, value)),
    "request": _or_null(lambda value: matches(DIGEST, value)),
    "at": is_instant,
    "agent_at": _or_null(is_instant),
}
ACCOUNTS = "meter wagers-taken refunds house-margin seed-funding prizes bonus-payouts transfers"
MAY_LOWER = {"reversal", "prize", "transfer-out", "correction", "closing"}
NEW_EPOCH = {"opening", "reset", "closing"}
OUTCOME = "seats folded hands cards shared_cards bonus cautions statement"
# By kind, and by `what` where there is one: the fields of a detail, and those that may be missing.
DETAILS = {
    "opening": ("option seed cost_cents rate_bp reference tables training", ""),
    "credit": ("seats carried cost_cents rate_bp", "case reason rule paper"),
    "reversal": ("case rule reason stakes seats spent returned reregistered", "paper"),
    "settlement": (OUTCOME, "case paper"),
    "prize": ("award seat hand", "top_up_of corrected_round"),
    "reset": ("to", ""),
    "extra": ("reason", ""),
    "transfer-out": ("to notice", ""),
    "transfer-in": ("from notice", ""),
    "change": ("from to notice", ""),
    "correction bonus": ("what hands bonus", ""),
    "correction settlement": (f"what {OUTCOME} paid taken_back reason", ""),
    "correction void": ("what taken_back reason", ""),
    "correction order": ("what order statements decided_by taken_back", "reason"),
    "ruling played-on": ("what case rule reason seats", "paper"),
    "ruling carried": ("what case rule reason seats", "paper"),
    "ruling forfeited": ("what case rule reason seats", "paper"),
    "ruling determined": ("what award amount meter_seq", ""),
    "ruling withheld": ("what award amount reason", ""),
    "ruling paid": ("what award amount method reference", "winner"),
    "ruling order-stands": ("what order", "reason"),
    "closing": ("shares notice", ""),
}
RULEBOOK = "wsop-10.0+three-card-4/1"
COLUMNS = ("kind", "amount", "before", "after", "epoch", "at", "table", "round", "message")
Lines = list[list[Json]]
Stake = tuple[int, int, int]
"""A wager: its cost, what it put on the meter, and in which epoch."""


def _require_second(entry: Row) -> None:
    is_two = entry["second"] not in (None, entry["actor"])
    require(is_two, "this takes two persons, and it names one")


def _require_seats(*lists: list[int]) -> None:
    """Each seat once; all lists but the last, which joins others, in order."""
    for seats in lists:
        is_list = len(set(seats)) == len(seats) and all(is_number(seat, 1) for seat in seats)
        require(is_list, f"{short(seats)} are not seats, each once")
        in_order = seats == sorted(seats) or seats is lists[-1]
        require(in_order, f"the seats {short(seats)} are not in order")


def _bonus_lines(amount: int) -> Lines:
    """The house pays bonus payouts out of its own margin."""
    return [["bonus-payouts", amount], ["house-margin", -amount]] if amount else []


@dataclass
class Award:
    """A prize as it stands; what was granted on top of another names the round it came by."""

    seat: int
    hand: str
    amount: int
    state: str = "pending"
    granted_after: str | None = None

    @property
    def may_go(self) -> bool:
        """A top-up that is not paid: void as soon as it is no longer right."""
        return self.granted_after is not None and self.state not in ("paid", "voided")


@dataclass
class Round:
    name: str
    table: str
    terms: Terms
    live: dict[int, Stake] = field(default_factory=dict)
    """Wagers that can win."""
    game: str = ""
    settled_seq: int = 0
    worked: Row = field(default_factory=dict)
    hands: dict[int, str] = field(default_factory=dict)
    carded: set[int] = field(default_factory=set)
    """Seats whose hands are what their recorded cards make."""
    prizes: int = 0
    top_up: int = 0
    bonus: int = 0
    awards: dict[str, Award] = field(default_factory=dict)
    voided: bool = False

    @property
    def rules(self) -> Rules:
        return GAMES[self.game][0]

    def winners(self) -> dict[int, str]:
        return {seat: h for seat, h in self.hands.items() if h in (ROYAL, STRAIGHT_FLUSH)}

    def due(self, worked: Row) -> dict[int, int]:
        return {seat: paid_each(worked, hand) for seat, hand in self.winners().items()}

    def own(self) -> dict[str, Award]:
        """The prizes of its own settlement that were not voided."""
        awards = self.awards.items()
        return {n: a for n, a in awards if a.granted_after is None and a.state != "voided"}

    def paid(self) -> Counter[int]:
        found = Counter[int]()
        for award in self.own().values():
            found[award.seat] += award.amount if award.state == "paid" else 0
        return +found

    def free_name(self, name: str, more: str) -> str:
        """A paid prize keeps its name: what comes on top of it has a longer one."""
        while name in self.awards and self.awards[name].state == "paid":
            name += f"+{more}"
        return name

    def settle(self, entry: Row, meter: int, reset_to: int) -> None:
        """Hands from the cards, the statement from m and the hands, and what that gives."""
        detail = entry["detail"]
        self._require_hands(detail)
        hands, cards = dict(detail["hands"]), dict(detail["cards"])
        royals = sum(hand == ROYAL for hand in hands.values())
        counted = (royals, sum(hand == STRAIGHT_FLUSH for hand in hands.values()))
        # A correction keeps the readings of its settlement (protocol 12).
        readings = (self.worked or entry)["readings"]
        worked = statement(self.game, self.terms, meter, counted, readings, reset_to)
        expect_fields("the statement", worked, detail["statement"])
        for name, should in worked.items():
            expect(f"{name} in the statement", should, detail["statement"][name])
        self.hands, self.carded = hands, {seat for seat in cards if seat in hands}
        cautions = ["check-the-deck"] * (counted not in ONE_DECK)
        cautions += ["without-cards"] * bool(set(self.winners()) - set(cards))
        expect("the cautions", cautions, detail["cautions"])
        self.worked = worked
        self.bonus = self.worked_bonus(entry)
        self.give()

    def give(self) -> None:
        """What its statement puts in effect: for each seat the greater of due and paid."""
        meter, reset_to = self.worked["meter"], self.worked["reset_to"]
        self.prizes = sum((self.paid() | Counter(self.due(self.worked))).values())
        left = meter - self.prizes
        self.top_up = reset_to - left if self.worked["royals"] > 1 or left < reset_to else 0

    @property
    def after(self) -> int:
        """Where it leaves the meter."""
        return int(self.worked["meter"]) - self.prizes + self.top_up

    def _require_hands(self, detail: Row) -> None:
        """What the cards make wins (SET-11); one deck deals each card once."""
        seats, folded = detail["seats"], set(detail["folded"])
        expect("the seats with a live wager", sorted(self.live), seats)
        _require_seats(seats, detail["folded"], [seat for seat, _ in detail["hands"]], seats)
        hands, cards = dict(detail["hands"]), dict(detail["cards"])
        may_have = folded | set(hands) | set(cards) <= set(seats) and not folded & set(hands)
        require(may_have, "a seat that folded, or has no live wager, has a hand")
        unknown = sorted(set(hands.values()) - HANDS)
        require(not unknown, f"the hands {unknown} do not exist")
        shared = detail["shared_cards"].split(" ") if detail["shared_cards"] else []
        dealt = [*shared, *(card for own in cards.values() for card in own.split(" "))]
        require(len(set(dealt)) == len(dealt), "a card stands twice")
        count = GAMES[self.game][1]
        for seat in sorted(set(cards) - folded):
            own = cards[seat].split(" ")
            are_five = (len(own), len(shared)) == (count, 5 - count)
            require(are_five, f"seat {seat} has {len(own)} cards, and {len(shared)} are shared")
            expect(f"the hand of seat {seat}", five_card_hand([*own, *shared]), hands.get(seat))

    def worked_bonus(self, entry: Row) -> int:
        """Bonus payouts by seat, from the option's table, up to the payable unit (BON-1, A-8)."""
        table, unit = BONUS[self.terms.option], readings_of(self.worked["readings"])[1]
        costs = self.terms.cost_cents * CENT
        payouts = [[s, up(table.get(h, 0) * costs, unit)] for s, h in sorted(self.hands.items())]
        expect("the bonus", [one for one in payouts if one[1]], entry["detail"]["bonus"])
        return sum(payout for _, payout in payouts)

    def correct_bonus(self, entry: Row) -> Lines:
        expect("the rule", self.rules.bonus, entry["rule"])
        before, winners = self.bonus, self.winners()
        by_cards = {seat: self.hands[seat] for seat in self.carded}
        self.hands = dict(entry["detail"]["hands"])
        expect("the royal and straight flushes", winners, self.winners())
        now = {seat: self.hands.get(seat) for seat in by_cards}
        expect("the hands that recorded cards make", by_cards, now)
        self.bonus = self.worked_bonus(entry)
        expect("the amount", 0, entry["amount"])
        return _bonus_lines(self.bonus - before)

    def void(self) -> None:
        self.prizes = self.top_up = self.bonus = 0
        self.voided = True
        require(not self.paid(), "a prize of this round is paid, and nothing paid is taken back")
        for award in self.own().values():
            award.state = "voided"

    def resettle(self, entry: Row) -> None:
        """Settled again at its own m; prizes that are not paid are granted anew."""
        self.settle(entry, self.worked["meter"], self.worked["reset_to"])
        self.voided = False
        paid, own = self.paid(), self.own()
        expect("what was paid", [[s, paid[s]] for s in sorted(paid)], entry["detail"]["paid"])
        withheld = {award.seat for award in own.values() if award.state == "withheld"}
        for award in own.values():
            award.state = "paid" if award.state == "paid" else "voided"
        for seat, amount in self.due(self.worked).items():
            name = self.free_name(f"{self.name}/{seat}", self.name)
            if amount > paid[seat]:
                state = "withheld" if seat in withheld else "pending"
                self.awards[name] = Award(seat, self.hands[seat], amount - paid[seat], state)

    def settled_at(self, meter: int) -> Row:
        """The same hands, settled at another value of the meter."""
        worked = self.worked
        counted = (worked["royals"], worked["straight_flushes"])
        readings, reset_to = worked["readings"], worked["reset_to"]
        return statement(self.game, terms_of(worked), meter, counted, readings, reset_to)

    def reorder(self, worked: Row) -> None:
        """Settled at another place: unpaid prizes get other amounts, paid ones the difference."""
        self.worked, own, paid = worked, self.own(), self.paid()
        self.give()
        unpaid = {award.seat: award for award in own.values() if award.state != "paid"}
        for seat, amount in self.due(worked).items():
            more = amount - paid[seat]
            if seat in unpaid:
                state = unpaid[seat].state
                unpaid[seat].amount = more
                unpaid[seat].state = "pending" if state == "determined" else state
                if more <= 0:
                    unpaid[seat].state = "voided"
            elif more > 0:
                name = self.free_name(f"{self.name}/{seat}", self.name)
                self.awards[name] = Award(seat, self.hands[seat], more)

    def rule_on_prize(self, detail: Row) -> None:
        award, what = self.awards.get(detail["award"]), detail["what"]
        if award is None:
            raise Bad(f"there is no prize {detail['award']}")
        expect("the amount of the prize", award.amount, detail["amount"])
        if "meter_seq" in detail:
            expect("the settlement of the prize", self.settled_seq, detail["meter_seq"])
        before = {"determined": ("pending", "withheld"), "paid": ("determined",)}
        may_be = award.state in before.get(what, ("pending", "withheld", "determined"))
        require(may_be, f"a prize that is {award.state} cannot be {what}")
        award.state = what


@dataclass
class Step:
    """A settlement by its round, or what moved the meter; perhaps under another seed from then."""

    round: str = ""
    amount: int = 0
    seed: int | None = None


@dataclass
class Meter:
    name: str
    line: int
    hash: bytes
    seq: int = 0
    value: int = 0
    epoch: int = 0
    at: str = ""
    terms: Terms | None = None
    training: bool = False
    closed: bool = False
    base: int = 0
    sums: Counter[str] = field(default_factory=Counter)
    """Since the reset."""
    accounts: Counter[str] = field(default_factory=Counter)
    message: str | None = None
    began_at: int = 0
    """Where the meter stood before the message whose entries are being read."""
    outs: list[list[Json]] = field(default_factory=list)
    due: list[Row] = field(default_factory=list)
    """What must follow now: for each entry the fields that are known of it."""
    rounds: dict[str, Round] = field(default_factory=dict)
    carried: dict[str, dict[int, Stake]] = field(default_factory=dict)
    """By table: wagers that stand for its next round."""
    games: dict[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    """Its history as it counts now: settlements at the places that decided orders gave them."""
    put_right: set[str] = field(default_factory=set)

    @property
    def known_terms(self) -> Terms:
        if self.terms is None:
            raise Bad("its terms are not known: the opening is missing or bad")
        return self.terms

    @property
    def reseed(self) -> int:
        return self.known_terms.reseed

    def round_of(self, entry: Row) -> Round:
        found = self.round(entry["round"])
        expect("the table of the round", found.table, entry["table"])
        return found

    def round(self, name: str, *, settled: bool = False) -> Round:
        if name not in self.rounds:
            raise Bad(f"the round {name} was never registered on this meter, or ended before")
        found = self.rounds[name]
        in_effect = found.settled_seq and not found.voided
        require(in_effect or not settled, f"the round {name} has no settlement in effect")
        return found

    def message_ends(self, value: int) -> str:
        """Protocol 13.4: nothing is due, and the meter is no lower than rule 9.3 wants it."""
        due, self.due = self.due, []
        if due:
            return f"before it should stand {short(due[0])}"
        if self.closed or self.terms is None:
            return ""
        grown = self.sums["credited"] - self.sums["reversed"] - self.sums["prizes"]
        least = self.reseed + max(grown, 0)
        left = f"the message before it left the meter at {value}, below {least} (rule 9.3)"
        return left if value < least else ""

    def work_out(self, entry: Row) -> None:
        kind, detail, granted = entry["kind"], entry["detail"], "top_up_of" in entry["detail"]
        if self.due:
            for name, should in self.due.pop(0).items():
                if should is not None:
                    expect(name, should, entry[name])
        elif kind == "reset" or (kind == "prize" and not granted):
            raise Bad(f"nothing before it asks for this {kind}")
        is_first = (self.seq == 1) == (kind == "opening")
        require(is_first, "the opening is the first entry of a meter, and only the first")
        may_follow = entry["amount"] == 0 and kind in ("ruling", "correction")
        require(may_follow or not self.closed, "the meter was closed before")
        try:
            _require_known(entry)
            against = getattr(self, f"_{kind.replace('-', '_')}")(entry, detail)
            expect("the lines", [["meter", entry["amount"]], *against], entry["lines"])
        finally:
            self._add_up(entry)
            self._remember(entry)
            below = self.terms is not None and not self.closed and self.value < self.reseed
            if below and (kind in ("reversal", "correction") or granted):
                self.due = [_due_reset(self.value, self.reseed, None, entry)]

    def _add_up(self, entry: Row) -> None:
        """The sums of rule 9.3; a correction is a prize that was more or less than told (A-58)."""
        kind, amount = entry["kind"], entry["amount"]
        if kind in NEW_EPOCH:
            self.base, self.sums = self.value, Counter()
        elif kind == "credit":
            self.sums["credited"] += amount
            self.sums["turnover"] -= dict(entry["lines"]).get("wagers-taken", 0)
        elif kind == "reversal":
            self.sums["reversed"] -= amount
            stakes = entry["detail"]["stakes"]
            self.sums["turnover"] -= sum(cost for _, cost, _, ep in stakes if ep == self.epoch)
        elif kind in ("prize", "correction"):
            self.sums["prizes"] -= amount
        elif kind in ("transfer-in", "transfer-out"):
            self.sums["transferred"] += amount
        elif kind in ("extra", "change"):
            self.sums["extra"] += amount

    def _remember(self, entry: Row) -> None:
        """What counts in a replay. A value never lies below the seed, so what raises it can be
        added up."""
        kind, amount = entry["kind"], entry["amount"]
        if kind == "settlement":
            self.steps += [Step(entry["round"])] if entry["round"] in self.rounds else []
        elif kind in ("opening", "change"):
            self.steps.append(Step(amount=amount if kind == "opening" else 0, seed=self.reseed))
        elif kind not in ("prize", "reset", "ruling", "correction"):
            last = self.steps[-1] if self.steps else Step("none")
            if amount >= 0 and not last.round and last.amount >= 0:
                last.amount += amount
            else:
                self.steps.append(Step(amount=amount))

    # ---- every kind of entry; each gives the lines beside the meter's own

    def _opening(self, entry: Row, detail: Row) -> Lines:
        self.terms, self.training = terms_of(detail), detail["training"]
        _require_second(entry)
        require(entry["amount"] >= self.reseed, f"a meter opens at {self.reseed} or higher")
        return [["seed-funding", -entry["amount"]]]

    def _credit(self, entry: Row, detail: Row) -> Lines:
        seats, carried, name = detail["seats"], detail["carried"], entry["round"]
        _require_seats(seats, carried, [*seats, *carried])
        waiting: dict[int, Stake] = {}
        if name not in self.rounds:
            self.rounds[name] = Round(name, entry["table"], self.known_terms)
            waiting = self.carried.pop(entry["table"], {})
        round_ = self.round_of(entry)
        expect("the cost", round_.terms.cost_cents, detail["cost_cents"])
        expect("the rate", round_.terms.rate_bp, detail["rate_bp"])
        # Wagers that stand from the table's round before: all that did not go back (A-17).
        stand = f"the seats {sorted(waiting)} stand from the round before, not {carried}"
        require(set(waiting) == set(carried), stand)
        round_.live.update(waiting)
        cost, part = round_.terms.cost_cents * CENT, round_.terms.contribution
        for seat in seats:
            require(seat not in round_.live, f"seat {seat} has its one wager already")
            round_.live[seat] = (cost, part, entry["epoch"])
        expect("the amount", len(seats) * part, entry["amount"])
        is_rule = entry["rule"] in (HOLDEM.minimum, THREE_CARD.minimum)
        require(is_rule, f"no rule {entry['rule']} registers wagers")
        taken = len(seats) * cost
        return [["wagers-taken", -taken], ["house-margin", taken - entry["amount"]]]

    def _reversal(self, entry: Row, detail: Row) -> Lines:
        stakes = {seat: (cost, part, epoch) for seat, cost, part, epoch in detail["stakes"]}
        on_meter = {seat: stake for seat, stake in stakes.items() if stake[2] == entry["epoch"]}
        back = sum(stake[1] for stake in on_meter.values())
        refunded = sum(stake[0] for stake in stakes.values())
        expect("the amount", -back, entry["amount"])
        expect("its seats", sorted(stakes), detail["seats"])
        expect("the spent ones", sorted(set(stakes) - set(on_meter)), detail["spent"])
        _require_seats(detail["returned"], detail["reregistered"], detail["seats"])
        left = set(stakes) - set(detail["returned"]) - set(detail["reregistered"])
        require(not left, "a seat neither has its wager back nor is registered anew")
        expect("the rule", detail["rule"], entry["rule"])
        round_ = self.round_of(entry)
        waiting = self.carried.get(round_.table, {})
        for seat, stake in stakes.items():
            held = round_.live if seat in round_.live else waiting
            expect(f"the wager of seat {seat}", held.pop(seat, None), stake)
        return [["refunds", refunded], ["house-margin", back - refunded]]

    def _settlement(self, entry: Row, detail: Row) -> Lines:
        round_, name = self.round_of(entry), entry["round"]
        before = round_.settled_seq
        require(not before, f"the round {name} was settled by entry {before}")
        round_.game = detail["statement"]["game"]
        played = self.games.setdefault(round_.table, round_.game)
        expect("the game of the table", played, round_.game)
        expect("the rule", round_.rules.time, entry["rule"])
        expect("the amount", 0, entry["amount"])
        round_.settle(entry, entry["before"], self.reseed)
        round_.settled_seq, worked = entry["seq"], round_.worked
        here = {"table": entry["table"], "round": name}
        for share in worked["shares"]:
            for seat in sorted(s for s, hand in round_.hands.items() if hand == share["hand"]):
                award = {"award": f"{name}/{seat}", "hand": share["hand"], "seat": seat}
                round_.awards[award["award"]] = Award(seat, share["hand"], share["paid"])
                prize = {"kind": "prize", "amount": -share["paid"], "detail": award}
                self.due.append(prize | {"rule": share["rule"]} | here)
        if worked["reset"]:
            left, to = worked["after_payment"], worked["reset_to"]
            self.due.append(_due_reset(left, to, worked["reset_rule"], entry))
        return _bonus_lines(round_.bonus)

    def _prize(self, entry: Row, detail: Row) -> Lines:
        if "top_up_of" in detail:
            _require_second(entry)
            self._top_up(entry, detail)
        return [["prizes", -entry["amount"]]]

    def _reset(self, entry: Row, detail: Row) -> Lines:
        expect("the meter afterwards", detail["to"], entry["after"])
        return [["seed-funding", -entry["amount"]]]

    def _extra(self, entry: Row, _detail: Row) -> Lines:
        _require_second(entry)
        require(entry["amount"] > 0, "an extra is more than nothing")
        return [["seed-funding", -entry["amount"]]]

    def _transfer_out(self, entry: Row, detail: Row) -> Lines:
        self.outs.append([detail["to"], -entry["amount"]])
        return [["transfers", -entry["amount"]]]

    def _transfer_in(self, entry: Row, _detail: Row) -> Lines:
        return [["transfers", -entry["amount"]]]

    def _change(self, entry: Row, detail: Row) -> Lines:
        before, self.terms = self.terms, terms_of(detail["to"])
        if before is not None:
            expect("the terms before", before, terms_of(detail["from"]))
        if before is None or before.reseed != self.reseed:  # the sum of 9.3 begins anew (A-37)
            self.base, self.sums = entry["before"], Counter()
        expect("the amount", max(self.reseed - entry["before"], 0), entry["amount"])
        return [["seed-funding", -entry["amount"]]] if entry["amount"] else []

    def _closing(self, entry: Row, detail: Row) -> Lines:
        self.closed = True
        shares, surplus = detail["shares"], self.began_at - self.reseed
        parts = {target: surplus * share // 10_000 for target, share in shares}
        is_whole = sum(share for _, share in shares) == 10_000 and [*parts] == sorted(parts)
        whole = "the shares are not 10,000 in all, each meter once and in order"
        require(is_whole or not shares, whole)
        if parts:
            parts[min(parts)] += surplus - sum(parts.values())
        should = [[target, part] for target, part in parts.items() if part]
        expect("what was transferred", should, self.outs)
        expect("the amount", -self.reseed, entry["amount"])
        expect("what is left", 0, entry["after"])
        return [["seed-funding", -entry["amount"]]]

    def _ruling(self, entry: Row, detail: Row) -> Lines:
        what = detail["what"]
        expect("the amount", 0, entry["amount"])
        if what == "order-stands":
            counted = self.as_they_count(detail["order"])
            expect("the order of the rounds", counted, detail["order"])
            return []
        round_ = self.round_of(entry)
        if "award" in detail:
            round_.rule_on_prize(detail)
            return []
        expect("the rule", detail["rule"], entry["rule"])
        require(not round_.settled_seq, f"the round {round_.name} was settled before")
        missing = sorted(set(detail["seats"]) - set(round_.live))
        if what != "played-on":
            require(not missing, f"the seats {missing} have no live wager")
            stakes = {seat: round_.live.pop(seat) for seat in detail["seats"]}
            if what == "carried":
                self.carried.setdefault(round_.table, {}).update(stakes)
        return []

    def _correction(self, entry: Row, detail: Row) -> Lines:
        what = detail["what"]
        if what == "order":
            return self._reorder(entry, detail)
        # What was voided can be settled again.
        round_ = self.round(entry["round"], settled=what != "settlement")
        require(round_.settled_seq, f"the round {round_.name} was never settled")
        expect("the table of the round", round_.table, entry["table"])
        if what == "bonus":
            return round_.correct_bonus(entry)
        expect("the rule", round_.rules.dispute, entry["rule"])
        _require_second(entry)
        prizes, top_up, bonus = round_.prizes, round_.top_up, round_.bonus
        self.put_right.add(entry["round"])
        if what == "void":
            round_.void()
        else:
            round_.resettle(entry)
        taken = self._take_back(detail)
        amount = (prizes - top_up) - (round_.prizes - round_.top_up) + taken
        expect("the amount", amount, entry["amount"])
        more = round_.prizes - prizes - taken
        lines: Lines = [["prizes", more], ["seed-funding", -amount - more]]
        return (lines if amount or more else []) + _bonus_lines(round_.bonus - bonus)

    # ---- what was put right later: the replay, top-ups, and another order (A-38, A-58)

    def as_they_count(self, rounds: list[str]) -> list[str]:
        return [step.round for step in self.steps if step.round and step.round in rounds]

    def _replay(self, has: dict[str, Counter[int]]) -> dict[str, dict[int, int]]:
        """What each seat would have won, by round, had every outcome been right at once: every
        settlement at the value the meter would have had. What a winner has for good has left it."""
        value = seed = 0
        found: dict[str, dict[int, int]] = {}
        for step in self.steps:
            if not step.round:
                seed = seed if step.seed is None else step.seed
                value = max(value + step.amount, seed)
            elif not (round_ := self.rounds[step.round]).voided:
                again = round_.settled_at(value)
                due = found[step.round] = round_.due(again)
                kept = has.get(step.round, Counter())
                left = value - sum((kept | Counter(due)).values())
                is_reset = again["royals"] > 1 or left < again["reset_to"]
                value = again["reset_to"] if is_reset else left
        return found

    def _has(self, *, for_good: bool) -> dict[str, Counter[int]]:
        """By round and seat: all prizes that stand, or those that no correction takes back."""
        found: dict[str, Counter[int]] = {}
        for name, round_ in self.rounds.items():
            found[name] = Counter()
            for award in round_.awards.values():
                if award.state != "voided" and not (for_good and award.may_go):
                    found[name][award.seat] += award.amount
        return found

    def _top_up(self, entry: Row, detail: Row) -> None:
        """A top-up is what one replay gives beyond all that the prize has by now."""
        name, seat, after = entry["round"], detail["seat"], detail["corrected_round"]
        round_, first = self.round(name, settled=True), f"{name}/{seat}"
        stands = first in round_.awards and round_.awards[first].state != "voided"
        require(stands, f"there is no prize {first} that could be topped up")
        is_after = self.as_they_count([after, name]) == [after, name] and after in self.put_right
        require(is_after, f"the round {after} was not put right before {name}")
        award = round_.free_name(f"{first}+{after}", after)
        due = self._replay(self._has(for_good=True))[name]
        expect("the prize that is topped up", first, detail["top_up_of"])
        expect("the name", award, detail["award"])
        expect("the hand", round_.hands.get(seat), detail["hand"])
        expect("the rule", round_.rules.dispute, entry["rule"])
        expect("the amount", self._has(for_good=False)[name][seat] - due[seat], entry["amount"])
        state = "withheld" if round_.awards[first].state == "withheld" else "pending"
        round_.awards[award] = Award(seat, detail["hand"], -entry["amount"], state, after)

    def _take_back(self, detail: Row) -> int:
        """Unpaid top-ups of the meter that a replay no longer gives are void with a correction."""
        has = self._has(for_good=True)
        due = self._replay(has)
        taken: dict[str, int] = {}
        for name, round_ in self.rounds.items():
            for key, award in round_.awards.items():
                more = due.get(name, {}).get(award.seat, 0) - has[name][award.seat]
                stands = not round_.voided and round_.hands.get(award.seat) == award.hand
                if award.may_go and not (stands and more == award.amount):
                    award.state, taken[key] = "voided", award.amount
        expect("what is taken back", [[k, taken[k]] for k in sorted(taken)], detail["taken_back"])
        return sum(taken.values())

    def _reorder(self, entry: Row, detail: Row) -> Lines:
        """Contested rounds in another order: each counts just before the first one that it now
        precedes; what lies between their places stands as recorded, so that no round meets less
        than the seed."""
        order = detail["order"]
        rounds = {name: self.round(name, settled=True) for name in order}
        counted = self.as_they_count(order)
        place = {n: min(counted.index(later) for later in order[i:]) for i, n in enumerate(order)}
        worked: dict[str, Row] = {}
        before = {name: (rounds[name].worked["meter"], rounds[name].after) for name in counted}
        seeds = {name: rounds[name].worked["reset_to"] for name in counted}
        prizes = sum(round_.prizes for round_ in rounds.values())
        moved = 0
        for number, name in enumerate(counted):
            met, left = before[name]
            value = met + moved if met + moved >= seeds[name] else met
            apart = met + moved - value
            for one in (one for one in order if place[one] == number):
                worked[one] = rounds[one].settled_at(value)
                rounds[one].reorder(worked[one])
                value = rounds[one].after
            moved = value + apart - left
        expect("the statements", [worked[name] for name in order], detail["statements"])
        expect("the rule", rounds[counted[0]].rules.order, entry["rule"])
        is_theirs = detail["decided_by"] in (entry["actor"], entry["approver"])
        require(is_theirs, f"{detail['decided_by']} decided, and neither acted nor approved")
        more = sum(round_.prizes for round_ in rounds.values()) - prizes
        self.steps, self.put_right = _in_places(self.steps, order), self.put_right | {*order}
        taken = self._take_back(detail)
        expect("the amount", moved + taken, entry["amount"])
        return [["prizes", more - taken], ["seed-funding", -moved - more]]


def _in_places(steps: list[Step], order: list[str]) -> list[Step]:
    found: list[Step] = []
    waiting = list(order)
    for step in steps:
        if step.round in waiting:
            count = waiting.index(step.round) + 1
            found += [Step(name) for name in waiting[:count]]
            del waiting[:count]
        elif step.round not in order:
            found.append(step)
    return found


def _due_reset(value: int, to: int, rule: str | None, cause: Row) -> Row:
    found = {"kind": "reset", "amount": to - value, "detail": {"to": to}, "rule": rule}
    return found | {"table": cause["table"], "round": cause["round"]}


def _require_known(entry: Row) -> None:
    """A kind, a `what` or a field that is not in the protocol is told, not passed over."""
    kind, detail = entry["kind"], entry["detail"]
    if entry["rulebook"] != RULEBOOK:
        raise Unexplained(f"this verifier does not know the rulebook {entry['rulebook']}")
    readings_of(entry["readings"])
    name = f"{kind} {detail['what']}" if kind in ("correction", "ruling") else kind
    if name not in DETAILS:
        raise Unexplained(f"this verifier does not know the kind {name!r}")
    always, sometimes = (set(names.split()) for names in DETAILS[name])
    lacking, unknown = sorted(always - set(detail)), sorted(set(detail) - always - sometimes)
    require(not lacking, f"its detail lacks {lacking}")
    if unknown:
        raise Unexplained(f"this verifier does not know the fields {unknown} of its detail")


class Journal:
    """All meters; each takes its rows in the order of `seq` and forgets what is over."""

    def __init__(self, spoken_of: set[str] | None = None) -> None:
        self.meters: dict[str, Meter] = {}
        self.spoken_of = spoken_of
        """Rounds that later entries speak of: the others are forgotten when they are settled and
        nobody won. None where the export could not be looked through."""
        self.transfers: dict[tuple[str | None, str, str], tuple[int, int, str]] = {}
        self.heads: dict[tuple[str, int], dict[str, tuple[str, bool]]] = {}
        """Heads that somebody was given, by meter and seq: the hash, who says so, and whether the
        entry may be later than the export."""

    def promise(self, meter: str, seq: int, head: str, by: str, *, may_lack: bool = False) -> None:
        known = self.heads.setdefault((meter, seq), {})
        if head not in known or known[head][1]:
            known[head] = (by, may_lack)

    def entry(self, line: int, row: Row) -> None:
        """Check one row; where it is bad the meter goes on from what the row says of itself."""
        name, found = row["meter"], row["hash"]
        if name not in self.meters:
            genesis = hashlib.sha256(f"prize-meter journal 1\n{name}".encode()).digest()
            self.meters[name] = Meter(name, line, genesis)
        meter = self.meters[name]
        seq, head, value, epoch, at = meter.seq, meter.hash, meter.value, meter.epoch, meter.at
        meter.line, meter.seq, meter.hash = line, row["seq"], bytes.fromhex(found)
        promised = self.heads.pop((name, row["seq"]), {})
        expect("seq", seq + 1, row["seq"])
        expect("the hash before", head.hex(), row["previous"])
        expect("the hash", sha256(head + as_written(row["body"])), found)
        entry = _formed(row)
        ended = ""
        if entry["message"] is None or entry["message"] != meter.message:
            ended = meter.message_ends(value)
            meter.message, meter.began_at, meter.outs = entry["message"], value, []
        meter.value, meter.epoch, meter.at = entry["after"], entry["epoch"], entry["at"]
        expect("its meter and seq", [name, row["seq"]], [entry["meter"], entry["seq"]])
        for column, beside in zip(COLUMNS, row["columns"], strict=True):
            expect(f"the column {column} beside it", entry[column], beside)
        _require_balance(entry, value, epoch, at)
        meter.accounts.update(dict(entry["lines"]))
        require(not ended, ended)
        try:
            meter.work_out(entry)
            self._pair(entry, line)
        except FORM as error:
            raise Bad(f"its detail is not in the form of the protocol ({error!r})") from None
        self._forget(meter, entry)
        for told, (by, _) in promised.items():
            if told != found:
                raise Contradicted(f"its hash is {found}, and {by} says {told}")

    def _pair(self, entry: Row, line: int) -> None:
        """One half of a transfer waits for the other: same message, same amount."""
        if not entry["kind"].startswith("transfer-"):
            return
        is_out, detail = entry["kind"] == "transfer-out", entry["detail"]
        ends = (entry["meter"], detail["to"]) if is_out else (detail["from"], entry["meter"])
        pair = (entry["message"], *ends)
        if pair not in self.transfers:
            self.transfers[pair] = (entry["amount"], line, entry["meter"])
        else:
            amount, other, _ = self.transfers.pop(pair)
            expect(f"what line {other} moved the other way", -amount, entry["amount"])

    def _forget(self, meter: Meter, entry: Row) -> None:
        """A settled round that nobody won and nobody speaks of again."""
        if entry["kind"] != "settlement" or self.spoken_of is None:
            return
        if entry["round"] not in self.spoken_of and not meter.rounds[entry["round"]].awards:
            del meter.rounds[entry["round"]]
            meter.steps.pop()


def _formed(row: Row) -> Row:
    entry = parse_canonical(row["body"], "the entry")
    expect_fields("the entry", FIELDS, entry)
    for name, is_formed in FIELDS.items():
        if not is_formed(entry[name]):
            raise Bad(f"{name} is {short(entry[name])}, which is not in its form")
    return entry


def _require_balance(entry: Row, value: int, epoch: int, at: str) -> None:
    """Protocol 13.2: it goes on from the entry before, and its lines add up to nought."""
    kind, amount, lines = entry["kind"], entry["amount"], entry["lines"]
    expect("before", value, entry["before"])
    expect("after", value + amount, entry["after"])
    before = f"its time {entry['at']} is before that of the entry before, {at}"
    require(entry["at"] >= at, before)
    require(amount >= 0 or kind in MAY_LOWER, f"a {kind} may not lower a meter")
    expect("the epoch", epoch + (kind in NEW_EPOCH), entry["epoch"])
    accounts = [line[0] for line in lines if isinstance(line, list) and len(line) == 2]
    is_known = len(accounts) == len(lines) and set(accounts) <= set(ACCOUNTS.split())
    once = is_known and len(set(accounts)) == len(accounts)
    require(once, "its lines name an account twice, or one that is not known")
    expect("the meter's line", ["meter", amount], lines[0])
    require(all(is_number(line[1]) for line in lines), "a line is no amount")
    expect("the sum of its lines", 0, sum(line[1] for line in lines))


# ------------------------------------------------------------------ 5 requests and messages

GRACE = timedelta(minutes=1)
"""A request is let in a moment before it is recorded, and what is recorded a moment before others
see it: a key may have ended, or a checkpoint have been made, in between."""
SIGNATURE_INPUT = (
    r'sig=(?P<params>\("@method" "@path" "@query" "content-digest"\);created=[0-9]{1,16};'
    r'keyid="(?P<key>[0-9a-f]{32})";alg="ed25519";tag="prize-meter")'
)
ANSWER = {
    "accepted": ["answer", "at", "draining", "entries", "head", "message", "prizes"],
    "refused": ["answer", "at", "head", "kind", "message", "reason", "remedy", "rule"],
}
ANSWERED = ("meter", "seq", "hash", "kind", "amount", "after", "detail")
REFUNDED = {
    *("begun-by-mistake", "not-acknowledged", "jackpot-cards-wrong"),
    *("invalidated-disruption", "invalidated-fraud"),
}
"""Cases that give every wager back, whichever seats were named."""


class Request(NamedTuple):
    line: int
    digest: str
    at: str
    device: str
    epoch: int
    words: dict[int, Row]


@dataclass
class Message:
    line: int
    row: Row
    words: Row | None
    answer: Row
    waiting: dict[tuple[str, int], Row]
    """Entries that the answer names and that have not come yet."""
    made: list[Row] = field(default_factory=list)


@dataclass
class Numbers:
    """Which numbers a device has used: all of them up to one, and some beyond."""

    reached: int = 0
    beyond: set[int] = field(default_factory=set)

    def use(self, number: int) -> None:
        is_new = number > self.reached and number not in self.beyond
        require(is_new, "the message stands twice")
        self.beyond.add(number)
        while self.reached + 1 in self.beyond:
            self.reached += 1
            self.beyond.remove(self.reached)

    @property
    def last(self) -> int:
        return max(self.beyond, default=self.reached)

    def missing(self) -> Iterator[int]:
        between = range(self.reached + 1, self.last)
        return islice((number for number in between if number not in self.beyond), 5)


class Messages:
    """Who asked for what, and whether the journal has that and nothing else."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.receipts: dict[str, tuple[str, Row]] = {}
        self.keys: dict[str, Row] = {}
        self.requests: dict[str, Request] = {}
        """By key: the request that speaks now."""
        self.waiting: dict[str, Message] = {}
        self.numbers: dict[tuple[str, int], Numbers] = {}
        self.others: set[str] = set()
        self.listed: dict[str, tuple[bytes, str]] = {}
        """By key: what checkpoints say of messages that have not come yet, and after which one."""
        self.not_listed = 0
        self.last: Checkpoint | None = None
        """The last that has a list, and how many messages are in none."""

    def take_list(self, listed: str, checkpoint: Checkpoint) -> None:
        """Protocol 9: the messages that a checkpoint is the first to speak of."""
        since = "" if self.last is None else self.last.at
        self.last, told = checkpoint, f"{listed.count(chr(10))} {sha256(as_written(listed))}"
        expect("the number and digest of its list of messages", checkpoint.covers, told)
        for key, digest in (line.split(" ") for line in listed[:-1].split("\n") if listed):
            require(key not in self.listed, f"the message {key} was listed before")
            self.listed[key] = bytes.fromhex(digest), since

    def _require_listed(self, listed: tuple[bytes, str] | None, row: Row, answer: Row) -> None:
        stored = canonical({name: row[name] for name in ROWS["message"][0].split()})
        digest = hashlib.sha256(b"prize-meter recorded 1\n" + stored)
        if listed is not None and listed[0] != digest.digest():
            said = f"and a checkpoint lists it with {listed[0].hex()}"
            raise Contradicted(f"its digest as it stands is {digest.hexdigest()}, {said}")
        at, since = datetime.fromisoformat(row["at"]), "" if listed is None else listed[1]
        if since and at < datetime.fromisoformat(since) - GRACE:
            raise Unexplained(f"no checkpoint until {since} lists it, and a later one does")
        self.not_listed += listed is None
        if listed is not None or self.last is None:
            return
        for one in answer.get("entries", ()):
            is_later = one["seq"] > self.last.heads.get(one["meter"], (0, ""))[0]
            require(is_later, "no checkpoint lists it, and one has the head of what it made")
        if at < datetime.fromisoformat(self.last.at) - GRACE:
            raise Unexplained(f"no checkpoint lists it, and one was made at {self.last.at}")

    def key(self, _line: int, row: Row) -> None:
        expect("the key's name", sha256(unbase64(row["public_key"]))[:32], row["id"])
        is_good = row["id"] not in self.keys and row["from"] <= row["to"]
        require(is_good, "the key stands twice, or ends before it begins")
        self.keys[row["id"]] = row

    def request(self, line: int, row: Row) -> None:
        body, key = unbase64(row["body"]), self.keys.get(row["key"])
        expect("the digest of the body", sha256(body), row["digest"])
        if key is None:
            raise Bad(f"no key {row['key']} is known")
        _require_signature(row, unbase64(key["public_key"]))
        at, begins, ends = map(datetime.fromisoformat, (row["at"], key["from"], key["to"]))
        good = f"its key was good from {key['from']} to {key['to']}, not at {row['at']}"
        require(begins - GRACE <= at <= ends + GRACE, good)
        told = parse(body.decode())
        device, epoch = told["device"], told["epoch"]
        owner = [key["device"], key["epoch"]]
        expect(f"the device of the key {row['key']}", owner, [device, epoch])
        words = {one["number"]: one for one in told["messages"]}
        self.requests[row["key"]] = Request(line, row["digest"], row["at"], device, epoch, words)

    def message(self, line: int, row: Row) -> None:
        key, words = row["key"], None
        listed = self.listed.pop(key, None)
        require(matches(MESSAGE_KEY, key), f"{key!r} is no key of a message")
        if key.startswith("device:"):
            words = self._words(row)
        else:
            is_new = key not in self.others and row["request"] is None
            require(is_new, "the message stands twice, or names a request that no device sent")
            self.others.add(key)
        answer = parse_canonical(row["answer"], "the answer")
        # Only what people ask for in the back office puts a settlement right (A-58).
        told = {name: said for name, said in answer.items() if name != "later_prizes" or words}
        expect_fields("the answer", ANSWER.get(answer.get("answer", ""), ()), told)
        expect("the message that the answer names", key, answer["message"])
        expect("the time of the answer", row["at"], answer["at"])
        if (head := answer["head"]) is not None:
            by = f"the answer to {key} (line {line})"
            self.journal.promise(head["meter"], head["seq"], head["hash"], by)
        for one in answer.get("entries", ()):
            expect_fields("an entry in the answer", ANSWERED, one)
        entries = {(one["meter"], one["seq"]): one for one in answer.get("entries", ())}
        message = Message(line, row, words, answer, entries)
        if entries:
            self.waiting[key] = message
        else:
            _require_asked(message)
        self._require_receipt(message)
        self._require_listed(listed, row, answer)

    def _words(self, row: Row) -> Row:
        """What the device asked for, from the request that stands before it."""
        device, epoch, number = row["key"].split(":")[1:]
        self.numbers.setdefault((device, int(epoch)), Numbers()).use(int(number))
        request = next((r for r in self.requests.values() if r.digest == row["request"]), None)
        if request is None:
            raise Bad(f"its request {row['request']} does not stand before it")
        expect("whose request it is", [device, int(epoch)], [request.device, request.epoch])
        words = request.words.get(int(number))
        if words is None:
            raise Bad(f"its request (line {request.line}) holds no message {number}")
        digest = sha256(b"prize-meter message 1\n" + canonical(words))
        expect(f"the digest of message {number} of line {request.line}", digest, row["digest"])
        before = f"it was recorded at {row['at']}, before its request at {request.at}"
        require(row["at"] >= request.at, before)
        return words

    def _require_receipt(self, message: Message) -> None:
        place, receipt = self.receipts.pop(message.row["key"], ("", None))
        if receipt is None:
            return
        answer, row = message.answer, message.row
        head = answer["head"] or {"meter": None, "seq": None, "hash": None}
        own = [one for one in answer.get("entries", ()) if one["meter"] == head["meter"]]
        stored = {
            "message": row["digest"],
            "result": answer["answer"],
            "answer": sha256(b"prize-meter answer 1\n" + as_written(row["answer"])),
            "at": row["at"],
            "entries": len(own),
            "meter": head["meter"],
            "meter_seq": head["seq"],
            "head": head["hash"],
        }
        for name, value in stored.items():
            if receipt[name] != value:
                says = f"the receipt of {place} says {short(receipt[name])}"
                raise Contradicted(f"its {name} is {short(value)}, and {says}")

    def entry(self, entry: Row, entry_hash: str, *, is_good: bool) -> None:
        """Was this entry made by the message that it names, as its answer says?

        Where the entry is good in itself, and the answer has its hash, the answer is wrong.
        """
        key, place = entry["message"], (entry["meter"], entry["seq"])
        if key is None:
            return
        message = self.waiting.get(key)
        if message is None or place not in message.waiting:
            raise Bad(f"no message {key} stands before it that was answered with this entry")
        told, by = message.waiting.pop(place), f"by the answer to {key} (line {message.line})"
        message.made.append(entry)
        if not message.waiting:
            del self.waiting[key]
        expect(f"the hash {by}", told["hash"], entry_hash)
        for name in ("kind", "amount", "after", *(["detail"] if told["detail"] else [])):
            if is_good and told[name] != entry[name]:
                it = f"the entry of this hash, {entry['meter']} seq {entry['seq']}, has"
                what = f"its answer says {name} {short(told[name])}, and {it} {short(entry[name])}"
                raise Elsewhere(what, message.line, f"message {key}")
            expect(f"{name} {by}", told[name], entry[name])
        expect("at", message.row["at"], entry["at"])
        expect("its request", message.row["request"], entry["request"])
        if (words := message.words) is not None:
            expect("the actor by its request", words["actor"], entry["actor"])
            expect("the table's time by its request", words["agent_at"], entry["agent_at"])
            is_granted = entry["approver"] is None or words["grant"] is not None
            require(is_granted, "it names an approver, and its message carried no grant")
        if not message.waiting:
            _require_asked(message)

    def missing(self) -> Iterator[tuple[int, str, str]]:
        """At the end: what should have come. The line, the message, and what is wrong."""
        for key, message in self.waiting.items():
            for meter, seq in message.waiting:
                what = f"it was answered with entry {seq} of {meter}, which is not there"
                yield message.line, key, what
        for (device, epoch), numbers in self.numbers.items():
            for number in numbers.missing():
                yield 0, f"device:{device}:{epoch}:{number}", "the message is missing"
        for key in self.listed:
            yield 0, key, "a checkpoint lists this message, and it is missing"


def _require_signature(row: Row, public: bytes) -> None:
    """RFC 9421 over method, path, query and the digest of the body (protocol 6)."""
    form = re.fullmatch(SIGNATURE_INPUT, row["signature_input"])
    if form is None or form["key"] != row["key"]:
        raise Bad("its Signature-Input is not in the one form, or names another key")
    signature = re.fullmatch(r"sig=:([^:]+):", row["signature"])
    if signature is None:
        raise Bad("its Signature is not in the one form")
    encoded = base64.b64encode(bytes.fromhex(row["digest"])).decode()
    text = (
        '"@method": POST\n"@path": /v1/messages\n"@query": ?\n'
        f'"content-digest": sha-256=:{encoded}:\n"@signature-params": {form["params"]}'
    )
    is_signed = signed_by(public, unbase64(signature[1]), text.encode())
    require(is_signed, f"its signature is not by the key {row['key']}")


def _require_asked(message: Message) -> None:
    """The entries are what the device asked for (protocol 6, Messages)."""
    told = f"in the answer to {message.row['key']} (line {message.line})"
    for one in message.answer.get("prizes", ()):
        for entry in message.made:
            if entry["kind"] == "prize" and entry["detail"]["award"] == one["id"]:
                expect(f"the prize {one['id']} {told}", -entry["amount"], one["amount"])
    if message.words is None or message.answer["answer"] == "refused":
        return
    command = message.words["command"]
    made = [entry for entry in message.made if entry["kind"] not in ("reset", "prize")]
    asked = _ASKED.get(command["kind"])
    if asked is None:
        raise Unexplained(f"this verifier does not know the command {command['kind']!r}")
    for entry in made:
        expect("the table that was named", command.get("table", entry["table"]), entry["table"])
    asked(command, made)


def _expect_kinds(made: list[Row], *kinds: str) -> None:
    expect("the entries that this message makes", list(kinds), [entry["kind"] for entry in made])


def _asked_wagers(command: Row, made: list[Row]) -> None:
    _expect_kinds(made[-1:], "credit")
    _expect_kinds(made[:-1], *["reversal"] * len(made[:-1]))
    detail = made[-1]["detail"]
    expect("the round that was named", command["round"], made[-1]["round"])
    seats = sorted(detail["seats"] + detail["carried"])
    expect("the seats that were named", sorted(command["seats"]), seats)
    expect("the cost that was named", command["cost_cents"], detail["cost_cents"])


def _asked_outcome(command: Row, made: list[Row]) -> None:
    _expect_kinds(made, "settlement", *["reversal"] * (len(made) - 1))
    detail, reports = made[0]["detail"], sorted(command["hands"], key=lambda one: one["seat"])
    expect("the round that was named", command["round"], made[0]["round"])
    cards = [[one["seat"], one["cards"]] for one in reports if one["cards"]]
    expect("the cards that were told", cards, detail["cards"])
    expect("the shared cards that were told", command["shared_cards"], detail["shared_cards"])
    folded = [one["seat"] for one in reports if one["folded"]]
    expect("who folded", folded, detail["folded"])
    expect("the case that was named", command["case"], detail.get("case"))
    hands = dict(detail["hands"])
    told = {one["seat"] for one in reports if one["cards"] or one["hand"]} - set(folded)
    expect("the seats whose hands were told", sorted(told), sorted(hands))
    for one in reports:
        if one["hand"] is not None and not one["folded"]:
            expect(f"the hand that was told of seat {one['seat']}", one["hand"], hands[one["seat"]])


def _asked_irregularity(command: Row, made: list[Row]) -> None:
    reason, seats = unicodedata.normalize("NFC", command["reason"]), sorted(command["seats"])
    for entry in made:
        detail = entry["detail"]
        expect("the case that was declared", command["case"], detail["case"])
        expect("the reason that was given", reason, detail["reason"])
        if entry["kind"] == "reversal" and command["case"] not in REFUNDED:
            expect("who gets chips back", seats, detail["returned"])
        if detail.get("what") in ("played-on", "forfeited"):
            expect("the seats that were named", seats, detail["seats"])
        if entry["kind"] == "credit":
            joined = set(command["joining"]) <= set(detail["seats"])
            require(joined, "a seat that joins has no wager")


def _asked_bonus(command: Row, made: list[Row]) -> None:
    _expect_kinds(made, "correction")
    expect("the round that was named", command["round"], made[0]["round"])
    hands = dict(made[0]["detail"]["hands"])
    for one in command["hands"]:
        expect(f"the hand told of seat {one['seat']}", one["hand"], hands.get(one["seat"]))


def _asked_closing(_command: Row, made: list[Row]) -> None:
    for entry in made:
        expect("the case", "table-closed", entry["detail"].get("case"))


def _asked_nothing(_command: Row, made: list[Row]) -> None:
    _expect_kinds(made)


_ASKED: dict[str, Callable[[Row, list[Row]], None]] = {
    "register-wagers": _asked_wagers,
    "record-outcome": _asked_outcome,
    "declare-irregularity": _asked_irregularity,
    "correct-bonus": _asked_bonus,
    "close-table": _asked_closing,
    "open-table": _asked_nothing,
    "report-gates": _asked_nothing,
}

# ------------------------------------------------------------------ 6 the whole export

SUMS = "credited reversed prizes transferred extra turnover"
STANDING = f"state option seed cost_cents value seq epoch hash at {SUMS} base training"
# The fields of each kind of row, those that give it its one place, and those that name it.
ROWS = {
    "key": ("id device epoch from to public_key", "device epoch from id", "id"),
    "device": ("device epoch last", "device epoch", ""),
    "meter": (f"meter {STANDING}", "meter", "meter"),
    "checkpoint": ("number note messages", "number", "number"),
    "request": ("key at digest body signature signature_input", "", "digest"),
    "message": ("key at digest request answer", "at request key", "key"),
    "entry": ("meter seq previous hash body columns", "meter seq", "meter seq"),
    "end": ("rows", "", ""),
}


class Verifier:
    def __init__(
        self,
        keys: list[Key],
        checkpoints: tuple[str, str] | None = None,
        receipts: tuple[str, str] | None = None,
        spoken_of: set[str] | None = None,
    ) -> None:
        """Checkpoints and receipts: the name of the file, and its text."""
        self.keys, self.counts = keys, Counter[str]()
        self.findings: list[Finding] = []
        self.journal = Journal(spoken_of)
        self.messages = Messages(self.journal)
        self.head: Row = {}
        self.line, self.ended = 0, False
        self.standing: list[tuple[int, Row]] = []
        self.last_numbers: dict[tuple[str, int], tuple[int, int]] = {}
        self.log: list[Checkpoint] = []
        self.own: list[Checkpoint] = []
        self.logged: Checkpoint | None = None
        self.later = Counter[str]()
        """What is kept outside and is of a time after the export, which need not have all of it."""
        self.newest = ""
        self.outside = (checkpoints or ("", ""), receipts or ("", ""))
        self.span: list[str] = []
        self.before: Row = {}
        self.makes = False
        self.place: tuple[tuple[Json, ...], str] = ((-1,), "the beginning")

    def found(self, error: Exception, row: Row) -> None:
        # Of one moment an entry comes first: it is what a message was for.
        rank = (1, f"{_at(row)} {row['row']}") if isinstance(error, Contradicted) else (0, "")
        unexplained = isinstance(error, Unexplained)
        line, where = error.place if isinstance(error, Elsewhere) else (self.line, _where(row))
        finding = Finding("the export", line, where, str(error), unexplained, rank)
        self.findings.append(finding)

    def lacks(
        self, where: str, what: str, line: int = 0, file: str = "the export", rank: int = 2
    ) -> None:
        """Something that should be there, found out when everything else has been read."""
        self.findings.append(Finding(file, line, where, what, rank=(rank, "")))

    def run(self, lines: Iterable[bytes]) -> None:
        for self.line, data in enumerate(lines, start=1):
            row: Row = {}
            try:
                if self.line == 1:
                    self._begin(data)
                    continue
                row = parse_canonical(data.decode("ascii").removesuffix("\n"), "the line")
                self._row(row)
            except Bad as error:
                self.found(error, row)
            except FORM as error:
                self.found(Bad(f"the row is not in the form of the protocol ({error!r})"), row)
        if not self.line:
            raise CannotRead("It is empty.")
        if self.ended:
            self._look_back()
        else:
            what = "the export ends here, without its last line: it was cut off"
            self.findings.insert(0, Finding("the export", self.line, "", what))

    def _begin(self, data: bytes) -> None:
        if data.startswith(b"\xef\xbb\xbf") or data.endswith(b"\r\n"):
            what = "other line ends, or a mark before the text"
            raise CannotRead(f"A program changed it on its way ({what}): copy it again as it is.")
        try:
            self.head = parse_canonical(data.decode("ascii").rstrip("\n"), "the first line")
            expect_fields("the first line", ("at", "export", "origin"), self.head)
        except (Bad, UnicodeDecodeError) as error:
            raise CannotRead(f"It is no export of Prize Meter: {error}.") from None
        if self.head["export"] != 2:
            raise CannotRead(f"It is an export of version {self.head['export']}; this reads 2.")
        if not is_instant(self.head["at"]):
            raise CannotRead(f"It says it was made at {short(self.head['at'])}, which is no time.")
        log, notes = self.outside
        self._read_notes("checkpoint", *log, self._logged)
        self._read_notes("receipt", *notes, self._receipt)

    def _row(self, row: Row) -> None:
        kind = row.get("row", "")
        require(not self.ended, "it stands after the end")
        self.ended = kind == "end"
        if kind not in ROWS:
            raise Unexplained(f"this verifier does not know rows of the kind {kind!r}")
        expect_fields("the row", ["row", *ROWS[kind][0].split()], row)
        self.counts[kind] += kind != "end"
        self._require_order(kind, row)
        if is_instant(_at(row)):
            self.newest = max(self.newest, _at(row))
        match kind:
            case "key" | "request" | "message":
                getattr(self.messages, kind)(self.line, row)
            case "device":
                self.last_numbers[row["device"], row["epoch"]] = (row["last"], self.line)
            case "meter":
                self.standing.append((self.line, row))
            case "checkpoint":
                self._checkpoint(row)
            case "entry":
                self._entry(row)
            case "end":
                rows = {one: count for one, count in self.counts.items() if one in ROWS and count}
                counted = f"it counts {short(row['rows'])} rows, and there are {short(rows)}"
                require(rows == row["rows"], counted)

    def _require_order(self, kind: str, row: Row) -> None:
        """Every row has one place: a request before its message, a message before its entries."""
        before, self.before = self.before, row
        made, self.makes = self.makes, kind == "message" and 'entries":[{' in row["answer"]
        if before.get("row") == "request" and row.get("request") != before["digest"]:
            raise Bad(f"the request {before['digest']} on the line before brought no message")
        if made and (kind != "entry" or parse(row["body"])["message"] != before["key"]):
            raise Bad(f"the message {before['key']} on the line before lacks what it made")
        names = ROWS[kind][1].split()
        if names and not self.makes:
            place = (list(ROWS).index(kind), *(row[name] or "staff" for name in names))
            (last, after), self.place = self.place, (place, f"{_where(row)} (line {self.line})")
            require(last < place, f"it cannot stand after {after}, or stands twice")

    def _checkpoint(self, row: Row) -> None:
        checkpoint = read_checkpoint(open_note(row["note"], self.keys))
        expect("its number", checkpoint.number, row["number"])
        before, self.own = self.own[-1:], [checkpoint]
        if before:
            require_growth(before[0], checkpoint)
        else:
            expect("the first number", 1, checkpoint.number)
        self._promise(checkpoint, f"checkpoint {checkpoint.number} (line {self.line})")
        logged = [one.text for one in self.log if one.number == checkpoint.number]
        same = logged in ([], [checkpoint.text])
        require(same, "the log outside the database has another checkpoint of this number")
        if checkpoint.covers or row["messages"] is not None:
            self.messages.take_list(row["messages"], checkpoint)

    def _entry(self, row: Row) -> None:
        is_good = True
        try:
            self.journal.entry(self.line, row)
        except Bad as error:
            is_good = False
            self.found(error, row)
        entry = parse_canonical(row["body"], "the entry")
        self.span = [min([entry["at"], *self.span]), max([entry["at"], *self.span])]
        self.messages.entry(entry, row["hash"], is_good=is_good)

    # ---- what is kept outside

    def _read_notes(
        self, what: str, file: str, text: str, take: Callable[[str, str], None]
    ) -> None:
        for line, note in split_notes(text):
            self.counts[f"outside {what}"] += 1
            try:
                take(open_note(note, self.keys), f"{file}:{line}")
            except (Bad, *FORM) as error:
                self.findings.append(Finding(file, line, what, str(error)))

    def _logged(self, text: str, place: str) -> None:
        checkpoint = read_checkpoint(text)
        before, self.logged = self.logged, checkpoint
        if before is not None:
            require_growth(before, checkpoint)
        is_later = checkpoint.at > self.head["at"]
        if is_later:
            self.later["checkpoints"] += 1
        else:
            self.log.append(checkpoint)
        self._promise(checkpoint, f"checkpoint {checkpoint.number} of {place}", may_lack=is_later)

    def _promise(self, checkpoint: Checkpoint, by: str, *, may_lack: bool = False) -> None:
        for meter, (seq, head) in checkpoint.heads.items():
            self.journal.promise(meter, seq, head, by, may_lack=may_lack)

    def _receipt(self, text: str, place: str) -> None:
        receipt = read_receipt(text)
        is_later = receipt["at"] > self.head["at"]
        self.later["receipts"] += is_later
        key = key_of(receipt)
        _, other = self.messages.receipts.setdefault(key, (place, receipt))
        expect(f"the other receipt of {key}", other, receipt)
        if receipt["meter"] is not None:
            by = f"the receipt of {place}"
            head = (receipt["meter"], receipt["meter_seq"], receipt["head"])
            self.journal.promise(*head, by, may_lack=is_later)

    # ---- the end

    def _look_back(self) -> None:
        """What should have come, and did not."""
        for line, where, what in self.messages.missing():
            self.lacks(where, what, line)
        for key, (place, receipt) in self.messages.receipts.items():
            if receipt["at"] > self.head["at"]:
                continue
            file, _, line_text = place.rpartition(":")
            what = f"the device holds a receipt of {key}, which the export lacks"
            self.lacks(key, what, int(line_text), file)
        for amount, line, meter in self.journal.transfers.values():
            self.lacks(f"meter {meter}", f"the other half of {amount} is missing", line)
        self._look_back_at_meters()
        self._look_back_at_the_beginning()
        for who in self.messages.numbers:
            if who not in self.last_numbers:
                self.lacks(f"device {who[0]} epoch {who[1]}", "it has no row of its own")
        for who, (last, line) in self.last_numbers.items():
            used = self.messages.numbers.get(who, Numbers()).last
            if used != last:
                what = f"its last number should be {used} and is {last}"
                self.lacks(f"device:{who[0]}:{who[1]}:{last}", what, line)
        own, log = self.own[-1:], self.log[-1:]
        if log and (not own or own[0].number < log[0].number):
            what = f"the export's checkpoints end at {own[0].number if own else 0}"
            self.lacks(f"checkpoint {log[0].number}", what, 0, self.outside[0][0])
        self.findings.sort(key=lambda one: (one.rank, one.file != "the export", one.line))

    def _look_back_at_the_beginning(self) -> None:
        """Nothing signs the first line; what the other lines say shows whether it can be true."""
        at, names = self.head["at"], sorted({key.name for key in self.keys})
        if self.newest and datetime.fromisoformat(self.newest) > (
            datetime.fromisoformat(at) + GRACE
        ):
            what = f"it says that it was made at {at}, and holds what was recorded at {self.newest}"
            self.lacks("the beginning", what, 1, rank=3)
        if names and self.head["origin"] not in names:
            what = f"it is of {short(self.head['origin'])}, and the keys are of {', '.join(names)}"
            self.lacks("the beginning", what, 1, rank=3)

    def _look_back_at_meters(self) -> None:
        meters = self.journal.meters
        for name, meter in meters.items():
            ended = meter.message_ends(meter.value)
            if ended:
                what = ended.replace("before it should stand", "after it should stand")
                self.lacks(f"meter {name} seq {meter.seq}", what, meter.line)
        for name in sorted(set(meters) - {row["meter"] for _, row in self.standing}):
            self.lacks(f"meter {name}", "it has no row of its own")
        for line, row in self.standing:
            try:
                require(row["meter"] in meters, "it has no entries")
                for name, value in standing(meters[row["meter"]]).items():
                    expect(f"{name} of the meter's row", value, row[name])
            except (Bad, *FORM) as error:
                self.lacks(f"meter {row['meter']}", str(error), line, rank=3)
        for (name, seq), heads in self.journal.heads.items():
            last, line = (meters[name].seq, meters[name].line) if name in meters else (0, 0)
            for head, (by, may_lack) in heads.items():
                what = f"{by} names the hash {head}, and the meter has {last} entries"
                if not may_lack:
                    self.lacks(f"meter {name} seq {seq}", what, line)

    def not_checked(self) -> Iterator[str]:
        """Plainly, what this run could not prove."""
        if not self.keys:
            yield "No --key was given: no signature of a receipt or checkpoint was checked."
        if not self.outside[0][0]:
            yield (
                "No --checkpoints were given: a history that was computed again as a whole, or cut"
                " at its end, cannot be told from a true one."
            )
        if not self.outside[1][0]:
            yield "No --receipts were given: the tables' own evidence was not compared."
        for what, count in sorted(self.later.items()):
            if count:
                yield f"{count} {what} are of a time after this export, and may say more."
        for last in (self.log or self.own)[-1:]:
            for name, meter in sorted(self.journal.meters.items()):
                after = meter.seq - last.heads.get(name, (0, ""))[0]
                if after > 0:
                    yield f"{after} entries of {name} are in no checkpoint: {_ONLY_RECEIPTS}."
        if self.messages.not_listed:
            yield f"{self.messages.not_listed} messages are in no checkpoint: {_ONLY_RECEIPTS}."
        yield "What staff asked for in the back office is signed by the server, not by them."


_ONLY_RECEIPTS = "they came after the last one, and only receipts speak for them"


def _at(row: Row) -> str:
    """When it was recorded; other rows come before all that was."""
    columns = row.get("columns")
    at = columns[5] if isinstance(columns, list) and len(columns) > 5 else row.get("at")
    return at if isinstance(at, str) and row.get("row") != "meter" else ""


def _where(row: Row) -> str:
    kind = row.get("row")
    if kind == "entry":
        return f"meter {row.get('meter')} seq {row.get('seq')}"
    name = ROWS[kind][2] if kind in ROWS else ""
    return f"{kind} {row.get(name)}" if name else str(kind or "")


def standing(meter: Meter) -> Row:
    """The row that the server decides from is the last line of the journal, and its sums."""
    option, seed, cost_cents = meter.terms or (0, 0, 0)
    state, hash_ = "closed" if meter.closed else "open", meter.hash.hex()
    stands = (state, option, seed, cost_cents, meter.value, meter.seq, meter.epoch, hash_, meter.at)
    sums = (meter.sums[name] for name in SUMS.split())
    return dict(zip(STANDING.split(), (*stands, *sums, meter.base, meter.training), strict=True))


# ------------------------------------------------------------------ 7 report and command line

_SPOKEN = re.compile(rb'\\"kind\\":\\"(?:correction|reversal)\\".*?\\"round\\":\\"([^"\\]*)\\"')


def look_through(lines: Iterable[bytes]) -> set[str]:
    """A first look: which rounds are spoken of again, so that the rest can be forgotten."""
    return {name.decode() for line in lines for name in _SPOKEN.findall(line)}


def summary(verifier: Verifier) -> Row:
    totals, meters = Counter[str](), {}
    for name, meter in sorted(verifier.journal.meters.items()):
        totals.update(meter.accounts)
        told = ("seq", "hash", "value", "epoch", "state", "training")
        meters[name] = {one: standing(meter)[one] for one in told}
        meters[name]["accounts"] = {one: meter.accounts[one] for one in ACCOUNTS.split()}
    last = (verifier.log or verifier.own)[-1:]
    return {
        "good": not verifier.findings,
        "export": verifier.head,
        "entries": verifier.counts["entry"],
        "from": verifier.span[0] if verifier.span else None,
        "to": verifier.span[-1] if verifier.span else None,
        "rows": dict(sorted(verifier.counts.items())),
        "meters": meters,
        "accounts": {name: totals[name] for name in ACCOUNTS.split()},
        "last_checkpoint": {"number": last[0].number, "at": last[0].at} if last else None,
        "findings": [vars(finding) for finding in verifier.findings],
        "not_checked": list(verifier.not_checked()),
    }


def _account_lines(accounts: dict[str, int]) -> Iterator[str]:
    for name, amount in accounts.items():
        whole, part = divmod(abs(amount), DOLLAR)
        sign = "-" if amount < 0 else ""
        yield f"  {name:<14}{f'{sign}${whole:,}.{part:06d}':>26}"


def report(told: Row, limit: int) -> Iterator[str]:
    findings = told["findings"]
    for finding in findings[:limit]:
        kind = "UNEXPLAINED" if finding["unexplained"] else "BAD"
        line = f" line {finding['line']}" if finding["line"] else ""
        where = f" ({finding['where']})" if finding["where"] else ""
        yield f"{kind} {finding['file']}{line}{where}: {finding['what']}."
    if len(findings) > limit:
        yield f"... and {len(findings) - limit} more; --limit shows them."
    if findings:
        yield ""
    origin = told["export"]["origin"] or "an installation that it does not name"
    yield f"Export of {origin}, as at {told['export']['at']}"
    yield f"{told['entries']:,} entries from {told['from']} to {told['to']}"
    yield "Rows: " + ", ".join(f"{count:,} {kind}" for kind, count in told["rows"].items() if count)
    if told["last_checkpoint"]:
        yield "Last checkpoint: number {number} of {at}".format(**told["last_checkpoint"])
    for name, meter in told["meters"].items():
        training = ", for training" if meter["training"] else ""
        yield f"\nMeter {name} ({meter['state']}{training}), epoch {meter['epoch']}"
        yield f"  entry {meter['seq']:,} {meter['hash']}"
        yield from _account_lines(meter["accounts"])
    yield "\nAll meters"
    yield from _account_lines(told["accounts"])
    yield ""
    for sentence in told["not_checked"]:
        yield f"Not checked: {sentence}"
    good = "\nGOOD: everything that could be checked is as the rules and the protocol want it."
    yield good if told["good"] else f"\nNOT GOOD: {len(findings)} findings, the first at the top."


def with_progress(lines: Iterable[bytes], size: int) -> Iterator[bytes]:
    """A bar on a terminal; nothing elsewhere."""
    done, shown = 0, -1
    for line in lines:
        yield line
        done += len(line)
        if 100 * done // max(size, 1) != shown:
            shown = 100 * done // max(size, 1)
            bar = "#" * (shown // 4)
            print(f"\r[{bar:<25}] {shown:3d} %", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)


def verify(
    path: str,
    keys: list[Key],
    checkpoints: tuple[str, str] | None = None,
    receipts: tuple[str, str] | None = None,
) -> Verifier:
    if path == "-":
        verifier = Verifier(keys, checkpoints, receipts)
        verifier.run(sys.stdin.buffer)
        return verifier
    with Path(path).open("rb") as opened:
        verifier = Verifier(keys, checkpoints, receipts, look_through(opened))
        size = opened.seek(0, os.SEEK_END)
        opened.seek(0)
        verifier.run(with_progress(opened, size) if sys.stderr.isatty() else opened)
    return verifier


def read_keys(given: list[str]) -> list[Key]:
    """Keys as they are, or files that hold one on each line."""
    lines: list[str] = []
    for one in given:
        lines += Path(one).read_text("utf-8").split("\n") if Path(one).exists() else [one]
    try:
        return [read_key(line.strip()) for line in lines if line.strip() and line[0] != "#"]
    except Bad as error:
        named = ", ".join(
            f"the file {one} holds something else" if Path(one).exists() else f"{one} is no file"
            for one in given
        )
        raise CannotRead(f"A key cannot be used ({named}): {error}.") from None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "jackpot-verify",
        description="Check an export of Prize Meter: exit code 0 good, 1 bad, 2 cannot be read.",
        epilog="The first finding names the first bad row. Without --checkpoints and --receipts a"
        " history that was rewritten as a whole, or cut at its end, looks like a true one: ask"
        " for both, from others than those who run the database. docs/verify.md says what is"
        " proved and what is not.",
    )
    add = parser.add_argument
    add("export", help="the file that 'meter-server export' wrote; - reads a pipe")
    add(
        "--key", action="append", default=[], help="a trusted public key, or a file of them; repeat"
    )
    add("--checkpoints", help="the log of checkpoints kept outside the database")
    add("--receipts", help="receipts collected from tables, one after the other")
    add("--limit", type=int, default=20, help="how many findings to show")
    add("--json", action="store_true", help="print JSON for machines")
    given = parser.parse_args(arguments)
    if Ed25519PublicKey is None:
        print("jackpot-verify: It needs 'cryptography': pip install cryptography.", file=sys.stderr)
        return 2
    try:
        files = (given.checkpoints, given.receipts)
        outside = [(path, Path(path).read_text("utf-8")) if path else None for path in files]
        told = summary(verify(given.export, read_keys(given.key), *outside))
    except CannotRead as error:
        print(f"jackpot-verify: {given.export} cannot be checked. {error}", file=sys.stderr)
        return 2
    except (OSError, UnicodeDecodeError) as error:
        print(f"jackpot-verify: A file cannot be read ({error}).", file=sys.stderr)
        return 2
    # Somebody may have put a character there that cannot be shown: the rest is told all the same.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    print(json.dumps(told, indent=2) if given.json else "\n".join(report(told, given.limit)))
    sys.stdout.flush()
    return 0 if told["good"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
