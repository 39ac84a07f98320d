"""Processes that never outlive the one who started them, and are never mistaken for others."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from deploy.demo.accounts import Account

STOP_SECONDS_MAX = 20.0
ASK_AGAIN_SECONDS = 2.0
POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Program:
    """What to run, how to tell that it is ready, and how to ask it to stop."""

    name: str
    command: Sequence[str]
    folder: Path
    log: Path
    is_ready: Callable[[], bool]
    stop_signal: signal.Signals = signal.SIGTERM
    account: Account | None = None


@dataclass(frozen=True)
class Birth:
    """Names one process for ever: a process id alone is given out again."""

    pid: int
    boot: str
    ticks: int


@dataclass(frozen=True)
class Recorded:
    """Enough to end a process in a later run, and to end no other."""

    birth: Birth
    stop_signal: int


def leashed(
    command: Sequence[str], stop_signal: signal.Signals, account: Account | None
) -> list[str]:
    """The command under a leash: the kernel sends it the stop signal when we die, however we die.

    The leash is put on after the change of user, which would take it off again. The shell gives up
    when we died before the leash was on.
    """
    become = []
    if account is not None:
        become = [f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"]
    still_ours = 'test "$PPID" -eq "$0" && exec "$@"'
    return [
        "setpriv",
        *become,
        f"--pdeathsig={stop_signal.name.removeprefix('SIG')}",
        "--",
        *("sh", "-c", still_ours, str(os.getpid())),
        *command,
    ]


def start(program: Program) -> subprocess.Popen[bytes]:
    """Start in a session of its own, so that Ctrl-C reaches only us and we choose the order."""
    with program.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own programs
            leashed(program.command, program.stop_signal, program.account),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=program.folder,
        )


def ask_to_stop(process: subprocess.Popen[bytes], stop_signal: signal.Signals) -> None:
    if process.poll() is None:
        process.send_signal(stop_signal)


def stop(process: subprocess.Popen[bytes], stop_signal: signal.Signals) -> None:
    """Ask, and see to it that it ends."""
    ask_to_stop(process, stop_signal)
    see_end(process)


def see_end(process: subprocess.Popen[bytes]) -> None:
    """Of one that was asked: wait, and insist; then clear away what it left of its own children.

    A child that was too young to hear its parent's word is asked again: a web server that is told
    to stop while its workers still start waits for them for ever.
    """
    deadline = time.monotonic() + STOP_SECONDS_MAX
    while process.poll() is None:
        if time.monotonic() > deadline:
            process.kill()
        with suppress(subprocess.TimeoutExpired):
            process.wait(ASK_AGAIN_SECONDS)
            break
        for child in _session_members(process.pid):
            if child.pid != process.pid:
                _signal(child.pid, signal.SIGTERM)
    sweep(process.pid)


def sweep(session: int) -> None:
    """End what is left of the session of a process that has ended."""
    _end(lambda: [birth.pid for birth in _session_members(session)], signal.SIGTERM)


def birth_of(pid: int) -> Birth | None:
    """None when there is no such process, or only its remains."""
    found = _stat(pid)
    return None if found is None else found[0]


def record(running: Sequence[Recorded], file: Path) -> None:
    """Written whole or not at all, for the next run to find what a killed one left behind."""
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps([asdict(entry) for entry in running]))
    fresh.replace(file)


def end_recorded(file: Path) -> None:
    """End what an earlier run started and a kill -9 left behind, last started first."""
    if not file.exists():
        return
    for entry in reversed(json.loads(file.read_text() or "[]")):
        remains = partial(_remains_of, Birth(**entry["birth"]))
        _end(remains, signal.Signals(entry["stop_signal"]))
    file.unlink()


def _remains_of(leader: Birth) -> list[int]:
    """The process itself, or what is left of its session; never a later owner of its number."""
    now = birth_of(leader.pid)
    if leader.boot != _boot() or now not in (leader, None):
        return []
    if now == leader:
        return [leader.pid]
    return [member.pid for member in _session_members(leader.pid) if member.ticks >= leader.ticks]


def _end(remaining: Callable[[], list[int]], stop_signal: signal.Signals) -> None:
    deadline = time.monotonic() + STOP_SECONDS_MAX
    asked: set[int] = set()
    while pids := remaining():
        late = time.monotonic() > deadline
        for pid in pids:
            if late or pid not in asked:
                _signal(pid, signal.SIGKILL if late else stop_signal)
                asked.add(pid)
        time.sleep(POLL_SECONDS)


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # It may end between the look and the signal.
        os.kill(pid, number)


def _session_members(session: int) -> list[Birth]:
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [found[0] for pid in pids if (found := _stat(pid)) is not None and found[1] == session]


def _stat(pid: int) -> tuple[Birth, int] | None:
    """The birth and the session of a living process, from the kernel's own table."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, _parent, _group, session, *rest = text.rpartition(")")[2].split()
    if state in "ZX":
        return None
    return Birth(pid, _boot(), int(rest[15])), int(session)


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
