"""The agent of a table: every tap enters here, is kept, and becomes a message or a sentence."""

import threading
from collections.abc import Callable, Iterable

from meter_server.contract.device.errors import DeviceError, NotReached
from meter_server.contract.device.identity import Identity
from meter_server.contract.device.link import Json
from meter_server.contract.messages import HandReport
from meter_server.contract.tables import TableTold
from meter_server.domain.refusals import Refused
from meter_server.domain.rulebook.authority import Action, Rank, grant_for
from meter_server.domain.rulebook.irregularities import Effect
from table_agent import conditions, irregularities, screen, taps
from table_agent.draft import Draft
from table_agent.irregularities import NOT_ACKNOWLEDGED, Irregularity
from table_agent.outbox import Outbox
from table_agent.people import People
from table_agent.ports import Clock
from table_agent.screen import Shown
from table_agent.sender import TABLE, Sender
from table_agent.table import OpenRound, Table, read, table
from table_agent.taps import Approval, Asked, Tap
from table_agent.wording import chips, consequences, differences, give_back

_DRAFT = "draft"
_SAID = "said"


class Declined(DeviceError):  # noqa: N818 - an answer
    """Nothing was done; the sentence says why and what to do. ``needs`` is the rank whose approval
    of this ``action`` would do it."""

    def __init__(
        self, sentence: str, needs: Rank | None = None, action: Action | None = None
    ) -> None:
        super().__init__(sentence)
        self.needs = needs
        self.action = action


