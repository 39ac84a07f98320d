"""The life of two small meters, worked out from the rules by its own arithmetic.

Option 1 with a seed of 10,000 for each dollar: a $1 system ``one`` and a $5 system ``five``. Every
kind of entry happens once at least. Imports nothing of the product.
"""

import hashlib
import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

DOLLAR = 1_000_000
CENT = 10_000

# Hundredths of a percent, as printed for these two rows.
RATES = {(1, 10_000): 3406, (2, 20_000): 2947}
FLUSH_OPTION_1 = 100 * DOLLAR
RULEBOOK = "wsop-10.0+three-card-4/1"
READINGS = "split=formula;unit=0.01"

OPENED = "WSOP 9.3.1; Three Card 6.3.1"


@dataclass
class Row:
    """An entry as it is stored and exported."""

    meter: str
    seq: int
    previous: str
    entry: str
    hash: str


@dataclass
class Stamp:
    at: str
    actor: str
    message: str
    second: str | None = None
    approver: str | None = None
    agent_at: str | None = None
    request: str | None = None


@dataclass
class Chain:
    """One meter as its journal makes it."""

    meter: str
    value: int = 0
    seq: int = 0
    epoch: int = 0
    head: str = ""

    def __post_init__(self) -> None:
        genesis = b"prize-meter journal 1\n" + self.meter.encode("ascii")
        self.head = hashlib.sha256(genesis).hexdigest()


@dataclass
class Journal:
    chains: dict[str, Chain] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def post(
        self,
        stamp: Stamp,
        meter: str,
        kind: str,
        against: list[tuple[str, int]],
        rule: str,
        detail: dict[str, Any],
        table: str | None = None,
        round_: str | None = None,
    ) -> None:
        """The meter's line is whatever balances the others."""
        chain = self.chains.setdefault(meter, Chain(meter))
        amount = -sum(micros for _, micros in against)
        before, previous = chain.value, chain.head
        chain.value += amount
        chain.seq += 1
        chain.epoch += kind in ("opening", "reset", "closing")
        text = canonical(
            {
                "format": 1,
                "meter": meter,
                "seq": chain.seq,
                "kind": kind,
                "amount": amount,
                "before": before,
                "after": chain.value,
                "epoch": chain.epoch,
                "lines": [["meter", amount], *map(list, against)],
                "rule": rule,
                "table": table,
                "round": round_,
                "detail": detail,
                "at": stamp.at,
                "agent_at": stamp.agent_at,
                "actor": stamp.actor,
                "approver": stamp.approver,
                "second": stamp.second,
                "message": stamp.message,
                "request": stamp.request,
                "rulebook": RULEBOOK,
                "readings": READINGS,
            }
        )
        chain.head = chained(previous, text)
        self.rows.append(Row(meter, chain.seq, previous, text, chain.head))


def chained(previous: str, text: str) -> str:
    return hashlib.sha256(bytes.fromhex(previous) + text.encode("ascii")).hexdigest()


