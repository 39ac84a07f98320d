"""The writer, counted: what it keeps, how long that takes, and what the rules refuse."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter

from meter_server.metrics.counts import BATCH_MESSAGES, COMMIT_SECONDS, MESSAGES, REFUSALS, WAITING
from meter_server.recording.door import Answer, Status, Submission
from meter_server.recording.writer import Step

_REFUSED = b'{"answer":"refused"'
"""How the canonical bytes of a refusal begin: an accepted answer need not be parsed."""


def counted(step: Step) -> Step:
    """One commit for a whole batch."""

    def keep(batch: Sequence[Submission]) -> list[Answer]:
        began, outcome = perf_counter(), "failed"
        try:
            answers = step(batch)
            outcome = "kept"
        finally:
            COMMIT_SECONDS.labels(outcome).observe(perf_counter() - began)
        BATCH_MESSAGES.observe(len(batch))
        for became, messages in Counter(map(_outcome, answers)).items():
            MESSAGES.labels(became).inc(messages)
        return answers

    return keep


def waiting(submit: Callable[[Sequence[Submission]], list[Answer]]) -> Step:
    """Counted from its arrival until it is durable."""

    def wait(submissions: Sequence[Submission]) -> list[Answer]:
        with WAITING.track_inprogress():
            return submit(submissions)

    return wait


def _outcome(answer: Answer) -> str:
    if answer.status is not Status.ANSWERED:
        return answer.status.value
    if not answer.body.startswith(_REFUSED):
        return "accepted"
    REFUSALS.labels(json.loads(answer.body)["kind"]).inc()
    return "refused"
