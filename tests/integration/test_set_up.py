"""The floor set up from nothing by command line, as ``docs/set-up.md`` tells it."""

import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.integration.programs import Environment, serving

PAGE = Path(__file__).parents[2] / "docs" / "set-up.md"
COMMANDS_MAX = 9


@dataclass
class Terminal:
    """Somebody who types what the page says."""

    env: Environment
    password: Path
    server: str = ""
    said: str = ""

    def type(self, command: str) -> str:
        """PROPOSAL on the page is what the command before has printed."""
        proposals = re.findall(r"Proposed as (\S+)\.", self.said) or ["PROPOSAL"]
        arguments = shlex.split(command.replace("PROPOSAL", proposals[-1]))[1:]
        if "login" in arguments or "create-first" in arguments:
            arguments += ["--password-file", str(self.password)]
        if "login" in arguments:
            arguments += ["--server", self.server]
        ended = subprocess.run(
            [sys.executable, "-m", "meter_server", *arguments],
            env=self.env,
            input=self.password.read_text(),
            start_new_session=True,  # without a terminal, a password is read from the input
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert ended.returncode == 0, f"{command}: {ended.stderr}"
        self.said += ended.stdout
        return ended.stdout


def test_the_floor_is_set_up_by_the_commands_of_the_page(
    env: Environment, log: Path, tmp_path: Path
) -> None:
    password = tmp_path / "password"
    password.write_text("nine purple elephants\n")
    terminal = Terminal({**env, "XDG_CONFIG_HOME": str(tmp_path)}, password)
    page = PAGE.read_text(encoding="utf-8")
    commands = re.findall(r"^    (meter-server .+)$", page, re.MULTILINE)
    assert len(commands) <= COMMANDS_MAX
    serve = commands.index("meter-server serve")

    for command in commands[:serve]:
        terminal.type(command)
    with serving(env, log) as port:
        terminal.server = f"http://127.0.0.1:{port}"
        for command in commands[serve + 1 :]:
            terminal.type(command)
        [system] = json.loads(terminal.type("meter-server system list --json"))

    assert "Carried out: open-system, proposed by 4001." in terminal.said
    assert (system["system"], system["value_cents"]) == ("main", 20_000 * 500)
    assert system["tables"] == ["T1", "T2", "T3"]
    sessions = list((tmp_path / "prize-meter" / "sessions").iterdir())
    assert sorted(file.name for file in sessions) == ["3001.json", "4001.json"]
    assert {file.stat().st_mode & 0o777 for file in sessions} == {0o600}