def canonical(value: Any) -> str:
    """Written here by hand: the product uses its library's encoder."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
        case list() | tuple():
            return "[" + ",".join(map(canonical, value)) + "]"
        case dict():
            pairs = (f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value))
            return "{" + ",".join(pairs) + "}"
        case _:
            raise TypeError(repr(value))


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if ord(character) < 128:
        return character
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def terms(option: int, seed: int, cost_cents: int) -> dict[str, int]:
    rate = RATES[option, seed]
    return {"cost_cents": cost_cents, "option": option, "rate_bp": rate, "seed": seed}


def up(amount: Fraction, unit: int) -> int:
    units = amount / unit
    return -(-units.numerator // units.denominator) * unit


def text_of(fraction: Fraction) -> str:
    return f"{fraction.numerator}/{fraction.denominator}"


def open_system(journal: Journal, stamp: Stamp, meter: str, table: str, cost_cents: int) -> None:
    seed = 10_000 * cost_cents * CENT
    detail = terms(1, 10_000, cost_cents) | {"reference": "", "tables": [table], "training": False}
    journal.post(stamp, meter, "opening", [("seed-funding", -seed)], OPENED, detail)


def credit(
    journal: Journal,
    stamp: Stamp,
    place: tuple[str, str, str],
    seats: list[int],
    option: int,
    seed: int,
    cost_cents: int,
    rule: str,
) -> None:
    meter, table, round_ = place
    rate = RATES[option, seed]
    taken = len(seats) * cost_cents * CENT
    on_meter = Fraction(taken * rate, 10_000)
    assert on_meter.denominator == 1
    against = [("wagers-taken", -taken), ("house-margin", taken - on_meter.numerator)]
    detail = {"carried": [], "cost_cents": cost_cents, "rate_bp": rate, "seats": seats}
    journal.post(stamp, meter, "credit", against, rule, detail, table, round_)


def statement(
    meter: int, game: str, option: int, seed: int, cost_cents: int, shares: list[dict[str, Any]]
) -> dict[str, Any]:
    """The worked statement; ``shares`` say hand, count, parts of j and r, and their rule."""
    j = up(Fraction(meter), DOLLAR)
    r = seed * cost_cents * CENT
    worked = []
    for share in shares:
        exact = share["of_j"] * j + share["of_r"] * r
        worked.append(
            {
                "count": share["count"],
                "exact": text_of(exact),
                "hand": share["hand"],
                "of_j": text_of(share["of_j"]),
                "of_pool": share["of_pool"],
                "of_r": text_of(share["of_r"]),
                "paid": up(exact, CENT),
                "printed": share["printed"],
                "rule": share["rule"],
            }
        )
    paid = sum(share["count"] * share["paid"] for share in worked)
    reset = meter - paid < r
    return {
        "after": r if reset else meter - paid,
        "after_payment": meter - paid,
        "cost_cents": cost_cents,
        "game": game,
        "j": j,
        "meter": meter,
        "option": option,
        "paid": paid,
        "pool": j,
        "r": r,
        "reachable": True,
        "readings": READINGS,
        "reset": reset,
        "reset_rule": "WSOP 9.4.1" if reset else None,
        "reset_to": r,
        "royals": sum(share["count"] for share in worked if share["hand"] == "royal-flush"),
        "rulebook": RULEBOOK,
        "seed": seed,
        "shares": worked,
        "straight_flushes": sum(
            share["count"] for share in worked if share["hand"] == "straight-flush"
        ),
    }


def share(
    hand: str, of_j: Fraction, of_pool: str | None, printed: str, rule: str
) -> dict[str, Any]:
    """One winner's part of j alone: with one royal at most there is no part of r."""
    return {
        "hand": hand,
        "count": 1,
        "of_j": of_j,
        "of_r": Fraction(0),
        "of_pool": of_pool,
        "printed": printed,
        "rule": rule,
    }


def outcome(live: list[int], worked: dict[str, Any], **told: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"bonus": [], "cards": [], "cautions": [], "folded": [], "hands": []}
    return nothing | {"seats": live, "shared_cards": "", "statement": worked} | told


def prize(
    journal: Journal, stamp: Stamp, round_: str, seat: int, hand: str, paid: int, rule: str
) -> None:
    detail = {"award": f"{round_}/{seat}", "hand": hand, "seat": seat}
    journal.post(stamp, "one", "prize", [("prizes", paid)], rule, detail, "T1", round_)


def requested(number: int, at: str, agent_at: str) -> Stamp:
    """A message of table T1's device, in its second epoch, in a request of its own."""
    digest = hashlib.sha256(f"request {number}".encode()).hexdigest()
    return Stamp(at, "1007", f"device:t1-a:2:{number}", agent_at=agent_at, request=digest)


def at(clock: str, day: int = 1) -> str:
    return f"2027-03-{day:02d}T{clock}Z"


def played() -> Journal:
    journal = Journal()
    manager = {"actor": "4001", "second": "3001"}
    open_system(
        journal, Stamp(at("02:00:00.000000"), message="staff:4001:a1", **manager), "one", "T1", 100
    )
    open_system(
        journal, Stamp(at("02:00:05.250000"), message="staff:4001:a2", **manager), "five", "T2", 500
    )
    _bonus_round(journal)
    _royal_and_straight_flush(journal)
    extra = Stamp(at("03:00:00.000000"), message="staff:4001:a3", **manager)
    why = {"reason": "Grand opening \N{EM DASH} No\N{LATIN SMALL LETTER E WITH DIAERESIS}l"}
    funded = [("seed-funding", -(5_000 * DOLLAR + 25 * CENT))]
    journal.post(extra, "one", "extra", funded, "WSOP 9.3; Three Card 6.3", why)
    _begun_by_mistake(journal)
    _straight_flush_voided(journal)
    _option_2(journal)
    _five_closes(journal)
    _royal_paid(journal)
    return journal


