"""A supervisor's word from a device of their own: asked by the console, given by PIN, used once."""

from pathlib import Path
from typing import Any

import pytest

from tests.integration.agent.tablet import Tablet
from tests.integration.office import PIN, Office

TOO_EARLY = {"case": "begun-by-mistake"}


@pytest.fixture
def tablet(office: Office, tmp_path: Path) -> Tablet:
    tablet = Tablet.at_a_table(office, tmp_path)
    tablet.register(2, 3)
    return tablet


def _ask(office: Office, tablet: Tablet) -> dict[str, Any]:
    """What a supervisor sees of it."""
    tablet.tap("ask-approval", action="cancel-mistaken-game")
    waiting = office.of_role("higher-duties").get("/v1/approvals").json()["items"]
    [found] = [one for one in waiting if one["approval"] == tablet.state["asked"]]
    return dict(found)


def test_it_is_given_by_the_rank_it_takes_and_used_once(office: Office, tablet: Tablet) -> None:
    asked = _ask(office, tablet)
    assert (asked["table"], asked["action"]) == (
        tablet.folder.identity().table,
        "cancel-mistaken-game",
    )
    assert (asked["rank_title"], asked["asked_by"]) == ("TG Higher Duties Dealer", "1001")
    path, approval = f"/v1/approvals/{asked['approval']}", {"asked": asked["approval"]}
    dealer, supervisor = office.of_role("dealer"), office.of_role("higher-duties")
    refused = dealer.post(f"{path}/approval", {"pin": PIN})
    assert (refused.status, "TG Higher Duties Dealer" in refused.text) == (403, True)
    assert supervisor.post(f"{path}/approval", {"pin": "000000"}).status == 401
    assert "Nobody has approved it" in tablet.declined("declare", approval=approval, **TOO_EARLY)

    assert supervisor.post(f"{path}/approval", {"pin": PIN}).status == 204
    assert tablet.parts.agent.approval(asked["approval"]) == {"state": "approved", "by": "2001"}
    assert tablet.do("declare", approval=approval, **TOO_EARLY)["step"] == "betting"
    # Given once, and for one message.
    assert supervisor.post(f"{path}/approval", {"pin": PIN}).status == 404
    tablet.do("register")
    state = tablet.do("declare", approval=approval, **TOO_EARLY)
    assert (state["step"], state["recent"][0]["answer"]) == ("playing", "refused")


def test_it_is_refused_withdrawn_or_another_one_is_asked(office: Office, tablet: Tablet) -> None:
    supervisor, agent = office.of_role("area-manager"), tablet.parts.agent
    first = _ask(office, tablet)["approval"]
    assert supervisor.post(f"/v1/approvals/{first}/refusal").status == 204
    assert agent.approval(first) == {"state": "refused", "by": "3001"}
    second = _ask(office, tablet)["approval"]
    third = _ask(office, tablet)["approval"]
    assert agent.approval(second)["state"] == "over"
    tablet.tap("end-approval", approval=third)
    assert (agent.approval(third)["state"], tablet.state["asked"]) == ("over", None)
    for one in (second, third):
        assert supervisor.post(f"/v1/approvals/{one}/approval", {"pin": PIN}).status == 404
