"""What the meter records, and what must be readable about it afterwards."""

from meter_server.domain.requirements.row import INFERRED, Requirement

METER = (
    Requirement(
        "MET-1",
        "The meter never records less than seed times cost, plus the rate of all wagers since the "
        "last reset, less prizes other than bonus payouts.",
        "WSOP 9.3; Three Card 6.3",
    ),
    Requirement(
        "MET-2",
        "The meter counts in whole millionths of a dollar, so that no wager ever needs rounding.",
        INFERRED,
    ),
    Requirement(
        "MET-3",
        "A wager adds rate times cost when it is registered, at the rate then in force.",
        "WSOP 9.3.2; Three Card 6.3.2",
    ),
    Requirement(
        "MET-4",
        "A round that would leave the meter below seed times cost resets it to at least that; "
        "exactly on it is not below.",
        "WSOP 9.4.1; Three Card 6.4.1",
    ),
    Requirement(
        "MET-5",
        "Several royals in one round reset the meter (Three Card only).",
        "Three Card 6.4.2",
    ),
    Requirement(
        "MET-6",
        "Every change is one ordered, lasting entry; the entries since the reset add up to the "
        "value, which ends no command below seed times cost.",
        "inferred from WSOP 9.3, 9.5; Three Card 6.3, 6.5",
    ),
)

AUDIT = (
    Requirement(
        "AUD-1",
        "For every round the time for settlement, the meter before and after, j, outcomes, payouts "
        "and any reset stay readable.",
        "WSOP 9.5.2, 9.5.3; Three Card 6.5.2, 6.5.3",
    ),
    Requirement(
        "AUD-2",
        "What was wagered, added, paid, reset and moved accounts for the meter to the millionth.",
        INFERRED,
    ),
    Requirement(
        "AUD-3",
        "History can be exported for an inspector or the regulator.",
        "inferred from WSOP 14.9, 14.11; Three Card 13.11, 13.12",
    ),
)
