"""The outcome of a round: recorded once, for all hands at once, settled at that moment."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pokerkit import Card

from meter_server.domain.awards import Award, Caution, award_id
from meter_server.domain.cards import format_cards
from meter_server.domain.commands import HandReport, RecordOutcome
from meter_server.domain.deciding.closing import close
from meter_server.domain.deciding.contests import contest
from meter_server.domain.deciding.paper import check_paper, require_for_paper
from meter_server.domain.deciding.wagers import reset
from meter_server.domain.entries import Account, EntryKind, Json
from meter_server.domain.floor import Draft
from meter_server.domain.hands import METER_HANDS, Hand, check_round_cards, jackpot_hand
from meter_server.domain.meter import Posting
from meter_server.domain.money import round_up
from meter_server.domain.people import Context, require
from meter_server.domain.reachability import reachable
from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rounds import Round, RoundState, Seat, SeatState, Settled
from meter_server.domain.rulebook.authority import Action
from meter_server.domain.rulebook.games import Game
from meter_server.domain.rulebook.irregularities import CASES, Effect, Ruling
from meter_server.domain.rulebook.readings import Readings
from meter_server.domain.settlement import Statement, refuse_unless_provided, settle
from meter_server.domain.statements import statement_json
from meter_server.domain.tables import Table, round_over


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reported hands amount to: only wagers that continued count (SET-10, A-27, A-49)."""

    hands: Mapping[int, Hand]
    folded: frozenset[int]
    cautions: frozenset[Caution]
    by_cards: frozenset[int]

    def seats_with(self, hand: Hand) -> list[int]:
        return sorted(seat for seat, held in self.hands.items() if held is hand)

    @property
    def royals(self) -> int:
        return len(self.seats_with(Hand.ROYAL_FLUSH))

    @property
    def straight_flushes(self) -> int:
        return len(self.seats_with(Hand.STRAIGHT_FLUSH))


def record(draft: Draft, command: RecordOutcome, context: Context) -> None:
    """Settle a round at the moment its outcome is recorded (SET-1 to SET-9, A-15, A-39)."""
    round_ = draft.round(command.round_id)
    table = draft.table(round_.table_id)
    require(context, Action.RECORD_OUTCOME, round_.game_key)
    if command.case is not None:
        _require_for_case(round_.game, command.case, context)
    require_for_paper(table, command.paper, context)
    check_paper(table, round_, command.paper, context)
    refuse_unless_open(round_)
    if command.case is not None:
        _refuse_unless_settling(round_.game, command.case)
    live = round_.in_state(SeatState.LIVE)
    reading = read_hands(round_.game, live, command.hands, command.shared_cards, context)
    meter = draft.meter(round_.meter_id)
    statement = settle(
        round_.game,
        round_.terms,
        meter.value_micros,
        reading.royals,
        reading.straight_flushes,
        readings=context.readings,
        reset_to_micros=meter.terms.reseed_micros,
    )
    bonus = bonus_payouts(round_, reading, context.readings)
    detail = outcome_detail(live, command.hands, command.shared_cards, reading, statement, bonus)
    settled = Settled(
        statement=statement,
        prizes_micros=statement.paid_micros,
        top_up_micros=statement.top_up_micros,
        bonus_micros=bonus,
        meter_seq=_post(draft, round_, statement, bonus, {**detail, **_evidence(command)}, reading),
        at_us=context.at_us,
        agent_at_us=context.agent_at_us,
        recorded_by=context.actor.staff_number,
        behind=context.people,
    )
    draft.put(ended(round_, reading, settled))
    _put_awards(draft, round_, reading, statement, settled, context)
    _end_hand(draft, table)


def _evidence(command: RecordOutcome) -> dict[str, Json]:
    evidence: dict[str, Json] = {}
    if command.case is not None:
        evidence["case"] = command.case
    if command.paper is not None:
        evidence["paper"] = command.paper
    return evidence


def ended(round_: Round, reading: Reading, settled: Settled) -> Round:
    """The round with its hands and its settlement."""
    seats = {
        seat: Seat(
            state=SeatState.FOLDED if seat in reading.folded else held.state,
            stake=held.stake,
            hand=reading.hands.get(seat),
            by_cards=seat in reading.by_cards,
        )
        for seat, held in round_.seats.items()
    }
    return replace(round_, seats=seats, state=RoundState.SETTLED, settled=settled)


def refuse_unless_open(round_: Round) -> None:
    """A second outcome, or a settlement while carried, is refused (SET-3, IRR-4)."""
    if round_.state is RoundState.CARRIED:
        raise Refused(
            Kind.ROUND_CARRIED,
            f"The wagers of round {round_.id} are carried to the next round.",
            rule=round_.game.rules.misdeal,
            remedy="Register the next round and record that one.",
        )
    if round_.state is not RoundState.REGISTERED:
        raise Refused(
            Kind.ROUND_ENDED,
            f"Round {round_.id} is {round_.state} already.",
            rule=round_.game.rules.simultaneous,
            remedy="If the record is wrong, a TG Assistant Casino Manager corrects it.",
        )


