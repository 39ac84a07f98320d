"""The rules map is fresh and honest, and each check of it can fail."""

from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

from meter_server.domain.requirements import REGISTER
from meter_server.domain.requirements.row import DOCUMENTS, INFERRED
from tests.rules_map.faults import faults, half_served_rows, uncollected_markers, unknown_keys
from tests.rules_map.keys import cited_in
from tests.rules_map.page import PATH, render
from tests.rules_map.scan import Mention, citations, markers

ROOT = Path(__file__).resolve().parents[2]


# The repository itself


def test_the_checked_in_map_is_what_the_code_says_today() -> None:
    fresh = render(citations(ROOT), markers(ROOT))
    checked_in = (ROOT / PATH).read_text(encoding="utf-8")
    assert checked_in == fresh, "Run `python -m tests.rules_map` and commit the page."


def test_every_citation_and_marker_points_to_something() -> None:
    found = faults(citations(ROOT), markers(ROOT))
    assert not found, "\n".join(found)


# The register


def test_keys_are_numbered_without_gap_or_repeat() -> None:
    numbers: dict[str, list[int]] = {}
    for row in REGISTER:
        prefix, _, number = row.key.rpartition("-")
        numbers.setdefault(prefix, []).append(int(number))
    assert {prefix: sorted(found) for prefix, found in numbers.items()} == {
        prefix: list(range(1, count + 1)) for prefix, count in ROWS.items()
    }


ROWS = Counter(
    {"SYS": 10, "WAG": 9, "MET": 6, "SET": 13, "BON": 2, "IRR": 4, "TRN": 2, "BPZ": 2}
    | {"HND": 6, "SGN": 7, "AUD": 3, "AUT": 18, "CASE": 26, "A": 59}
)


def test_every_row_cites_a_named_document_or_says_that_it_is_inferred() -> None:
    named = (*DOCUMENTS, INFERRED)
    assert [row.key for row in REGISTER if not any(name in row.cites for name in named)] == []


def test_readings_and_only_readings_say_how_they_are_read() -> None:
    assert [row.key for row in REGISTER if bool(row.reading) != row.key.startswith("A-")] == []


def test_rows_fit_one_cell_of_a_table() -> None:
    texts = {row.key: row.says + row.cites + row.reading for row in REGISTER}
    assert [key for key, text in texts.items() if "|" in text or "\n" in text] == []


# Keys in prose


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("reverses once (A-18).", ["A-18"]),
        ("A-1 is not A-15", ["A-1", "A-15"]),
        ("SET-10, SET-1", ["SET-10", "SET-1"]),
        ("SYS-1…3", ["SYS-1", "SYS-2", "SYS-3"]),
        ("SYS-9 ... SYS-11", ["SYS-9", "SYS-10", "SYS-11"]),
        ("A-12/A-13", ["A-12", "A-13"]),
        ("CASE-3", ["CASE-3"]),
        ("MET-5…2", ["MET-5…2"]),
        ("the wheel A-2-3-4-5 and A-K-Q", []),
        ("UTF-8, SHA-256, ALPHA-1, XA-1, a-1, A-1b, A-1_000", []),
    ],
)
def test_keys_are_found_exactly(text: str, keys: list[str]) -> None:
    assert list(cited_in(text)) == keys


# Attribution, on a small sample tree


CODE = '''
"""The module decides MET-1."""

# Above a constant: MET-2.
STEP = 5

RATES = {
    "one": 1,  # Beside a value: MET-3.
}
"""Below a constant: MET-4."""

# On its own: MET-5.
# And its second line.


# Above a decorator: SET-1.
@decorated
def settle(hands):
    """First line.

    Later line: SET-2…3.
    """

    def inner():
        # Above a statement: SET-4.
        return f"refused: {hands} (SET-5)"


class Kind:
    """SET-6."""

    CREDIT = "credit"  # SET-7
    if True:

        async def credit(self):
            pass  # SET-8
'''


def sample(root: Path, path: str, source: str) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(source), encoding="utf-8")
    return root


def test_a_citation_belongs_to_the_innermost_named_thing(tmp_path: Path) -> None:
    cited = citations(sample(tmp_path, "table_agent/meter.py", CODE))
    assert {(mention.key, mention.name) for mention in cited} == {
        ("MET-1", ""),
        ("MET-2", "STEP"),
        ("MET-3", "RATES"),
        ("MET-4", "RATES"),
        ("MET-5", ""),
        ("SET-1", "settle"),
        ("SET-2", "settle"),
        ("SET-3", "settle"),
        ("SET-4", "settle.inner"),
        ("SET-5", "settle.inner"),
        ("SET-6", "Kind"),
        ("SET-7", "Kind.CREDIT"),
        ("SET-8", "Kind.credit"),
    }


def test_the_register_and_the_tests_are_not_code_that_decides(tmp_path: Path) -> None:
    sample(tmp_path, "meter_server/domain/requirements/row.py", '"""SYS-1"""')
    sample(tmp_path, "tests/unit/test_meter.py", '"""SYS-2"""')
    assert citations(tmp_path) == set()


