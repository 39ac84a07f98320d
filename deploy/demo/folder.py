"""The data folder: where it is, who holds it, its passwords, and how it is emptied."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.demo.accounts import Account, require_passage
from deploy.demo.errors import CannotRunError


@dataclass(frozen=True)
class DataFolder:
    path: Path
    account: Account | None

    @property
    def processes(self) -> Path:
        return self.path / "processes.json"

    @property
    def binaries(self) -> Path:
        return self.path / "binaries"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    def agent(self, device: str) -> Path:
        """Where a table agent of the demo keeps its key."""
        return self.path / "agents" / device

    @property
    def gateway(self) -> Path:
        """Where the demo's signage gateway keeps its key."""
        return self.path / "gateway"

    def create(self) -> None:
        """Ours, and such that the engines' user can walk to it; else nothing is touched."""
        require_passage(self.path, self.account)
        self._require_own()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.logs.mkdir(exist_ok=True)
        except OSError as error:
            raise CannotRunError(
                f"Cannot write the data folder {self.path} ({error.strerror}): "
                "choose another with XDG_DATA_HOME=/some/folder make run."
            ) from None

    def _require_own(self) -> None:
        """Root could write anywhere, and would take the data of a normal user away from them."""
        if self.path.exists() and (owner := self.path.stat().st_uid) != os.geteuid():
            raise CannotRunError(
                f"The data folder {self.path} belongs to another user (number {owner}): "
                "choose one of your own with XDG_DATA_HOME=/some/folder make run."
            )

    def engine(self, name: str) -> Path:
        """A folder that only the engine's own user can enter."""
        folder = self.path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        if self.account is not None:
            os.chown(folder, self.account.uid, self.account.gid)
        return folder

    def log(self, name: str) -> Path:
        """A fresh log; the one before it is kept once."""
        log = self.logs / f"{name}.log"
        if log.exists():
            log.replace(log.with_suffix(".log.1"))
        log.touch()
        return log

    def password(self, name: str) -> str:
        return self.secret(name, lambda: secrets.token_urlsafe(24)).read_text()

    def secret(self, name: str, make: Callable[[], str]) -> Path:
        """Made once, kept for the next run, readable by nobody else."""
        file = self.path / f"{name}.password"
        if not file.exists():
            fresh = file.with_suffix(".new")
            fresh.touch(mode=0o600)
            fresh.write_text(make())
            fresh.replace(file)
        return file

    def erase(self) -> None:
        """Forget everything the demo made here, and nothing else that may lie in the folder."""
        for name in (
            *("postgres", "redis", "logs", "binaries", "agents", "gateway"),
            "checkpoints",
        ):
            if (self.path / name).exists():
                shutil.rmtree(self.path / name)
        for file in (*self.path.glob("*.password"), self.path / "guide.html"):
            file.unlink(missing_ok=True)
        self.create()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Ours alone until we end, however we end: the kernel lets go of the lock."""
        with (self.path / "lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise CannotRunError(
                    f"Prize Meter already runs with the data folder {self.path} (process "
                    f"{lock.read()}): stop it first, or choose another folder with "
                    "XDG_DATA_HOME=/some/folder make run."
                ) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield


def default_folder(account: Account | None) -> DataFolder:
    """Outside the clone, so that root and a normal user can take turns in one clone.

    Root's own home is closed to the user who runs the engines, hence /var/lib for root.
    """
    if chosen := os.environ.get("XDG_DATA_HOME"):
        home = Path(chosen).absolute()
    elif account is not None:
        home = Path("/var/lib")
    else:
        home = Path.home() / ".local" / "share"
    return DataFolder(home / "prize-meter", account)
