"""The register: every requirement, rank, case and reading that the rules put to this system.

Code and tests cite these keys; `python -m tests.rules_map` turns the citations into
docs/rules-map.md.
"""

from meter_server.domain.requirements.authority import AUTHORITY
from meter_server.domain.requirements.games import HANDS, NEIGHBOURS
from meter_server.domain.requirements.irregularities import CASES, IRREGULARITIES
from meter_server.domain.requirements.meter import AUDIT, METER
from meter_server.domain.requirements.readings_of_money import (
    READINGS_OF_SPLITS,
    READINGS_OF_THE_METER,
)
from meter_server.domain.requirements.readings_of_the_floor import (
    READINGS_OF_IRREGULARITIES,
    READINGS_OF_SYSTEMS,
    READINGS_OF_WORDS,
)
from meter_server.domain.requirements.row import Requirement
from meter_server.domain.requirements.settlement import BONUS, SETTLEMENT
from meter_server.domain.requirements.systems import SIGNAGE, SYSTEMS
from meter_server.domain.requirements.wagers import WAGERS

SUBJECTS: dict[str, tuple[Requirement, ...]] = {
    "Prize meter systems": SYSTEMS,
    "Wagers": WAGERS,
    "The meter": METER,
    "Settlement": SETTLEMENT,
    "Authority": AUTHORITY,
    "Bonus payouts": BONUS,
    "Irregularities": IRREGULARITIES,
    "Irregularities, case by case": CASES,
    "Tournaments and bonus prizes": NEIGHBOURS,
    "Cards and hands": HANDS,
    "Signage": SIGNAGE,
    "Audit": AUDIT,
    "Readings: splits": READINGS_OF_SPLITS,
    "Readings: the meter and timing": READINGS_OF_THE_METER,
    "Readings: systems": READINGS_OF_SYSTEMS,
    "Readings: irregularities": READINGS_OF_IRREGULARITIES,
    "Readings: words": READINGS_OF_WORDS,
}

REGISTER: tuple[Requirement, ...] = tuple(row for rows in SUBJECTS.values() for row in rows)

KEYS: frozenset[str] = frozenset(row.key for row in REGISTER)
