"""Who is signed in at this terminal, kept in a file that only its owner can read."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from meter_server.cli.client import Api, Unauthorised
from meter_server.cli.output import Refusal

SERVER = "http://127.0.0.1:8470"

server_option = click.option(
    "--server", default=SERVER, show_default=True, help="Where the server is."
)


@dataclass(frozen=True)
class Saved:
    number: str
    server: str
    token: str


def acting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option ``--as`` and, first, what asks the server in that name."""

    # No argument of a command is called like this: click would let one overwrite the other.
    @click.option(
        "--as", "acting_as", help="The staff number to act under; else the last signed in."
    )
    @wraps(function)
    def act(acting_as: str | None, **arguments: Any) -> Any:
        saved = _saved(acting_as)
        try:
            return function(Api(saved.server, saved.token), **arguments)
        except Unauthorised as refused:
            _file(saved.number).unlink(missing_ok=True)
            raise Refusal(
                f"{refused.format_message()} Use 'meter-server login {saved.number}'."
            ) from None

    return act


def sign_in(server: str, number: str, password: str) -> dict[str, Any]:
    body = {"number": number, "password": password, "bearer": True}
    begun: dict[str, Any] = Api(server).post("/v1/session", body)
    _keep(Saved(number, server, begun["token"]))
    return begun


def sign_out(number: str | None) -> str:
    if number is not None and not _file(number).exists():
        raise Refusal(f"{number} is not signed in here.")
    saved = _saved(number)
    try:
        Api(saved.server, saved.token).delete("/v1/session")
    except Unauthorised:
        pass  # it had ended by itself
    finally:
        _file(saved.number).unlink(missing_ok=True)
    return saved.number


def ask_password(number: str, file: Path | None) -> str:
    if file is not None:
        return (file.read_text(encoding="utf-8").splitlines() or [""])[0]
    asked: str = click.prompt(f"Password of {number}", hide_input=True, err=True)
    return asked


def _saved(number: str | None) -> Saved:
    """The session of this number; one that is not signed in yet is asked for the password."""
    files = sorted(_folder().glob("*.json"), key=lambda file: file.stat().st_mtime)
    last = _read(files[-1]) if files else None
    if number is None:
        if last is None:
            raise Refusal("Nobody is signed in: use 'meter-server login NUMBER'.")
        return last
    file = _file(number)
    if not file.exists():
        server = SERVER if last is None else last.server
        sign_in(server, number, ask_password(number, None))
    return _read(file)


def _read(file: Path) -> Saved:
    try:
        return Saved(**json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        file.unlink()
        raise Refusal(
            f"The session of {file.stem} could not be read and was removed: sign in again."
        ) from None


def _keep(saved: Saved) -> None:
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = _file(saved.number).with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(json.dumps(asdict(saved)), encoding="utf-8")
    fresh.replace(_file(saved.number))


def _file(number: str) -> Path:
    # A number is letters, digits, dots and dashes; the server said so when it let the person in.
    if "/" in number:
        raise Refusal(f"'{number}' is not a staff number.")
    return _folder() / f"{number}.json"


def _folder() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "prize-meter" / "sessions"