def _bonus_round(journal: Journal) -> None:
    """Three wagers; one wins a bonus payout, one folds; the meter does not move at settlement."""
    place = ("one", "T1", "t1-a/2/1")
    stamp = requested(1, at("02:10:00.000001"), at("02:09:59.870000"))
    credit(journal, stamp, place, [1, 2, 3], 1, 10_000, 100, "WSOP 9.3")
    stamp = requested(2, at("02:12:30.123456"), at("02:12:30.001000"))
    worked = statement(journal.chains["one"].value, "wsop", 1, 10_000, 100, [])
    told = outcome([1, 2, 3], worked, bonus=[[2, FLUSH_OPTION_1]], folded=[3], hands=[[2, "flush"]])
    paid = [("bonus-payouts", FLUSH_OPTION_1), ("house-margin", -FLUSH_OPTION_1)]
    journal.post(stamp, "one", "settlement", paid, "WSOP 10.2.2", told, "T1", "t1-a/2/1")


def _royal_and_straight_flush(journal: Journal) -> None:
    """Ten elevenths of j and one eleventh, each up to the cent; the meter is reset."""
    round_ = "t1-a/2/2"
    stamp = requested(3, at("02:20:00.500000"), at("02:20:00.400000"))
    credit(journal, stamp, ("one", "T1", round_), [1, 2, 5], 1, 10_000, 100, "WSOP 9.3")
    stamp = requested(4, at("02:22:10.000000"), at("02:22:09.900000"))
    rule = "WSOP 10.3.1"
    shares = [
        share("royal-flush", Fraction(10, 11), "10/11", "90.909%", rule),
        share("straight-flush", Fraction(1, 11), "1/11", "9.091%", rule),
    ]
    worked = statement(journal.chains["one"].value, "wsop", 1, 10_000, 100, shares)
    told = outcome(
        [1, 2, 5],
        worked,
        cards=[[1, "Ad Kd"], [5, "9d 8d"]],
        hands=[[1, "royal-flush"], [5, "straight-flush"]],
        shared_cards="Td Jd Qd",
    )
    journal.post(stamp, "one", "settlement", [], "WSOP 10.2.2", told, "T1", round_)
    royal, straight_flush = (part["paid"] for part in worked["shares"])
    prize(journal, stamp, round_, 1, "royal-flush", royal, rule)
    prize(journal, stamp, round_, 5, "straight-flush", straight_flush, rule)
    seed = 10_000 * DOLLAR
    funded = [("seed-funding", journal.chains["one"].value - seed)]
    journal.post(stamp, "one", "reset", funded, "WSOP 9.4.1", {"to": seed}, "T1", round_)


def _begun_by_mistake(journal: Journal) -> None:
    """Two wagers are registered and both taken back."""
    round_ = "t1-a/2/3"
    stamp = requested(5, at("03:10:00.000000"), at("03:09:59.990000"))
    credit(journal, stamp, ("one", "T1", round_), [1, 4], 1, 10_000, 100, "WSOP 9.3")
    stamp = requested(6, at("03:11:00.000000"), at("03:10:59.990000"))
    stamp.approver = "2003"
    detail = {
        "case": "begun-by-mistake",
        "reason": 'Lit before the players were "in"',
        "returned": [1, 4],
        "reregistered": [],
        "rule": "WSOP 11.14",
        "seats": [1, 4],
        "spent": [],
        "stakes": [[1, DOLLAR, 340_600, 2], [4, DOLLAR, 340_600, 2]],
    }
    back = [("refunds", 2 * DOLLAR), ("house-margin", 2 * 340_600 - 2 * DOLLAR)]
    journal.post(stamp, "one", "reversal", back, "WSOP 11.14", detail, "T1", round_)


