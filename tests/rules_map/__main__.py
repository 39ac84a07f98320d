"""Writes the map and reports faults: `python -m tests.rules_map`."""

import sys
from pathlib import Path

from tests.rules_map.faults import faults
from tests.rules_map.page import PATH, render
from tests.rules_map.scan import citations, markers

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    cited, marked = citations(ROOT), markers(ROOT)
    (ROOT / PATH).write_text(render(cited, marked), encoding="utf-8")
    found = faults(cited, marked)
    print(f"Wrote {PATH}; {len(found)} faults.", *found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