def _settling(game: Game, case_key: str) -> Ruling | None:
    case = CASES.get(case_key)
    ruling = None if case is None else case.rulings.get(game.key)
    return None if ruling is None or ruling.effect is not Effect.SETTLE else ruling


def _require_for_case(game: Game, case_key: str, context: Context) -> None:
    ruling = _settling(game, case_key)
    if ruling is not None:
        require(context, ruling.action, game.key)


def _refuse_unless_settling(game: Game, case_key: str) -> None:
    if _settling(game, case_key) is None:
        raise Refused(
            Kind.CASE_NOT_PROVIDED,
            f"{case_key!r} is no misdeal despite which {game.title} settles its jackpot.",
            rule=game.rules.misdeal,
            remedy="Declare the irregularity instead of recording an outcome.",
        )


def read_hands(
    game: Game,
    eligible: frozenset[int],
    reports: Mapping[int, HandReport],
    shared_cards: tuple[Card, ...],
    context: Context,
) -> Reading:
    """Judge the reported hands: cards decide where they are given (SET-11, SET-12, A-48)."""
    check_reported(game, eligible, reports)
    _check_cards(game, reports, shared_cards)
    folded = frozenset(seat for seat, report in reports.items() if report.folded)
    hands = {
        seat: hand
        for seat, report in sorted(reports.items())
        if seat not in folded and (hand := _hand_of(game, seat, report, shared_cards)) is not None
    }
    cautions = _cautions(game, hands, reports, context)
    by_cards = frozenset(seat for seat in hands if reports[seat].own_cards)
    return Reading(hands, folded, cautions, by_cards)


def check_reported(game: Game, eligible: frozenset[int], reports: Mapping[int, HandReport]) -> None:
    """Only a live wager can win (A-27)."""
    for seat in sorted(reports):
        if seat not in eligible:
            raise Refused(
                Kind.SEAT_WITHOUT_WAGER,
                f"Seat {seat} has no live Jackpot wager in this round.",
                rule=game.rules.continued,
                remedy="Leave the seat out: its hand wins no jackpot and dilutes nobody's.",
            )


def _check_cards(
    game: Game, reports: Mapping[int, HandReport], shared_cards: tuple[Card, ...]
) -> None:
    """Also of a hand that folded, or was declared: the journal keeps them as what was dealt."""
    places = {f"seat {seat}": report.own_cards for seat, report in sorted(reports.items())}
    _refuse_unless_dealt(game, "the shared cards", shared_cards, game.shared_cards)
    for where, cards in places.items():
        _refuse_unless_dealt(game, where, cards, game.own_cards)
    check_round_cards({"the shared cards": shared_cards, **places})


def _refuse_unless_dealt(game: Game, where: str, cards: tuple[Card, ...], dealt: int) -> None:
    if len(cards) not in (0, dealt):
        raise Refused(
            Kind.BAD_CARDS,
            f"There are {dealt} cards to give for {where}, not {len(cards)}.",
            rule=game.rules.continued,
            remedy="Give all of them or none.",
        )


def _hand_of(
    game: Game, seat: int, report: HandReport, shared_cards: tuple[Card, ...]
) -> Hand | None:
    if not report.own_cards:
        return report.hand
    hand = jackpot_hand(
        report.own_cards,
        shared_cards,
        own_count=game.own_cards,
        shared_count=game.shared_cards,
    )
    if report.hand is not None and report.hand is not hand:
        raise Refused(
            Kind.HAND_NOT_AS_CARDS,
            f"Seat {seat} was declared {report.hand.title}, but its cards "
            f"with the {game.shared_cards_name} make {hand.title}.",
            rule=game.rules.continued,
            remedy="Correct the hand or the cards; what the cards say wins.",
        )
    return hand


def _cautions(
    game: Game, hands: Mapping[int, Hand], reports: Mapping[int, HandReport], context: Context
) -> frozenset[Caution]:
    """What holds a prize for a closer look; each needs a supervisor behind the record (A-28)."""
    winners = {seat: hand for seat, hand in hands.items() if hand in METER_HANDS}
    royals = sum(hand is Hand.ROYAL_FLUSH for hand in winners.values())
    straight_flushes = len(winners) - royals
    refuse_unless_provided(game, royals, straight_flushes)
    found = set()
    if not reachable(game.own_cards, game.shared_cards, royals, straight_flushes):
        found.add(Caution.CHECK_THE_DECK)
        _refuse_unless_confirmed(
            context,
            game,
            Kind.SPLIT_NOT_POSSIBLE,
            f"{royals} royal and {straight_flushes} straight flushes in one round are not possible "
            "with one deck.",
            "Correct the entry, or declare the deck wrong; a TG Higher Duties Dealer may confirm "
            "it, and it is then held for the TG Assistant Casino Manager.",
        )
    if any(not reports[seat].own_cards for seat in winners):
        found.add(Caution.WITHOUT_CARDS)
        _refuse_unless_confirmed(
            context,
            game,
            Kind.CARDS_NEEDED,
            "A royal or straight flush is recorded with its cards.",
            "Enter the cards, or have a TG Higher Duties Dealer confirm the hand without them.",
        )
    return frozenset(found)


