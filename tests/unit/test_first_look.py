"""The first look at mutants kills what a test notices, and nothing by what a mutant left behind."""

from tests.mutation.first_look import first_look

TESTS = {"adds": 0.1, "adds slowly": 0.1, "adds at leisure": 1.0}


class Sum:
    """A program whose mutants add wrongly, never end, or spoil what comes after them."""

    def __init__(self) -> None:
        self._mutant = ""
        self._spoilt = False

    def become(self, mutant: str) -> None:
        self._mutant = mutant

    def fails(self, test: str) -> bool:
        while self._mutant == "endless":
            pass
        self._spoilt |= self._mutant == "spoils"
        return self._spoilt or self._mutant == f"wrong in {test}"


def test_a_mutant_is_killed_by_the_test_that_notices_it() -> None:
    mutants = ["wrong in adds", "the same", "wrong in adds slowly"]
    assert first_look(Sum(), mutants, TESTS, []) == {
        "wrong in adds": "adds",
        "wrong in adds slowly": "adds slowly",
    }


def test_a_slow_test_is_tried_only_where_it_has_killed_before() -> None:
    mutants = ["wrong in adds at leisure"]
    assert first_look(Sum(), mutants, TESTS, []) == {}
    assert first_look(Sum(), mutants, TESTS, ["adds at leisure"]) == {mutants[0]: "adds at leisure"}


def test_a_mutant_that_never_ends_is_left_to_a_process_of_its_own() -> None:
    found = first_look(Sum(), ["endless", "wrong in adds"], TESTS, [])
    assert found == {"wrong in adds": "adds"}


def test_nothing_counts_where_a_mutant_spoilt_the_clean_program() -> None:
    assert first_look(Sum(), ["spoils", "wrong in adds"], TESTS, []) == {}
