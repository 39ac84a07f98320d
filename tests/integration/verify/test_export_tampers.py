"""Whatever is changed in an export is found, and the first finding names the place."""

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from random import Random

import psycopg
import pytest

from deploy.verify.jackpot_verify import Verifier
from tests.integration.verify.exports import exported, sentences, verified
from tests.integration.verify.forgeries import (
    FORGERIES,
    cut_the_tail,
    move_a_time,
    tell_another_origin,
    without_checkpoints,
)
from tests.integration.verify.lived import Lived
from tests.integration.verify.located import require_found
from tests.integration.verify.tampers import TAMPERS, Row, Tampered, rows_of, written
from tests.integration.verify.tried import EXPORTS as TAMPERED
from tests.integration.verify.tried import FORGERIES as FORGED
from tests.integration.verify.tried import Tried


@pytest.fixture(scope="module")
def lines(lived: Lived) -> list[str]:
    with psycopg.connect(lived.database_url) as connection:
        return exported(connection, lived.key.name)


def _verified(lived: Lived, lines: list[str]) -> Verifier:
    return verified(lines, (lived.key,), lived.checkpoints, lived.receipts)


def test_an_untouched_export_is_good(lived: Lived, lines: list[str]) -> None:
    verifier = _verified(lived, lines)
    assert sentences(verifier.findings) == []
    kinds = Counter(json.loads(json.loads(line)["body"])["kind"] for line in lines if _entry(line))
    assert set(kinds) == {"opening", "credit", "settlement", "prize", "reset", "reversal", "ruling"}
    assert verifier.counts["request"] == verifier.counts["outside receipt"] > 30
    assert verifier.counts["outside checkpoint"] > 3


def _entry(line: str) -> bool:
    return bool(json.loads(line).get("row") == "entry")


def test_every_tamper_is_found_and_located(
    lived: Lived, lines: list[str], tried: Tried, record_property: Callable[[str, object], None]
) -> None:
    rows = rows_of(lines)
    for number in range(TAMPERED):
        random = Random(number)  # noqa: S311
        tamper = random.choice(TAMPERS)
        tampered = tamper(rows, random)
        require_found(_verified(lived, tampered.lines).findings, tampered.what, tampered.at, number)
        tried["an export", tamper.__name__] += 1
    record_property("tampers of an export, each found and located", TAMPERED)


def test_what_fits_in_itself_again_is_found_by_what_was_given_out(
    lived: Lived, lines: list[str], tried: Tried, record_property: Callable[[str, object], None]
) -> None:
    rows = rows_of(lines)
    for number in range(FORGED):
        random = Random(number)  # noqa: S311
        forge = FORGERIES[number % len(FORGERIES)]
        tampered = forge(rows, random)
        require_found(_verified(lived, tampered.lines).findings, tampered.what, tampered.at, number)
        without = without_checkpoints(tampered.lines)
        require_found(_verified(lived, without).findings, tampered.what, tampered.at, number)
        tried["an export, hashed anew without the key", forge.__name__] += 1
    record_property("exports hashed anew without the key, each found and located", FORGED)


def _first_line(lines: list[str], **changed: str) -> list[str]:
    return [written([{**json.loads(lines[0]), **changed}, {"row": "end"}])[0], *lines[1:]]


LONG_AGO = "2020-01-01T00:00:00.000000Z"


def test_an_earlier_time_on_the_first_line_is_found_and_hides_nothing(
    lived: Lived, lines: list[str]
) -> None:
    """Then all that was given out is of a time after the export, and is compared all the same."""
    [found] = _verified(lived, _first_line(lines, at=LONG_AGO)).findings
    assert (found.line, found.where) == (1, "the beginning")
    assert found.what.startswith(f"it says that it was made at {LONG_AGO}, and holds what was")
    for forge in (move_a_time, tell_another_origin):
        forged = forge(rows_of(lines), Random(1))  # noqa: S311
        earlier = _first_line(without_checkpoints(forged.lines), at=LONG_AGO)
        require_found(_verified(lived, earlier).findings, forged.what, forged.at, 1)


def test_a_row_of_no_time_is_named_and_ends_nothing(lived: Lived, lines: list[str]) -> None:
    """No minute is the 75th; it sorts behind all that are."""
    rows = deepcopy(rows_of(lines))
    last = max((row for row in rows if row.get("row") == "message"), key=lambda row: row["at"])
    last["at"] = f"{last['at'][:14]}75{last['at'][16:]}"
    assert last["key"] in {
        one.where.split()[-1] for one in _verified(lived, written(rows)).findings
    }


