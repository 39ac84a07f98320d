"""Refusals that are put together from pieces read as one sentence, with the right names in it."""

from pathlib import Path

import pytest

from meter_server.domain.commands import Command, DecideOrder
from meter_server.domain.deciding import decide
from meter_server.domain.floor import Floor
from meter_server.domain.people import Context, Person
from meter_server.domain.refusals import Kind, Refusal, several
from meter_server.domain.rulebook.authority import ASSISTANT_CASINO_MANAGER
from tests.scenarios.house import Answer, Core
from tests.scenarios.language import read
from tests.scenarios.runner import play

FLOOR = "system S5 option 1 seed 20000 cost 5.00 tables T1 wsop T2 three-card"
CONTESTED = (
    "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255",
    "10:00:01 dealer-2: register Q1 at T2 seats 1 -> credit 1.6255",
    (
        '10:01:00 dealer-2: record Q1 1 "5s 6s 7s" shared "8s 9s"'
        " -> settled, prize 1 10000.40, reset 100000.00"
    ),
    (
        '10:01:10 [10:00:50] dealer: record R1 1 "As Ks" shared "Qs Js Ts"'
        " -> settled, prize 1 100000.00, reset 100000.00"
    ),
)
NOTICE = (
    "10:00:00 manager and manager-2: notice N1 to remove T1 -> nothing",
    "10:00:01 dealer: show N1 at T1 -> nothing",
)


class Heard(Core):
    """The core, with the last refusal it gave."""

    refusal: Refusal

    def submit(self, command: Command, context: Context) -> Answer:
        answer = super().submit(command, context)
        if answer.refusal is not None:
            self.refusal = answer.refusal
        return answer


def heard(tmp_path: Path, *lines: str) -> Refusal:
    path = tmp_path / "story.scenario"
    path.write_text("\n".join(("scenario: A story", "rules: A-1", FLOOR, *lines)))
    house = Heard()
    for scenario in read(path):
        play(scenario, house)
    return house.refusal


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            ["10:00:00 dealer: pay R9/1 by chips X -> refused unknown"],
            "There is no prize named R9/1.",
        ),
        (["10:00:00 manager: withdraw N9 -> refused unknown"], "There is no notice named N9."),
        (["10:00:00 dealer: record R9 -> refused unknown"], "There is no round named R9."),
        (["10:00:00 dealer: gates T9 working -> refused unknown"], "There is no table named T9."),
        (
            ['10:00:00 manager and manager-2: top-up S9 by 1.00 because "x" -> refused unknown'],
            "There is no prize meter system named S9.",
        ),
        (
            [
                "10:00:00 dealer: gates T1 failing amounts -> nothing",
                "10:00:01 dealer: register R1 at T1 seats 1 -> refused not-operating",
            ],
            (
                "The equipment at table T1 is not operating properly: the meter cannot record the "
                "amounts."
            ),
        ),
        (
            [
                "10:00:00 dealer: gates T1 failing settlement-times -> nothing",
                "10:00:01 dealer: register R1 at T1 seats 1 -> refused not-operating",
            ],
            (
                "The equipment at table T1 is not operating properly: the time for settlement "
                "cannot be recorded."
            ),
        ),
        (
            [
                "10:00:00 dealer: gates T1 failing meter-reading -> nothing",
                "10:00:01 dealer: register R1 at T1 seats 1 -> refused not-operating",
            ],
            (
                "The equipment at table T1 is not operating properly: the meter cannot be read as "
                "at a settlement."
            ),
        ),
        (
            [*NOTICE, "10:19:59.5 manager: act on N1 -> refused notice-too-early"],
            "Notice N1 must stand for another 2 seconds.",
        ),
        (
            [*NOTICE, "10:19:59 manager: act on N1 -> refused notice-too-early"],
            "Notice N1 must stand for another 2 seconds.",
        ),
        (
            [*NOTICE, "10:00:01.999999 manager: act on N1 -> refused notice-too-early"],
            "Notice N1 must stand for another 1200 seconds.",
        ),
        (
            [*NOTICE, "10:00:02 manager: act on N1 -> refused notice-too-early"],
            "Notice N1 must stand for another 1199 seconds.",
        ),
        (
            [
                CONTESTED[0],
                '10:00:40 dealer: record R1 1 "As Qs" shared "Qs Js Ts" -> refused bad-cards',
            ],
            "The card Qs is given for the shared cards and for seat 1.",
        ),
        (
            [CONTESTED[0], '10:00:40 dealer: record R1 shared "Qs Js" -> refused bad-cards'],
            "There are 3 cards to give for the shared cards, not 2.",
        ),
        (
            [
                CONTESTED[0],
                '10:00:40 dealer: record R1 1 "As" shared "Qs Js Ts" -> refused bad-cards',
            ],
            "There are 2 cards to give for seat 1, not 1.",
        ),
        (
            [
                CONTESTED[0],
                (
                    '10:00:40 dealer: record R1 1 flush "As Ks" shared "Qs Js Ts"'
                    " -> refused hand-not-as-cards"
                ),
            ],
            "Seat 1 was declared flush, but its cards with the Flop make royal flush.",
        ),
        (
            [*CONTESTED, "10:02:00 manager: determine Q1/1 as 10000.40 -> refused order-contested"],
            "The order of this prize's round with R1 is contested.",
        ),
        (
            [
                *CONTESTED[:3],
                "10:01:01 dealer-2: register Q2 at T2 seats 1 -> credit 1.6255",
                (
                    '10:01:02 dealer-2: record Q2 1 "5s 6s 7s" shared "8s 9s"'
                    " -> settled, prize 1 10000.20, reset 100000.00"
                ),
                CONTESTED[3],
                "10:02:00 manager: determine R1/1 as 100000.00 -> refused order-contested",
            ],
            "The order of this prize's round with Q1, Q2 is contested.",
        ),
        (
            [
                *CONTESTED[:2],
                "10:02:00 manager: order R1 before Q1 -> refused order-not-contested",
            ],
            "The order of R1, Q1 is not contested.",
        ),
        (
            [
                *CONTESTED,
                "10:01:20 dealer: register R2 at T1 seats 1 -> credit 1.6255",
                "10:02:00 manager: order R1 before R2 -> refused order-not-contested",
            ],
            "The rounds Q1, R1 contest each other.",
        ),
    ],
)
def test_the_reason_is_told_in_full(tmp_path: Path, lines: list[str], reason: str) -> None:
    assert heard(tmp_path, *lines).reason == reason


