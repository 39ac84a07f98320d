"""How often the properties of the pure core are tried."""

from hypothesis import settings

from tests.counts import FULL, count

# No deadline: a busy machine is no fault of a rule.
settings.register_profile(
    "core", deadline=None, derandomize=not FULL, max_examples=count(100, 5_000)
)
settings.load_profile("core")
