"""The product decides the life of two meters exactly as it was worked out by hand."""

from meter_server.domain.entries import canonical_bytes, chain_hash, genesis_hash
from tests.rules import rule
from tests.unit.contract.floor_life import lived
from tests.unit.contract.vectors import read

VECTORS = read("life")


@rule("MET-6", "AUD-1", "AUD-2")
def test_every_entry_has_the_bytes_worked_out_by_hand() -> None:
    made = [canonical_bytes(entry, stamp).decode() for entry, stamp in lived(VECTORS["rows"])]
    assert made == [row["entry"] for row in VECTORS["rows"]]


def test_every_entry_is_chained_as_worked_out_by_hand() -> None:
    heads: dict[str, bytes] = {}
    for entry, stamp in lived(VECTORS["rows"]):
        previous = heads.get(entry.meter_id) or genesis_hash(entry.meter_id)
        row = next(
            row
            for row in VECTORS["rows"]
            if (row["meter"], row["seq"]) == (entry.meter_id, entry.seq)
        )
        assert previous.hex() == row["previous"]
        heads[entry.meter_id] = chain_hash(previous, canonical_bytes(entry, stamp))
        assert heads[entry.meter_id].hex() == row["hash"]
    told = {meter: told["head"] for meter, told in VECTORS["meters"].items()}
    assert {meter: head.hex() for meter, head in heads.items()} == told
