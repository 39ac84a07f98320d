"""Why somebody is not let in, or not let do a thing: sentences to act on."""

from dataclasses import dataclass
from enum import StrEnum

HOUSE_CONTROL = "house control"


class Kind(StrEnum):
    NOT_SIGNED_IN = "not-signed-in"
    WRONG_CREDENTIALS = "wrong-credentials"
    TOO_MANY_TRIES = "too-many-tries"
    NOT_AUTHORISED = "not-authorised"
    SECOND_PERSON_NEEDED = "second-person-needed"
    OWN_ACCOUNT = "own-account"
    UNKNOWN = "unknown"
    ALREADY_EXISTS = "already-exists"
    NOT_ACCEPTABLE = "not-acceptable"
    """A secret, a name or a number that cannot be taken."""
    GRANT_NOT_VALID = "grant-not-valid"
    PROPOSAL_ENDED = "proposal-ended"
    CARDS_NOT_SET_UP = "cards-not-set-up"
    FIRST_ACCOUNTS_EXIST = "first-accounts-exist"
    NOT_SIGNED = "not-signed"
    """A device's request without a signature of its own."""
    DEVICE_KEPT_OUT = "device-kept-out"
    """Its key is over, or the device is frozen, revoked or enrolled anew."""
    HISTORY_LOST = "history-lost"
    """The server is older than a receipt it gave."""
    FORKED = "forked"
    """One number, two messages."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The same shape as a refusal by the rules, so that one page of HTTP tells both."""

    kind: Kind
    reason: str
    rule: str
    remedy: str

    @property
    def sentence(self) -> str:
        return f"{self.reason} [{self.rule}] {self.remedy}"


class Denied(Exception):  # noqa: N818 - a refusal is an answer, not an error.
    """Carries a refusal out of a use case."""

    def __init__(
        self,
        kind: Kind,
        reason: str,
        *,
        remedy: str,
        rule: str = HOUSE_CONTROL,
        retry_after_seconds: int | None = None,
    ) -> None:
        self.refusal = Refusal(kind, reason, rule, remedy)
        self.retry_after_seconds = retry_after_seconds
        super().__init__(self.refusal.sentence)