def test_a_minimum_that_rises_is_told_what_it_takes(tmp_path: Path) -> None:
    line = "10:00:00 area-manager: limits T1 bets 10.01 500.00 -> refused notice-needed"
    assert heard(tmp_path, line).sentence == (
        "The minimum at table T1 rises only after its sign announced it. [Casino Control Act s 66; "
        "WSOP 6.1; Three Card 8.1] Draft a notice of the higher minimum; it must stand for 20 "
        "minutes."
    )


def test_a_minimum_that_does_not_rise_is_told_that_it_needs_no_notice(tmp_path: Path) -> None:
    line = (
        "10:00:00 manager and manager-2: notice N1 to raise T1 bets 10.00 900.00"
        " -> refused notice-not-needed"
    )
    assert heard(tmp_path, line).sentence == (
        "The minimum at table T1 would not rise by this. [Casino Control Act s 66; WSOP 6.1; Three "
        "Card 8.1] Set the limits at once; only a higher minimum needs a notice."
    )


def test_a_dark_display_is_told_until_when_no_wagers_are_taken(tmp_path: Path) -> None:
    refusal = heard(
        tmp_path,
        "10:00:00 dealer: gates T1 failing display -> nothing",
        "10:00:01 dealer: register R1 at T1 seats 1 -> refused display-not-operating",
    )
    assert refusal.remedy == (
        "Take no Jackpot wagers until it shows the meter again, or until a TG Area Manager has "
        "declared manual arrangements."
    )


def test_who_recorded_an_outcome_is_told_why_another_determines_its_prize(tmp_path: Path) -> None:
    refusal = heard(
        tmp_path,
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255",
        (
            '10:00:40 manager: record R1 1 "As Ks" shared "Qs Js Ts"'
            " -> settled, prize 1 100002.00, reset 100000.00"
        ),
        "10:01:00 manager: determine R1/1 as 100002.00 -> refused own-outcome",
    )
    assert refusal.reason == (
        "Who records an outcome, approves or confirms its record, cannot determine its prize or "
        "decide its order."
    )


