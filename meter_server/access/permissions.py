"""What people may do besides the actions of the rules: one table, denying what it does not name.

The actions of the rules stand in ``domain.rulebook.authority`` and are checked at the door, for
each game. Here is what has no game: accounts, devices, proposals, reading.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from meter_server.access.refusals import HOUSE_CONTROL, Denied, Kind
from meter_server.domain.people import Person
from meter_server.domain.rulebook.authority import (
    AREA_MANAGER,
    ASSISTANT_CASINO_MANAGER,
    AUTHORITY,
    DEALER,
    HIGHER_DUTIES,
    LADDER,
    Action,
    Rank,
)
from meter_server.storage.staff import Account, AccountState

ADMINISTRATOR = "administrator"
AUDIT = "audit"
CAGE = "cage"
COMPLIANCE = "compliance"
INSPECTOR = "inspector"

OUTSIDE_THE_LADDER = {
    ADMINISTRATOR: "Administrator",
    AUDIT: "Audit",
    CAGE: "Cage",
    COMPLIANCE: "Compliance",
    INSPECTOR: "Inspector",
}
_CALLED = {ADMINISTRATOR: "an Administrator", CAGE: "the Cage", INSPECTOR: "an Inspector"}
_READERS = frozenset({AUDIT, COMPLIANCE, INSPECTOR})


class Permission(StrEnum):
    MANAGE_STAFF = "manage-staff"
    CONFIRM_STAFF = "confirm-staff"
    READ_STAFF = "read-staff"
    ENROL_DEVICES = "enrol-devices"
    CONFIRM_ENROLMENT = "confirm-enrolment"
    READ_DEVICES = "read-devices"
    MANAGE_SYSTEMS = "manage-systems"
    CONFIRM_SYSTEMS = "confirm-systems"
    MANAGE_TABLES = "manage-tables"
    CORRECT = "correct"
    CONFIRM_CORRECTIONS = "confirm-corrections"
    KEY_IN_PAPER = "key-in-paper"
    CONFIRM_PAPER = "confirm-paper"
    READ_PROPOSALS = "read-proposals"
    READ_FLOOR = "read-floor"
    READ_HISTORY = "read-history"
    READ_TRAIL = "read-trail"
    READ_PRIZES = "read-prizes"
    PAY_PRIZES = "pay-prizes"
    READ_WINNERS = "read-winners"
    STAND_AT_A_CONSOLE = "stand-at-a-console"
    AUTHORISE_AT_A_CONSOLE = "authorise-at-a-console"
    TAKE_OVER_TABLES = "take-over-tables"


@dataclass(frozen=True, slots=True)
class Permit:
    """The lowest rank that may, the roles outside the ladder that may too, and why."""

    rank: Rank | None
    roles: frozenset[str]
    rule: str


def _ranks(rank: Rank, *roles: str, rule: str = HOUSE_CONTROL) -> Permit:
    return Permit(rank, frozenset(roles), rule)


def _as_the_rules_say(action: Action, *roles: str) -> Permit:
    """The same rank in every game, or this would be the wrong table."""
    (rank,) = {grant.rank for grant in AUTHORITY[action].values()}
    rules = dict.fromkeys(grant.rule for grant in AUTHORITY[action].values())
    return Permit(rank, frozenset(roles), "; ".join(rules))


PERMITS: Mapping[Permission, Permit] = {
    Permission.MANAGE_STAFF: Permit(None, frozenset({ADMINISTRATOR}), HOUSE_CONTROL),
    Permission.CONFIRM_STAFF: _ranks(ASSISTANT_CASINO_MANAGER, ADMINISTRATOR),
    Permission.READ_STAFF: _ranks(AREA_MANAGER, ADMINISTRATOR, *_READERS),
    Permission.ENROL_DEVICES: _ranks(AREA_MANAGER),
    Permission.CONFIRM_ENROLMENT: _ranks(AREA_MANAGER, ADMINISTRATOR),
    Permission.READ_DEVICES: _ranks(AREA_MANAGER, ADMINISTRATOR, *_READERS),
    Permission.MANAGE_SYSTEMS: _as_the_rules_say(Action.MANAGE_SYSTEMS),
    Permission.CONFIRM_SYSTEMS: _ranks(AREA_MANAGER),
    Permission.MANAGE_TABLES: _as_the_rules_say(Action.MANAGE_SYSTEMS),
    Permission.CORRECT: _as_the_rules_say(Action.CORRECT_SETTLEMENT),
    # No settlement is put right without the word that is final in a dispute.
    Permission.CONFIRM_CORRECTIONS: _as_the_rules_say(Action.DECIDE_DISPUTE),
    Permission.KEY_IN_PAPER: _as_the_rules_say(Action.KEY_IN_PAPER),
    Permission.CONFIRM_PAPER: _as_the_rules_say(Action.KEY_IN_PAPER),
    Permission.READ_PROPOSALS: _ranks(AREA_MANAGER, ADMINISTRATOR, *_READERS),
    Permission.READ_FLOOR: _ranks(DEALER, *OUTSIDE_THE_LADDER),
    Permission.READ_HISTORY: _as_the_rules_say(Action.READ_METER, *_READERS),
    Permission.READ_TRAIL: _ranks(ASSISTANT_CASINO_MANAGER, *_READERS),
    Permission.READ_PRIZES: _ranks(DEALER, CAGE, *_READERS),
    Permission.READ_WINNERS: _ranks(ASSISTANT_CASINO_MANAGER, CAGE, COMPLIANCE),
    Permission.PAY_PRIZES: _as_the_rules_say(Action.PAY_PRIZE, CAGE),
    Permission.STAND_AT_A_CONSOLE: _as_the_rules_say(Action.REGISTER_WAGERS),
    Permission.AUTHORISE_AT_A_CONSOLE: _as_the_rules_say(Action.REGISTER_WAGERS),
    Permission.TAKE_OVER_TABLES: _ranks(HIGHER_DUTIES),
}


def may(account: Account, permission: Permission) -> bool:
    permit = PERMITS[permission]
    if account.state is not AccountState.ACTIVE:
        return False
    level = account.role.level
    high_enough = permit.rank is not None and level is not None and level >= permit.rank.level
    return high_enough or account.role.key in permit.roles


def require(account: Account, permission: Permission) -> None:
    if may(account, permission):
        return
    permit = PERMITS[permission]
    whom = _whom(permit)
    raise Denied(
        Kind.NOT_AUTHORISED,
        f"To {permission.replace('-', ' ')} takes {whom}.",
        rule=permit.rule,
        remedy=f"Call {whom}.",
    )


def person_of(account: Account) -> Person:
    """The person as the rules know them; those outside the ladder never touch a meter."""
    role = account.role
    if role.level is None or account.state is not AccountState.ACTIVE:
        raise Denied(
            Kind.NOT_AUTHORISED,
            f"{account.number} ({role.title}) may not act on a table or a meter.",
            remedy=f"Call a {LADDER[0].title} (or above).",
        )
    return Person(account.number, Rank(role.level, role.key, role.title))


def payer_of(account: Account) -> Person:
    """Whoever pays a prize: the Cage stands there where a Dealer stands, and nowhere else."""
    require(account, Permission.PAY_PRIZES)
    if account.role.key != CAGE:
        return person_of(account)
    return Person(account.number, Rank(DEALER.level, CAGE, account.role.title))


def _whom(permit: Permit) -> str:
    titles = [] if permit.rank is None else [f"a {permit.rank.title} (or above)"]
    titles += [_CALLED.get(role, OUTSIDE_THE_LADDER[role]) for role in sorted(permit.roles)]
    return " or ".join(titles)