def _refuse_unless_confirmed(
    context: Context, game: Game, kind: Kind, reason: str, remedy: str
) -> None:
    try:
        require(context, Action.CONFIRM_EXCEPTIONAL_HAND, game.key)
    except Refused as refused:
        raise Refused(kind, reason, rule=game.rules.determination, remedy=remedy) from refused


def bonus_payouts(round_: Round, reading: Reading, readings: Readings) -> dict[int, int]:
    """Bonus payouts by seat: payable at once, never off the meter (BON-1, BON-2, SET-13)."""
    unit = readings.payable_unit_micros
    payouts = {
        seat: round_up(round_.terms.bonus_micros(hand), unit)
        for seat, hand in reading.hands.items()
    }
    return {seat: micros for seat, micros in sorted(payouts.items()) if micros}


def bonus_lines(micros: int) -> tuple[tuple[Account, int], ...]:
    """The house pays bonus payouts out of its own margin."""
    return ((Account.BONUS_PAYOUTS, micros), (Account.HOUSE_MARGIN, -micros))


def outcome_detail(
    eligible: frozenset[int],
    reports: Mapping[int, HandReport],
    shared_cards: tuple[Card, ...],
    reading: Reading,
    statement: Statement,
    bonus: Mapping[int, int],
) -> dict[str, Json]:
    """What the journal keeps of an outcome: hands and cards as reported, and the statement."""
    return {
        "bonus": [[seat, micros] for seat, micros in bonus.items()],
        "cards": [
            [seat, format_cards(report.own_cards)]
            for seat, report in sorted(reports.items())
            if report.own_cards
        ],
        "folded": sorted(reading.folded),
        "hands": [[seat, hand.value] for seat, hand in reading.hands.items()],
        "seats": sorted(eligible),
        "shared_cards": format_cards(shared_cards),
        "statement": statement_json(statement),
        "cautions": sorted(reading.cautions),
    }


def _post(
    draft: Draft,
    round_: Round,
    statement: Statement,
    bonus: Mapping[int, int],
    detail: Mapping[str, Json],
    reading: Reading,
) -> int:
    """A settlement for every round, then a prize for each hand, then the reset if one is due.

    Answers the settlement's place on the meter.
    """
    paid_bonus = sum(bonus.values())
    settlement = draft.post(
        round_.meter_id,
        Posting(
            EntryKind.SETTLEMENT,
            0,
            bonus_lines(paid_bonus) if paid_bonus else (),
            rule=round_.game.rules.time_for_settlement,
            detail=detail,
            table_id=round_.table_id,
            round_id=round_.id,
        ),
    )
    for share in statement.shares:
        for seat in reading.seats_with(share.hand):
            post_prize(draft, round_, seat, share.hand, share.paid_micros, share.rule)
    if statement.reset_rule is not None:
        reset(
            draft,
            round_.meter_id,
            statement.reset_to_micros,
            statement.reset_rule,
            round_.table_id,
            round_.id,
        )
    return settlement.seq


def post_prize(
    draft: Draft, round_: Round, seat: int, hand: Hand, amount_micros: int, rule: str
) -> None:
    """Take one prize off the unrounded meter as it is paid (A-9)."""
    draft.post(
        round_.meter_id,
        Posting(
            EntryKind.PRIZE,
            -amount_micros,
            ((Account.PRIZES, amount_micros),),
            rule=rule,
            detail={"award": award_id(round_.id, seat), "hand": hand.value, "seat": seat},
            table_id=round_.table_id,
            round_id=round_.id,
        ),
    )


def _put_awards(
    draft: Draft,
    round_: Round,
    reading: Reading,
    statement: Statement,
    settled: Settled,
    context: Context,
) -> None:
    """Prizes off the meter are pending until they are determined (A-39)."""
    awards = [
        Award(
            id=award_id(round_.id, seat),
            meter_id=round_.meter_id,
            round_id=round_.id,
            seat=seat,
            hand=share.hand,
            amount_micros=share.paid_micros,
            meter_seq=settled.meter_seq,
            recorded_by=settled.recorded_by,
            approved_by=context.approved_by,
            behind=settled.behind,
            agent_at_us=settled.agent_at_us,
            cautions=reading.cautions,
        )
        for share in statement.shares
        for seat in reading.seats_with(share.hand)
    ]
    draft.put(*awards)
    contest(draft, awards)


def _end_hand(draft: Draft, table: Table) -> None:
    """The table is ready for its next round, or closes after the last announced hand (AUT-16)."""
    hands_left = None if table.hands_left is None else table.hands_left - 1
    over = round_over(table)
    if hands_left is not None:
        over = replace(over, hands_left=hands_left)
    draft.put(over)
    if hands_left == 0:
        close(draft, over)
