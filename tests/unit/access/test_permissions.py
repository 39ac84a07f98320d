"""Every (role, permission) cell, typed by hand; what the table does not name is denied."""

from datetime import UTC, datetime

import pytest

from meter_server.access import permissions
from meter_server.access.permissions import PERMITS, Permission
from meter_server.access.refusals import Denied
from meter_server.domain.rulebook.authority import LADDER, Rank
from meter_server.storage.staff import Account, AccountState, Role

ROLES = {
    **{rank.key: Role(rank.key, rank.title, rank.level) for rank in LADDER},
    "casino-manager": Role("casino-manager", "TG Casino Manager", 50),
    **{key: Role(key, title, None) for key, title in permissions.OUTSIDE_THE_LADDER.items()},
    "cleaner": Role("cleaner", "Cleaner", None),
}
FROM_AREA_MANAGER = "area-manager assistant-casino-manager casino-manager"
FROM_ASSISTANT = "assistant-casino-manager casino-manager"
LADDER_ALL = f"dealer higher-duties {FROM_AREA_MANAGER}"
READERS = "audit compliance inspector"

WHO_MAY = {
    "manage-staff": "administrator",
    "confirm-staff": f"administrator {FROM_ASSISTANT}",
    "read-staff": f"administrator {READERS} {FROM_AREA_MANAGER}",
    "enrol-devices": FROM_AREA_MANAGER,
    "confirm-enrolment": f"administrator {FROM_AREA_MANAGER}",
    "read-devices": f"administrator {READERS} {FROM_AREA_MANAGER}",
    "manage-systems": FROM_ASSISTANT,
    "confirm-systems": FROM_AREA_MANAGER,
    "manage-tables": FROM_ASSISTANT,
    "correct": FROM_ASSISTANT,
    "confirm-corrections": FROM_AREA_MANAGER,
    "key-in-paper": f"higher-duties {FROM_AREA_MANAGER}",
    "confirm-paper": f"higher-duties {FROM_AREA_MANAGER}",
    "read-proposals": f"administrator {READERS} {FROM_AREA_MANAGER}",
    "read-floor": f"administrator cage {READERS} {LADDER_ALL}",
    "read-history": f"{READERS} {FROM_AREA_MANAGER}",
    "read-trail": f"{READERS} {FROM_ASSISTANT}",
    "read-prizes": f"cage {READERS} {LADDER_ALL}",
    "read-winners": f"cage compliance {FROM_ASSISTANT}",
    "pay-prizes": f"cage {LADDER_ALL}",
    "stand-at-a-console": LADDER_ALL,
    "authorise-at-a-console": LADDER_ALL,
    "take-over-tables": f"higher-duties {FROM_AREA_MANAGER}",
}


def _account(role: str, state: AccountState = AccountState.ACTIVE) -> Account:
    return Account("1", "A", ROLES[role], state, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("permission", Permission)
@pytest.mark.parametrize("role", ROLES)
def test_a_cell(role: str, permission: Permission) -> None:
    allowed = role in WHO_MAY[permission].split()
    assert permissions.may(_account(role), permission) is allowed
    assert not permissions.may(_account(role, AccountState.SUSPENDED), permission)


@pytest.mark.parametrize("permission", Permission)
def test_a_refusal_names_who_may_and_why(permission: Permission) -> None:
    with pytest.raises(Denied) as denied:
        permissions.require(_account("cleaner"), permission)
    refusal, permit = denied.value.refusal, PERMITS[permission]
    assert refusal.rule == permit.rule != ""
    if permit.rank is not None:
        assert f"a {permit.rank.title} (or above)" in refusal.reason
    for role in permit.roles:
        assert ROLES[role].title in refusal.reason
        assert ROLES[role].title in refusal.remedy


def test_only_people_of_the_ladder_become_persons_of_the_rules() -> None:
    person = permissions.person_of(_account("casino-manager"))
    assert person.rank == Rank(50, "casino-manager", "TG Casino Manager")
    for role in permissions.OUTSIDE_THE_LADDER:
        with pytest.raises(Denied, match="may not act on a table or a meter"):
            permissions.person_of(_account(role))
    with pytest.raises(Denied, match="may not act on a table or a meter"):
        permissions.person_of(_account("dealer", AccountState.SUSPENDED))


def test_the_cage_stands_where_a_dealer_stands_to_pay_a_prize() -> None:
    assert permissions.payer_of(_account("cage")).rank == Rank(10, "cage", "Cage")
    assert permissions.payer_of(_account("dealer")).rank.level == 10
    for role in ("audit", "compliance", "inspector", "administrator", "cleaner"):
        with pytest.raises(Denied, match="To pay prizes takes"):
            permissions.payer_of(_account(role))
