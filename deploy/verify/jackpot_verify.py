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
from pathlib import Path
from typing import Any

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


@dataclass
class Finding:
    file: str
    line: int
    where: str
    what: str
    unexplained: bool = False
    rank: tuple[int, str] = (0, "")
    """What is wrong in itself comes first, then by its time what was given out otherwise, and last
    what follows from missing rows."""


def expect(what: str, should: Json, found: Json) -> None:
    if should != found or type(should) is not type(found):
        raise Bad(f"{what} should be {_short(should)} and is {_short(found)}")


def _short(value: Json) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return text if len(text) <= 200 else f"{text[:200]}..."


def canonical(value: Json) -> bytes:
    """Protocol 2: ASCII, keys sorted, no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


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
    if not isinstance(value, dict) or canonical(value) != text.encode("utf-8", "surrogatepass"):
        raise Bad(f"{what} is not in canonical form")
    return value


def require_fields(what: str, names: Iterable[str], found: Row) -> None:
    if set(found) != set(names):
        raise Bad(f"{what} has the fields {sorted(found)} and should have {sorted(names)}")


NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"
COUNT = r"[1-9][0-9]{0,15}"
INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{6}Z")
DIGEST = re.compile(r"[0-9a-f]{64}")
DEVICE_KEY = re.compile(rf"device:(?P<device>{NAME}):(?P<epoch>{COUNT}):(?P<number>{COUNT})")
MESSAGE_KEY = re.compile(rf"{DEVICE_KEY.pattern}|staff:{NAME}:{NAME}|notice:{NAME}")


def matches(pattern: str | re.Pattern[str], value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_number(value: Json, least: int = -(2**53) + 1) -> bool:
    return type(value) is int and least <= value < 2**53


def is_instant(value: Json) -> bool:
    if not matches(INSTANT, value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def unbase64(text: str) -> bytes:
    """Base64 in its one padded form."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Bad("base64 that cannot be read") from None
    if base64.b64encode(data).decode() != text:
        raise Bad("base64 that is not in its one form")
    return data


# ------------------------------------------------------------------ 2 the rules, worked out

CENT, DOLLAR = 10_000, 1_000_000

# WSOP Tables 2 and 3, Three Card Tables 1 and 2: by option and seed, hundredths of a percent.
RATES = {
    (1, 10_000): 3406,
    (1, 20_000): 3251,
    (1, 30_000): 3094,
    (1, 40_000): 2936,
    (1, 50_000): 2776,
    (1, 60_000): 2612,
    (1, 75_000): 2350,
    (2, 10_000): 3102,
    (2, 20_000): 2947,
    (2, 30_000): 2790,
    (2, 40_000): 2632,
    (2, 50_000): 2470,
    (2, 60_000): 2302,
    (2, 75_000): 2028,
}
# WSOP Tables 4 and 5, Three Card Tables 3 and 4: dollars for each $1 of Jackpot wager.
BONUS = {
    1: {"four-of-a-kind": 500, "full-house": 150, "flush": 100},
    2: {"four-of-a-kind": 600, "full-house": 100, "flush": 60, "straight": 40},
}
ROYAL, STRAIGHT_FLUSH = "royal-flush", "straight-flush"
HANDS = (
    *(ROYAL, STRAIGHT_FLUSH, "four-of-a-kind", "full-house", "flush", "straight"),
    *("three-of-a-kind", "two-pair", "one-pair", "no-pair"),
)
ONE_DECK = {(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)}
"""Royals and straight flushes that one deck can give at once (A-28)."""


@dataclass(frozen=True)
class Rules:
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


@dataclass(frozen=True)
class Terms:
    option: int
    seed: int
    cost_cents: int

    @property
    def rate_bp(self) -> int:
        return RATES[self.option, self.seed]

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
    if (terms.option, terms.seed) not in RATES or not is_number(terms.cost_cents, 1):
        raise Bad(f"there is no seed {terms.seed} in option {terms.option} at {terms.cost_cents}c")
    if "rate_bp" in told:
        expect("the rate of this option and seed", terms.rate_bp, told["rate_bp"])
    return terms


@dataclass(frozen=True)
class Readings:
    printed: bool
    unit: int


def readings_of(label: str) -> Readings:
    """Protocol 12: which of the readings that decide amounts were in force."""
    found = re.fullmatch(r"split=(formula|printed);unit=([0-9]+)\.([0-9]{2})", label)
    if found is None:
        raise Unexplained(f"the readings {label!r} are none that this verifier knows")
    return Readings(found[1] == "printed", (int(found[2]) * 100 + int(found[3])) * CENT)


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


def statement(
    game: str, terms: Terms, meter: int, counted: tuple[int, int], label: str, reset_to: int
) -> Row:
    """The worked statement of a settlement (protocol 5): every step from m, R and S."""
    royals, straight_flushes = counted
    rules = GAMES[game][0]
    if not (counted in ONE_DECK if rules is HOLDEM else royals <= 4 and straight_flushes <= 7):
        raise Bad(f"no rule splits {royals} royal and {straight_flushes} straight flushes")
    j, r, readings = up(meter, DOLLAR), terms.reseed, readings_of(label)
    shares = _shares(rules, royals, straight_flushes, j, r, readings)
    paid = sum(share["count"] * share["paid"] for share in shares)
    rule = None
    if royals > 1:
        rule = rules.reset_several
    elif meter - paid < reset_to:
        rule = rules.reset
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
        "seed": terms.seed,
        "shares": shares,
        "straight_flushes": straight_flushes,
    }


def _shares(
    rules: Rules, royals: int, straight_flushes: int, j: int, r: int, readings: Readings
) -> list[Row]:
    """Royals 10/(10R+S) of the pool, straight flushes 1/(10R+S); without a royal each straight
    flush (j-r)(1-0.9^S)/S + r/10."""
    alone = royals + straight_flushes == 1
    whole = 10 * royals + straight_flushes
    if royals:
        rule = rules.single if alone else rules.royals
        parts = [
            (ROYAL, royals, Fraction(10, whole)),
            (STRAIGHT_FLUSH, straight_flushes, Fraction(1, whole)),
        ]
        return [
            _share(hand, count, rule, part, (part, part * (royals - 1)),
                   (half_up(part), half_up(part) * (royals - 1)), percent(part), j, r, readings)
            for hand, count, part in parts
            if count
        ]  # fmt: skip
    if not straight_flushes:
        return []
    rule = rules.single if alone else rules.straight_flushes
    of_j = (1 - Fraction(9, 10) ** straight_flushes) / straight_flushes
    of_r = Fraction(1, 10) - of_j
    text = f"{percent(of_j)}j + {percent(of_r)}r"
    printed = (half_up(of_j), half_up(of_r))
    parts_of_each = (None, (of_j, of_r), printed, text, j, r, readings)
    return [_share(STRAIGHT_FLUSH, straight_flushes, rule, *parts_of_each)]


def _share(
    hand: str,
    count: int,
    rule: str,
    of_pool: Fraction | None,
    parts: tuple[Fraction, Fraction],
    printed: tuple[Fraction, Fraction],
    printed_text: str,
    j: int,
    r: int,
    readings: Readings,
) -> Row:
    of_j, of_r = printed if readings.printed else parts
    exact = of_j * j + of_r * r
    return {
        "count": count,
        "exact": _fraction(exact),
        "hand": hand,
        "of_j": _fraction(parts[0]),
        "of_pool": None if of_pool is None else _fraction(of_pool),
        "of_r": _fraction(parts[1]),
        "paid": up(exact, readings.unit),
        "printed": printed_text,
        "rule": rule,
    }


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


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
    counts = sorted(Counter(ranks).values(), reverse=True)
    if counts[0] == 4:
        return "four-of-a-kind"
    if counts[:2] == [3, 2]:
        return "full-house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    by_counts = {(3, 1): "three-of-a-kind", (2, 2): "two-pair", (2, 1): "one-pair"}
    return by_counts.get((counts[0], counts[1]), "no-pair")


# ------------------------------------------------------------------ 3 signed notes (protocol 7-9)


@dataclass(frozen=True)
class Key:
    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n\x01" + self.public).digest()[:4]


def read_key(text: str) -> Key:
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    typed = unbase64(encoded)
    key = Key(name, typed[1:])
    if len(typed) != 33 or typed[0] != 1 or not name or key.id.hex() != key_id:
        raise Bad("this is no public key as it was given out: NAME+ID+KEY")
    return key


