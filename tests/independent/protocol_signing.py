"""Ed25519 by the formulas of RFC 8032 and notes by C2SP's signed-note; slow, and all our own.

Imports nothing of the product and no signing library, so that the vectors prove both.
"""

import base64
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

Point = tuple[int, int]


def add(one: Point, other: Point) -> Point:
    """The addition law of the twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2."""
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def times(factor: int, point: Point) -> Point:
    total: Point = (0, 1)
    while factor:
        if factor & 1:
            total = add(total, point)
        point = add(point, point)
        factor >>= 1
    return total


def base_point() -> Point:
    """y = 4/5, and x the even root."""
    y = 4 * pow(5, -1, P) % P
    squared = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(squared, (P + 3) // 8, P)
    if root * root % P != squared:
        root = root * pow(2, (P - 1) // 4, P) % P
    return (root if root % 2 == 0 else P - root, y)


BASE = base_point()


def encode(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _scalar_and_prefix(seed: bytes) -> tuple[int, bytes]:
    expanded = hashlib.sha512(seed).digest()
    clamped = int.from_bytes(expanded[:32], "little") & (1 << 254) - 8 | 1 << 254
    return clamped, expanded[32:]


def public_key(seed: bytes) -> bytes:
    return encode(times(_scalar_and_prefix(seed)[0], BASE))


def signature(seed: bytes, message: bytes) -> bytes:
    scalar, prefix = _scalar_and_prefix(seed)
    nonce = _hashed(prefix + message)
    commitment = encode(times(nonce, BASE))
    challenge = _hashed(commitment + public_key(seed) + message)
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def _hashed(data: bytes) -> int:
    return int.from_bytes(hashlib.sha512(data).digest(), "little") % ORDER


def key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n\x01" + public).digest()[:4]


def verifier_key(name: str, seed: bytes) -> str:
    public = public_key(seed)
    encoded = base64.b64encode(b"\x01" + public).decode()
    return f"{name}+{key_id(name, public).hex()}+{encoded}"


def note(text: str, name: str, seed: bytes) -> str:
    signed = key_id(name, public_key(seed)) + signature(seed, text.encode())
    return f"{text}\n\N{EM DASH} {name} {base64.b64encode(signed).decode()}\n"
