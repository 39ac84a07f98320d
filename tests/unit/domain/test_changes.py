"""A surplus is shared exactly, whatever it is and however it is shared."""

from hypothesis import given
from hypothesis import strategies as st

from meter_server.domain.deciding.changes import split_surplus
from tests.rules import rule

WHOLE_BP = 10_000


@st.composite
def shares(draw: st.DrawFn) -> dict[str, int]:
    cuts = sorted(draw(st.sets(st.integers(1, WHOLE_BP - 1), max_size=6)))
    bounds = [0, *cuts, WHOLE_BP]
    return {f"S{place}": bounds[place + 1] - bounds[place] for place in range(len(bounds) - 1)}


@rule("SYS-9", "A-34")
@given(surplus=st.integers(0, 10**15), shares_bp=shares())
def test_every_millionth_arrives_and_no_share_is_off_by_a_whole_one(
    surplus: int, shares_bp: dict[str, int]
) -> None:
    parts = split_surplus(surplus, shares_bp)
    assert sum(parts.values()) == surplus
    first, *others = sorted(parts)
    for name in others:
        assert 0 <= surplus * shares_bp[name] - parts[name] * WHOLE_BP < WHOLE_BP
    # What the others' shares lose to whole millionths is the first one's.
    assert 0 <= parts[first] * WHOLE_BP - surplus * shares_bp[first] < len(parts) * WHOLE_BP


@rule("SYS-9")
def test_an_odd_millionth_goes_to_the_first_by_name() -> None:
    assert split_surplus(1, {"S2": 5_000, "S1": 5_000}) == {"S1": 1, "S2": 0}
    assert split_surplus(10, {"S1": 3_333, "S2": 3_333, "S3": 3_334}) == {"S1": 4, "S2": 3, "S3": 3}
    assert split_surplus(0, {}) == {}