def signed_by(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def split_notes(text: str) -> Iterator[tuple[int, str]]:
    """Notes one after the other, each with the line it begins at; empty lines may part them."""
    lines = text.split("\n")
    start, place = 0, 0
    while place < len(lines):
        if lines[place] == "" and place == start:
            start += 1
        elif lines[place] == "":
            place += 1
            while place < len(lines) and lines[place].startswith("\u2014 "):
                place += 1
            yield start + 1, "".join(f"{line}\n" for line in lines[start:place])
            start = place
            continue
        place += 1
    if start < len(lines):
        yield start + 1, "\n".join(lines[start:])


def open_note(note: str, keys: list[Key]) -> str:
    """The text of a note. With keys, one of them must have signed it, and none of them wrongly."""
    text, found, signatures = note.rpartition("\n\n")
    text += "\n"
    plain = all(line and line.isprintable() for line in text[:-1].split("\n"))
    if not found or not plain or not signatures.endswith("\n"):
        raise Bad("this is not a whole signed note")
    trusted = {(key.name, key.id): key for key in keys}
    known = 0
    for line in signatures[:-1].split("\n"):
        dash, name, encoded = [*line.split(" "), "", ""][:3]
        blob = unbase64(encoded)
        if dash != "\u2014" or len(blob) < 5:
            raise Bad("a line of the note is no signature")
        key = trusted.get((name, blob[:4]))
        if key is not None:
            known += 1
            if not signed_by(key.public, blob[4:], text.encode()):
                raise Bad(f"the signature of {name} is not for this text")
            if name != _origin(text):
                raise Bad(f"a note of {_origin(text)} is signed by {name}")
    if keys and not known:
        raise Bad("none of the keys given has signed this note")
    return text


def _origin(text: str) -> str:
    second = text.split("\n")[1]
    return str(parse(second)["origin"]) if second.startswith("{") else second


RECEIPT_FIELDS = (
    *("format", "origin", "device", "epoch", "number", "message", "result", "answer", "at"),
    *("entries", "meter", "meter_seq", "head"),
)


def read_receipt(text: str) -> Row:
    purpose, body, end = [*text.split("\n"), "", ""][:3]
    if purpose != "prize-meter receipt 1" or end:
        raise Bad("this note is not a receipt")
    receipt = parse_canonical(body, "the receipt")
    require_fields("the receipt", RECEIPT_FIELDS, receipt)
    expect("the format", 1, receipt["format"])
    if not is_instant(receipt["at"]) or not is_number(receipt["entries"], 0):
        raise Bad("the receipt is not in the form of the protocol")
    return receipt


@dataclass(frozen=True)
class Checkpoint:
    origin: str
    number: int
    at: str
    previous: str
    heads: dict[str, tuple[int, str]]
    text: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def read_checkpoint(text: str) -> Checkpoint:
    purpose, *facts = text[:-1].split("\n")
    if purpose != "prize-meter checkpoint 1" or len(facts) < 4:
        raise Bad("this note is not a checkpoint")
    origin, number, at, previous, *lines = facts
    heads = {}
    for line in lines:
        found = re.fullmatch(rf"({NAME}) ({COUNT}) ({DIGEST.pattern})", line)
        if found is None:
            raise Bad(f"{line!r} is no head of a meter")
        heads[found[1]] = (int(found[2]), found[3])
    formed = matches(COUNT, number) and is_instant(at) and matches(DIGEST, previous)
    if not formed or [line.split(" ")[0] for line in lines] != sorted(heads):
        raise Bad("the checkpoint is not in the form of the protocol")
    first = hashlib.sha256(f"prize-meter first checkpoint 1\n{origin}".encode()).hexdigest()
    if number == "1" and previous != first:
        raise Bad("the first checkpoint does not begin the chain of its origin")
    return Checkpoint(origin, int(number), at, previous, heads, text)


def require_growth(earlier: Checkpoint, later: Checkpoint) -> None:
    """Protocol 9: of two checkpoints the later one has all of the earlier, and more."""
    expect("the number after this checkpoint's", earlier.number + 1, later.number)
    expect("the origin", earlier.origin, later.origin)
    expect("the digest of the checkpoint before", earlier.digest, later.previous)
    if later.at < earlier.at:
        raise Bad(f"checkpoint {later.number} is older than the one before it")
    for meter, (seq, head) in earlier.heads.items():
        now = later.heads.get(meter, (0, ""))
        if now[0] < seq or (now[0] == seq and now[1] != head):
            raise Bad(
                f"checkpoint {later.number} has lost or replaced entries of {meter}: "
                f"{seq} {head} before, {now[0]} {now[1]} now"
            )


# ------------------------------------------------------------------ 4 the journal (protocol 3-5)

FIELDS: dict[str, Callable[[Json], bool]] = {
    "format": lambda value: value == 1 and type(value) is int,
    "meter": lambda value: matches(NAME, value),
    "seq": lambda value: is_number(value, 1),
    "kind": lambda value: isinstance(value, str),
    "before": is_number,
    "amount": is_number,
    "after": is_number,
    "epoch": lambda value: is_number(value, 1),
    "lines": lambda value: isinstance(value, list) and len(value) > 0,
    "rule": lambda value: isinstance(value, str) and value != "",
    "table": lambda value: value is None or matches(NAME, value),
    "round": lambda value: value is None or matches(rf"{NAME}(/{NAME}){{0,2}}", value),
    "detail": lambda value: isinstance(value, dict),
    "at": is_instant,
    "agent_at": lambda value: value is None or is_instant(value),
    "actor": lambda value: matches(NAME, value),
    "approver": lambda value: value is None or matches(NAME, value),
    "second": lambda value: value is None or matches(NAME, value),
    "message": lambda value: value is None or matches(MESSAGE_KEY, value),
    "request": lambda value: value is None or matches(DIGEST, value),
    "rulebook": lambda value: isinstance(value, str),
    "readings": lambda value: isinstance(value, str),
}
ACCOUNTS = (
    *("meter", "wagers-taken", "refunds", "house-margin", "seed-funding", "prizes"),
    *("bonus-payouts", "transfers"),
)
MAY_LOWER = {"reversal", "prize", "transfer-out", "correction", "closing"}
OUTCOME = "seats folded hands cards shared_cards bonus cautions statement"
IRREGULARITY = "what case rule reason seats"
# By kind, and by `what` where there is one: the fields of a detail, and those that may be missing.
DETAILS = {
    "opening": ("option seed cost_cents rate_bp reference tables training", ""),
    "credit": ("seats carried cost_cents rate_bp", "case reason rule paper"),
    "reversal": ("case rule reason stakes seats spent returned reregistered", ""),
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
    "correction order": ("what order statements decided_by taken_back", ""),
    "ruling played-on": (IRREGULARITY, ""),
    "ruling carried": (IRREGULARITY, ""),
    "ruling forfeited": (IRREGULARITY, ""),
    "ruling determined": ("what award amount meter_seq", ""),
    "ruling withheld": ("what award amount reason", ""),
    "ruling paid": ("what award amount method reference", "winner"),
    "ruling order-stands": ("what order", ""),
    "closing": ("shares notice", ""),
}
RULEBOOK = "wsop-10.0+three-card-4/1"
Stake = tuple[int, int, int]
"""A wager: its cost, what it put on the meter, and in which epoch."""


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
    table: str
    terms: Terms
    live: dict[int, Stake] = field(default_factory=dict)
    """Wagers that can win."""
    game: str = ""
    settled_seq: int = 0
    worked: Row = field(default_factory=dict)
    hands: dict[int, str] = field(default_factory=dict)
    prizes: int = 0
    top_up: int = 0
    bonus: int = 0
    awards: dict[str, Award] = field(default_factory=dict)
    voided: bool = False

    def winners(self) -> dict[int, str]:
        return {seat: h for seat, h in self.hands.items() if h in (ROYAL, STRAIGHT_FLUSH)}

    def own(self) -> dict[str, Award]:
        """The prizes of its own settlement that were not voided."""
        return {
            name: award
            for name, award in self.awards.items()
            if award.granted_after is None and award.state != "voided"
        }

    def paid(self) -> dict[int, int]:
        found: Counter[int] = Counter()
        for award in self.own().values():
            if award.state == "paid":
                found[award.seat] += award.amount
        return dict(found)


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
    seq: int = 0
    hash: bytes = b""
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

    def round(self, name: str) -> Round:
        if name not in self.rounds:
            raise Bad(f"the round {name} was never registered on this meter, or ended before")
        return self.rounds[name]

    def settled(self, name: str) -> Round:
        found = self.round(name)
        if not found.settled_seq or found.voided:
            raise Bad(f"the round {name} has no settlement in effect")
        return found


class Journal:
    """All meters; each takes its rows in the order of `seq` and forgets what is over."""

    def __init__(self, spoken_of: set[str] | None = None) -> None:
        self.meters: dict[str, Meter] = {}
        self.spoken_of = spoken_of
        """Rounds that later entries speak of: the others are forgotten when they are settled and
        nobody won. None where the export could not be looked through."""
        self.transfers: dict[tuple[str | None, str, str], tuple[int, int, str]] = {}
        self.heads: dict[tuple[str, int], dict[str, str]] = {}
        """Heads that somebody was given, by meter and seq: the hash, and who says so."""

    def promise(self, meter: str, seq: int, head: str, by: str) -> None:
        self.heads.setdefault((meter, seq), {}).setdefault(head, by)

    def entry(self, line: int, row: Row) -> Row:
        """Check one row; where it is bad the meter goes on from what the row says of itself."""
        name = row["meter"]
        if name not in self.meters:
            genesis = hashlib.sha256(f"prize-meter journal 1\n{name}".encode()).digest()
            self.meters[name] = Meter(name, line, hash=genesis)
        meter = self.meters[name]
        seq, head, value, epoch, at = meter.seq, meter.hash, meter.value, meter.epoch, meter.at
        meter.line, meter.seq, meter.hash = line, row["seq"], bytes.fromhex(row["hash"])
        contradiction = self._contradiction(row)
        expect("seq", seq + 1, row["seq"])
        expect("the hash before", head.hex(), row["previous"])
        expect("the hash", sha256(head + row["body"].encode("utf-8", "surrogatepass")), row["hash"])
        entry = parse_canonical(row["body"], "the entry")
        require_fields("the entry", FIELDS, entry)
        for name, is_formed in FIELDS.items():
            if not is_formed(entry[name]):
                raise Bad(f"{name} is {_short(entry[name])}, which is not in its form")
        ended = self._next_message(meter, entry, value)
        meter.value, meter.epoch, meter.at = entry["after"], entry["epoch"], entry["at"]
        _require_place(row, entry)
        _require_balance(entry, value, epoch, at)
        for account, amount in entry["lines"]:
            meter.accounts[account] += amount
        if ended is not None:
            raise ended
        try:
            self._work_out(meter, entry, line)
        except FORM as error:
            raise Bad(f"its detail is not in the form of the protocol ({error!r})") from None
        if contradiction is not None:
            raise contradiction
        return entry

    def _contradiction(self, row: Row) -> Contradicted | None:
        for head, by in self.heads.pop((row["meter"], row["seq"]), {}).items():
            if head != row["hash"]:
                return Contradicted(f"its hash is {row['hash']}, and {by} says {head}")
        return None

    def _next_message(self, meter: Meter, entry: Row, value: int) -> Bad | None:
        """Entries of one message follow each other; at the first of another, that one is over."""
        if entry["message"] is not None and entry["message"] == meter.message:
            return None
        ended = self.message_ends(meter, value)
        meter.message, meter.began_at, meter.outs = entry["message"], value, []
        return ended

    def message_ends(self, meter: Meter, value: int) -> Bad | None:
        """Protocol 13.4: nothing is due, and the meter is no lower than rule 9.3 wants it."""
        due, meter.due = meter.due, []
        if due:
            return Bad(f"before it should stand {_short(due[0])}")
        if meter.closed or meter.terms is None:
            return None
        least, sums = meter.reseed, meter.sums
        least = max(least, least + sums["credited"] - sums["reversed"] - sums["prizes"])
        if value < least:
            return Bad(f"the message before it left the meter at {value}, below {least} (rule 9.3)")
        return None

    def _work_out(self, meter: Meter, entry: Row, line: int) -> None:
        kind, detail = entry["kind"], entry["detail"]
        granted = "top_up_of" in detail
        if meter.due:
            for name, should in meter.due.pop(0).items():
                if should is not None:
                    expect(name, should, entry[name])
        elif kind == "reset" or (kind == "prize" and not granted):
            raise Bad(f"nothing before it asks for this {kind}")
        if (meter.seq == 1) != (kind == "opening"):
            raise Bad("the opening is the first entry of a meter, and only the first")
        if meter.closed and (entry["amount"] or kind not in ("ruling", "correction")):
            raise Bad("the meter was closed before")
        try:
            _require_known(entry)
            against = getattr(self, f"_{kind.replace('-', '_')}")(meter, entry, line)
            expect("the lines", [["meter", entry["amount"]], *against], entry["lines"])
        finally:
            _add_up(meter, entry)
            _step(meter, entry)
            below = meter.terms is not None and not meter.closed and meter.value < meter.reseed
            if below and (kind in ("reversal", "correction") or granted):
                meter.due = [_due_reset(meter.value, meter.reseed, None, entry)]

    # ---- every kind of entry; each gives the lines beside the meter's own

    def _opening(self, meter: Meter, entry: Row, _line: int) -> Json:
        meter.terms = terms_of(entry["detail"])
        meter.training = entry["detail"]["training"]
        _require_second(entry)
        if entry["amount"] < meter.reseed:
            raise Bad(f"a meter opens at {meter.reseed} or higher")
        return [["seed-funding", -entry["amount"]]]

    def _credit(self, meter: Meter, entry: Row, _line: int) -> Json:
        detail, table = entry["detail"], entry["table"]
        seats, carried = detail["seats"], detail["carried"]
        _require_seats(seats, carried, [*seats, *carried])
        is_new = entry["round"] not in meter.rounds
        if is_new:
            meter.rounds[entry["round"]] = Round(table, meter.known_terms)
        round_ = meter.rounds[entry["round"]]
        expect("the table of the round", round_.table, table)
        expect("the cost", round_.terms.cost_cents, detail["cost_cents"])
        expect("the rate", round_.terms.rate_bp, detail["rate_bp"])
        self._stand(meter, round_, carried, is_new)
        stake = (round_.terms.cost_cents * CENT, round_.terms.contribution, entry["epoch"])
        for seat in seats:
            if seat in round_.live:
                raise Bad(f"seat {seat} has its one wager already")
            round_.live[seat] = stake
        expect("the amount", len(seats) * stake[1], entry["amount"])
        if entry["rule"] not in (HOLDEM.minimum, THREE_CARD.minimum):
            raise Bad(f"no rule {entry['rule']} registers wagers")
        taken = len(seats) * stake[0]
        return [["wagers-taken", -taken], ["house-margin", taken - entry["amount"]]]

    def _stand(self, meter: Meter, round_: Round, carried: list[int], is_new: bool) -> None:
        """Wagers that stand from the table's round before: all that did not go back (A-17)."""
        waiting = meter.carried.pop(round_.table, {}) if is_new else {}
        if set(waiting) != set(carried):
            raise Bad(f"the seats {sorted(waiting)} stand from the round before, not {carried}")
        round_.live.update(waiting)

    def _reversal(self, meter: Meter, entry: Row, _line: int) -> Json:
        detail = entry["detail"]
        stakes = {seat: (cost, part, epoch) for seat, cost, part, epoch in detail["stakes"]}
        on_meter = {seat: stake for seat, stake in stakes.items() if stake[2] == entry["epoch"]}
        back = sum(stake[1] for stake in on_meter.values())
        refunded = sum(stake[0] for stake in stakes.values())
        expect("the amount", -back, entry["amount"])
        expect("its seats", sorted(stakes), detail["seats"])
        expect("the spent ones", sorted(set(stakes) - set(on_meter)), detail["spent"])
        _require_seats(detail["returned"], detail["reregistered"], detail["seats"])
        if set(stakes) - set(detail["returned"]) - set(detail["reregistered"]):
            raise Bad("a seat neither has its wager back nor is registered anew")
        expect("the rule", detail["rule"], entry["rule"])
        round_ = meter.round(entry["round"])
        expect("the table of the round", round_.table, entry["table"])
        waiting = meter.carried.get(round_.table, {})
        for seat, stake in stakes.items():
            held = round_.live if seat in round_.live else waiting
            expect(f"the wager of seat {seat}", held.pop(seat, None), stake)
        return [["refunds", refunded], ["house-margin", back - refunded]]

    def _settlement(self, meter: Meter, entry: Row, _line: int) -> Json:
        detail, name = entry["detail"], entry["round"]
        round_ = meter.round(name)
        if round_.settled_seq:
            raise Bad(f"the round {name} was settled by entry {round_.settled_seq}")
        expect("the table of the round", round_.table, entry["table"])
        round_.game = detail["statement"]["game"]
        rules = GAMES[round_.game][0]
        expect(
            "the game of the table", meter.games.setdefault(round_.table, round_.game), round_.game
        )
        expect("the rule", rules.time, entry["rule"])
        expect("the amount", 0, entry["amount"])
        worked, bonus = _outcome(entry, round_, entry["before"], meter.reseed)
        round_.settled_seq, round_.worked, round_.bonus = entry["seq"], worked, bonus
        round_.prizes, round_.top_up = worked["paid"], worked["after"] - worked["after_payment"]
        for share in worked["shares"]:
            for seat in sorted(s for s, hand in round_.hands.items() if hand == share["hand"]):
                award = {"award": f"{name}/{seat}", "hand": share["hand"], "seat": seat}
                round_.awards[f"{name}/{seat}"] = Award(seat, share["hand"], share["paid"])
                meter.due.append(
                    {"kind": "prize", "amount": -share["paid"], "detail": award}
                    | {"rule": share["rule"], "table": entry["table"], "round": name}
                )
        if worked["reset"]:
            left, to = worked["after_payment"], worked["reset_to"]
            meter.due.append(_due_reset(left, to, worked["reset_rule"], entry))
        if not round_.awards and self.spoken_of is not None and name not in self.spoken_of:
            del meter.rounds[name]
        return _bonus_lines(bonus)

    def _prize(self, meter: Meter, entry: Row, _line: int) -> Json:
        detail = entry["detail"]
        if "top_up_of" in detail:
            _require_second(entry)
            _require_owed(meter, entry)
        return [["prizes", -entry["amount"]]]

    def _reset(self, _meter: Meter, entry: Row, _line: int) -> Json:
        expect("the meter afterwards", entry["detail"]["to"], entry["after"])
        return [["seed-funding", -entry["amount"]]]

    def _extra(self, _meter: Meter, entry: Row, _line: int) -> Json:
        _require_second(entry)
        if entry["amount"] <= 0:
            raise Bad("an extra is more than nothing")
        return [["seed-funding", -entry["amount"]]]

    def _transfer_out(self, meter: Meter, entry: Row, line: int) -> Json:
        to = entry["detail"]["to"]
        meter.outs.append([to, -entry["amount"]])
        self._half(entry, meter.name, to, line)
        return [["transfers", -entry["amount"]]]

    def _transfer_in(self, meter: Meter, entry: Row, line: int) -> Json:
        self._half(entry, entry["detail"]["from"], meter.name, line)
        return [["transfers", -entry["amount"]]]

    def _half(self, entry: Row, source: str, target: str, line: int) -> None:
        """One half of a transfer waits for the other: same message, same amount."""
        pair = (entry["message"], source, target)
        if pair not in self.transfers:
            self.transfers[pair] = (entry["amount"], line, entry["meter"])
            return
        amount, other_line, _ = self.transfers.pop(pair)
        expect(f"what line {other_line} moved the other way", -amount, entry["amount"])

    def _change(self, meter: Meter, entry: Row, _line: int) -> Json:
        before, meter.terms = meter.terms, terms_of(entry["detail"]["to"])
        if before is not None:
            expect("the terms before", before, terms_of(entry["detail"]["from"]))
        if before is None or before.reseed != meter.reseed:  # the sum of 9.3 begins anew
            meter.base, meter.sums = entry["before"], Counter()
        expect("the amount", max(meter.reseed - entry["before"], 0), entry["amount"])
        return [["seed-funding", -entry["amount"]]] if entry["amount"] else []

    def _closing(self, meter: Meter, entry: Row, _line: int) -> Json:
        meter.closed = True
        shares = entry["detail"]["shares"]
        surplus = meter.began_at - meter.reseed
        parts = {target: surplus * share // 10_000 for target, share in shares}
        if shares and (sum(share for _, share in shares) != 10_000 or [*parts] != sorted(parts)):
            raise Bad("the shares are not 10,000 in all, each meter once and in order")
        if parts:
            parts[min(parts)] += surplus - sum(parts.values())
        should = [[target, part] for target, part in parts.items() if part]
        expect("what was transferred", should, meter.outs)
        expect("the amount", -meter.reseed, entry["amount"])
        expect("what is left", 0, entry["after"])
        return [["seed-funding", -entry["amount"]]]

    def _correction(self, meter: Meter, entry: Row, _line: int) -> Json:
        what = entry["detail"]["what"]
        if what == "order":
            return _reorder(meter, entry)
        round_ = meter.settled(entry["round"])
        expect("the table of the round", round_.table, entry["table"])
        rules = GAMES[round_.game][0]
        if what == "bonus":
            expect("the rule", rules.bonus, entry["rule"])
            return _correct_bonus(round_, entry)
        expect("the rule", rules.dispute, entry["rule"])
        _require_second(entry)
        before, bonus_before = (round_.prizes, round_.top_up), round_.bonus
        meter.put_right.add(entry["round"])
        if what == "void":
            round_.prizes = round_.top_up = round_.bonus = 0
            round_.voided = True
            if round_.paid():
                raise Bad("a prize of this round is paid, and nothing paid is taken back")
            for award in round_.own().values():
                award.state = "voided"
        else:
            _resettle(round_, entry)
        taken = _take_back(meter, entry["detail"])
        amount = (before[0] - before[1]) - (round_.prizes - round_.top_up) + taken
        expect("the amount", amount, entry["amount"])
        more = round_.prizes - before[0] - taken
        lines = [["prizes", more], ["seed-funding", -amount - more]] if amount or more else []
        return lines + _bonus_lines(round_.bonus - bonus_before)

    def _ruling(self, meter: Meter, entry: Row, _line: int) -> Json:
        detail, what = entry["detail"], entry["detail"]["what"]
        expect("the amount", 0, entry["amount"])
        if what == "order-stands":
            expect(
                "the order of the rounds", _as_they_count(meter, detail["order"]), detail["order"]
            )
            return []
        round_ = meter.round(entry["round"])
        expect("the table of the round", round_.table, entry["table"])
        if "award" in detail:
            _rule_on_prize(round_, detail)
        else:
            expect("the rule", detail["rule"], entry["rule"])
            if round_.settled_seq:
                raise Bad(f"the round {entry['round']} was settled before")
            _rule_on_wagers(meter, round_, what, detail["seats"])
        return []


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _require_place(row: Row, entry: Row) -> None:
    expect("its meter", row["meter"], entry["meter"])
    expect("its seq", row["seq"], entry["seq"])
    names = ("kind", "amount", "before", "after", "epoch", "at", "table", "round", "message")
    for name, column in zip(names, row["columns"], strict=True):
        expect(f"the column {name} beside it", entry[name], column)


def _require_balance(entry: Row, value: int, epoch: int, at: str) -> None:
    """Protocol 13.2: it goes on from the entry before, and its lines add up to nought."""
    kind, amount = entry["kind"], entry["amount"]
    expect("before", value, entry["before"])
    expect("after", value + amount, entry["after"])
    if entry["at"] < at:
        raise Bad(f"its time {entry['at']} is before that of the entry before, {at}")
    if amount < 0 and kind not in MAY_LOWER:
        raise Bad(f"a {kind} may not lower a meter")
    expect("the epoch", epoch + (kind in ("opening", "reset", "closing")), entry["epoch"])
    accounts = [line[0] for line in entry["lines"] if isinstance(line, list) and len(line) == 2]
    known = len(accounts) == len(entry["lines"]) and set(accounts) <= set(ACCOUNTS)
    if not known or len(set(accounts)) != len(accounts):
        raise Bad("its lines name an account twice, or one that is not known")
    expect("the meter's line", ["meter", amount], entry["lines"][0])
    if not all(is_number(line[1]) for line in entry["lines"]):
        raise Bad("a line is no amount")
    expect("the sum of its lines", 0, sum(line[1] for line in entry["lines"]))


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
    if always - set(detail):
        raise Bad(f"its detail lacks {sorted(always - set(detail))}")
    if set(detail) - always - sometimes:
        unknown = sorted(set(detail) - always - sometimes)
        raise Unexplained(f"this verifier does not know the fields {unknown} of its detail")


def _require_second(entry: Row) -> None:
    if entry["second"] is None or entry["second"] == entry["actor"]:
        raise Bad("this takes two persons, and it names one")


def _require_seats(*lists: list[int]) -> None:
    for seats in lists:
        if len(set(seats)) != len(seats) or not all(is_number(seat, 1) for seat in seats):
            raise Bad(f"{_short(seats)} are not seats, each once")
        if seats != sorted(seats) and seats is not lists[-1]:
            raise Bad(f"the seats {_short(seats)} are not in order")


def _due_reset(value: int, to: int, rule: str | None, cause: Row) -> Row:
    found = {"kind": "reset", "amount": to - value, "detail": {"to": to}, "rule": rule}
    return found | {"table": cause["table"], "round": cause["round"]}


def _add_up(meter: Meter, entry: Row) -> None:
    """The sums of rule 9.3; a correction is a prize that was more or less than recorded (A-58)."""
    kind, amount = entry["kind"], entry["amount"]
    if kind in ("opening", "reset", "closing"):
        meter.base, meter.sums = meter.value, Counter()
    elif kind == "credit":
        meter.sums["credited"] += amount
        meter.sums["turnover"] -= sum(
            line[1] for line in entry["lines"] if line[0] == "wagers-taken"
        )
    elif kind == "reversal":
        meter.sums["reversed"] -= amount
        stakes = entry["detail"]["stakes"]
        meter.sums["turnover"] -= sum(cost for _, cost, _, epoch in stakes if epoch == meter.epoch)
    elif kind in ("prize", "correction"):
        meter.sums["prizes"] -= amount
    elif kind in ("transfer-in", "transfer-out"):
        meter.sums["transferred"] += amount
    elif kind in ("extra", "change"):
        meter.sums["extra"] += amount


def _bonus_lines(amount: int) -> list[list[Json]]:
    """The house pays bonus payouts out of its own margin."""
    return [["bonus-payouts", amount], ["house-margin", -amount]] if amount else []


def _outcome(entry: Row, round_: Round, meter: int, reset_to: int) -> tuple[Row, int]:
    """Hands from the cards, the statement from m and the hands; answers it, and all bonus."""
    detail = entry["detail"]
    seats, folded = detail["seats"], detail["folded"]
    expect("the seats with a live wager", sorted(round_.live), seats)
    _require_seats(seats, folded, [seat for seat, _ in detail["hands"]], seats)
    hands, cards = dict(detail["hands"]), dict(detail["cards"])
    if not set(folded) | set(hands) | set(cards) <= set(seats) or set(folded) & set(hands):
        raise Bad("a seat that folded, or has no live wager, has a hand")
    if not set(hands.values()) <= set(HANDS):
        raise Bad(f"the hands {sorted(set(hands.values()) - set(HANDS))} do not exist")
    _require_cards(detail, hands, cards, GAMES[round_.game][1])
    winners = {seat for seat, hand in hands.items() if hand in (ROYAL, STRAIGHT_FLUSH)}
    royals = sum(hand == ROYAL for hand in hands.values())
    counted = (royals, len(winners) - royals)
    worked = statement(round_.game, round_.terms, meter, counted, entry["readings"], reset_to)
    worked["rulebook"] = entry["rulebook"]
    require_fields("the statement", worked, detail["statement"])
    for name, should in worked.items():
        expect(f"{name} in the statement", should, detail["statement"][name])
    cautions = {"check-the-deck"} if counted not in ONE_DECK else set()
    if winners - set(cards):
        cautions.add("without-cards")
    expect("the cautions", sorted(cautions), detail["cautions"])
    round_.hands = hands
    return worked, _bonus(round_, entry)


def _require_cards(
    detail: Row, hands: dict[int, str], cards: dict[int, str], own_count: int
) -> None:
    """What the cards make wins (SET-11); one deck deals each card once."""
    shared = detail["shared_cards"].split(" ") if detail["shared_cards"] else []
    dealt = [*shared, *(card for own in cards.values() for card in own.split(" "))]
    if len(set(dealt)) != len(dealt):
        raise Bad("a card stands twice")
    for seat in sorted(set(cards) - set(detail["folded"])):
        own = cards[seat].split(" ")
        if (len(own), len(shared)) != (own_count, 5 - own_count):
            raise Bad(f"seat {seat} has {len(own)} cards, and {len(shared)} are shared")
        expect(f"the hand of seat {seat}", five_card_hand([*own, *shared]), hands.get(seat))


def _bonus(round_: Round, entry: Row) -> int:
    """Bonus payouts by seat, by the table of the option, up to the payable unit (BON-1, A-8)."""
    table, unit = BONUS[round_.terms.option], readings_of(entry["readings"]).unit
    payouts = {
        seat: up(table.get(hand, 0) * round_.terms.cost_cents * CENT, unit)
        for seat, hand in sorted(round_.hands.items())
    }
    expect(
        "the bonus", [[s, paid] for s, paid in payouts.items() if paid], entry["detail"]["bonus"]
    )
    return sum(payouts.values())


def _correct_bonus(round_: Round, entry: Row) -> Json:
    before, hands_before = round_.bonus, round_.hands
    round_.hands = dict(entry["detail"]["hands"])
    for hands in (hands_before, round_.hands):
        for seat, hand in hands.items():
            if hand in (ROYAL, STRAIGHT_FLUSH):
                expect(f"the hand of seat {seat}", hands_before.get(seat), round_.hands.get(seat))
    round_.bonus = _bonus(round_, entry)
    expect("the amount", 0, entry["amount"])
    return _bonus_lines(round_.bonus - before)


def _replay(meter: Meter, has: dict[str, Counter[int]]) -> dict[str, dict[int, int]]:
    """What each seat would have won, by round, had every outcome been right at once (A-58): every
    settlement at the value the meter would have had. What a winner has for good has left it."""
    value = seed = 0
    found: dict[str, dict[int, int]] = {}
    for step in meter.steps:
        if not step.round:
            seed = seed if step.seed is None else step.seed
            value = max(value + step.amount, seed)
        elif not (round_ := meter.rounds[step.round]).voided:
            again = _again(round_.worked, value)
            due = {seat: paid_each(again, hand) for seat, hand in round_.winners().items()}
            kept, found[step.round] = has.get(step.round, Counter[int]()), due
            left = value - sum(max(due.get(seat, 0), kept[seat]) for seat in {*due, *kept})
            is_reset = again["royals"] > 1 or left < again["reset_to"]
            value = again["reset_to"] if is_reset else left
    return found


def _has(meter: Meter, *, for_good: bool) -> dict[str, Counter[int]]:
    """By round and seat: all prizes that stand; for good those that no correction takes back."""
    found: dict[str, Counter[int]] = {}
    for name, round_ in meter.rounds.items():
        for award in round_.awards.values():
            if award.state != "voided" and not (for_good and award.may_go):
                found.setdefault(name, Counter())[award.seat] += award.amount
    return found


def _as_they_count(meter: Meter, rounds: list[str]) -> list[str]:
    return [step.round for step in meter.steps if step.round and step.round in rounds]


def _require_owed(meter: Meter, entry: Row) -> None:
    """A top-up is what one replay gives beyond all that the prize has by now."""
    detail, name, after = entry["detail"], entry["round"], entry["detail"]["corrected_round"]
    round_, seat = meter.settled(name), detail["seat"]
    first = f"{name}/{seat}"
    if first not in round_.awards or round_.awards[first].state == "voided":
        raise Bad(f"there is no prize {first} that could be topped up")
    if after not in meter.put_right or _as_they_count(meter, [after, name]) != [after, name]:
        raise Bad(f"the round {after} was not put right before {name}")
    award = f"{first}+{after}"
    while award in round_.awards and round_.awards[award].state == "paid":
        award += f"+{after}"
    due = _replay(meter, _has(meter, for_good=True))[name]
    expect("the prize that is topped up", first, detail["top_up_of"])
    expect("the name", award, detail["award"])
    expect("the hand", round_.hands.get(seat), detail["hand"])
    expect("the rule", GAMES[round_.game][0].dispute, entry["rule"])
    expect("the amount", _has(meter, for_good=False)[name][seat] - due[seat], entry["amount"])
    state = "withheld" if round_.awards[first].state == "withheld" else "pending"
    round_.awards[award] = Award(seat, detail["hand"], -entry["amount"], state, after)


def _take_back(meter: Meter, detail: Row) -> int:
    """Unpaid top-ups of the meter that a replay no longer gives are void with a correction."""
    has = _has(meter, for_good=True)
    due = _replay(meter, has)
    taken: dict[str, int] = {}
    for name, round_ in meter.rounds.items():
        for key, award in round_.awards.items():
            more = due.get(name, {}).get(award.seat, 0) - has.get(name, Counter())[award.seat]
            stands = not round_.voided and round_.hands.get(award.seat) == award.hand
            if award.may_go and not (stands and more == award.amount):
                award.state, taken[key] = "voided", award.amount
    expect("what is taken back", [[k, taken[k]] for k in sorted(taken)], detail["taken_back"])
    return sum(taken.values())


def _resettle(round_: Round, entry: Row) -> None:
    """Settled again at its own m; for each seat the greater of what it is due and was paid."""
    meter, reset_to = round_.worked["meter"], round_.worked["reset_to"]
    round_.worked, round_.bonus = _outcome(entry, round_, meter, reset_to)
    paid = round_.paid()
    expect("what was paid", [[seat, paid[seat]] for seat in sorted(paid)], entry["detail"]["paid"])
    due = {
        seat: paid_each(round_.worked, hand)
        for seat, hand in round_.hands.items()
        if hand in (ROYAL, STRAIGHT_FLUSH)
    }
    round_.prizes = sum(max(paid.get(seat, 0), due.get(seat, 0)) for seat in {*paid, *due})
    left = meter - round_.prizes
    is_reset = round_.worked["royals"] > 1 or left < reset_to
    round_.top_up = reset_to - left if is_reset else 0
    own = round_.own()
    withheld = {award.seat for award in own.values() if award.state == "withheld"}
    kept = {name for name, award in own.items() if award.state == "paid"}
    for name in set(own) - kept:
        own[name].state = "voided"
    for seat, amount in due.items():
        name = f"{entry['round']}/{seat}"
        while name in kept:
            name += f"+{entry['round']}"
        if amount > paid.get(seat, 0):
            state = "withheld" if seat in withheld else "pending"
            hand = round_.hands[seat]
            round_.awards[name] = Award(seat, hand, amount - paid.get(seat, 0), state)


def _again(worked: Row, meter: int) -> Row:
    """The same hands, settled at another value of the meter."""
    counted = (worked["royals"], worked["straight_flushes"])
    found = statement(
        worked["game"], terms_of(worked), meter, counted, worked["readings"], worked["reset_to"]
    )
    return found | {"rulebook": worked["rulebook"]}


def _reorder(meter: Meter, entry: Row) -> Json:
    """Contested rounds in another order: each counts just before the first one that it now
    precedes; what lies between their places stands as recorded (A-38)."""
    order = entry["detail"]["order"]
    rounds = {name: meter.settled(name) for name in order}
    counted = _as_they_count(meter, order)
    place = {
        name: min(counted.index(later) for later in order[position:])
        for position, name in enumerate(order)
    }
    worked: dict[str, Row] = {}
    moved = 0
    for number, name in enumerate(counted):
        value = rounds[name].worked["meter"] + moved
        for one in order:
            if place[one] == number:
                worked[one] = _again(rounds[one].worked, value)
                value = worked[one]["after"]
        moved = value - rounds[name].worked["after"]
    expect("the statements", [worked[name] for name in order], entry["detail"]["statements"])
    expect("the rule", GAMES[rounds[counted[0]].game][0].order, entry["rule"])
    expect("who decided", entry["actor"], entry["detail"]["decided_by"])
    more = sum(worked[name]["paid"] - rounds[name].prizes for name in order)
    for name, round_ in rounds.items():
        round_.worked, round_.prizes = worked[name], worked[name]["paid"]
        round_.top_up = worked[name]["after"] - worked[name]["after_payment"]
        for award in round_.own().values():
            award.amount = paid_each(worked[name], round_.hands[award.seat])
            award.state = "pending" if award.state == "determined" else award.state
    meter.steps, meter.put_right = _in_places(meter.steps, order), meter.put_right | {*order}
    taken = _take_back(meter, entry["detail"])
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


def _step(meter: Meter, entry: Row) -> None:
    """Remember what counts in a replay. A value never lies below the seed, so what raises it can
    be added up."""
    kind, amount = entry["kind"], entry["amount"]
    if kind == "settlement":
        if entry["round"] in meter.rounds:
            meter.steps.append(Step(entry["round"]))
    elif kind in ("opening", "change"):
        raised = amount if kind == "opening" else 0
        meter.steps.append(Step(amount=raised, seed=meter.reseed))
    elif kind not in ("prize", "reset", "ruling", "correction"):
        last = meter.steps[-1] if meter.steps else Step("none")
        if amount >= 0 and not last.round and last.amount >= 0:
            last.amount += amount
        else:
            meter.steps.append(Step(amount=amount))


def _rule_on_prize(round_: Round, detail: Row) -> None:
    award = round_.awards.get(detail["award"])
    if award is None:
        raise Bad(f"there is no prize {detail['award']}")
    expect("the amount of the prize", award.amount, detail["amount"])
    if "meter_seq" in detail:
        expect("the settlement of the prize", round_.settled_seq, detail["meter_seq"])
    what = detail["what"]
    before = {"determined": ("pending", "withheld"), "paid": ("determined",)}
    if award.state not in before.get(what, ("pending", "withheld", "determined")):
        raise Bad(f"a prize that is {award.state} cannot be {what}")
    award.state = what


def _rule_on_wagers(meter: Meter, round_: Round, what: str, seats: list[int]) -> None:
    if what == "played-on":
        return
    missing = sorted(set(seats) - set(round_.live))
    if missing:
        raise Bad(f"seat {missing[0]} has no live wager")
    stakes = {seat: round_.live.pop(seat) for seat in seats}
    if what == "carried":
        meter.carried.setdefault(round_.table, {}).update(stakes)


# ------------------------------------------------------------------ 5 requests and messages

GRACE = timedelta(minutes=1)
"""A request is let in a moment before it is recorded: its key may have ended in between."""
SIGNATURE_INPUT = re.compile(
    r'sig=(?P<params>\("@method" "@path" "@query" "content-digest"\);created=[0-9]{1,16};'
    r'keyid="(?P<key>[0-9a-f]{32})";alg="ed25519";tag="prize-meter")'
)
ANSWER = {
    "accepted": ["answer", "at", "draining", "entries", "head", "message", "prizes"],
    "refused": ["answer", "at", "head", "kind", "message", "reason", "remedy", "rule"],
}
REFUNDED = {
    *("begun-by-mistake", "not-acknowledged", "jackpot-cards-wrong"),
    *("invalidated-disruption", "invalidated-fraud"),
}
"""Cases that give every wager back, whichever seats were named."""


@dataclass
class Request:
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


class Messages:
    """Who asked for what, and whether the journal has that and nothing else."""

    def __init__(self, journal: Journal, receipts: dict[str, tuple[str, Row]]) -> None:
        self.journal, self.receipts = journal, receipts
        self.keys: dict[str, Row] = {}
        self.requests: dict[str, Request] = {}
        """By key: the request that speaks now."""
        self.waiting: dict[str, Message] = {}
        self.numbers: dict[tuple[str, int], bytearray] = {}
        self.others: set[str] = set()

    def key(self, row: Row) -> None:
        public = unbase64(row["public_key"])
        expect("the key's name", sha256(public)[:32], row["id"])
        if row["id"] in self.keys or not row["from"] <= row["to"]:
            raise Bad("the key stands twice, or ends before it begins")
        self.keys[row["id"]] = row

    def request(self, line: int, row: Row) -> None:
        body = unbase64(row["body"])
        digest = sha256(body)
        expect("the digest of the body", digest, row["digest"])
        key = self.keys.get(row["key"])
        if key is None:
            raise Bad(f"no key {row['key']} is known")
        _require_signature(row, digest, unbase64(key["public_key"]))
        at = datetime.fromisoformat(row["at"])
        begins, ends = (datetime.fromisoformat(key[name]) for name in ("from", "to"))
        if not begins - GRACE <= at <= ends + GRACE:
            raise Bad(f"its key was good from {key['from']} to {key['to']}, not at {row['at']}")
        told = parse(body.decode())
        expect(
            f"the device of the key {row['key']}",
            [key["device"], key["epoch"]],
            [told["device"], told["epoch"]],
        )
        words = {one["number"]: one for one in told["messages"]}
        self.requests[row["key"]] = Request(
            line, digest, row["at"], told["device"], told["epoch"], words
        )

    def message(self, line: int, row: Row) -> None:
        key = row["key"]
        if not matches(MESSAGE_KEY, key):
            raise Bad(f"{key!r} is no key of a message")
        found = DEVICE_KEY.fullmatch(key)
        words = None
        if found is None:
            if key in self.others or row["request"] is not None:
                raise Bad("the message stands twice, or names a request that no device sent")
            self.others.add(key)
        else:
            device, epoch, number = found["device"], int(found["epoch"]), int(found["number"])
            self._count(device, epoch, number)
            words = self._words(row, device, epoch, number)
        answer = parse_canonical(row["answer"], "the answer")
        # Only what people ask for in the back office puts a settlement right.
        told = {name: said for name, said in answer.items() if name != "later_prizes" or words}
        require_fields("the answer", ANSWER.get(answer.get("answer", ""), ()), told)
        expect("the message that the answer names", key, answer["message"])
        expect("the time of the answer", row["at"], answer["at"])
        entries = answer.get("entries", [])
        if answer["head"] is not None:
            head = answer["head"]
            by = f"the answer to {key} (line {line})"
            self.journal.promise(head["meter"], head["seq"], head["hash"], by)
        message = Message(
            line, row, words, answer, {(one["meter"], one["seq"]): one for one in entries}
        )
        if message.waiting:
            self.waiting[key] = message
        else:
            _require_asked(message)
        self._require_receipt(message)

    def _count(self, device: str, epoch: int, number: int) -> None:
        """One bit for each number that was used."""
        bits = self.numbers.setdefault((device, epoch), bytearray(1))
        place, bit = divmod(number, 8)
        if place > len(bits) + 10_000_000:
            raise Bad(f"its number {number} is far beyond those before")
        bits.extend(bytes(max(0, place + 1 - len(bits))))
        if bits[place] >> bit & 1:
            raise Bad("the message stands twice")
        bits[place] |= 1 << bit

    def _words(self, row: Row, device: str, epoch: int, number: int) -> Row:
        request = next((r for r in self.requests.values() if r.digest == row["request"]), None)
        if request is None:
            raise Bad(f"its request {row['request']} does not stand before it")
        expect("whose request it is", [device, epoch], [request.device, request.epoch])
        words = request.words.get(number)
        if words is None:
            raise Bad(f"its request (line {request.line}) holds no message {number}")
        digest = sha256(b"prize-meter message 1\n" + canonical(words))
        expect(f"the digest of message {number} of line {request.line}", digest, row["digest"])
        if row["at"] < request.at:
            raise Bad(f"it was recorded at {row['at']}, before its request at {request.at}")
        return words

    def _require_receipt(self, message: Message) -> None:
        place, receipt = self.receipts.pop(message.row["key"], ("", None))
        if receipt is None:
            return
        answer = message.answer
        head = answer["head"] or {"meter": None, "seq": None, "hash": None}
        own = [one for one in answer.get("entries", ()) if one["meter"] == head["meter"]]
        text = message.row["answer"].encode("utf-8", "surrogatepass")
        stored = {
            "message": message.row["digest"],
            "result": answer["answer"],
            "answer": sha256(b"prize-meter answer 1\n" + text),
            "at": message.row["at"],
            "entries": len(own),
            "meter": head["meter"],
            "meter_seq": head["seq"],
            "head": head["hash"],
        }
        for name, value in stored.items():
            if receipt[name] != value:
                raise Contradicted(
                    f"its {name} is {_short(value)}, and the receipt of {place} says"
                    f" {_short(receipt[name])}"
                )

    def entry(self, entry: Row, entry_hash: str) -> None:
        """Was this entry made by the message that it names, as its answer says?"""
        key = entry["message"]
        if key is None:
            return
        message = self.waiting.get(key)
        place = (entry["meter"], entry["seq"])
        if message is None or place not in message.waiting:
            raise Bad(f"no message {key} stands before it that was answered with this entry")
        told = message.waiting.pop(place)
        message.made.append(entry)
        if not message.waiting:
            del self.waiting[key]
        by = f"by the answer of line {message.line}"
        expect(f"the hash {by}", told["hash"], entry_hash)
        for name in ("kind", "amount", "after"):
            expect(f"{name} {by}", told[name], entry[name])
        if told["detail"]:
            expect(f"the detail {by}", told["detail"], entry["detail"])
        expect("at", message.row["at"], entry["at"])
        expect("its request", message.row["request"], entry["request"])
        words = message.words
        if words is not None:
            expect("the actor by its request", words["actor"], entry["actor"])
            expect("the table's time by its request", words["agent_at"], entry["agent_at"])
            if entry["approver"] is not None and words["grant"] is None:
                raise Bad("it names an approver, and its message carried no grant")
        if not message.waiting:
            _require_asked(message)

    def missing(self) -> Iterator[tuple[int, str, str]]:
        """At the end: what should have come. The line, the message, and what is wrong."""
        for key, message in self.waiting.items():
            for meter, seq in message.waiting:
                what = f"it was answered with entry {seq} of {meter}, which is not there"
                yield message.line, key, what
        for (device, epoch), bits in self.numbers.items():
            used = [n for n in range(1, 8 * len(bits)) if bits[n // 8] >> n % 8 & 1]
            for number in sorted(set(range(used[0], used[-1])) - set(used))[:5]:
                yield 0, f"device:{device}:{epoch}:{number}", "the message is missing"


def _require_signature(row: Row, digest: str, public: bytes) -> None:
    """RFC 9421 over method, path, query and the digest of the body (protocol 6)."""
    form = SIGNATURE_INPUT.fullmatch(row["signature_input"])
    if form is None or form["key"] != row["key"]:
        raise Bad("its Signature-Input is not in the one form, or names another key")
    signature = re.fullmatch(r"sig=:([^:]+):", row["signature"])
    if signature is None:
        raise Bad("its Signature is not in the one form")
    encoded = base64.b64encode(bytes.fromhex(digest)).decode()
    text = (
        '"@method": POST\n"@path": /v1/messages\n"@query": ?\n'
        f'"content-digest": sha-256=:{encoded}:\n"@signature-params": {form["params"]}'
    )
    if not signed_by(public, unbase64(signature[1]), text.encode()):
        raise Bad(f"its signature is not by the key {row['key']}")


def _require_asked(message: Message) -> None:
    """The entries are what the device asked for (protocol 6, Messages)."""
    for one in message.answer.get("prizes", ()):
        for entry in message.made:
            if entry["kind"] == "prize" and entry["detail"]["award"] == one["id"]:
                expect(f"the prize {one['id']} in the answer", -entry["amount"], one["amount"])
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


def _asked_wagers(command: Row, made: list[Row]) -> None:
    _expect_kinds(made[-1:], "credit")
    _expect_kinds(made[:-1], *["reversal"] * len(made[:-1]))
    detail = made[-1]["detail"]
    expect("the round that was named", command["round"], made[-1]["round"])
    expect(
        "the seats that were named",
        sorted(command["seats"]),
        sorted(detail["seats"] + detail["carried"]),
    )
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
    reason = unicodedata.normalize("NFC", command["reason"])
    for entry in made:
        detail = entry["detail"]
        expect("the case that was declared", command["case"], detail["case"])
        expect("the reason that was given", reason, detail["reason"])
        if entry["kind"] == "reversal" and command["case"] not in REFUNDED:
            expect("who gets chips back", sorted(command["seats"]), detail["returned"])
        if detail.get("what") in ("played-on", "forfeited"):
            expect("the seats that were named", sorted(command["seats"]), detail["seats"])
        if entry["kind"] == "credit" and not set(command["joining"]) <= set(detail["seats"]):
            raise Bad("a seat that joins has no wager")


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


def _expect_kinds(made: list[Row], *kinds: str) -> None:
    expect("the entries that this message makes", list(kinds), [entry["kind"] for entry in made])


# ------------------------------------------------------------------ 6 the whole export

HEAD = ["at", "export", "origin"]
ROWS = {
    "key": "device epoch from id public_key row to",
    "device": "device epoch last row",
    "meter": "at base cost_cents credited epoch extra hash meter option prizes reversed row seed"
    " seq state training transferred turnover value",
    "checkpoint": "note number row",
    "request": "at body digest key row signature signature_input",
    "message": "answer at digest key request row",
    "entry": "body columns hash meter previous row seq",
    "end": "row rows",
}


class CannotRead(Exception):  # noqa: N818
    """There is nothing here that could be checked."""


class Verifier:
    def __init__(
        self,
        keys: list[Key],
        checkpoints: tuple[str, str] | None = None,
        receipts: tuple[str, str] | None = None,
        spoken_of: set[str] | None = None,
    ) -> None:
        self.findings: list[Finding] = []
        self.keys, self.counts = keys, Counter[str]()
        self.journal = Journal(spoken_of)
        self.messages = Messages(self.journal, {})
        self.head: Row = {}
        self.file, self.line, self.ended = "the export", 0, False
        self.standing: list[tuple[int, Row]] = []
        self.last_numbers: dict[tuple[str, int], tuple[int, int]] = {}
        self.log: list[Checkpoint] = []
        self.own: list[Checkpoint] = []
        self.set_aside = Counter[str]()
        self.outside = (checkpoints or ("", ""), receipts or ("", ""))
        self.span: list[str] = []
        self.before: Row = {}
        self.makes, self.place = False, (-1,)

    def found(self, error: Exception, row: Row) -> None:
        rank = (1, _at(row)) if isinstance(error, Contradicted) else (0, "")
        is_open = isinstance(error, Unexplained)
        found = Finding("the export", self.line, _where(row), str(error), is_open, rank)
        self.findings.append(found)

    def lacks(self, where: str, what: str, line: int = 0, file: str = "the export") -> None:
        """Something that should be there, found out when everything else has been read."""
        self.findings.append(Finding(file, line, where, what, rank=(2, "")))

    def run(self, lines: Iterable[bytes]) -> None:
        for self.line, data in enumerate(lines, start=1):
            if self.line == 1:
                self._begin(data)
                continue
            row: Row = {}
            try:
                row = parse_canonical(data.decode("ascii").removesuffix("\n"), "the line")
                self._row(row)
            except Bad as error:
                self.found(error, row)
            except FORM as error:
                self.found(Bad(f"the row is not in the form of the protocol ({error!r})"), row)
        if not self.line:
            raise CannotRead("It is empty.")
        self._end()

    def _begin(self, data: bytes) -> None:
        try:
            self.head = parse_canonical(data.decode("ascii").rstrip("\n"), "the first line")
            require_fields("the first line", HEAD, self.head)
        except (Bad, UnicodeDecodeError) as error:
            raise CannotRead(f"It is no export of Prize Meter: {error}.") from None
        if self.head["export"] != 1 or not is_instant(self.head["at"]):
            raise CannotRead(f"It is an export of version {self.head['export']}; this reads 1.")
        self._read_outside()

    def _row(self, row: Row) -> None:
        kind = row.get("row", "")
        if self.ended:
            raise Bad("it stands after the end")
        if kind not in ROWS:
            raise Unexplained(f"this verifier does not know rows of the kind {kind!r}")
        require_fields("the row", ROWS[kind].split(), row)
        self.counts[kind] += kind != "end"
        self._require_order(kind, row)
        getattr(self, f"_{kind}")(row)

    def _require_order(self, kind: str, row: Row) -> None:
        """Every row has one place: a request before its message, a message before its entries."""
        before, self.before = self.before, row
        made, self.makes = self.makes, kind == "message" and 'entries":[{' in row["answer"]
        if before.get("row") == "request" and row.get("request") != before["digest"]:
            raise Bad(f"the request {before['digest']} on the line before brought no message")
        if made and (kind != "entry" or parse(row["body"])["message"] != before["key"]):
            raise Bad(f"the message {before['key']} on the line before lacks what it made")
        place = self._place(kind, row)
        if place and not self.makes:
            last, self.place = self.place, place
            if last >= place:
                raise Bad("it is not in its place, or stands twice")

    def _place(self, kind: str, row: Row) -> tuple[Json, ...]:
        places: dict[str, tuple[str, ...]] = {
            "key": ("device", "epoch", "from", "id"),
            "device": ("device", "epoch"),
            "meter": ("meter",),
            "checkpoint": ("number",),
            "message": ("at", "request", "key"),
            "entry": ("meter", "seq"),
        }
        if kind not in places:
            return ()
        return (list(places).index(kind), *(row[name] or "staff" for name in places[kind]))

    def _key(self, row: Row) -> None:
        self.messages.key(row)

    def _device(self, row: Row) -> None:
        self.last_numbers[row["device"], row["epoch"]] = (row["last"], self.line)

    def _meter(self, row: Row) -> None:
        self.standing.append((self.line, row))

    def _checkpoint(self, row: Row) -> None:
        checkpoint = read_checkpoint(open_note(row["note"], self.keys))
        expect("its number", checkpoint.number, row["number"])
        before, self.own = self.own[-1:], [checkpoint]
        if before:
            require_growth(before[0], checkpoint)
        else:
            expect("the first number", 1, checkpoint.number)
        self._promise(checkpoint, f"checkpoint {checkpoint.number} (line {self.line})")
        logged = next((one for one in self.log if one.number == checkpoint.number), None)
        if logged is not None and logged.text != checkpoint.text:
            raise Bad("the log outside the database has another checkpoint of this number")

    def _request(self, row: Row) -> None:
        self.messages.request(self.line, row)

    def _message(self, row: Row) -> None:
        self.messages.message(self.line, row)

    def _entry(self, row: Row) -> None:
        entry = None
        try:
            entry = self.journal.entry(self.line, row)
        except Bad as error:
            self.found(error, row)
        if entry is None:
            entry = parse_canonical(row["body"], "the entry")
        self.span = [min([entry["at"], *self.span]), max([entry["at"], *self.span])]
        self.messages.entry(entry, row["hash"])

    # ---- what is kept outside

    def _read_outside(self) -> None:
        log, notes = self.outside
        before: Checkpoint | None = None
        for line, note in split_notes(log[1]):
            self.counts["outside checkpoint"] += 1
            try:
                checkpoint = read_checkpoint(open_note(note, self.keys))
                if before is not None:
                    require_growth(before, checkpoint)
                before = checkpoint
                if checkpoint.at > self.head["at"]:
                    self.set_aside["checkpoints"] += 1
                    continue
                self.log.append(checkpoint)
                self._promise(checkpoint, f"checkpoint {checkpoint.number} of {log[0]}:{line}")
            except (Bad, *FORM) as error:
                self.findings.append(Finding(log[0], line, "checkpoint", str(error)))
        for line, note in split_notes(notes[1]):
            self.counts["outside receipt"] += 1
            try:
                self._receipt(read_receipt(open_note(note, self.keys)), f"{notes[0]}:{line}")
            except (Bad, *FORM) as error:
                self.findings.append(Finding(notes[0], line, "receipt", str(error)))

    def _promise(self, checkpoint: Checkpoint, by: str) -> None:
        for meter, (seq, head) in checkpoint.heads.items():
            self.journal.promise(meter, seq, head, by)

    def _receipt(self, receipt: Row, place: str) -> None:
        if receipt["at"] > self.head["at"]:
            self.set_aside["receipts"] += 1
        else:
            key = f"device:{receipt['device']}:{receipt['epoch']}:{receipt['number']}"
            other = self.messages.receipts.setdefault(key, (place, receipt))
            expect(f"the other receipt of {key}", other[1], receipt)
            if receipt["meter"] is not None:
                by = f"the receipt of {place}"
                self.journal.promise(receipt["meter"], receipt["meter_seq"], receipt["head"], by)

    # ---- the end

    def _end(self, row: Row | None = None) -> None:
        if row is not None:
            self.ended = True
            rows = {kind: count for kind, count in self.counts.items() if kind in ROWS and count}
            expect("the number of rows", rows, row["rows"])
            return
        if not self.ended:
            what = "the export ends here, without its last line: it was cut off"
            self.findings.insert(0, Finding("the export", self.line, "", what))
            return
        for line, where, what in self.messages.missing():
            self.lacks(where, what, line)
        for place, receipt in self.messages.receipts.values():
            file, _, line_text = place.rpartition(":")
            key = f"device:{receipt['device']}:{receipt['epoch']}:{receipt['number']}"
            what = f"the device holds a receipt of {key}, which the export lacks"
            self.lacks(key, what, int(line_text), file)
        for amount, line, meter in self.journal.transfers.values():
            self.lacks(f"meter {meter}", f"the other half of {amount} is missing", line)
        self._end_of_meters()
        self._end_of_numbers()
        own, log = self.own[-1:], self.log[-1:]
        if log and (not own or own[0].number < log[0].number):
            what = f"the export's checkpoints end at {own[0].number if own else 0}"
            self.lacks(f"checkpoint {log[0].number}", what, 0, self.outside[0][0])
        self.findings.sort(key=lambda one: (one.rank, one.file != "the export", one.line))

    def _end_of_meters(self) -> None:
        for meter in self.journal.meters.values():
            ended = self.journal.message_ends(meter, meter.value)
            if ended is not None:
                what = str(ended).replace("before it should stand", "after it should stand")
                self.lacks(f"meter {meter.name} seq {meter.seq}", what, meter.line)
        standing = {row["meter"] for _, row in self.standing}
        for name in sorted(set(self.journal.meters) - standing):
            self.lacks(f"meter {name}", "it has no row of its own")
        for line, row in self.standing:
            try:
                _require_standing(self.journal.meters.get(row["meter"]), row)
            except (Bad, *FORM) as error:
                self.lacks(f"meter {row['meter']}", str(error), line)
        for (name, seq), heads in self.journal.heads.items():
            held = self.journal.meters.get(name)
            for head, by in heads.items():
                last = 0 if held is None else held.seq
                what = f"{by} names the hash {head}, and the meter has {last} entries"
                self.lacks(f"meter {name} seq {seq}", what, held.line if held else 0)

    def _end_of_numbers(self) -> None:
        for who in self.messages.numbers:
            if who not in self.last_numbers:
                self.lacks(f"device {who[0]} epoch {who[1]}", "it has no row of its own")
        for (device, epoch), (last, line) in self.last_numbers.items():
            bits = self.messages.numbers.get((device, epoch), bytearray(1))
            used = max((n for n in range(8 * len(bits)) if bits[n // 8] >> n % 8 & 1), default=0)
            first = next((n for n in range(8 * len(bits)) if bits[n // 8] >> n % 8 & 1), 1)
            if used != last:
                what = f"its last number should be {used} and is {last}"
                self.lacks(f"device:{device}:{epoch}:{last}", what, line)
            elif first != 1:
                self.lacks(f"device:{device}:{epoch}:1", "the message is missing", line)

    def not_checked(self) -> list[str]:
        """Plainly, what this run could not prove."""
        found = []
        if not self.keys:
            found.append("No --key was given: no signature of a receipt or checkpoint was checked.")
        if not self.outside[0][0]:
            found.append(
                "No --checkpoints were given: a history that was computed again as a whole, or cut"
                " at its end, cannot be told from a true one."
            )
        if not self.outside[1][0]:
            found.append("No --receipts were given: the tables' own evidence was not compared.")
        for what, count in sorted(self.set_aside.items()):
            if count:
                found.append(f"{count} {what} are of a time after this export.")
        last = (self.log or self.own)[-1:]
        for name, meter in sorted(self.journal.meters.items()):
            seq = last[0].heads.get(name, (0, ""))[0] if last else 0
            if last and meter.seq > seq:
                found.append(
                    f"{meter.seq - seq} entries of {name} came after the last checkpoint: only"
                    " receipts speak for them."
                )
        found.append(
            "What staff asked for in the back office is not signed: the journal alone proves it."
        )
        return found


def _at(row: Row) -> str:
    """When it was recorded; other rows come before all that was."""
    columns = row.get("columns")
    at = columns[5] if isinstance(columns, list) and len(columns) > 5 else row.get("at")
    return at if isinstance(at, str) and row.get("row") != "meter" else ""


def _where(row: Row) -> str:
    match row.get("row"):
        case "entry":
            return f"meter {row.get('meter')} seq {row.get('seq')}"
        case "meter":
            return f"meter {row.get('meter')}"
        case "message":
            return f"message {row.get('key')}"
        case "request":
            return f"request {row.get('digest')}"
        case "key":
            return f"key {row.get('id')}"
        case "checkpoint":
            return f"checkpoint {row.get('number')}"
        case other:
            return "" if other is None else str(other)


def _require_standing(meter: Meter | None, row: Row) -> None:
    """The row that the server decides from is the last line of the journal, and its sums."""
    if meter is None:
        raise Bad("it has no entries")
    terms = meter.terms or Terms(0, 0, 0)
    stands = {
        "state": "closed" if meter.closed else "open",
        "option": terms.option,
        "seed": terms.seed,
        "cost_cents": terms.cost_cents,
        "value": meter.value,
        "seq": meter.seq,
        "epoch": meter.epoch,
        "hash": meter.hash.hex(),
        "at": meter.at,
    }
    names = ("credited", "reversed", "prizes", "transferred", "extra", "turnover")
    stands |= {name: meter.sums[name] for name in names}
    stands |= {"base": meter.base, "training": meter.training}
    for name, value in stands.items():
        expect(f"{name} of the meter's row", value, row[name])


# ------------------------------------------------------------------ 7 report and command line

_SPOKEN = re.compile(rb'\\"kind\\":\\"(?:correction|reversal)\\".*?\\"round\\":\\"([^"\\]*)\\"')


def look_through(lines: Iterable[bytes]) -> set[str]:
    """A first look: which rounds are spoken of again, so that the rest can be forgotten."""
    return {name.decode() for line in lines for name in _SPOKEN.findall(line)}


def summary(verifier: Verifier) -> Row:
    journal, head = verifier.journal, verifier.head
    totals: Counter[str] = Counter()
    for meter in journal.meters.values():
        totals.update(meter.accounts)
    last = (verifier.log or verifier.own)[-1:]
    return {
        "good": not verifier.findings,
        "export": head,
        "entries": verifier.counts["entry"],
        "from": verifier.span[0] if verifier.span else None,
        "to": verifier.span[-1] if verifier.span else None,
        "rows": dict(sorted(verifier.counts.items())),
        "meters": {
            meter.name: {
                "seq": meter.seq,
                "hash": meter.hash.hex(),
                "value": meter.value,
                "epoch": meter.epoch,
                "state": "closed" if meter.closed else "open",
                "training": meter.training,
                "accounts": {name: meter.accounts[name] for name in ACCOUNTS},
            }
            for meter in sorted(journal.meters.values(), key=lambda one: one.name)
        },
        "accounts": {name: totals[name] for name in ACCOUNTS},
        "last_checkpoint": {"number": last[0].number, "at": last[0].at} if last else None,
        "findings": [vars(finding) for finding in verifier.findings],
        "not_checked": verifier.not_checked(),
    }


def dollars(micros: int) -> str:
    whole, part = divmod(abs(micros), DOLLAR)
    return f"{'-' if micros < 0 else ''}${whole:,}.{part:06d}"


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
        yield ""
        training = ", for training" if meter["training"] else ""
        yield f"Meter {name} ({meter['state']}{training}), epoch {meter['epoch']}"
        yield f"  entry {meter['seq']:,} {meter['hash']}"
        for account, amount in meter["accounts"].items():
            yield f"  {account:<14}{dollars(amount):>26}"
    yield ""
    yield "All meters"
    for account, amount in told["accounts"].items():
        yield f"  {account:<14}{dollars(amount):>26}"
    yield ""
    for sentence in told["not_checked"]:
        yield f"Not checked: {sentence}"
    yield ""
    if told["good"]:
        yield "GOOD: everything that could be checked is as the rules and the protocol want it."
    else:
        yield f"NOT GOOD: {len(findings)} findings, the first at the top."


def with_progress(lines: Iterable[bytes], size: int) -> Iterator[bytes]:
    """A bar on a terminal; nothing elsewhere."""
    done, shown = 0, -1
    for line in lines:
        yield line
        done += len(line)
        percent_done = 100 * done // size if size else 100
        if percent_done != shown:
            shown = percent_done
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
        looked = look_through(opened)
        verifier = Verifier(keys, checkpoints, receipts, looked)
        opened.seek(0)
        lines: Iterable[bytes] = opened
        if sys.stderr.isatty():
            lines = with_progress(opened, os.fstat(opened.fileno()).st_size)
        verifier.run(lines)
    return verifier


def read_keys(given: list[str]) -> list[Key]:
    """Keys as they are, or files that hold one on each line."""
    lines: list[str] = []
    for one in given:
        lines += Path(one).read_text("utf-8").split("\n") if Path(one).exists() else [one]
    try:
        return [read_key(line.strip()) for line in lines if line.strip() and line[0] != "#"]
    except Bad as error:
        named = ", ".join(given)
        raise CannotRead(f"The key {named} is no file and cannot be used: {error}.") from None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "jackpot-verify",
        description="Check an export of Prize Meter: exit code 0 good, 1 bad, 2 cannot be read.",
        epilog="The first finding names the first bad row. Without --checkpoints and --receipts a"
        " history that was rewritten as a whole, or cut at its end, looks like a true one: ask"
        " for both, from others than those who run the database. docs/verify.md says what is"
        " proved and what is not.",
    )
    parser.add_argument("export", help="the file that 'meter-server export' wrote; - reads a pipe")
    parser.add_argument(
        "--key", action="append", default=[], help="a trusted public key, or a file of them; repeat"
    )
    parser.add_argument("--checkpoints", help="the log of checkpoints kept outside the database")
    parser.add_argument("--receipts", help="receipts collected from tables, one after the other")
    parser.add_argument("--limit", type=int, default=20, help="how many findings to show")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    given = parser.parse_args(arguments)
    if Ed25519PublicKey is None:
        print("jackpot-verify: It needs 'cryptography': pip install cryptography.", file=sys.stderr)
        return 2
    try:
        outside = [
            (path, Path(path).read_text("utf-8")) if path else None
            for path in (given.checkpoints, given.receipts)
        ]
        told = summary(verify(given.export, read_keys(given.key), *outside))
    except CannotRead as error:
        print(f"jackpot-verify: {given.export} cannot be checked. {error}", file=sys.stderr)
        return 2
    except (OSError, UnicodeDecodeError) as error:
        print(f"jackpot-verify: A file cannot be read ({error}).", file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(told, indent=2))
    else:
        print("\n".join(report(told, given.limit)))
    sys.stdout.flush()
    return 0 if told["good"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
