"""What the wagers of each registration must add to their meter, worked out from the messages alone.

It imports nothing of the product: the rate is printed in WSOP Table 4, the rest is rule 11.13.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tests.faults.kept import Kept

RATE_BP = 3406
"""Option 1 with the 10,000 seed: WSOP Table 4 prints 34.06 %."""


def contributions(kept: Sequence[Kept]) -> Iterator[tuple[Kept, int, int]]:
    """Every accepted registration, what it credits, and the most that it takes back.

    The wagers of a misdeal stand for the next round and add nothing, where the same seats play.
    With other seats they are taken back, as far as they are still on the meter, and all register
    anew.
    """
    by_device: defaultdict[str, list[Kept]] = defaultdict(list)
    for one in kept:
        by_device[one.device].append(one)
    for messages in by_device.values():
        yield from _of_device(messages)


def _of_device(messages: Sequence[Kept]) -> Iterator[tuple[Kept, int, int]]:
    playing: list[int] = []
    carried: list[int] = []
    for one in messages:
        command = one.message["command"]
        if one.answer is None or one.answer["answer"] != "accepted":
            continue
        if command["kind"] == "register-wagers":
            playing = command["seats"]
            each = command["cost_cents"] * RATE_BP
            stands = carried == playing
            yield one, 0 if stands else len(playing) * each, 0 if stands else len(carried) * each
            carried = []
        elif command.get("case") == "card-exposed":
            carried = playing