class Agent:
    def __init__(
        self,
        identity: Identity,
        outbox: Outbox,
        sender: Sender,
        people: People,
        clock: Clock,
        wake: Callable[[], None],
    ) -> None:
        self._identity = identity
        self._outbox = outbox
        self._sender = sender
        self._people = people
        self._clock = clock
        self._wake = wake
        self._tapping = threading.Lock()

    def tap(self, body: bytes) -> None:
        """Keep it, then do it: what it did is on the disk when this returns. Declined, or another
        DeviceError, says in a sentence why nothing was done."""
        tap = taps.read(body)
        with self._tapping:
            self._outbox.tap(self._clock.instant(), taps.kept(tap))
            try:
                self._do(tap)
            except DeviceError as error:
                self._outbox.tap(self._clock.instant(), {"declined": str(error)})
                raise
        self._wake()

    def shown(self) -> Json:
        """Everything the console draws."""
        told = self._told()
        if told is None:
            return screen.before_the_first_word(self._identity, self._sender.status)
        items = self._outbox.items(max(0, self._outbox.last_number - screen.RECENT))
        now = table(told, self._outbox.items(told.last_number))
        return screen.draw(
            Shown(
                table=now,
                draft=self._draft(now),
                link=self._sender.status,
                person=self._people.here(),
                asked=self._people.asked,
                items=items,
                said=self._said(),
            )
        )

    def _said(self) -> list[str]:
        """What was asked at a table that this tablet has left, or that another one has taken over,
        is not to be done here."""
        kept = self._outbox.recall(_SAID)
        is_over = self._sender.status.kept_out
        if is_over or kept is None or kept.get("table") != self._identity.table:
            return []
        return list(kept["sentences"])

    def approval(self, approval: int) -> Json:
        """What became of what was asked of a supervisor: its state, and by whom."""
        told = self._people.asked_for(approval)
        return {"state": told["state"], "by": told["by"]}

    def _told(self) -> TableTold | None:
        told = self._sender.told or self._outbox.recall(TABLE)
        return None if told is None else TableTold.model_validate(told)

    def _table(self) -> Table:
        told = self._told()
        if told is None:
            raise Declined("The server has not told how this table stands: wait for the link.")
        return table(told, self._outbox.items(told.last_number))

    def _draft(self, now: Table) -> Draft:
        kept = self._outbox.recall(_DRAFT)
        if kept is not None and kept["place"] == now.place:
            return Draft.from_json(kept)
        return Draft(now.place, now.proposal)

    def _do(self, tap: Tap) -> None:
        match tap:
            case taps.SignOn():
                return self._people.sign_on(tap.body())
            case taps.SignOff():
                return self._people.sign_off()
            case taps.AskApproval():
                return self._people.ask(tap.action)
            case taps.EndApproval():
                return self._people.end_asking(tap.approval)
            case taps.Call():
                self._people.call(tap.rank, tap.reason)
                return self._sender.look()
            case taps.EndCall():
                self._people.end_call(tap.call)
                return self._sender.look()
            case _:
                return self._do_at_table(tap, self._table())

    def _do_at_table(self, tap: Tap, now: Table) -> None:
        if isinstance(tap, taps.Placed) and tap.place != now.place:
            raise Declined("The table has moved on since: look at the screen and tap again.")
        draft = self._draft(now)
        match tap:
            case taps.TouchSeat():
                self._choose(now, draft.with_seat(tap.seat, lit=tap.lit))
            case taps.SenseSeats():
                self._choose(now, draft.with_seats(frozenset(tap.seats)))
            case taps.DeclareHand():
                report = HandReport(
                    seat=tap.seat, hand=tap.hand, cards=tap.cards, folded=tap.folded
                )
                self._keep_hands(now, draft.with_hand(report))
            case taps.ShowCards():
                self._keep_hands(now, draft.with_shared_cards(tap.cards))
            case taps.SettleDespite():
                self._playing(now)
                self._keep(draft.settling(self._settling(now, tap.case).case))
            case taps.Clear():
                self._keep(draft.cleared())
            case taps.Register():
                self._register(now, draft)
            case taps.PlayWithoutJackpot():
                self._play_without_jackpot(now)
            case taps.NoWinners():
                self._record(now, draft.without_hands(), None)
            case taps.Record():
                self._record(now, draft, tap.approval)
            case taps.Declare():
                self._declare(now, tap)
            case taps.CorrectBonus():
                self._correct_bonus(now, tap)
            case taps.OpenTable():
                grant = self._approved(now, Action.OPEN_TABLE, tap.approval)
                self._say({"kind": "open-table", "table": now.told.table}, [], grant)
            case taps.CloseTable():
                self._close(now, tap)

    def _choose(self, now: Table, draft: Draft) -> None:
        if now.open_round is not None:
            raise Declined(
                "The wagers are registered: a wager that was not lit, or on the wrong seat, is an "
                "irregularity."
            )
        beyond = sorted(seat for seat in draft.seats if seat > now.told.seats)
        if beyond:
            raise Declined(f"This table has {now.told.seats} seats, not {beyond[0]}.")
        self._keep(draft)

    def _keep_hands(self, now: Table, draft: Draft) -> None:
        opened = self._playing(now)
        others = sorted(draft.hands.keys() - opened.seats)
        if others:
            raise Declined(f"Seat {others[0]} has no Jackpot wager in this round: leave it out.")
        self._keep(draft)

    def _keep(self, draft: Draft) -> None:
        self._outbox.remember(_DRAFT, draft.to_json())

    def _register(self, now: Table, draft: Draft) -> None:
        why = conditions.why_no_wagers(now, self._sender.status, draft.seats)
        if why is not None:
            raise Declined(why)
        self._people.require_present()
        terms = now.terms
        assert terms is not None  # noqa: S101 - there are no wagers without a system
        command = {
            "kind": "register-wagers",
            "round": self._outbox.next_round,
            "table": now.told.table,
            "seats": sorted(draft.seats),
            "cost_cents": terms.cost_cents,
        }
        self._keep(draft)
        self._say(command, chips(terms, now.carried, draft.seats))

    def _play_without_jackpot(self, now: Table) -> None:
        opened = now.open_round
        if opened is None or opened.recorded:
            raise Declined(
                "The registration is recorded: a game begun by mistake is cancelled by a TG Higher "
                "Duties Dealer."
            )
        self._say(
            self._irregularity(now, NOT_ACKNOWLEDGED),
            [give_back(opened, opened.seats), "Deal this round without jackpot."],
        )

    def _record(self, now: Table, draft: Draft, approval: Approval | None) -> None:
        opened = self._playing(now)
        reports = list(draft.hands.values())
        try:
            reading = read(now.game, opened.seats, reports, draft.shared_cards)
        except Refused as refused:
            raise Declined(refused.refusal.sentence) from None
        action = Action.RECORD_OUTCOME
        if draft.despite is not None:
            action = self._settling(now, draft.despite).action
        if reading.cautions:
            action = Action.CONFIRM_EXCEPTIONAL_HAND
        grant = self._approved(now, action, approval)
        command = {
            "kind": "record-outcome",
            "round": opened.id,
            "hands": [report.model_dump(mode="json") for report in reports],
            "shared_cards": draft.shared_cards,
            "case": draft.despite,
        }
        self._keep(draft)
        self._say(command, [], grant)

    def _settling(self, now: Table, case: str) -> Irregularity:
        found = irregularities.find(now.game, case)
        if found is None or found.effect is not Effect.SETTLE:
            raise Declined(f"{case!r} is no misdeal despite which the jackpot is settled.")
        return found

    def _declare(self, now: Table, tap: taps.Declare) -> None:
        opened = self._playing(now)
        found = irregularities.find(now.game, tap.case)
        if found is None:
            raise Declined(f"{now.game.title} has no case {tap.case!r}.")
        if found.effect is Effect.SETTLE:
            raise Declined("The jackpot is settled despite this misdeal: record the outcome.")
        seats, joining = frozenset(tap.seats), frozenset(tap.joining)
        _check_seats(found, opened, seats, joining)
        grant = self._approved(now, found.action, tap.approval)
        command = self._irregularity(now, tap.case, sorted(seats), sorted(joining), tap.reason)
        self._say(command, consequences(found, opened, seats, joining), grant)

    def _correct_bonus(self, now: Table, tap: taps.CorrectBonus) -> None:
        last = now.last_round
        if now.open_round is not None or last is None:
            raise Declined(
                "Wagers have been registered since: a TG Assistant Casino Manager corrects it. "
                f"[{now.game.rules.bonus_determination}]"
            )
        grant = self._approved(now, Action.CORRECT_BONUS, tap.approval)
        hands = [one.model_dump(mode="json") for one in tap.hands]
        command = {"kind": "correct-bonus", "round": last.id, "hands": hands}
        corrected = self._say(command, [], grant).last_round
        if corrected is not None:
            self._remember_said(differences(last.bonus_micros, corrected.bonus_micros))

    def _close(self, now: Table, tap: taps.CloseTable) -> None:
        grant = self._approved(now, Action.CLOSE_TABLE, tap.approval)
        command = {
            "kind": "close-table",
            "table": now.told.table,
            "players_present": tap.players_present,
        }
        said = ["Tell the players: three more hands."] if tap.players_present else []
        self._say(command, said, grant)

    def _irregularity(
        self,
        now: Table,
        case: str,
        seats: Iterable[int] = (),
        joining: Iterable[int] = (),
        reason: str = "",
    ) -> Json:
        return {
            "kind": "declare-irregularity",
            "table": now.told.table,
            "case": case,
            "seats": list(seats),
            "joining": list(joining),
            "reason": reason,
        }

    def _playing(self, now: Table) -> OpenRound:
        opened = now.open_round
        if opened is None:
            raise Declined("No jackpot game is open: register the wagers first.")
        if not opened.recorded:
            raise Declined(
                "The registration is not recorded yet: deal no card; wait for it, or play without "
                "jackpot."
            )
        return opened

    def _approved(self, now: Table, action: Action, approval: Approval | None) -> str | None:
        """The grant that stands behind it; None where whoever is here may do it alone."""
        needed = grant_for(action, now.game.key)
        if needed is None:
            raise Declined(f"{now.game.title} does not provide for this.")
        if self._people.level() >= needed.rank.level:
            return None
        if approval is None:
            raise Declined(
                f"This takes a {needed.rank.title} (or above). [{needed.rule}]", needed.rank, action
            )
        try:
            if isinstance(approval, Asked):
                return self._granted(approval)
            return self._people.authorise(approval.body(), action)
        except NotReached:
            raise Declined(
                "The link is down, and a supervisor's approval needs the server: wait for it."
            ) from None

    def _granted(self, approval: Asked) -> str:
        grant = self._people.asked_for(approval.asked)["grant"]
        if grant is None:
            raise Declined("Nobody has approved it: enter the PIN here.")
        return str(grant)

    def _say(self, command: Json, sentences: Iterable[str], grant: str | None = None) -> Table:
        """Into the outbox: from here on a power cut cannot lose it. The table as it is then."""
        if self._sender.status.kept_out:
            raise Declined(
                "This tablet is kept out: nothing that is said here will be recorded. Go on at the "
                "tablet that took the table over; where there is none, call the TG Area Manager."
            )
        actor = self._people.actor()
        self._outbox.put(self._clock.instant(), actor, command, grant)
        self._remember_said(sentences)
        return self._table()

    def _remember_said(self, sentences: Iterable[str]) -> None:
        told = {"table": self._identity.table, "sentences": list(sentences)}
        self._outbox.remember(_SAID, told)


def _check_seats(
    found: Irregularity, opened: OpenRound, seats: frozenset[int], joining: frozenset[int]
) -> None:
    if found.names_seats and not seats and not (found.admits_seats and joining):
        raise Declined("Touch the seats that this concerns.")
    others = sorted(seats - opened.seats)
    if others:
        raise Declined(f"Seat {others[0]} has no Jackpot wager in this round.")
    if joining and not found.admits_seats:
        raise Declined("This case returns wagers; it admits none.")