def _straight_flush_voided(journal: Journal) -> None:
    """A tenth of j is won and the meter stays above its seed; then the settlement is voided."""
    round_ = "t1-a/2/4"
    stamp = requested(7, at("03:20:00.000000"), at("03:19:59.990000"))
    credit(journal, stamp, ("one", "T1", round_), [7], 1, 10_000, 100, "WSOP 9.3")
    stamp = requested(8, at("03:22:00.000000"), at("03:21:59.990000"))
    rule = "WSOP Tables 4 and 5"
    alone = share("straight-flush", Fraction(1, 10), None, "10.000%j + 0.000%r", rule)
    worked = statement(journal.chains["one"].value, "wsop", 1, 10_000, 100, [alone])
    told = outcome(
        [7], worked, cards=[[7, "9h 8h"]], hands=[[7, "straight-flush"]], shared_cards="Th Jh Qh"
    )
    journal.post(stamp, "one", "settlement", [], "WSOP 10.2.2", told, "T1", round_)
    prize(journal, stamp, round_, 7, "straight-flush", worked["paid"], rule)
    voided = Stamp(at("04:00:00.000000"), "4001", "staff:4001:a4", second="3001")
    detail = {"reason": "The camera shows the eight of spades", "taken_back": [], "what": "void"}
    back = [("prizes", -worked["paid"]), ("seed-funding", 0)]
    journal.post(voided, "one", "correction", back, "WSOP 14.10", detail, "T1", round_)


def _option_2(journal: Journal) -> None:
    """A day later every system moves to Option 2 and a seed of 20,000, and is raised to it."""
    stamp = Stamp(at("05:00:00.000000", 2), "4001", "notice:N-1")
    rule = "WSOP 9.1.1(g); Three Card 6.1.1(g)"
    for meter, cost_cents in (("five", 500), ("one", 100)):
        raised = 20_000 * cost_cents * CENT - journal.chains[meter].value
        detail = {
            "from": terms(1, 10_000, cost_cents),
            "notice": "N-1",
            "to": terms(2, 20_000, cost_cents),
        }
        journal.post(stamp, meter, "change", [("seed-funding", -raised)], rule, detail)


def _five_closes(journal: Journal) -> None:
    """One round at the Three Card table, then the surplus goes to the other system."""
    digest = hashlib.sha256(b"request of two messages").hexdigest()
    place = ("five", "T2", "t2-a/1/1")
    stamp = Stamp(
        at("06:00:00.000000", 2),
        "1008",
        "device:t2-a:1:1",
        agent_at=at("05:59:10.000000", 2),
        request=digest,
    )
    credit(journal, stamp, place, [1], 2, 20_000, 500, "Three Card 6.3")
    stamp = Stamp(
        stamp.at, "1008", "device:t2-a:1:2", agent_at=at("05:59:50.000000", 2), request=digest
    )
    worked = statement(journal.chains["five"].value, "three-card", 2, 20_000, 500, [])
    told = outcome([1], worked)
    journal.post(stamp, "five", "settlement", [], "Three Card 7.3.2", told, "T2", "t2-a/1/1")
    stamp = Stamp(at("07:00:00.000000", 2), "4001", "notice:N-2")
    seed = 20_000 * 5 * DOLLAR
    surplus = journal.chains["five"].value - seed
    rule = "WSOP 9.1.1(j); Three Card 6.1.1(j)"
    out, into = {"notice": "N-2", "to": "one"}, {"from": "five", "notice": "N-2"}
    journal.post(stamp, "five", "transfer-out", [("transfers", surplus)], rule, out)
    journal.post(stamp, "one", "transfer-in", [("transfers", -surplus)], rule, into)
    journal.post(
        stamp,
        "five",
        "closing",
        [("seed-funding", seed)],
        "WSOP 9.1.1(i); Three Card 6.1.1(i)",
        {"notice": "N-2", "shares": [["one", 10_000]]},
    )


def _royal_paid(journal: Journal) -> None:
    """The royal of the second round, settled by entry 5, is determined and paid: no money moves."""
    round_ = "t1-a/2/2"
    royal = {"award": f"{round_}/1", "amount": up(Fraction(10 * 10_003 * DOLLAR, 11), CENT)}
    stamp = Stamp(at("08:00:00.000000", 2), "4002", "staff:4002:b1")
    determined = royal | {"what": "determined", "meter_seq": 5}
    journal.post(stamp, "one", "ruling", [], "WSOP 10.1.1", determined, "T1", round_)
    stamp = Stamp(at("08:30:00.000000", 2), "1007", "staff:1007:c1")
    paid = royal | {"what": "paid", "method": "cheque", "reference": "000077"}
    journal.post(stamp, "one", "ruling", [], "WSOP 8.1", paid, "T1", round_)


def fields(row: Row) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(row.entry)
    return found
