"""Who this device is: its own private key, which never leaves, and what the server told it."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract import signatures
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.notes import VerifierKey, read_verifier_key

IDENTITY = "identity.json"


@dataclass(frozen=True, slots=True)
class Identity:
    """As the server enrolled it."""

    server: str
    device: str
    epoch: int
    table: str
    """Empty for a gateway, which stands at none."""
    server_key: str
    """With which the server signs receipts, kept since the enrolment: another one is a stranger."""
    key: str
    """The name of the key we sign with."""

    @property
    def verifier(self) -> VerifierKey:
        return read_verifier_key(self.server_key)


class Folder:
    """Where the identity is kept, readable by its owner only."""

    def __init__(self, path: Path, program: str) -> None:
        self._path = path
        self._program = program
        """Whose: how a person enrols it is in the sentences."""

    @property
    def path(self) -> Path:
        return self._path

    def identity(self) -> Identity:
        try:
            return Identity(**json.loads((self._path / IDENTITY).read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise DeviceError(
                f"This device is not enrolled (there is nothing in {self._path}): "
                f"use '{self._program} enrol NAME' with a one-time code."
            ) from None
        except (OSError, ValueError, TypeError) as error:
            raise DeviceError(
                f"The identity in {self._path} cannot be read ({error}): enrol the device again."
            ) from None

    def private_key(self, name: str) -> Ed25519PrivateKey:
        path = self._path / f"{name}.key"
        try:
            if path.stat().st_mode & 0o077:
                raise DeviceError(f"{path} can be read by others: chmod 600 {path}.")
            return Ed25519PrivateKey.from_private_bytes(path.read_bytes())
        except (OSError, ValueError) as error:
            raise DeviceError(
                f"The private key in {path} cannot be read ({error}): enrol the device again."
            ) from None

    def new_key(self) -> Ed25519PrivateKey:
        """Made here, and written before anybody hears of it."""
        key = Ed25519PrivateKey.generate()
        self._write(f"{key_name(key)}.key", key.private_bytes_raw())
        return key

    def forget(self, key: Ed25519PrivateKey) -> None:
        (self._path / f"{key_name(key)}.key").unlink()

    def keep(self, identity: Identity) -> None:
        """From now on; keys that are not its own are of no use any more."""
        self._write(IDENTITY, json.dumps(asdict(identity), indent=2).encode())
        for file in self._path.glob("*.key"):
            if file.stem != identity.key:
                file.unlink()

    def _write(self, name: str, content: bytes) -> None:
        """All of it or nothing, also when the power fails."""
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self._path / f"{name}.new"
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(content)
                opened.flush()
                os.fsync(opened.fileno())
            fresh.replace(self._path / name)
            folder = os.open(self._path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise DeviceError(
                f"Cannot write {self._path / name} ({error.strerror}): choose another folder with "
                "--folder."
            ) from None


def key_name(key: Ed25519PrivateKey) -> str:
    return signatures.key_id(key.public_key().public_bytes_raw())


def default_folder(program: str) -> Path:
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / program
