"""The well-known keys of the vectors."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract.notes import Signer
from tests.unit.contract.vectors import read

_VECTORS = read("checkpoints")
ORIGIN: str = _VECTORS["origin"]


def signer(seed: str = "seed", name: str = ORIGIN) -> Signer:
    return Signer(name, Ed25519PrivateKey.from_private_bytes(bytes.fromhex(_VECTORS[seed])))


SIGNER = signer()
OTHER = signer("other_seed")
KEY = SIGNER.verifier