TESTS = """
    import pytest
    from tests.rules import rule

    pytestmark = [rule("SYS-1"), pytest.mark.slow]

    @rule("SYS-2", "A-35")
    def test_sign(): ...

    class TestClosure:
        @pytest.mark.rule("SYS-8")
        def test_last_sign(self): ...

    @pytest.mark.parametrize("case", [pytest.param(1, marks=rule("CASE-1"))])
    def test_case(case): ...

    def test_only_talks_about_it():
        "SYS-3"
"""


def test_markers_are_found_wherever_pytest_takes_them(tmp_path: Path) -> None:
    marked = markers(sample(tmp_path, "tests/unit/test_floor.py", TESTS))
    assert {(mention.key, mention.name) for mention in marked} == {
        ("SYS-1", "pytestmark"),
        ("SYS-2", "test_sign"),
        ("A-35", "test_sign"),
        ("SYS-8", "TestClosure.test_last_sign"),
        ("CASE-1", "test_case"),
    }


def test_the_header_of_a_scenario_is_its_marker(tmp_path: Path) -> None:
    told = "scenario: A carry\nrules: CASE-1 A-17\n\nscenario: Another\nrules: A-18\n10:00 x"
    marked = markers(sample(tmp_path, "tests/scenarios/floor/carries.scenario", told))
    assert {(mention.key, mention.name) for mention in marked} == {
        ("CASE-1", "A carry"),
        ("A-17", "A carry"),
        ("A-18", "Another"),
    }
    assert list(uncollected_markers(marked)) == []


# Each check, on a sample that must fail


def test_an_unknown_key_in_code_is_a_fault(tmp_path: Path) -> None:
    cited = citations(sample(tmp_path, "signage/screen.py", '"""Blank when stale (SGN-8)."""'))
    [fault] = unknown_keys(cited)
    assert fault.startswith("signage/screen.py (module) names SGN-8, which the register")


@pytest.mark.parametrize("argument", ['"A-60"', 'f"A-{1}"', "*KEYS", '"SYS-1…3"'])
def test_a_marker_that_names_no_key_is_a_fault(tmp_path: Path, argument: str) -> None:
    marked = markers(sample(tmp_path, "tests/test_x.py", f"@rule({argument})\ndef test_x(): ..."))
    assert len(list(unknown_keys(marked))) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tests/unit/test_x.py", '@rule("A-1")\ndef helper(): ...'),
        ("tests/unit/helpers.py", '@rule("A-1")\ndef test_never_collected(): ...'),
        ("tests/scenarios/floor/a.scenario", "rules: A-1\nscenario: Its rules come too early"),
    ],
)
def test_a_marker_on_what_never_runs_is_a_fault(tmp_path: Path, path: str, source: str) -> None:
    marked = markers(sample(tmp_path, path, source))
    assert len(list(uncollected_markers(marked))) == 1


def test_code_without_a_test_and_a_test_without_code_are_faults(tmp_path: Path) -> None:
    sample(tmp_path, "meter_server/domain/meter.py", "# A-1 and A-15\nM = 1")
    sample(tmp_path, "tests/unit/test_x.py", '@rule("A-15", "A-2")\ndef test_x(): ...')
    assert list(half_served_rows(citations(tmp_path), markers(tmp_path))) == [
        'A-1 is decided by code but no test carries @rule("A-1"); add one.',
        "A-2 is proved by tests but no code cites it; cite it where it is decided.",
    ]


def test_no_kind_of_fault_is_left_out_of_the_sum() -> None:
    decided, misplaced = Mention("A-1", "signage/a.py", "f"), Mention("A-1", "tests/a.py", "f")
    cited, marked = Mention("A-60", "signage/a.py", "f"), Mention("A-60", "test_a.py", "test_f")
    untested = Mention("A-2", "signage/a.py", "f")
    assert len(faults({decided, cited, untested}, {misplaced, marked})) == 4


# The page


def test_a_row_links_its_code_and_its_tests() -> None:
    page = render(
        {Mention("SYS-7", "meter_server/domain/floor/__init__.py", "Notice.served")},
        {Mention("SYS-7", "tests/unit/test_floor.py", "test_20_minutes")},
    )
    row = next(line for line in page.splitlines() if line.startswith("| SYS-7 "))
    assert row.endswith(
        "| [`meter_server.domain.floor.Notice.served`](../meter_server/domain/floor/__init__.py) "
        "| [`unit/test_floor.py::test_20_minutes`](../tests/unit/test_floor.py) |"
    )
    assert "| **all** | 167 | 1 | 166 |" in page


def test_a_row_that_no_code_cites_is_planned() -> None:
    page = render({Mention("A-15", "signage/a.py", "f")}, set())
    row = next(line for line in page.splitlines() if line.startswith("| A-1 "))
    assert "| *planned* |" in row
