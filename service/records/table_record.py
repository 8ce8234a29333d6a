"""Reading a table record: deals and moves written by hand or by another program, every one checked by the rules."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from msgspec import json
from msgspec.structs import replace

from events.chain import Row
from events.codec import encode
from events.core import LEDGER, Seat
from events.match import MatchClosed, SeatResigned, SeatTaken
from projections.core import Names
from service.errors import IllegalAction, LedgerError
from service.games.core import Request
from service.games.notation import Malformed
from service.limits import quoted
from service.play import chance
from service.play.appending import Entry
from service.play.evidence import Evidence
from service.play.history import History
from service.play.ledger import id_from
from service.play.matches import resigned_standings
from service.play.moves import NEAR_MISSES, legal_moves, near_misses
from service.records.course import Course, ToldLine
from service.records.grammar import Part, RawLine, Sheet, StepLine, read_time
from service.records.header import (
    read_annotations,
    read_game,
    read_names,
    read_started,
    read_table_opening,
    result,
)
from service.records.ledger_record import comments
from service.records.points import Written, read_points
from service.records.problems import BadRecord
from service.records.seats import readings
from service.records.written import contradictions, kept, read_result
from service.store.shapes import SeatRow

_SKIPPED: Final = re.compile(r"open|(\S+\s+)?joins?(\s+nonce\s.*)?|close\s+(finished|resigned).*", re.IGNORECASE)
_ABANDONED: Final = re.compile(r"(close\s+)?abandon(s|ed)?", re.IGNORECASE)
_RESIGNS: Final = re.compile(r"resign(s|ed)?", re.IGNORECASE)
_NOT_HERE: Final = re.compile(r"((undo|redo|asks?|accepts?|declines?)\b.*|(dispute|match)\.\S+.*)", re.IGNORECASE)
_DEAL: Final = re.compile(r"deals?\b\s*", re.IGNORECASE)


def read_table_record(
    sheet: Sheet, source: str, clock: Callable[[], datetime], new_id: Callable[[], str] | None = None
) -> Evidence:
    """The match as evidence without hashes, under an id that follows from what is written, or a new one.

    Raises BadRecord for the first line that is wrong. Numbers that contradict the rules are no wrong line: they are
    what people argue about. Then every number that was written is kept with the match, because one that is right
    narrows down where the next one went wrong.
    """
    reader = _TableReader(sheet, read_started(sheet) or clock(), new_id() if new_id is not None else _id_of(sheet))
    reader.read()
    evidence = Evidence(
        source=source,
        match=reader.course.match,
        rows=reader.rows,
        count=len(reader.rows),
        head="",
        names=reader.course.names,
        lines=reader.lines,
        annotations=[*read_annotations(sheet), *comments(sheet, reader.steps)],
    )
    written = replace(evidence, annotations=[*evidence.annotations, *kept(reader.result, reader.points)])
    remarks = contradictions(written)
    return replace(written, remarks=remarks) if remarks else evidence


def _id_of(sheet: Sheet) -> str:
    """The same for the same words, however they are spaced: whoever imports a record twice means the same match."""
    tags = [(tag.name.lower(), tag.number, tag.value) for tag in (*sheet.tags, *sheet.trailer)]
    lines = [replace(line, line=0) for line in sheet.lines]
    comments = [(comment.place, comment.text) for comment in sheet.comments]
    return id_from(b"matchledger table record\n" + json.encode((tags, lines, comments)))


class _TableReader:
    """The state of reading one sheet."""

    def __init__(self, sheet: Sheet, at: datetime, match: str) -> None:
        self.sheet = sheet
        self.game = read_game(sheet)
        self.opened = read_table_opening(sheet, self.game)
        self.course = Course(match, read_names(sheet), self.opened)
        self.at = at
        self.rows: list[Row] = []
        self.lines: dict[int, int] = {}
        self.steps = [0]
        self.line = sheet.line
        self.points: dict[int, list[Written]] = {}
        """The points written beside each step."""
        self.result: dict[Seat, int] = {}
        """The points of each seat in the result as it was written."""

    def read(self) -> None:
        self._add([(LEDGER, self.opened)])
        for seat in range(1, self.opened.seats + 1):
            self._add([(seat, SeatTaken(seat=seat))])
        for line in self.sheet.lines:
            self.line = line.line
            if isinstance(line, RawLine):
                raise BadRecord("record/raw", line.line, "A table record holds deals and moves, no raw events.")
            if line.time:
                self._read_time(line.time)
            for part in line.parts if not line.is_undone else ():
                self._read_part(part)
            self.steps.append(self.course.step)
        self._read_result()

    def _read_time(self, text: str) -> None:
        try:
            self.at = read_time(text, self.at)
        except ValueError as error:
            raise BadRecord("record/time", self.line, f"'@{text}' is not a time: {error}.") from error

    def _read_part(self, part: Part) -> None:
        text = part.text
        assert self.course.table is not None
        if _SKIPPED.fullmatch(text):
            return
        if self.course.table.closed is not None:
            raise BadRecord("record/over", self.line, f"{text!r}: the match is over.")
        seat, done = next(((seat, rest) for seat, rest in readings(text, self.course.names)), (None, text))
        if _NOT_HERE.fullmatch(done):
            raise BadRecord(
                "record/table",
                self.line,
                f"{text!r} does not belong in a table record, which holds deals and moves; leave out a move taken back,"
                " or put an x behind its number (14x.).",
            )
        if _ABANDONED.fullmatch(done):
            self._add([(LEDGER, MatchClosed("abandoned"))])
        elif _RESIGNS.fullmatch(done):
            self._resign(seat, text)
        else:
            self._play(part)

    def _play(self, part: Part) -> None:
        table = self.course.table
        assert table is not None
        request = self.game.rules.request(table.state)
        is_deal = bool(_DEAL.match(part.text))
        line = StepLine(self.line, (Part(part.text if is_deal or not request else f"deal {part.text}", part.points),))
        try:
            told = self.course.tell(line)
        except BadRecord as problem:
            raise self._explained(problem, part.text, request, is_deal) from problem
        if part.points:
            self._read_points(part.points, told)
        after = self.course.after(table, told.entries)
        assert after is not None
        standings = tuple(self.game.projection.standings(after.state))
        closing: list[Entry] = [(LEDGER, MatchClosed("finished", standings))] if standings else []
        self._add([*told.entries, *closing])

    def _resign(self, seat: Seat | None, text: str) -> None:
        assert self.course.table is not None
        if seat is None or not 1 <= seat <= self.opened.seats:
            raise BadRecord("record/who", self.line, f"{text!r} does not say who; begin with the seat, such as 1:.")
        standings = resigned_standings(self.game.rules.rank(self.course.table.state), seat)
        self._add([(seat, SeatResigned(seat=seat)), (LEDGER, MatchClosed("resigned", standings))])

    def _add(self, entries: Sequence[Entry]) -> None:
        envelopes = self.course.envelopes_for(ToldLine(self.at, list(entries), []))
        for envelope in envelopes:
            self.rows.append(Row(envelope.seq, encode(envelope), b""))
            self.lines[len(self.rows)] = self.line
        self.course.take(envelopes)

    # ---------------------------------------------------------------------------------------------- what was wrong here

    def _explained(self, problem: BadRecord, text: str, request: Request | None, is_deal: bool) -> BadRecord:
        """The problem with what would have been right there."""
        assert self.course.table is not None
        state = self.course.table.state
        if request is not None:
            example = self.game.notation.write_outcome(request, chance.answer(bytes(32), b"", 0, request))
            why = f"{text!r}: the {request.purpose} comes first." if not is_deal else problem.what
            return BadRecord(problem.code, self.line, why, f"Possible there, for example: deal {example}")
        cause = problem.__cause__
        seats = self.game.projection.to_act(state)
        named = next((seat for seat, _ in readings(text, self.course.names) if seat is not None), None)
        seat = named if named in seats else seats[0] if seats else None
        if seat is None or not isinstance(cause, LedgerError | ValueError):
            return problem
        move = next((rest for one, rest in readings(text, self.course.names) if one == named), text)
        match = self._so_far()
        near = near_misses(match, seat, move)
        some = "nearest first" if near else "for example"
        listed = "  ".join(near or list(legal_moves(match, seat))[:NEAR_MISSES])
        why = problem.what
        if isinstance(cause, IllegalAction | Malformed):
            rule = f" ({cause.rule})" if isinstance(cause, IllegalAction) else ""
            why = f"found {text!r}; {cause.message}{rule}"
        turn = f"{match.names[seat]} (seat {seat})"
        return BadRecord(problem.code, self.line, why, f"Legal there for {turn}, {some}: {listed}")

    def _so_far(self) -> History:
        assert self.course.table is not None
        seats = {seat: SeatRow(seat, name) for seat, name in self.course.names.items()}
        return History(self.course.match, self.game, self.course.envelopes, [], seats, folded=self.course.table)

    def _read_points(self, text: str, told: ToldLine) -> None:
        """Note points that read as points of somebody here, be they right or wrong."""
        actor = told.entries[0][0]
        try:
            written = list(read_points(text, self.course.names, actor if isinstance(actor, int) else None))
        except ValueError as error:
            raise BadRecord("record/points", self.line, told.contradictions[0]) from error
        self.points[self.course.step + 1] = written

    def _read_result(self) -> None:
        """Note a result that gives points to people here, be it right or wrong."""
        tag = self.sheet.tag("result")
        if tag is None or tag.value.strip() in ("", "-", "*", "?"):
            return
        right = result(self.course.envelopes, self.course.names)
        if tag.value.strip() == right:
            return
        called = {seat: Names(self.course.names)[seat] for seat in range(1, self.opened.seats + 1)}
        try:
            self.result = read_result(tag.value, called)
        except ValueError as error:
            message = f"[Result {quoted(tag.value)}] cannot be read as a result: {error}. By the rules it is {right!r}."
            raise BadRecord("record/result", tag.line, message) from error