def test_another_name_on_the_first_line_is_found(lived: Lived, lines: list[str]) -> None:
    [found] = _verified(lived, _first_line(lines, origin="casino.example/another")).findings
    assert found.line == 1
    assert found.what == (
        f'it is of "casino.example/another", and the keys are of {lived.key.name}'
    )


def test_what_is_later_than_the_export_need_not_be_in_it(lived: Lived, lines: list[str]) -> None:
    """An export of an earlier day is compared with the logs of today."""
    cut = cut_the_tail(rows_of(lines), Random(2))  # noqa: S311
    last = max(row["at"] for row in rows_of(cut.lines) if row.get("row") == "message")
    verifier = _verified(lived, _first_line(cut.lines, at=last))
    assert sentences(verifier.findings) == []
    told = list(verifier.not_checked())
    assert any("checkpoints are of a time after this export" in sentence for sentence in told)
    assert any("receipts are of a time after this export" in sentence for sentence in told)


def test_an_answer_that_says_otherwise_than_its_entry_is_itself_named(
    lived: Lived, lines: list[str]
) -> None:
    """The entry is in the chain, and the answer names its hash: the answer is what is wrong."""
    rows = deepcopy(rows_of(lines))
    message = next(row for row in rows if '"kind":"credit"' in row.get("answer", ""))
    answer = json.loads(message["answer"])
    answer["entries"][0]["amount"] += 1
    message["answer"] = json.dumps(answer, sort_keys=True, separators=(",", ":"))
    first = verified(written(rows), (lived.key,), "", "").findings[0]
    assert first.where == f"message {message['key']}"
    assert "its answer says amount" in first.what


def test_a_message_that_is_struck_off_its_list_too_is_missed_by_the_checkpoint(
    lived: Lived, lines: list[str]
) -> None:
    rows = rows_of(lines)
    for gone in [row for row in rows if str(row.get("key")).startswith("staff:")]:
        forged = deepcopy([row for row in rows if row is not gone])
        [holder] = [row for row in forged if f"{gone['key']} " in row.get("messages", "")]
        kept = [line for line in holder["messages"].splitlines(True) if gone["key"] not in line]
        holder["messages"] = "".join(kept)
        first = _verified(lived, written(forged)).findings[0]
        assert first.where == f"checkpoint {holder['number']}"
        assert "list of messages" in first.what


def test_of_two_rows_that_contradict_each_other_both_are_named(
    lived: Lived, lines: list[str]
) -> None:
    rows = rows_of(lines)
    checkpoint = next(n for n, row in enumerate(rows) if row.get("row") == "checkpoint")
    message = next(n for n, row in enumerate(rows) if row.get("row") == "message")
    swapped = list(rows)
    swapped[checkpoint], swapped[message] = rows[message], rows[checkpoint]
    first = _verified(lived, written(swapped)).findings[0]
    assert rows[message]["key"] in f"{first.where} {first.what}"

    for number, row in enumerate(rows):
        if '"prizes":[{' in row.get("answer", ""):
            answer = json.loads(row["answer"])
            answer["prizes"][0]["amount"] += 10_000
            told = json.dumps(answer, sort_keys=True, separators=(",", ":"))
            other = [*rows[:number], {**row, "answer": told}, *rows[number + 1 :]]
            first = _verified(lived, written(other)).findings[0]
            assert row["key"] in f"{first.where} {first.what}"


def test_an_end_that_follows_a_wrong_row_is_still_the_end(lived: Lived, lines: list[str]) -> None:
    rows = rows_of(lines)
    made = next(row for row in rows if 'entries":[{' in row.get("answer", ""))
    moved = [*(row for row in rows[:-1] if row is not made), made, rows[-1]]
    found = _verified(lived, written(moved)).findings
    assert [one.what for one in found if "cut off" in one.what] == []


@pytest.mark.parametrize("forge", FORGERIES)
def test_without_what_was_given_out_a_perfect_forgery_is_not_found(
    lines: list[str], forge: Callable[[list[Row], Random], Tampered]
) -> None:
    """So the test above proves something: the forgeries are without a fault of their own."""
    tampered = forge(rows_of(lines), Random(1))  # noqa: S311
    assert sentences(verified(without_checkpoints(tampered.lines)).findings) == []


def test_a_tamper_that_changes_nothing_would_be_noticed(lived: Lived, lines: list[str]) -> None:
    """The proof can fail: a tamper that nobody finds, and one that is found elsewhere."""
    with pytest.raises(AssertionError, match="not found"):
        require_found(_verified(lived, lines).findings, "nothing", (), 0)
    without_one = [*lines[:20], *lines[21:]]
    findings = _verified(lived, without_one).findings
    with pytest.raises(AssertionError, match="not located"):
        require_found(findings, "a row away", ["meter x seq 1"], 0)
