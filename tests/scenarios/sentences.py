"""What a person does, as a command: one short sentence for each kind of command."""

from collections.abc import Callable
from dataclasses import dataclass

from meter_server.domain import commands
from meter_server.domain.cards import parse_cards
from meter_server.domain.commands import Command, HandReport
from meter_server.domain.floor import Floor
from meter_server.domain.hands import Hand
from meter_server.domain.notices import (
    AddTable,
    Change,
    ChangeTerms,
    CloseSystem,
    RaiseMinimum,
    RemoveTable,
    TransferTable,
)
from meter_server.domain.rulebook.games import GameKey
from meter_server.domain.rulebook.terms import Terms
from meter_server.domain.tables import Gate, Limits
from tests.scenarios.language import same_day
from tests.scenarios.words import Words, WordsError


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence may leave unsaid, because whoever speaks can see it."""

    books: Floor
    at_us: int


def command_of(sentence: str, scene: Scene) -> Command:
    words = Words(sentence)
    verb = words.take("what is done")
    if verb not in _VERBS:
        raise WordsError(f"nobody can {verb!r}; choose one of {', '.join(sorted(_VERBS))}.")
    command = _VERBS[verb](words, scene)
    words.end()
    return command


def terms_of(words: Words) -> Terms:
    words.must("option")
    option = int(words.take())
    words.must("seed")
    seed = int(words.take())
    words.must("cost")
    return Terms(option, seed, words.dollars() // 10_000)


def _define(words: Words, _: Scene) -> Command:
    table = words.take("the table")
    game = GameKey(words.take("the game"))
    words.must("seats")
    seats = int(words.take("how many seats"))
    words.must("bets")
    return commands.DefineTable(table, game, seats, _bets(words))


def _bets(words: Words) -> Limits:
    return Limits(words.dollars() // 10_000, words.dollars() // 10_000)


def _limits(words: Words, _: Scene) -> Command:
    table = words.take("the table")
    words.must("bets")
    return commands.SetLimits(table, _bets(words))


def _open(words: Words, _: Scene) -> Command:
    if words.maybe("table"):
        return commands.OpenTable(words.take("the table"))
    words.must("system")
    meter = words.take("the system")
    terms = terms_of(words)
    value = words.dollars() if words.maybe("at") else None
    reference = words.after("reference") or ""
    training = words.maybe("training")
    words.must("tables")
    tables = []
    while words:
        tables.append(words.take())
    return commands.OpenSystem(meter, terms, tuple(tables), value, reference, training)


def _top_up(words: Words, _: Scene) -> Command:
    meter = words.take("the system")
    words.must("by")
    return commands.TopUpMeter(meter, words.dollars(), words.after("because") or "")


def _close(words: Words, _: Scene) -> Command:
    words.must("table")
    return commands.CloseTable(words.take("the table"), players_present=not words.maybe("empty"))


def _on(words: Words) -> bool:
    if words.maybe("on"):
        return True
    words.must("off")
    return False


def _tournament(words: Words, _: Scene) -> Command:
    return commands.SetTournament(words.take("the table"), _on(words))


def _manual(words: Words, _: Scene) -> Command:
    return commands.SetManual(words.take("the table"), _on(words))


def _gates(words: Words, _: Scene) -> Command:
    table = words.take("the table")
    if words.maybe("working"):
        return commands.ReportGates(table, frozenset())
    words.must("failing")
    failing = set()
    while words:
        failing.add(Gate(words.take()))
    return commands.ReportGates(table, frozenset(failing))


def _register(words: Words, scene: Scene) -> Command:
    round_id = words.take("the round")
    words.must("at")
    table = words.take("the table")
    words.must("seats")
    seats = words.numbers()
    cost = words.dollars() // 10_000 if words.maybe("cost") else _cost_at(table, scene)
    return commands.RegisterWagers(round_id, table, seats, cost, words.after("paper"))


def _cost_at(table_id: str, scene: Scene) -> int:
    """The cost that the table's sign shows."""
    table = scene.books.tables.get(table_id)
    if table is None or table.meter_id is None:
        return 0
    return scene.books.meters[table.meter_id].terms.cost_cents


def _record(words: Words, _: Scene) -> Command:
    round_id = words.take("the round")
    hands = _hands(words)
    shared = words.after("shared")
    case = words.after("despite")
    return commands.RecordOutcome(
        round_id, hands, parse_cards(shared) if shared else (), case, words.after("paper")
    )


def _hands(words: Words) -> dict[int, HandReport]:
    """Each seat: whether it folded, a hand by its name, cards in quotes; some of these."""
    hands = {}
    while words.peek().isdigit():
        seat = int(words.take())
        hands[seat] = _hand(words)
    return hands


def _hand(words: Words) -> HandReport:
    folded = words.maybe("folded")
    names = {hand.value for hand in Hand}
    declared = Hand(words.take()) if words.peek() in names else None
    has_cards = words.peek()[:1] in tuple("23456789TJQKA") and len(words.peek()) > 1
    return HandReport(declared, parse_cards(words.take()) if has_cards else (), folded)


def _declare(words: Words, _: Scene) -> Command:
    case = words.take("the case")
    words.must("at")
    table = words.take("the table")
    seats = words.numbers() if words.maybe("seats") else frozenset[int]()
    joining = words.numbers() if words.maybe("joining") else frozenset[int]()
    reason = words.after("because") or ""
    paper = words.after("paper")
    return commands.DeclareIrregularity(
        table, case, seats, joining, reason, paper, words.after("of")
    )


