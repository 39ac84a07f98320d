"""A full collection goes through what came after the start, not through all that was loaded."""

import subprocess
import sys

_LOOK = """
import gc
from meter_server import bootstrap
from meter_server.cli import serve
bootstrap.web_application = lambda: "made"
before = len(gc.get_objects())
assert serve.application() == "made"
print(before, len(gc.get_objects()), gc.get_threshold()[0])
"""


def test_what_is_loaded_is_not_gone_through_again() -> None:
    command = [sys.executable, "-c", _LOOK]  # in a process of its own: it cannot be taken back
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    before, after, collected_after = map(int, told.stdout.split())
    assert before > 10_000
    assert after < 100
    assert collected_after == 20_000
