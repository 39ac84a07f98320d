"""How often a test repeats itself: a little in `make test`, fully in `make prove`."""

import os

FULL = os.environ.get("PROVE") == "1"


def count(reduced: int, full: int) -> int:
    return full if FULL else reduced
