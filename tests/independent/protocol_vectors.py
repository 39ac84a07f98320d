"""The test vectors of docs/protocol.md, made without any code of the product.

``python -m tests.independent.protocol_vectors`` writes them into docs/vectors.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.independent.protocol_life import Chain, Row, canonical, chained, fields, played
from tests.independent.protocol_signing import note, verifier_key

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "vectors"

ORIGIN = "casino.example/prize-meter"
# The secret keys of RFC 8032's first two tests: known to the whole world, for vectors only.
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
OTHER_SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")


def life() -> dict[str, Any]:
    journal = played()
    return {
        "about": "All entries of two meters in the order they were committed",
        "rows": [asdict(row) for row in journal.rows],
        "meters": {
            name: {"value": chain.value, "seq": chain.seq, "epoch": chain.epoch, "head": chain.head}
            for name, chain in sorted(journal.chains.items())
        },
    }


PLAIN: dict[str, Any] = {
    "format": 1,
    "meter": "M.1_a-Z",
    "seq": 1,
    "kind": "extra",
    "amount": 1,
    "before": 0,
    "after": 1,
    "epoch": 1,
    "lines": [["meter", 1], ["seed-funding", -1]],
    "rule": "WSOP 9.3; Three Card 6.3",
    "table": None,
    "round": None,
    "detail": {"reason": ""},
    "at": "1970-01-01T00:00:00.000000Z",
    "agent_at": None,
    "actor": "0",
    "approver": None,
    "second": None,
    "message": None,
    "request": None,
    "rulebook": "wsop-10.0+three-card-4/1",
    "readings": "split=formula;unit=0.01",
}
LARGEST = 2**53 - 1


def entries() -> dict[str, Any]:
    """Bytes at the edges of the format; what they say of a meter is of no account here."""
    edges: dict[str, dict[str, Any]] = {
        "everything that may be null is null": {},
        "quotes, a backslash, a slash and signs that HTML would escape": {
            "detail": {"reason": "\"A\\B\" / <C> & 'D'"}
        },
        "letters beyond ASCII, and one beyond the first plane": {
            "detail": {"reason": "\N{LATIN SMALL LETTER E WITH ACUTE} \N{MUSICAL SYMBOL G CLEF}"}
        },
        "the largest numbers": {
            "seq": LARGEST,
            "epoch": LARGEST,
            "amount": LARGEST,
            "after": LARGEST,
            "lines": [["meter", LARGEST], ["seed-funding", -LARGEST]],
        },
        "the last instant, and every name there is": {
            "at": "9999-12-31T23:59:59.999999Z",
            "agent_at": "2027-02-28T23:59:59.000009Z",
            "actor": "4001",
            "approver": "4002",
            "second": "4003",
            "message": f"device:{'d' * 40}:1:{LARGEST}",
            "request": "0123456789abcdef" * 4,
            "round": f"{'d' * 40}/1/7",
            "table": "T-7",
        },
    }
    return {
        "about": "Single entries at the edges of the format, each chained to its meter's genesis",
        "rows": [
            {"case": case, **asdict(_row(PLAIN | changed))} for case, changed in edges.items()
        ],
    }


def _row(entry: dict[str, Any]) -> Row:
    previous, text = Chain(entry["meter"]).head, canonical(entry)
    return Row(entry["meter"], entry["seq"], previous, text, chained(previous, text))


def not_written() -> dict[str, Any]:
    return {
        "about": "What no writer puts into an entry, a receipt or a checkpoint",
        "names": ["", "-a", ".a", "a b", "a/b", "a:b", "a+b", "a\n", "é", "x" * 41],
        "rounds": ["", "/", "a/", "a//b", "a/b/c/d", "a/b\n", "a:1:1"],
        "messages": [
            "t1-a/2/1",
            "device:t1-a:2",
            "device:t1-a:0:1",
            "device:t1-a:2:01",
            "device:t1-a:2:1\n",
            "staff:4001",
            "notice:",
            "other:N-1",
        ],
        "texts": {
            "not composed": "Zoe\N{COMBINING DIAERESIS}",
            "a line end": "one\ntwo",
            "a null": "a\0b",
            "a delete": "a\x7fb",
            "a line separator": "a\N{LINE SEPARATOR}b",
            "a no-break space": "a\N{NO-BREAK SPACE}b",
            "a joiner that nobody sees": "a\N{ZERO WIDTH JOINER}b",
            "a turn of the direction": "a\N{RIGHT-TO-LEFT OVERRIDE}b",
            "half a character": "a\ud800b",
            "too long": "x" * 501,
        },
        "integers": [LARGEST + 1, -LARGEST - 1, 2**63, 10**400],
        "instants": [
            "2027-03-01T02:00:00Z",
            "2027-03-01T02:00:00.000000+00:00",
            "2027-03-01 02:00:00.000000Z",
            "2027-02-30T02:00:00.000000Z",
            "2027-03-01T24:00:00.000000Z",
            "2027-03-01T02:00:60.000000Z",
        ],
    }


def receipts() -> dict[str, Any]:
    journal = played()
    message = {
        "number": 3,
        "round": "t1-a/2/2",
        "seats": [1, 2, 5],
        "what": "Any object a device sends",
    }
    answer = {"answer": "accepted", "note": "Any object the server answers"}
    refusal = {"answer": "refused", "kind": "wrong-cost"}
    row = next(row for row in journal.rows if fields(row)["message"] == "device:t1-a:2:3")
    accepted = {
        "format": 1,
        "origin": ORIGIN,
        "device": "t1-a",
        "epoch": 2,
        "number": 3,
        "message": _digest("message", message),
        "result": "accepted",
        "answer": _digest("answer", answer),
        "at": fields(row)["at"],
        "entries": 1,
        "meter": "one",
        "meter_seq": row.seq,
        "head": row.hash,
    }
    refused = accepted | {
        "device": "t9-b",
        "epoch": 1,
        "number": LARGEST,
        "message": _digest("message", {}),
        "result": "refused",
        "answer": _digest("answer", refusal),
        "entries": 0,
        "meter": None,
        "meter_seq": None,
        "head": None,
    }
    return _signed() | {
        "about": "Receipts for an accepted and for a refused message",
        "digests": {
            "message": _digests("message", [message, {}]),
            "answer": _digests("answer", [answer, refusal]),
        },
        "notes": [
            _note(f"prize-meter receipt 1\n{canonical(one)}\n") for one in (accepted, refused)
        ],
    }


def _digests(purpose: str, values: Iterable[Any]) -> list[dict[str, str]]:
    return [{"bytes": canonical(value), "digest": _digest(purpose, value)} for value in values]


def _digest(purpose: str, value: Any) -> str:
    return hashlib.sha256(f"prize-meter {purpose} 1\n{canonical(value)}".encode()).hexdigest()


def _signed() -> dict[str, Any]:
    return {
        "origin": ORIGIN,
        "seed": SEED.hex(),
        "verifier_key": verifier_key(ORIGIN, SEED),
        "other_seed": OTHER_SEED.hex(),
        "other_verifier_key": verifier_key(ORIGIN, OTHER_SEED),
    }


def _note(text: str) -> dict[str, str]:
    return {
        "text": text,
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "note": note(text, ORIGIN, SEED),
    }


def checkpoints() -> dict[str, Any]:
    """The heads of the meters' lives after 1, 4 and all entries, and again when nothing moved.

    The first is of version 1; the second lists every message up to then.
    """
    rows = played().rows
    recorded = {count: _recorded(rows[:count]) for count in (4, len(rows))}
    refused = _stored("staff:4001:z9", fields(rows[-1])["at"], None, "refused")
    listed = [None, recorded[4], recorded[len(rows)][len(recorded[4]) :], [refused]]
    previous = hashlib.sha256(f"prize-meter first checkpoint 1\n{ORIGIN}".encode()).hexdigest()
    notes = []
    for number, (count, messages) in enumerate(
        zip((1, 4, len(rows), len(rows)), listed, strict=True), start=1
    ):
        heads = {row.meter: row for row in rows[:count]}
        told = None if messages is None else "".join(sorted(map(_line, messages)))
        lines = [
            f"prize-meter checkpoint {1 if told is None else 2}",
            ORIGIN,
            str(number),
            fields(rows[count - 1])["at"],
            previous,
            *([] if told is None else [f"{len(messages or [])} {_sha256(told)}"]),
            *(f"{name} {row.seq} {row.hash}" for name, row in sorted(heads.items())),
        ]
        note = _note("".join(f"{line}\n" for line in lines))
        notes.append({**note, "messages": told, "recorded": messages})
        previous = note["digest"]
    return _signed() | {
        "about": "Four checkpoints, each naming the one before; the first is of version 1",
        "notes": notes,
    }


def _recorded(rows: list[Row]) -> list[dict[str, Any]]:
    """The messages that made these entries, with answers of any kind, in the order of commit."""
    made = {one["message"]: one for one in map(fields, rows) if one["message"] is not None}
    return [_stored(key, one["at"], one["request"], "accepted") for key, one in made.items()]


def _stored(key: str, at: str, request: str | None, answer: str) -> dict[str, Any]:
    told = canonical({"answer": answer, "at": at, "message": key})
    digest = _digest("message", {"what": f"Whatever {key} asked for"})
    return {"answer": told, "at": at, "digest": digest, "key": key, "request": request}


def _line(message: dict[str, Any]) -> str:
    return f"{message['key']} {_digest('recorded', message)}\n"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def numbers() -> dict[str, Any]:
    """Each message by its number and a digest, against a device that has sent none before."""
    first, second, other = (_digest("message", {"number": number}) for number in (1, 2, 0))
    return {
        "about": "Messages of one device in its order of sending, and where each one stands",
        "messages": [
            {"number": 2, "digest": second, "place": "gap", "last": 0},
            {"number": 1, "digest": first, "place": "next", "last": 1},
            {"number": 1, "digest": first, "place": "replay", "last": 1},
            {"number": 3, "digest": other, "place": "gap", "last": 1},
            {"number": 2, "digest": second, "place": "next", "last": 2},
            {"number": 1, "digest": first, "place": "replay", "last": 2},
            {"number": 1, "digest": second, "place": "fork", "last": 2},
            {"number": 2, "digest": other, "place": "fork", "last": 2},
            {"number": 2, "digest": second, "place": "replay", "last": 2},
        ],
    }


def vectors() -> dict[str, str]:
    """The files of docs/vectors by name."""
    made = {
        "checkpoints": checkpoints(),
        "entries": entries(),
        "life": life(),
        "not-written": not_written(),
        "numbers": numbers(),
        "receipts": receipts(),
    }
    return {f"{name}.json": json.dumps(value, indent=1) + "\n" for name, value in made.items()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in vectors().items():
        (FOLDER / name).write_text(text, encoding="ascii")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
