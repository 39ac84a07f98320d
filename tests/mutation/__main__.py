"""Breaks the rules in thousands of small ways and sees whether the tests notice.

`python -m tests.mutation` writes docs/proof/mutation.md. It fails when too many changes stay
unseen, or one that nobody has explained.
"""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path

from tests.mutation import report, results, tree


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="prize-meter-mutants-") as folder:
        tree.copy_to(Path(folder))
        started = time.monotonic()
        code = _mutmut(Path(folder))
        seconds = round(time.monotonic() - started)
        if code:
            return code
        with chdir(folder):
            found = results.read()
    page = report.render(found, seconds)
    report.PAGE.parent.mkdir(exist_ok=True)
    report.PAGE.write_text(page, encoding="utf-8")
    print(f"Wrote {report.PAGE}.")
    faults = report.faults(found)
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


def _mutmut(folder: Path) -> int:
    # The counts of a full run would only make each mutant slower, not more visible.
    environment = {name: value for name, value in os.environ.items() if name != "PROVE"}
    return subprocess.run(["mutmut", "run"], cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