def test_a_voided_settlement_is_told_what_can_follow(tmp_path: Path) -> None:
    refusal = heard(
        tmp_path,
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255",
        "10:00:40 dealer: record R1 -> settled",
        '10:01:00 manager and manager-2: void R1 because "misread" -> correction 0.00',
        '10:02:00 manager and manager-2: void R1 because "again" -> refused round-ended',
    )
    assert refusal.sentence == (
        "The settlement of round R1 is voided. [WSOP 10.2.2] Correct it to settle it again as at "
        "its own time; or void it naming the case that invalidates its outcome, which refunds its "
        "wagers."
    )


def test_a_second_correction_of_one_record_is_told_to_look_again(tmp_path: Path) -> None:
    refusal = heard(
        tmp_path,
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255",
        "10:00:40 dealer: record R1 -> settled",
        '10:01:00 manager and manager-2: void R1 because "misread" -> correction 0.00',
        '10:02:00 manager and manager-2: correct R1 1 flush because "camera" seen 3'
        " -> refused not-as-seen",
    )
    assert refusal.sentence == (
        "Round R1 was put right by meter entry 4 since this was proposed. [WSOP 14.10] Look at the "
        "round as it stands now, and propose it anew if it is still wrong."
    )


def test_more_winners_than_a_deck_gives_are_confirmed_or_corrected(tmp_path: Path) -> None:
    refusal = heard(
        tmp_path,
        "10:00:00 dealer: register R1 at T2 seats 1 2 -> credit 3.251",
        "10:00:40 dealer: record R1 1 royal-flush 2 royal-flush -> refused split-not-possible",
    )
    assert refusal.reason == (
        "2 royal and 0 straight flushes in one round are not possible with one deck."
    )
    assert refusal.remedy == (
        "Correct the entry, or declare the deck wrong; a TG Higher Duties Dealer may confirm it, "
        "and it is then held for the TG Assistant Casino Manager."
    )


def test_rounds_that_contest_each_other_by_the_dozen_fit_in_a_sentence() -> None:
    """A refusal goes into the journal of messages, where a text has 500 characters at most."""
    rounds = [f"{'t' * 40}/{number}/{10**15}" for number in range(10, 50)]
    told = several(rounds)
    assert told.startswith(f"{rounds[0]}, {rounds[1]}")
    assert told.endswith(" and 35 more")
    assert len(told) < 400
    assert several(["b", "a"]) == "b, a"
    assert several("abcde") == "a, b, c, d, e"


def test_an_order_of_no_rounds_is_not_contested() -> None:
    manager = Context(0, Person("4001", ASSISTANT_CASINO_MANAGER))
    refusal = decide(Floor(), DecideOrder(()), manager)
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (Kind.ORDER_NOT_CONTESTED, "house control")


@pytest.mark.parametrize(
    ("others", "remedy"),
    [
        ([], "No other one is open: open one first, then draft a notice that names it."),
        (
            [
                "system S2 option 1 seed 20000 cost 2.00 tables T3 wsop",
                "system S1 option 1 seed 20000 cost 1.00 tables T4 wsop",
                "system P1 option 1 seed 20000 cost 10.00 training tables T5 wsop",
            ],
            "Draft one with the receiving systems' shares; open are S1, S2.",
        ),
    ],
)
def test_a_surplus_that_nobody_receives_says_how_much_and_what_to_do(
    tmp_path: Path, others: list[str], remedy: str
) -> None:
    told = heard(
        tmp_path,
        *others,
        "10:00:00 dealer: register R1 at T1 seats 1 -> credit 1.6255",
        "10:00:01 manager and manager-2: notice N1 to close S5 -> refused nowhere-to-transfer",
    )
    assert told.reason == (
        "The system S5 has a surplus of $1.6255, and the notice names no system to receive it."
    )
    assert (told.rule, told.remedy) == ("WSOP 9.1.1(j); Three Card 6.1.1(j)", remedy)
