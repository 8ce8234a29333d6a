"""Disputes as forms: what may be said next, and by whom. The procedure itself is asked what may follow what.

Forms are hidden until the module finds a token in this browser that allows them.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import groupby
from typing import Final

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
from projections.words import count, signed
from service.disputes.procedure import MAX_WORDS, judge
from service.errors import LedgerError
from service.play.history import History
from service.shell.page.escape import escape

_SOME_RULE: Final = "AZ-1"
"""What a ruling is tried with, to know whether any may be given now."""


class Hearing:
    """The disputes of a match at a moment, to whoever holds a token of it."""

    def __init__(self, history: History, docket: Docket, arbiters: Collection[str], house: str, now: datetime) -> None:
        self._history, self._docket, self._now = history, docket, now
        self._arbiters = arbiters
        self._house = house
        self._seats = range(1, history.opened.seats + 1)

    # ------------------------------------------------------------------------------------------------ what may follow

    def _refusal(self, event: DisputeEvent, *but: str) -> str:
        """Why such an event may not follow now; empty where it may, or where only these reasons are against it."""
        try:
            judge(self._docket, event, self._now, self._arbiters)
        except LedgerError as refusal:
            return "" if refusal.code in but else refusal.message
        return ""

    @property
    def has_house(self) -> bool:
        """Whether the service signs for whoever has the arbiter's token."""
        return bool(self._house) and self._house in self._arbiters

    def who_rules(self) -> str:
        """Who may rule, and how; as markup."""
        if self._docket.final is not None:
            return ""
        others = count(len(self._arbiters), "arbiter") + (" with keys of their own" if len(self._arbiters) > 1 else "")
        if self.has_house:
            more = " Whoever has the arbiter's link rules here, and the service signs with the key of the house."
            return f'<p class="quiet hint">Players open disputes with the link of their seat.{more}</p>'
        if self._arbiters:
            return (
                f'<p class="quiet hint">Players open disputes here with the link of their seat. This match names'
                f" {others}, who signs at home with <code>matchledger dispute rule</code> and sends the signature;"
                " so there is no form for rulings on this page.</p>"
            )
        return (
            '<p class="quiet hint">This match was opened without an arbiter, so nobody can rule in it. Players can'
            " put a dispute on record here with the link of their seat; the audit and its page tell it."
            " Open the next match with the arbiter of the house to have disputes ruled.</p>"
        )

    # ---------------------------------------------------------------------------------------------------------- forms

    def opening(self, sheet: Iterable[SheetLine]) -> str:
        """The form that opens a dispute, about a line of the score sheet or a total."""
        number = len(self._docket.disputes) + 1
        tried = DisputeOpened(number=number, seat=1, of=1, words="-")
        if why := self._refusal(tried, "dispute/again"):
            return f'<p class="quiet hint">{escape(why)}</p>'
        until = ""
        if minutes := self._docket.opened.dispute_within:
            until = (
                f'<p class="quiet hint">Disputes may be opened for {count(minutes, "minute")} after the closing.</p>'
            )
        fields = (
            f"{self._as_seat('Who disputes')}"
            f'<label>What <select name="event"><option value="0">A total</option>{self._lines(sheet)}</select></label>'
            f'<label>Whose points <select name="of">{self._seat_options()}</select></label>'
            '<label>What would be right, in points (may stay blank) <input type="number" name="claim" step="1"'
            ' min="-99999" max="99999"></label>'
            f"{_words('words', 'In your words')}{until}"
        )
        return _form("dispute", "disputes", "seat", "Open a dispute", fields)

    def _lines(self, sheet: Iterable[SheetLine]) -> str:
        options = []
        for (seq, seat), group in groupby(sheet, key=lambda line: (line.seq, line.seat)):
            lines = list(group)
            points = signed(sum(line.applied for line in lines))
            words = f"Event {seq}: {self._history.names[seat]} {points}, {'; '.join(line.reason for line in lines)}"
            short = words if len(words) <= 110 else f"{words[:109]}…"
            options.append(f'<option value="{seq}" data-of="{seat}">{escape(short)}</option>')
        return "".join(options)

    def next_forms(self, dispute: Dispute) -> str:
        """What may be said next in a dispute; or why nothing may be said yet."""
        number, status = dispute.number, dispute.status
        path = f"disputes/{number}"
        if self._docket.final is not None:
            return ""
        if status == "opened":
            needs = f"seat-{dispute.opened.seat}"
            back = _form(f"withdraw-{number}", f"{path}/withdraw", needs, "Take the dispute back", "", is_sure=True)
            ruling = DisputeRuled(
                number=number, arbiter="-", key=self._house, signature="", rules=(_SOME_RULE,), reason="-"
            )
            return self._arbiters_form(ruling, "rule", f"{path}/ruling", "Rule on it", self._ruling_fields()) + back
        if status == "ruled":
            if why := self._refusal(DisputeAppealed(number=number, seat=1, words="-")):
                return f'<p class="quiet hint">{escape(why)}</p>'
            fields = f"{self._as_seat('Who appeals')}{_words('words', 'Why the ruling is wrong')}"
            return _form(f"appeal-{number}", f"{path}/appeal", "seat", "Appeal against the ruling", fields)
        if status == "appealed":
            decision = AppealDecided(
                number=number, arbiter="-", key=self._house, signature="", upheld=True, rules=(_SOME_RULE,), reason="-"
            )
            choice = (
                "<fieldset><legend>The ruling is</legend>"
                '<label><input type="radio" name="upheld" value="yes" required> upheld: it stays as it is</label>'
                '<label><input type="radio" name="upheld" value="no"> overturned: what follows takes its place</label>'
                "</fieldset>"
            )
            fields = choice + self._ruling_fields()
            return self._arbiters_form(decision, "decide", f"{path}/decision", "Decide the appeal", fields)
        return ""

    def final(self) -> str:
        """The form that declares the result final, once that may be done."""
        if self._docket.final is not None or not self._docket.computed or not self.has_house:
            return ""
        event = ResultFinalised(arbiter="-", key=self._house, signature="", standings=self._docket.ruled)
        return self._arbiters_form(event, "final", "final", "Declare the result final", _ARBITER, is_sure=True)

    def _arbiters_form(
        self, event: DisputeEvent, key: str, path: str, heading: str, fields: str, *, is_sure: bool = False
    ) -> str:
        if not self.has_house:
            return ""
        if why := self._refusal(event):
            return f'<p class="quiet hint">{escape(why)}</p>'
        return _form(f"{key}-{path}", path, "arbiter", heading, fields, is_sure=is_sure)

    def _ruling_fields(self) -> str:
        points = "".join(
            f'<label>{escape(self._history.names[seat])} <input type="number" name="points-{seat}" step="1"'
            ' min="-99999" max="99999" placeholder="0"></label>'
            for seat in self._seats
        )
        return (
            '<div class="cited"><label>Rules it rests on: an id, or words of the rule'
            ' <input class="rule" list="rules" autocomplete="off"></label>'
            ' <button type="button" class="add">Cite it</button><ul class="rules"></ul></div>'
            f'<fieldset class="adjust"><legend>Points given (or taken, with a minus)</legend>'
            f'<div class="fields">{points}</div></fieldset>'
            f"{_words('reason', 'The reason')}{_ARBITER}"
        )

    def _seat_options(self) -> str:
        return "".join(f'<option value="{seat}">{escape(self._history.names[seat])}</option>' for seat in self._seats)

    def _as_seat(self, label: str) -> str:
        """Which of the seats whose tokens are in this browser speaks; most have only one."""
        return f'<label>{label} <select name="seat" class="mine">{self._seat_options()}</select></label>'


_ARBITER: Final = (
    '<label>Signed as <input name="arbiter" required maxlength="200" placeholder="the arbiter\'s name"'
    ' autocomplete="off"></label>'
)


def _words(name: str, label: str) -> str:
    return f'<label>{label} <textarea name="{name}" required maxlength="{MAX_WORDS}" rows="2"></textarea></label>'


def _form(key: str, path: str, needs: str, heading: str, fields: str, *, is_sure: bool = False) -> str:
    """A form that the module shows to whoever has the token, and sends."""
    sure = '<label class="sure"><input type="checkbox" required> This cannot be undone.</label>' if is_sure else ""
    return (
        f'<details class="act" id="act-{key.replace("/", "-")}" data-needs="{needs}" hidden>'
        f"<summary>{heading}</summary>"
        f'<form data-form="{key}" data-send="{path}" data-needs="{needs}">{fields}{sure}'
        f'<p class="answer" role="alert"></p><p><button class="main">{heading}</button></p></form></details>'
    )
