"""The register: every requirement, rank, case and reading that the rules put to this system.

Code and tests cite these keys; `python -m tests.rules_map` turns the citations into
docs/rules-map.md.
"""

from meter_server.domain.requirements.authority import AUTHORITY
from meter_server.domain.requirements.irregularities import CASES, IRREGULARITIES
from meter_server.domain.requirements.row import Requirement

REGISTER: tuple[Requirement, ...] = (
    *AUTHORITY,
    *IRREGULARITIES,
    *CASES,
)
