"""Starts agents from a process that has their code in memory already.

python -m tests.integration.agent.starter LOG: every line read is the arguments of one agent, as
JSON; its process id is told at once, and ``gone`` when it is. Importing everything again would be
most of the time of a thousand starts, and an agent that still imports has nothing to lose.
"""

import json
import os
import sys
from pathlib import Path

from table_agent import cli


def main(log: Path) -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(json.loads(line), log)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)


def _become(arguments: list[str], log: Path) -> None:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    sys.argv = ["table-agent", *arguments]
    cli.main()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