def _correct(words: Words, _: Scene) -> Command:
    if words.maybe("bonus"):
        return _correct_bonus(words)
    round_id = words.take("the round")
    hands = _hands(words)
    shared = words.after("shared")
    admitted = words.numbers() if words.maybe("admitting") else frozenset[int]()
    return commands.CorrectSettlement(
        round_id,
        hands,
        parse_cards(shared) if shared else (),
        admitted,
        words.after("because") or "",
        _seen(words),
    )


def _seen(words: Words) -> int | None:
    entry = words.after("seen")
    return None if entry is None else int(entry)


def _correct_bonus(words: Words) -> Command:
    round_id = words.take("the round")
    hands: dict[int, Hand | None] = {}
    while words:
        seat = int(words.take())
        hands[seat] = None if words.maybe("nothing") else Hand(words.take("a hand"))
    return commands.CorrectBonus(round_id, hands)


def _void(words: Words, _: Scene) -> Command:
    round_id = words.take("the round")
    invalidated = words.after("invalidated")
    reason = words.after("because") or ""
    return commands.VoidSettlement(round_id, reason, invalidated, _seen(words))


def _grant(words: Words, _: Scene) -> Command:
    award = words.take("the prize")
    words.must("after")
    return commands.GrantTopUp(award, words.take("the corrected round"))


def _order(words: Words, _: Scene) -> Command:
    order = [words.take("the round")]
    while words.maybe("before"):
        order.append(words.take("the next round"))
    return commands.DecideOrder(tuple(order), words.after("because") or "")


def _determine(words: Words, scene: Scene) -> Command:
    award = words.take("the prize")
    words.must("as")
    amount = words.dollars()
    entry = words.after("entry")
    known = scene.books.awards.get(award)
    seen = int(entry) if entry else (0 if known is None else known.meter_seq)
    return commands.DeterminePrize(award, amount, seen)


def _withhold(words: Words, _: Scene) -> Command:
    return commands.WithholdPrize(words.take("the prize"), words.after("because") or "")


def _pay(words: Words, _: Scene) -> Command:
    award = words.take("the prize")
    words.must("by")
    method = words.take("the method")
    return commands.PayPrize(award, method, words.take("the reference"))


def _notice(words: Words, _: Scene) -> Command:
    notice = words.take("the notice")
    words.must("to")
    return commands.DraftNotice(notice, _change(words))


def _change(words: Words) -> Change:
    match words.take("what will change"):
        case "add":
            table = words.take("the table")
            words.must("to")
            return AddTable(table, words.take("the system"))
        case "remove":
            return RemoveTable(words.take("the table"))
        case "transfer":
            table = words.take("the table")
            words.must("to")
            return TransferTable(table, words.take("the system"))
        case "close":
            meter = words.take("the system")
            shares = {}
            while words:
                target = words.take()
                shares[target] = _hundredths(words.take("a share in percent"))
            return CloseSystem(meter, shares)
        case "change":
            terms = {}
            while words:
                meter = words.take("the system")
                terms[meter] = terms_of(words)
            return ChangeTerms(terms)
        case "raise":
            table = words.take("the table")
            words.must("bets")
            return RaiseMinimum(table, _bets(words))
        case other:
            raise WordsError(f"a notice cannot announce {other!r}.")


def _hundredths(percent: str) -> int:
    sign = -1 if percent.startswith("-") else 1
    whole, _, part = percent.lstrip("-").removesuffix("%").partition(".")
    return sign * (int(whole) * 100 + int(part.ljust(2, "0") or "0"))


def _show(words: Words, _: Scene) -> Command:
    notice = words.take("the notice")
    words.must("at")
    return commands.ConfirmDisplay(notice, words.take("the table"), words.after("by-hand"))


def _dark(words: Words, scene: Scene) -> Command:
    notice = words.take("the notice")
    words.must("at")
    table = words.take("the table")
    words.must("from")
    dark_from = same_day(scene.at_us, words.take("a time"))
    lit = words.after("to")
    lit_again = None if lit is None else same_day(scene.at_us, lit)
    return commands.ReportDarkSign(notice, table, dark_from, lit_again)


def _withdraw(words: Words, _: Scene) -> Command:
    return commands.WithdrawNotice(words.take("the notice"))


def _act(words: Words, _: Scene) -> Command:
    words.must("on")
    notice = words.take("the notice")
    offline = set()
    if words.maybe("offline"):
        while words:
            offline.add(words.take())
    return commands.ActOnNotice(notice, frozenset(offline))


_VERBS: dict[str, Callable[[Words, Scene], Command]] = {
    "act": _act,
    "close": _close,
    "correct": _correct,
    "dark": _dark,
    "declare": _declare,
    "define": _define,
    "determine": _determine,
    "gates": _gates,
    "grant": _grant,
    "limits": _limits,
    "manual": _manual,
    "notice": _notice,
    "open": _open,
    "order": _order,
    "pay": _pay,
    "record": _record,
    "register": _register,
    "show": _show,
    "top-up": _top_up,
    "tournament": _tournament,
    "void": _void,
    "withdraw": _withdraw,
    "withhold": _withhold,
}
