"""What pytest and mutmut are told when mutmut tests this program, and only then.

mutmut starts pytest anew for every mutant, which takes longer than the tests do. Here the tests are
collected once; every mutant's process is a fork of the one that holds them, and runs them directly.
"""

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.utils.format_utils import mangled_name_from_mutant_name
from mutmut.workers import isolation

_LEFT_OUT = (
    # Minutes for each mutant; smaller tests of the same functions stay.
    "test_hands.py::test_all_hands_of_",
    # About the scenarios, not about what the rules answer.
    "test_scenarios.py::test_every_",
)

_TESTS_OF_TABLES = (
    "tests/unit/domain/test_authority_table.py",
    "tests/unit/domain/test_terms.py",
    "tests/scenarios/test_scenarios.py",
)
"""The rulebook's tables are made while their modules are imported."""

settings.register_profile(
    "mutation",
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=25,
    phases=[Phase.explicit, Phase.generate],  # The smallest counter-example interests nobody here.
)

# mutmut 3.8 reads a name that pytest 9 no longer has.
if not hasattr(pytest.Item, "_nodeid"):
    pytest.Item._nodeid = property(lambda item: item.nodeid)  # type: ignore[attr-defined]

_KILLERS = Path("killers").resolve()
"""Notes of one mutant's process for the next: which tests killed a function's mutants."""

_collected: dict[str, pytest.Item] = {}
_run_at_import: set[str] = set()


def pytest_collectstart(collector: pytest.Collector) -> None:
    """After the conftest files, which choose a profile of their own."""
    if isinstance(collector, pytest.Module):
        settings.load_profile("mutation")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if any(name in item.nodeid for name in _LEFT_OUT)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Remember what mutmut's first run finds: every test, and the functions that imports run."""
    if not _collected:
        _collected.update((item.nodeid, item) for item in session.items)
        _run_at_import.update(state()._stats)
        # Its end must not take away what the tests still need, such as folders for their files.
        session.config._cleanup_stack = ExitStack()


def _run_tests(self: PytestRunner, *, mutant_name: str | None, tests: Iterable[str]) -> int:
    """mutmut's question to each mutant's process, and first of all to the clean program."""
    if mutant_name is not None:
        function = mangled_name_from_mutant_name(mutant_name)
        if (
            function in _run_at_import
            and len(state().tests_by_mangled_function_name[function]) == 1
        ):
            # Nothing but an import runs it; mutmut counts that for the first test, whichever it is.
            _forget_modules()
            code = _run_with_pytest(self, mutant_name=mutant_name, tests=_TESTS_OF_TABLES)
            # Interrupted: under the mutant the modules cannot even be imported.
            return 1 if code == pytest.ExitCode.INTERRUPTED else code
        _forget_answers(function.rpartition(".")[0])
        return int(_is_killed(function, list(tests)))
    return int(any(map(_fails, tests or _collected)))


def _is_killed(function: str, tests: list[str]) -> bool:
    """What killed one mutant of a function most often kills the next, so that is tried first."""
    notes = _KILLERS / function
    killers = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    first = [test for test in dict.fromkeys(reversed(killers)) if test in tests]
    for test in dict.fromkeys([*first, *tests]):
        if _fails(test):
            _KILLERS.mkdir(exist_ok=True)
            with notes.open("a", encoding="utf-8") as noted:
                noted.write(f"{test}\n")
            return True
    return False


def _fails(test: str) -> bool:
    failures = [report for report in runtestprotocol(_collected[test], log=False) if report.failed]
    for report in failures:
        print(test, report.longreprtext)  # mutmut shows it when the clean program fails.
    return bool(failures)


def _forget_modules() -> None:
    for name in list(sys.modules):
        if name.startswith(("meter_server.domain.", "tests.")) and name != __name__:
            del sys.modules[name]


def _forget_answers(module: str) -> None:
    """A cached function would go on giving the clean program's answers."""
    for value in vars(sys.modules[module]).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


# A mutant that never ends is told by the processor time it takes, which mutmut limits too. By the
# clock a busy machine would look like one.
isolation.register_timeout = lambda *_, **__: None  # type: ignore[attr-defined]
_run_with_pytest = PytestRunner.run_tests
PytestRunner.run_tests = _run_tests  # type: ignore[method-assign]
