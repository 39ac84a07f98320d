"""All mutants of one function in one process, before each has a process of its own.

To fork and to end a process takes longer than most kills. Here one fork tries the mutants of a
function one after the other on its killers and its quickest tests. At the end the clean program
must pass whatever killed: a mutant might have left something behind, and then none of it counts.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol

_SECONDS_A_MUTANT = 0.3
"""What the tests tried on one mutant may take; what needs more is left to its own process."""
_ENDLESS_SECONDS = 2.0

Kills = dict[str, str]
"""The test that killed a mutant, by the mutant's name."""


class Program(Protocol):
    """The program in this process, and its tests."""

    def become(self, mutant: str) -> None:
        """Go on as this mutant, or without a name as the clean program."""

    def fails(self, test: str) -> bool: ...


def first_look(
    program: Program, mutants: list[str], tests: dict[str, float], killers: list[str]
) -> Kills:
    """``tests`` has the seconds of each, the quickest first; the last killer is tried first."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            with Path(os.devnull).open("w", encoding="utf-8") as sys.stdout:
                kills = _kills(program, mutants, _quick(tests), killers)
                program.become("")
                whole = not any(map(program.fails, dict.fromkeys(kills.values())))
            with os.fdopen(write, "w", encoding="utf-8") as answer:
                json.dump(kills if whole else {}, answer)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return dict(json.loads(told)) if told else {}


def _quick(tests: dict[str, float]) -> list[str]:
    found, seconds = [], 0.0
    for test, takes in tests.items():
        seconds += takes
        if seconds > _SECONDS_A_MUTANT:
            break
        found.append(test)
    return found


def _kills(program: Program, mutants: list[str], quick: list[str], killers: list[str]) -> Kills:
    found: Kills = {}
    for mutant in mutants:
        program.become(mutant)
        for test in dict.fromkeys([*reversed(killers), *quick]):
            with _watched() as is_endless:
                failed = program.fails(test)
            if is_endless():
                break
            if failed:
                found[mutant] = test
                killers = [*(killer for killer in killers if killer != test), test]
                break
    return found


class _Endless(BaseException):
    pass


@contextmanager
def _watched() -> Iterator[Callable[[], bool]]:
    """A test that takes too much processor time is broken off, and decides nothing here."""
    ended = []

    def end(_number: int, _frame: FrameType | None) -> None:
        ended.append(True)
        raise _Endless

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, _ENDLESS_SECONDS)
    try:
        yield lambda: bool(ended)
    except _Endless:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
