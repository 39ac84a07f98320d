"""Refusals: sentences with a rule and a remedy, and one order of precedence."""

from meter_server.domain.refusals import Kind, Refusal, Refused


def test_a_refusal_is_told_as_reason_rule_and_remedy() -> None:
    refused = Refused(Kind.NO_SEATS, "Nobody wagers.", rule="WSOP 9.2.2", remedy="Name a seat.")
    assert refused.refusal == Refusal(Kind.NO_SEATS, "Nobody wagers.", "WSOP 9.2.2", "Name a seat.")
    assert str(refused) == refused.refusal.sentence == "Nobody wagers. [WSOP 9.2.2] Name a seat."


def test_kinds_travel_as_the_words_they_are_named_by() -> None:
    assert {kind.value for kind in Kind} == {kind.name.lower().replace("_", "-") for kind in Kind}


def test_precedence_begins_with_who_asks_and_what_is_named() -> None:
    assert list(Kind)[:4] == [
        Kind.NOT_AUTHORISED,
        Kind.SECOND_PERSON_NEEDED,
        Kind.OWN_OUTCOME,
        Kind.UNKNOWN,
    ]
