"""Who acts, and whether they may."""

from dataclasses import dataclass

from meter_server.domain.refusals import Kind, Refused
from meter_server.domain.rulebook.authority import Action, Rank, grant_for
from meter_server.domain.rulebook.games import GAMES, GameKey
from meter_server.domain.rulebook.readings import DEFAULT_READINGS, Readings
from meter_server.domain.tables import Gate


@dataclass(frozen=True, slots=True)
class Person:
    staff_number: str
    rank: Rank


NOBODY_HERE = Rank(0, "nobody", "nobody")
"""Of somebody who never stood at the console that a message came from, or may not act any more."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a command brings besides its content: who, when, and under which readings."""

    at_us: int
    """The server's time: microseconds since 1970-01-01T00:00:00Z."""
    actor: Person
    approver: Person | None = None
    """A supervisor whose single-use grant stands behind the command."""
    second: Person | None = None
    """The second person, where two are needed."""
    agent_at_us: int | None = None
    """The table agent's, or the paper's, time: evidence, never an order (A-38)."""
    message: str | None = None
    """The permanent key of the message: device, epoch and number."""
    request_digest: str | None = None
    """SHA-256 of the signed request that brought the message."""
    readings: Readings = DEFAULT_READINGS
    failing: frozenset[Gate] = frozenset()
    """Conditions for taking wagers that fail at every table: the server's own (WAG-3)."""

    @property
    def people(self) -> frozenset[str]:
        """Everybody whose word the command is."""
        found = (self.actor, self.approver, self.second)
        return frozenset(person.staff_number for person in found if person is not None)

    @property
    def approved_by(self) -> str | None:
        return None if self.approver is None else self.approver.staff_number


def require(context: Context, action: Action, game: GameKey, *, either: bool = False) -> Person:
    """The person in whose authority the action stands; refused where nobody's suffices.

    ``either`` of the two who key in paper: one of them writes, the other stands by it (A-57).
    """
    named = f"action '{action.replace('-', ' ')}'"
    grant = grant_for(action, game)
    if grant is None:
        raise Refused(
            Kind.NOT_AUTHORISED,
            f"{GAMES[game].title} does not provide for the {named}.",
            rule=GAMES[game].rules.dispute,
            remedy="Choose another action, or call the TG Area Manager.",
        )
    second = context.second if either else None
    for person in (context.actor, context.approver, second):
        if person is not None and person.rank.level >= grant.rank.level:
            return person
    if context.actor.rank == NOBODY_HERE:
        # Not a matter of rank: whoever has one has not proved here who they are.
        raise Refused(
            Kind.NOT_AUTHORISED,
            f"{context.actor.staff_number} has not signed on at this console, or may not act any "
            "more.",
            rule="house control",
            remedy="Sign on with card or number and PIN.",
        )
    raise Refused(
        Kind.NOT_AUTHORISED,
        f"The {named} takes a {grant.rank.title} (or above).",
        rule=grant.rule,
        remedy=f"Call a {grant.rank.title}.",
    )


def require_on_systems(context: Context, action: Action = Action.MANAGE_SYSTEMS) -> Person:
    """For actions on systems, which belong to no game and are the same in all of them."""
    return require(context, action, GameKey.WSOP)


def require_second(context: Context) -> Person:
    """Another person than the one who acts."""
    if context.second is None or context.second.staff_number == context.actor.staff_number:
        raise Refused(
            Kind.SECOND_PERSON_NEEDED,
            "This takes two persons, and a second one has not confirmed it.",
            rule="house control",
            remedy="Ask a colleague to confirm it under their own account.",
        )
    return context.second
