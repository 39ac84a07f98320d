"""What mutmut found, read where it left it."""

from dataclasses import dataclass

from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

KILLED = "killed"
TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Mutant:
    module: str
    function: str
    status: str
    change: str
    """The lines of the function that differ; only told of a mutant that nothing noticed."""


def read() -> list[Mutant]:
    """Every mutant of the run whose folder is the current one."""
    found = []
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for key, code in data.exit_code_by_key.items():
            status = status_by_exit_code[code]
            seen = status in (KILLED, TIMEOUT)
            change = "" if seen else _change(get_diff_for_mutant(key, path=path))
            found.append(Mutant(_module(key), _function(key), status, change))
    return found


def keep_kills_only() -> int:
    """Forget every verdict but a kill, which no later test takes back; answers how many stay."""
    kept = 0
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        if data.exit_code_by_key:
            data.exit_code_by_key = {
                key: code if status_by_exit_code[code] == KILLED else None
                for key, code in data.exit_code_by_key.items()
            }
            data.save()
            kept += sum(code is not None for code in data.exit_code_by_key.values())
    return kept


def _module(key: str) -> str:
    return key.rpartition(".")[0].removeprefix("meter_server.domain.")


def _function(key: str) -> str:
    function, class_name = orig_function_and_class_names_from_key(key)
    return f"{class_name}.{function}" if class_name else function


def _change(diff: str) -> str:
    changed = [
        f"{line[0]} {line[1:].strip()}"
        for line in diff.splitlines()
        if line[:1] in "+-" and not line.startswith(("+++", "---"))
    ]
    return "\n".join(changed)
