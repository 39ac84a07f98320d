"""Breaks the rules in thousands of small ways and sees whether the tests notice.

`python -m tests.mutation` writes docs/proof/mutation.md. It fails when too many changes stay
unseen, or one that nobody has explained. With `--keep FOLDER` a run that was interrupted, or whose
survivors have new tests, goes on where it was: only what was not killed yet is judged.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path

from tests.mutation import report, results, tree


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="go on with the run kept there")
    keep: Path | None = parser.parse_args().keep
    if keep is not None:
        return _run(keep.resolve())
    with tempfile.TemporaryDirectory(prefix="prize-meter-mutants-") as folder:
        return _run(Path(folder))


def _run(folder: Path) -> int:
    tree.copy_to(folder)
    with chdir(folder):
        kept = results.keep_kills_only()
    started = time.monotonic()
    code = _mutmut(folder)
    seconds = round(time.monotonic() - started)
    if code:
        return code
    with chdir(folder):
        found = results.read()
    page = report.render(found, seconds, kept)
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
