"""Who runs the engines: PostgreSQL refuses root, and nothing else needs root either."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from deploy.demo.errors import CannotRunError

UNPRIVILEGED = "nobody"  # On every Debian and Ubuntu; the demo adds no users to a machine.


@dataclass(frozen=True)
class Account:
    uid: int
    gid: int


def engine_account() -> Account | None:
    """None for a normal user: the engines then run as that user."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        raise CannotRunError(
            f"PostgreSQL does not run as root and the user {UNPRIVILEGED} does not exist: "
            "run as a normal user, or set DATABASE_URL and REDIS_URL."
        ) from None
    return Account(entry.pw_uid, entry.pw_gid)


def require_passage(folder: Path, account: Account | None) -> None:
    """Refuse a folder that the engines' user cannot walk to, such as one below /root."""
    if account is None:
        return
    for step in (folder, *folder.parents):
        if step.exists() and not step.stat().st_mode & 0o001:
            raise CannotRunError(
                f"The user {UNPRIVILEGED}, who runs the engines when you are root, may not enter "
                f"{step}: choose another data folder with XDG_DATA_HOME."
            )
