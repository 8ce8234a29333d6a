"""Replay of a record, line by line: every line is read on the table that the lines before it led to."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from events.codec import tag
from events.core import ARBITER, CHANCE, LEDGER, Envelope, Event, Seat, type_field
from events.dispute import DisputeEvent
from events.match import (
    MatchClosed,
    MatchOpened,
    MoveForfeited,
    SeatResigned,
    SeatTaken,
    StepRedone,
    StepUndone,
    UndoAccepted,
    UndoDeclined,
    UndoRequested,
)
from projections.fold import Table, after
from projections.running import Running
from service.errors import LedgerError
from service.games.game import Game
from service.games.notation import Malformed
from service.games.options import read_options
from service.games.shelf import by_ruleset
from service.limits import EVENTS, quoted, read_number
from service.play.appending import Entry
from service.play.matches import resigned_standings
from service.records.grammar import Part, StepLine, read_fields, read_time, unquote
from service.records.points import check_points, scored
from service.records.problems import BadRecord
from service.records.seats import readings

EVENT_WORDS: Final = {tag(kind): kind for kind in get_args(DisputeEvent)}
"""Facts written by their tag and their fields."""
_JOIN: Final = re.compile(r"joins?(?:\s+nonce\s+(.*))?", re.IGNORECASE | re.DOTALL)
_NUMBERS: Final = re.compile(r"(undo|redo|asks?\s++undo)\s++([0-9]++(?:[\s,]++[0-9]++)*+)", re.IGNORECASE)
_CLOSE: Final = re.compile(
    r"close\s+(finished|resigned|abandoned)(?:\s+secret\s+([0-9a-f]+))?(?:\s+seed\s+(\S+))?", re.IGNORECASE
)
_FORFEIT: Final = re.compile(
    r"forfeits?\s++(died|late|nonsense|illegal)\s++to\s++(greedy|resignation)(?:\s++said\s++(.*+))?",
    re.IGNORECASE | re.DOTALL,
)
_DEAL: Final = re.compile(r"deals?\b\s*(.*)", re.IGNORECASE | re.DOTALL)
_WORDS: Final[Mapping[str, Callable[[Seat], Event]]] = {
    "accept": UndoAccepted,
    "accepts": UndoAccepted,
    "decline": UndoDeclined,
    "declines": UndoDeclined,
    "resign": SeatResigned,
    "resigns": SeatResigned,
}


class ToldLine(Struct, frozen=True):
    """What a line stands for: who did what, and what in it contradicts the rules without changing what happened."""

    at: datetime
    entries: list[Entry]
    contradictions: list[str]


class Course:
    """The match so far. `tell` reads a line on it, `take` moves it on."""

    def __init__(self, match: str, names: Mapping[Seat, str], opening: MatchOpened | None) -> None:
        self.match = match
        self.names = names
        self.opening = opening
        """What the tags say was opened; None where they make no opening."""
        self.envelopes: list[Envelope] = []
        self._running: Running | None = None
        self.game: Game | None = None
        self.at: datetime | None = None
        self.step = 0
        self.is_lost = False
        """Whether something happened that does not fold, so that no later line can be decided."""
        self.why_lost = ""
        """Why it does not fold, where that can be said in words."""

    @property
    def table(self) -> Table | None:
        """The table so far; None before a match is opened."""
        return self._running.table if self._running is not None else None

    def take(self, envelopes: Sequence[Envelope]) -> None:
        """Add these envelopes, the next step or a part of it; the rules need not have decided them."""
        self.envelopes += envelopes
        self.step = envelopes[-1].step
        self.at = envelopes[-1].at
        if self.is_lost:
            return
        try:
            self._follow(envelopes)
        except LedgerError as refusal:
            self.is_lost, self.why_lost = True, refusal.message
        except Exception:
            # Raw events may say anything; a handler that was promised sound facts may fail in any way on others.
            self.is_lost = True

    def _follow(self, envelopes: Sequence[Envelope]) -> None:
        if self._running is None or self.game is None:
            first = self.envelopes[0].event
            assert isinstance(first, MatchOpened)
            self.game = by_ruleset(first.ruleset)
            read_options(self.game.rules, first.options, first.seats)  # a table for a billion seats is not made
            self._running = Running(self.game.projection, first)
        for envelope in envelopes:
            self._running.add(envelope)

    def envelopes_for(self, told: ToldLine, step: int = 0) -> list[Envelope]:
        """The envelopes a line stands for, right after the match so far."""
        seq = self.envelopes[-1].seq if self.envelopes else 0
        number = step or self.step + 1
        return [
            Envelope(self.match, seq + n, number, told.at, actor, event)
            for n, (actor, event) in enumerate(told.entries, start=1)
        ]

    def tell(self, step: StepLine) -> ToldLine:
        """What the line stands for. Raises BadRecord; the match so far stays as it is."""
        try:
            at = read_time(step.time, self.at) if step.time else self.at
        except ValueError as error:
            raise BadRecord("record/time", step.line, f"'@{step.time}' is not a time: {error}.") from error
        if at is None:
            raise BadRecord("record/time", step.line, "The first step needs a time, such as @2026-01-31T19:30:00Z.")
        if self.is_lost:
            why = f"What came before does not fold, so this cannot be decided. {self.why_lost}".rstrip()
            raise BadRecord("record/lost", step.line, why)
        entries: list[Entry] = []
        contradictions: list[str] = []
        table = self.table
        for n, part in enumerate(step.parts):
            try:
                told = self._tell_part(table, part.text, entries)
            except BadRecord:
                raise
            except LedgerError as refusal:
                message = f"{quoted(part.text)}: {refusal.message}"
                raise BadRecord(refusal.code, step.line, message, refusal.hint) from refusal
            except ValueError as error:
                message = f"{quoted(part.text)} cannot be read: {error}."
                raise BadRecord("record/step", step.line, message) from error
            if part.points and (wrong := self.contradiction(table, part, told)):
                contradictions.append(wrong)
            entries += told
            if len(self.envelopes) + len(entries) > EVENTS:
                raise BadRecord("record/events", step.line, f"A match of more than {EVENTS:,} events is not read.")
            if n + 1 < len(step.parts):
                table = self.after(table, told)
        return ToldLine(at, entries, contradictions)

    def contradiction(self, table: Table | None, part: Part, entries: Sequence[Entry]) -> str:
        """What is wrong with the points written beside a part; empty when nothing is."""
        scores = self.game.projection.scores(table.state) if self.game and table else ()
        actor = entries[0][0] if entries else None
        found = scored([event for _, event in entries], scores)
        return check_points(part.points, found, scores, self.names, actor if isinstance(actor, int) else None)

    def after(self, table: Table | None, entries: Sequence[Entry]) -> Table | None:
        """The table after some entries; the one given stays as it is."""
        if table is None or self.game is None:
            return table
        return after(self.game.projection, table, [event for _, event in entries])

    # --------------------------------------------------------------------------------------------- the words of a part

    def _tell_part(self, table: Table | None, text: str, before: Sequence[Entry]) -> list[Entry]:
        if text.lower() == "open":
            if self.opening is None:
                raise ValueError("the tags do not say what was opened")
            return [(LEDGER, self.opening)]
        if table is None or self.game is None:
            raise ValueError("no match is open yet")
        if found := _DEAL.fullmatch(text):
            return self.deal(table, found[1])
        if found := _CLOSE.fullmatch(text):
            return [(LEDGER, self._closing(table, found, before))]
        if text.startswith(f"{ARBITER} "):
            return [(ARBITER, _event(text.removeprefix(f"{ARBITER} ").strip()))]
        previous = before[-1][0] if before else None
        failure: Exception | None = None
        for seat, rest in readings(text, self.names):
            actor = seat if seat is not None else previous if isinstance(previous, int) else None
            if actor is not None and not 1 <= actor <= table.opened.seats:
                raise ValueError(f"seat {actor} is not at this table; choose 1–{table.opened.seats}")
            try:
                return self._tell_seat(table, actor, rest)
            except Malformed as malformed:
                failure = failure or malformed
        assert failure is not None
        raise failure

    def _tell_seat(self, table: Table, seat: Seat | None, text: str) -> list[Entry]:
        word = text.lower()
        if found := _NUMBERS.fullmatch(text):
            verb, steps = found[1].lower(), [read_number(number) for number in found[2].replace(",", " ").split()]
            actor = _named(seat)
            if verb.startswith("ask"):
                return [(actor, UndoRequested(seat=actor, step=steps[0]))]
            return [(actor, StepUndone(n) if verb == "undo" else StepRedone(n)) for n in steps]
        if word in _WORDS:
            return [(_named(seat), _WORDS[word](_named(seat)))]
        if found := _JOIN.fullmatch(text):
            return [(_named(seat), SeatTaken(_named(seat), nonce=unquote(found[1] or "")))]
        if found := _FORFEIT.fullmatch(text):
            why: Any = found[1].lower()
            follows: Any = found[2].lower()
            return [(LEDGER, MoveForfeited(_named(seat), why, follows, unquote(found[3] or "")))]
        if is_event(text):
            return [(_named(seat), _event(text))]
        return self.move(table, seat, text)

    def deal(self, table: Table, text: str) -> list[Entry]:
        """Chance answered this."""
        assert self.game is not None
        request = self.game.rules.request(table.state)
        if request is None:
            raise ValueError("nothing is to be drawn or dealt here")
        outcome = self.game.notation.read_outcome(text, table.state, request)
        return [(CHANCE, event) for event in self.game.rules.decide(table.state, CHANCE, outcome)]

    def move(self, table: Table, seat: Seat | None, text: str) -> list[Entry]:
        """A seat made this move; nobody named means whoever's turn it is."""
        assert self.game is not None
        action = self.game.notation.read(text)
        if seat is None:
            seats = self.game.projection.to_act(table.state)
            if len(seats) > 1:
                able = [one for one in seats if action in self.game.rules.legal(table.state, one)]
                seats = able if len(able) == 1 else seats
            if len(seats) != 1:
                raise ValueError("it does not say whose move it is")
            seat = seats[0]
        return [(seat, event) for event in self.game.rules.decide(table.state, seat, action)]

    def _closing(self, table: Table, found: re.Match[str], before: Sequence[Entry]) -> MatchClosed:
        assert self.game is not None
        reason: Any = found[1].lower()
        standings = tuple(self.game.projection.standings(table.state)) if reason == "finished" else ()
        if reason == "resigned":
            seats = [event.seat for _, event in before if isinstance(event, SeatResigned)]
            if not seats:
                raise ValueError("nobody resigned in this step")
            standings = resigned_standings(self.game.rules.rank(table.state), seats[0])
        return MatchClosed(reason, standings, secret=(found[2] or "").lower(), seed=found[3] or "")


def _named(seat: Seat | None) -> Seat:
    if seat is None:
        raise ValueError("it does not say who; begin with the seat, such as 1:")
    return seat


def is_event(text: str) -> bool:
    """Whether this is a fact written by its tag and its fields."""
    return text.partition(" ")[0] in EVENT_WORDS


def _event(text: str) -> Event:
    word, _, fields = text.partition(" ")
    if word not in EVENT_WORDS:
        raise ValueError(f"{word!r} is not one of {', '.join(EVENT_WORDS)}")
    try:
        event: Event = msgspec.convert({type_field: word, **read_fields(fields)}, EVENT_WORDS[word])
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    return event
