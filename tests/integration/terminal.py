"""A terminal in the back office, at which people type `meter-server`."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.integration.office import COLLEAGUES, PASSWORD, ROLES, Office
from tests.integration.programs import run

MANAGER = "assistant-casino-manager"


@dataclass
class Terminal:
    """A manager's, signed in to the server with a colleague."""

    env: dict[str, str]

    @classmethod
    def signed_in(cls, office: Office, path: Path) -> "Terminal":
        terminal = cls({**os.environ, "XDG_CONFIG_HOME": str(path / "config")})
        password = path / "password"
        password.write_text(PASSWORD)
        server = ("--server", f"http://127.0.0.1:{office.port}")
        for number in (COLLEAGUES[MANAGER], ROLES[MANAGER]):
            terminal.type("login", number, *server, "--password-file", str(password))
        return terminal

    def ask(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return run(self.env, *words)

    def type(self, *words: str) -> str:
        ended = self.ask(*words)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def is_refused(self, *words: str) -> str:
        ended = self.ask(*words)
        assert (ended.returncode, ended.stdout) == (2, ""), ended
        return ended.stderr
