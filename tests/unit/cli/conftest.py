"""``meter-server`` as typed at a terminal."""

import sys

import pytest

from meter_server.cli import main
from tests.unit.cli.program import Program, Typed


@pytest.fixture
def meter_server(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """Runs ``meter-server`` with a command line, in this process."""

    def run(*arguments: str) -> Typed:
        monkeypatch.setattr(sys, "argv", ["meter-server", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        return Typed(left.value.code, *capsys.readouterr())

    return run
