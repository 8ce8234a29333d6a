"""Disputes as forms: what may be said next, and by whom. The procedure itself is asked what may follow what.

Forms are hidden until the module finds a token in this browser that allows them.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple

from events.core import Seat
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    ResultFinalised,
)
from projections.disputes import Dispute, Docket
from projections.scoresheet import SheetLine
from projections.words import signed
from service.disputes.procedure import MAX_WORDS, judge
from service.errors import LedgerError
from service.play.history import History

_SOME_RULE: Final = "AZ-1"
"""What a ruling is tried with, to know whether any may be given now."""
_LONGEST: Final = 110
"""Characters of a score line in a list."""


class DisputeForm(NamedTuple):
    """A form that the module shows to whoever has the token, and sends; or why it may not be sent now."""

    fields: str
    """Which fields it has: `dispute`, `withdraw`, `rule`, `appeal`, `decide` or `final`."""
    key: str
    path: str
    """Where it is sent, below the match."""
    needs: str
    """Whose token it takes."""
    heading: str
    is_sure: bool = False
    """Whether it cannot be undone."""
    refusal: str = ""


class DisputedLine(NamedTuple):
    """Points of one event for one seat, to choose from."""

    seq: int
    seat: Seat
    words: str


class DisputeForms(NamedTuple):
    """What may be said about a match at a moment, to whoever holds a token of it."""

    procedure: "Procedure"
    opening: DisputeForm
    final: DisputeForm | None
    lines: Sequence[DisputedLine]
    names: Sequence[tuple[Seat, str]]
    games: Sequence[str]
    """Whose rules may be cited."""
    longest: int
    """Characters of what people write."""


class Procedure:
    """What may follow in the disputes of a match; `service_key` is the key that the service rules with."""

    def __init__(self, docket: Docket, arbiters: Collection[str], service_key: str, now: datetime) -> None:
        self.docket, self.arbiters, self._service_key, self._now = docket, arbiters, service_key, now
        self.has_service_key = bool(service_key) and service_key in arbiters
        """Whether the service signs for whoever has the arbiter's token."""

    def forms(self, history: History, games: Sequence[str]) -> DisputeForms:
        """The forms that are about no dispute in particular."""
        tried = DisputeOpened(number=len(self.docket.disputes) + 1, seat=1, of=1, words="-")
        why = self._refusal(tried, but="dispute/again")
        return DisputeForms(
            self,
            DisputeForm("dispute", "dispute", "disputes", "seat", "Open a dispute", refusal=why),
            self._final(),
            list(_lines(history, history.scoresheet)),
            list(enumerate(history.players, start=1)),
            games,
            MAX_WORDS,
        )

    def next_forms(self, dispute: Dispute) -> list[DisputeForm]:
        """What may be said next in a dispute; or why nothing may be said yet."""
        number, status = dispute.number, dispute.status
        path = f"disputes/{number}"
        if self.docket.final is not None:
            return []
        signed_by = {"number": number, "arbiter": "-", "key": self._service_key, "signature": "", "reason": "-"}
        if status == "opened":
            ruling = DisputeRuled(**signed_by, rules=(_SOME_RULE,))  # type: ignore[arg-type]
            back = f"{path}/withdraw"
            mine = f"seat-{dispute.opened.seat}"
            return [
                *self._arbiters_form(ruling, "rule", f"{path}/ruling", "Rule on it"),
                DisputeForm("withdraw", f"withdraw-{number}", back, mine, "Take the dispute back", is_sure=True),
            ]
        if status == "ruled":
            why = self._refusal(DisputeAppealed(number=number, seat=1, words="-"))
            heading = "Appeal against the ruling"
            return [DisputeForm("appeal", f"appeal-{number}", f"{path}/appeal", "seat", heading, refusal=why)]
        if status == "appealed":
            decision = AppealDecided(**signed_by, upheld=True, rules=(_SOME_RULE,))  # type: ignore[arg-type]
            return self._arbiters_form(decision, "decide", f"{path}/decision", "Decide the appeal")
        return []

    def _final(self) -> DisputeForm | None:
        """The form that declares the result final, once that may be done."""
        if self.docket.final is not None or not self.docket.computed:
            return None
        event = ResultFinalised(arbiter="-", key=self._service_key, signature="", standings=self.docket.ruled)
        forms = self._arbiters_form(event, "final", "final", "Declare the result final", is_sure=True)
        return forms[0] if forms else None

    def _arbiters_form(
        self, event: DisputeEvent, fields: str, path: str, heading: str, *, is_sure: bool = False
    ) -> list[DisputeForm]:
        if not self.has_service_key:
            return []
        key = f"{fields}-{path}"
        return [DisputeForm(fields, key, path, "arbiter", heading, is_sure=is_sure, refusal=self._refusal(event))]

    def _refusal(self, event: DisputeEvent, but: str = "") -> str:
        """Why such an event may not follow now; empty where it may, or where only that reason is against it."""
        try:
            judge(self.docket, event, self._now, self.arbiters)
        except LedgerError as refusal:
            return "" if refusal.code == but else refusal.message
        return ""


def _lines(history: History, sheet: Iterable[SheetLine]) -> Iterable[DisputedLine]:
    for (seq, seat), group in groupby(sheet, key=lambda line: (line.seq, line.seat)):
        lines = list(group)
        points = signed(sum(line.applied for line in lines))
        words = f"Event {seq}: {history.names[seat]} {points}, {'; '.join(line.reason for line in lines)}"
        yield DisputedLine(seq, seat, words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…")
