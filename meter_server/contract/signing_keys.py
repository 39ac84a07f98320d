"""The installation's own key, with which it signs receipts and checkpoints, as one line of text.

The form is the one that goes with C2SP's signed notes: ``PRIVATE+KEY+name+id+key``.
"""

import base64
import binascii

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import TypeAdapter, ValidationError

from meter_server.contract.fields import Origin
from meter_server.contract.notes import Signer

_ED25519 = b"\x01"
_PREFIX = "PRIVATE+KEY+"


def new_signing_key(origin: str) -> str:
    """A fresh key of the installation of this name; ValueError where it cannot be a name."""
    try:
        TypeAdapter(Origin).validate_python(origin)
    except ValidationError:
        raise ValueError(
            f"'{origin}' cannot name an installation: use small letters, digits, dots, dashes and "
            "slashes, for example casino.example/prize-meter."
        ) from None
    private = Ed25519PrivateKey.generate()
    signer = Signer(origin, private)
    encoded = base64.b64encode(_ED25519 + private.private_bytes_raw()).decode("ascii")
    return f"{_PREFIX}{origin}+{signer.verifier.id.hex()}+{encoded}"


def read_signing_key(text: str) -> Signer:
    """ValueError says that it is none."""
    parts = text.strip().removeprefix(_PREFIX).split("+", 2)
    if text.startswith(_PREFIX) and len(parts) == 3:
        origin, key_id, encoded = parts
        try:
            typed = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            typed = b""
        if len(typed) == 33 and typed[:1] == _ED25519:
            signer = Signer(origin, Ed25519PrivateKey.from_private_bytes(typed[1:]))
            if signer.verifier.id.hex() == key_id:
                return signer
    raise ValueError("it is not a signing key as 'meter-server keys create' writes it")
