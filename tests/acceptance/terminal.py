"""A terminal in which somebody types the commands of the guide, and a picture of it."""

import html
import os
import pty
import re
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

from deploy.demo.guide import LOOK

COLUMNS, ROWS = 80, 25
PROMPT = "$ "
_AT_PROMPT = re.compile(r"(^|\n)\$ $")
_ASKS = re.compile(r"(Password.*|\[y/N\]): $")
_WRITTEN_OVER = re.compile(r"[^\n]*\r")
"""A bar that moved went back to the beginning of its line each time."""
_WAIT_SECONDS = 60.0
_LINES_MAX = 50
_PAGE = """<!doctype html>
<html lang="en-AU" data-theme="dark">
<title>Terminal</title>
<style>
  {tokens}
  body {{ margin: 0; padding: 16px 32px; background: var(--page); color: var(--text); }}
  pre {{ margin: 0; font: 25px/1.3 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }}
  b {{ color: var(--working); }}
  i {{ color: var(--quiet); }}
</style>
<pre>{lines}</pre>
"""


class Terminal:
    """A shell that a person sits at: whoever asks for a password gets it unseen."""

    def __init__(self, home: Path, environment: Mapping[str, str], **whose: Any) -> None:
        """``whose``: as which user, in the words of ``subprocess``."""
        self._keyboard, screen = pty.openpty()
        termios.tcsetwinsize(screen, (ROWS, COLUMNS))
        # A dumb terminal is told nothing but text.
        typist = {"HOME": str(home), "PS1": PROMPT, "TERM": "dumb"}
        self._shell = subprocess.Popen(
            ["setsid", "--ctty", "sh"],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            cwd=home,
            env={**environment, **typist},
            **whose,
        )
        os.close(screen)
        self._said = ""
        self._wait(_AT_PROMPT)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        """As when its window is closed."""
        os.close(self._keyboard)
        self._shell.wait(30)

    def type(self, line: str, *answers: str) -> str:
        """Type a line and answer what it asks, one after the other; gives what it said."""
        before = len(self._said)
        self._press(line)
        for answer in answers:
            self._wait(_ASKS)
            self._press(answer)
        self._wait(_AT_PROMPT)
        return self._said[before:].partition("\n")[2].removesuffix(PROMPT)

    def clear(self) -> None:
        self._said = PROMPT

    def page(self) -> str:
        """What is on it, as a page in the colours of the house."""
        said = html.escape(self._said.removesuffix(PROMPT).rstrip(), quote=False)
        typed = re.sub(r"^\$ .*$", r"<b>\g<0></b>", _in_short(said), flags=re.MULTILINE)
        tokens = (LOOK / "tokens.css").read_text(encoding="utf-8")
        return _PAGE.format(tokens=tokens, lines=typed)

    def _press(self, keys: str) -> None:
        os.write(self._keyboard, f"{keys}\n".encode())

    def _wait(self, end: re.Pattern[str]) -> None:
        began, read, text = monotonic(), b"", ""
        while not end.search(text):
            left = max(0, began + _WAIT_SECONDS - monotonic())
            assert select([self._keyboard], [], [], left)[0], self._said + text
            read += os.read(self._keyboard, 65_536)
            # A letter may have come by half.
            text = read.decode(errors="ignore").replace("\r\n", "\n")
        self._said += _WRITTEN_OVER.sub("", text)


def _in_short(said: str) -> str:
    """A picture higher than a page tells nobody anything: the middle of a long one is left out."""
    if said.count("\n") < _LINES_MAX:
        return said
    paragraphs = said.split("\n\n")
    left_out = "\n\n".join(paragraphs[2:-3]).count("\n") + 1
    return "\n\n".join([*paragraphs[:2], f"<i>({left_out} lines more)</i>", *paragraphs[-3:]])
