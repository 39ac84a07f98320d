"""Becoming a device of the house, and taking a new key while being one."""

import base64
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from meter_server.contract import signatures
from meter_server.contract.canonical import canonical_json
from meter_server.contract.device.errors import DeviceError
from meter_server.contract.device.identity import Folder, Identity, key_name
from meter_server.contract.device.link import Link, ask, require_safe
from meter_server.contract.notes import read_verifier_key


def enrol(folder: Folder, server: str, device: str, code: str, *, at_table: bool) -> Identity:
    """Make a key, show the one-time code, and keep what the server says we are."""
    server = require_safe(server)
    key = folder.new_key()
    public = public_text(key)
    proof = signatures.prove(key, signatures.ENROLMENT, device, code, public)
    body = {"device": device, "code": code, "public_key": public, "proof": proof}
    try:
        told = ask(server, "POST", "/v1/enrolments", canonical_json(body), {})
    except DeviceError:
        folder.forget(key)
        raise
    enrolled = told["device"]
    if at_table is (enrolled["table"] is None):
        were, are = ("gateway", "table agent") if at_table else ("table agent", "gateway")
        raise DeviceError(f"{device} was enrolled as a {were}, and this is a {are}.")
    read_verifier_key(told["server_key"])
    identity = Identity(
        server=server,
        device=enrolled["device"],
        epoch=enrolled["epoch"],
        table=enrolled["table"] or "",
        server_key=told["server_key"],
        key=key_name(key),
    )
    folder.keep(identity)
    return identity


def rotate(folder: Folder) -> str:
    """Bring the server our next key, signed by the one we have; gives until when it is good."""
    identity = folder.identity()
    old, key = folder.private_key(identity.key), folder.new_key()
    public = public_text(key)
    facts = (signatures.ROTATION, identity.device, str(identity.epoch), identity.key, public)
    body = {"public_key": public, "proof": signatures.prove(key, *facts)}
    told = Link(identity, old).post("/v1/device/keys", body)
    folder.keep(replace(identity, key=key_name(key)))
    return str(told["valid_to"])


def public_text(key: Ed25519PrivateKey) -> str:
    return base64.b64encode(key.public_key().public_bytes_raw()).decode("ascii")
