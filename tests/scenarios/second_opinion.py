"""A house beside which the second model hears every command: both must come to the same books."""

from meter_server.domain.commands import Command
from meter_server.domain.floor import Floor
from meter_server.domain.money import MICROS_PER_CENT
from meter_server.domain.people import Context
from meter_server.domain.refusals import PRECEDENCE, Kind
from meter_server.domain.rulebook.readings import Readings, Scope, SplitBasis
from tests.independent import state
from tests.independent.model import take
from tests.independent.prizes import House as Installation
from tests.scenarios.house import Answer, House
from tests.simulation.comparing import compare
from tests.simulation.telling import request_of


class Doubted:
    """Whatever the house answers, the rules written a second time must answer too."""

    def __init__(self, house: House, readings: Readings) -> None:
        self._house = house
        self.model = state.Floor(
            Installation(
                readings.payable_unit_micros // MICROS_PER_CENT,
                readings.split_basis is SplitBasis.PRINTED,
                readings.terms_notice_us,
            )
        )
        self._readings = readings
        # The second model reads A-31 in the default way only.
        self._is_heard = readings.scope is Scope.CASINO

    def books(self) -> Floor:
        return self._house.books()

    def submit(self, command: Command, context: Context) -> Answer:
        before = self._house.books()
        answer = self._house.submit(command, context)
        # It lives under one set of readings: where the house changes its own, it has no opinion.
        self._is_heard &= context.readings == self._readings
        if self._is_heard:
            reasons = take(self.model, request_of(command, context, before))
            self._require_same(answer, reasons, f"{command} of {context.actor}")
            compare(self._house.books(), self.model, before.history)
        return answer

    def _require_same(self, answer: Answer, reasons: set[str], asked: str) -> None:
        if answer.refusal is None:
            assert not reasons, f"accepted, but {reasons}: {asked}"
            return
        first = min(reasons, key=lambda reason: PRECEDENCE[Kind(reason)], default=None)
        assert answer.refusal.kind.value == first, f"{answer.refusal.sentence} {reasons}: {asked}"
