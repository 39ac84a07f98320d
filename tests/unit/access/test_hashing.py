"""Secrets: slow to guess, the same for nobody, and codes that people can read aloud."""

import time

from meter_server.access import hashing
from meter_server.access.hashing import Hasher


def test_a_hash_is_argon2id_and_tells_right_from_wrong() -> None:
    hasher = Hasher()
    hashed = hasher.hash("a secret of this test")
    assert hashed.startswith("$argon2id$")
    assert hasher.verify(hashed, "a secret of this test")
    assert not hasher.verify(hashed, "another secret")


def test_somebody_who_does_not_exist_costs_as_much_as_somebody_who_does() -> None:
    """In the processor's time, which does not count what else the machine does."""
    hasher = Hasher()
    hashed = hasher.hash("a secret of this test")
    hasher.verify(None, "warm")

    def cost(of: str | None) -> float:
        began = time.process_time()
        assert not hasher.verify(of, "a wrong secret")
        return time.process_time() - began

    somebody = sum(cost(hashed) for _ in range(3))
    nobody = sum(cost(None) for _ in range(3))
    assert 0.5 < nobody / somebody < 2


def test_a_code_is_the_same_however_it_is_typed() -> None:
    code = hashing.new_code()
    assert len(code) == 10
    assert not set(code) & set("ILOU01")
    assert hashing.code_digest(f" {code[:5].lower()} - {code[5:]}") == hashing.code_digest(code)
    assert hashing.code_digest(hashing.new_code()) != hashing.code_digest(code)


def test_a_card_digest_needs_its_key() -> None:
    assert hashing.card_digest(b"key one", "55") != hashing.card_digest(b"key two", "55")
    assert len(hashing.card_digest(b"key one", "55")) == 32
