"""What the watch learns from the writer: whether it commits, and when a checkpoint is due."""

import re
from collections.abc import Callable, Sequence

from meter_server.domain.tables import Gate
from meter_server.recording.door import Answer, Status, Submission, Unavailable
from meter_server.recording.writer import Step
from meter_server.storage.errors import StorageError
from meter_server.watching.gates import Gates

# In the canonical bytes of an answer: what players or auditors would miss most.
_WEIGHTY = re.compile(rb'"kind":"(?:prize|opening|correction|closing)"')


def watched(step: Step, gates: Gates, make_checkpoint: Callable[[], None]) -> Step:
    """The same step; it waits for nothing."""

    def keep(batch: Sequence[Submission]) -> list[Answer]:
        try:
            answers = step(batch)
        except (StorageError, Unavailable) as error:
            gates.close(Gate.AMOUNTS, str(error))
            raise
        gates.open(Gate.AMOUNTS)
        if any(_is_weighty(answer) for answer in answers):
            make_checkpoint()
        return answers

    return keep


def _is_weighty(answer: Answer) -> bool:
    return answer.status is Status.ANSWERED and _WEIGHTY.search(answer.body) is not None
