"""What pytest and mutmut are told when mutmut tests this program, and only then.

mutmut starts pytest anew for every mutant, which takes longer than the tests do. Here the tests are
collected once; every mutant's process is a fork of the one that holds them, and runs them directly.
Most mutants do not even need one of their own: see `first_look`.
"""

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
from mutmut.mutation import trampoline
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.utils.format_utils import mangled_name_from_mutant_name
from mutmut.workers import isolation
from mutmut.workers.isolation import ForkRunner, MutantResult

from tests.mutation.first_look import Kills, first_look

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
_first_looks: dict[str, Kills] = {}


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
        # Nobody reads why a mutant fails; the long form takes longer than the test.
        session.config.option.tbstyle = "native"


def _run_tests(self: PytestRunner, *, mutant_name: str | None, tests: Iterable[str]) -> int:
    """mutmut's question to each mutant's process, and first of all to the clean program."""
    if mutant_name is not None:
        function = mangled_name_from_mutant_name(mutant_name)
        if _runs_only_at_import(function):
            _forget_modules()
            code = _run_with_pytest(self, mutant_name=mutant_name, tests=_TESTS_OF_TABLES)
            # Interrupted: under the mutant the modules cannot even be imported.
            return 1 if code == pytest.ExitCode.INTERRUPTED else code
        _forget_answers(function.rpartition(".")[0])
        return int(_is_killed(function, list(tests)))
    return int(any(map(_fails, tests or _collected)))


def _runs_only_at_import(function: str) -> bool:
    """mutmut counts an import for the first test, whichever it is."""
    return function in _run_at_import and len(state().tests_by_mangled_function_name[function]) == 1


def _is_killed(function: str, tests: list[str]) -> bool:
    """What killed one mutant of a function most often kills the next, so that is tried first."""
    for test in dict.fromkeys([*reversed(_killers(function, tests)), *tests]):
        if _fails(test):
            _note(function, [test])
            return True
    return False


def _killers(function: str, tests: Iterable[str]) -> list[str]:
    notes = _KILLERS / function
    noted = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    return [test for test in reversed(dict.fromkeys(reversed(noted))) if test in tests]


def _note(function: str, killers: Iterable[str]) -> None:
    _KILLERS.mkdir(exist_ok=True)
    with (_KILLERS / function).open("a", encoding="utf-8") as noted:
        noted.writelines(f"{test}\n" for test in killers)


class _Function:
    """One function of the program, whose mutants are tried in this process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module, _, self._inside = name.rpartition(".")

    def mutants(self) -> list[str]:
        found = vars(sys.modules[self.module])[f"mutants_{self._inside}__mutmut"]
        return [f"{self.module}.{mutant}" for mutant in found if mutant != "_mutmut_orig"]

    def become(self, mutant: str) -> None:
        trampoline.set_mutant_under_test(mutant)
        _forget_answers(self.module)

    def fails(self, test: str) -> bool:
        return _fails(test)


def _submit(
    self: ForkRunner, mutant_name: str, tests: list[str], cpu_time_limit: int, estimated_time: float
) -> None:
    """What the first look has killed needs no process of its own."""
    name = mangled_name_from_mutant_name(mutant_name)
    if name not in _first_looks and not _runs_only_at_import(name):
        function, seconds = _Function(name), state().duration_by_test
        in_order = {test: seconds[test] for test in sorted(tests, key=seconds.__getitem__)}
        looked = first_look(function, function.mutants(), in_order, _killers(name, tests))
        _first_looks[name] = looked
        _note(name, dict.fromkeys(looked.values()))
    if mutant_name in _first_looks.get(name, {}):
        self._no_tests_results.append(MutantResult(mutant_name, exit_code=1, duration=0.0))
    else:
        _submit_alone(self, mutant_name, tests, cpu_time_limit, estimated_time)


def _has_capacity(self: ForkRunner) -> bool:
    return not self._no_tests_results and _has_a_process(self)


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
# Every function of the program asks which mutant it is: without a look into the environment.
trampoline.get_mutant_under_test = lambda: trampoline._mutant_under_test or ""
_run_with_pytest = PytestRunner.run_tests
PytestRunner.run_tests = _run_tests  # type: ignore[method-assign]
_submit_alone = ForkRunner.submit
ForkRunner.submit = _submit  # type: ignore[method-assign]
_has_a_process = ForkRunner.has_capacity
ForkRunner.has_capacity = _has_capacity  # type: ignore[method-assign]
