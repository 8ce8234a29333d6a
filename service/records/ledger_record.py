"""Reading the record of a ledger: every line decided again by the pinned rules, so that the same bytes come out."""

from base64 import b64decode
from binascii import Error as NotBase64

import msgspec

from events.chain import Chain, Link, Row
from events.codec import encode
from events.core import Envelope
from projections.timeline import undone_steps
from service.limits import EVENTS, quoted, read_number
from service.play.evidence import Evidence
from service.records.course import Course
from service.records.grammar import RawLine, Sheet, StepLine
from service.records.header import (
    read_annotations,
    read_game,
    read_kinds,
    read_names,
    read_opening,
    read_signatures,
    read_started,
)
from service.records.headline import headline_contradictions, is_vouched_for, misnamed
from service.records.problems import BadRecord
from service.store.shapes import RemarkRow


def read_ledger_record(sheet: Sheet, source: str) -> Evidence:
    """The evidence in a record with a `Match` tag. A line that cannot be decided ends it, and a remark says so."""
    reader = _SheetReader(sheet)
    reader.read()
    match = reader.course.match
    evidence = Evidence(
        source=source,
        match=match,
        rows=reader.chain.rows,
        count=reader.count(),
        head=sheet.value("head").strip().lower(),
        names=reader.course.names,
        signatures=read_signatures(sheet, match),
        lines=reader.lines,
        remarks=reader.remarks,
        is_whole=reader.is_whole,
        kinds=read_kinds(sheet),
        annotations=[*read_annotations(sheet), *comments(sheet, reader.steps)],
        chain=reader.chain,
    )
    if not reader.is_whole:
        return evidence
    return msgspec.structs.replace(
        evidence, remarks=[*reader.remarks, *headline_contradictions(sheet, evidence, reader.course.envelopes)]
    )


def comments(sheet: Sheet, steps: list[int]) -> list[RemarkRow]:
    """The comments of a sheet, each with the step it follows; `steps` tells the last step after so many lines."""
    return [
        RemarkRow(steps[min(c.place, len(steps) - 1)], "end" if c.at_end else "line", "", c.text)
        for c in sheet.comments
    ]


class _SheetReader:
    """The state of reading one sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        opening = None
        # Where the opening stands as a raw event, nothing depends on what the tags make of it.
        if not sheet.lines or isinstance(sheet.lines[0], StepLine):
            opening = read_opening(sheet, read_game(sheet))
        self.course = Course(sheet.value("match").strip(), read_names(sheet), opening)
        self.course.at = read_started(sheet) if opening is not None else None
        self.chain = Chain(self.course.match)
        self.lines: dict[int, int] = {}
        self.steps = [0]
        self.remarks: list[str] = []
        self.is_whole = True

    def read(self) -> None:
        for line in self.sheet.lines:
            try:
                if isinstance(line, RawLine):
                    self._raw(line)
                else:
                    self._step(line)
            except BadRecord as problem:
                self.remarks.append(problem.message + (f" {problem.hint}" if problem.hint else ""))
                self.is_whole = False
                return
            self.steps.append(self.course.step)
        self._check_marks()
        has_hashes = any(line.hash for line in self.sheet.lines)
        if has_hashes and not (self.sheet.tag("count") and self.sheet.tag("head")):
            last = self.sheet.lines[-1].line
            self.remarks.append(f"line {last}: the record ends here without its count and head.")
            self.is_whole = False

    def count(self) -> int:
        """How many events the trailer says there are; as many as were found where it says nothing."""
        tag = self.sheet.tag("count")
        if tag is None:
            return len(self.chain.links)
        try:
            return read_number(tag.value.strip())
        except ValueError as error:
            message = f"{quoted(tag.value)} is not a number of events: {error}."
            raise BadRecord("record/count", tag.line, message) from error

    def _raw(self, line: RawLine) -> None:
        try:
            encoded = "" if line.data == "=" else line.data
            data = b64decode(encoded, validate=True) if line.is_base64 else line.data.encode()
        except NotBase64 as error:
            raise BadRecord("record/raw", line.line, f"{line.data[:40]!r} is not base64.") from error
        if len(self.chain.links) >= EVENTS:
            raise BadRecord("record/events", line.line, f"A match of more than {EVENTS:,} events is not read.")
        link = self._add(line.seq, data, line.hash, line.line)
        if link.envelope is None:
            self.course.is_lost = True
        else:
            self.course.take([link.envelope])

    def _step(self, line: StepLine) -> None:
        told = self.course.tell(line)
        for part in line.parts if is_vouched_for(self.sheet) else ():
            for wrong in misnamed(part, self.course.names):
                self.remarks.append(f"line {line.line}: {wrong}")
        if 0 < line.number <= self.course.step:
            self.remarks.append(f"line {line.line}: step {line.number} comes after step {self.course.step}.")
        for contradiction in told.contradictions:
            self.remarks.append(f"line {line.line}: {contradiction}")
        envelopes = self.course.envelopes_for(told, line.number)
        for envelope in envelopes:
            self._add(envelope.seq, encode(envelope), line.hash if envelope is envelopes[-1] else "", line.line)
        self.course.take(envelopes)

    def _add(self, seq: int, data: bytes, shown: str, line: int) -> Link:
        """Walk on to a row with the hash that was written for it: whole where it follows from the row before."""
        link = self.chain.add(Row(seq, data, b""), shown)
        self.lines[link.position] = line
        return link

    def _check_marks(self) -> None:
        history: list[Envelope] = self.course.envelopes
        undone = undone_steps(history)
        for line, step in zip(self.sheet.lines, self.steps[1:], strict=True):
            if isinstance(line, StepLine) and line.is_undone != (step in undone):
                was = "was undone" if step in undone else "is in effect"
                self.remarks.append(f"line {line.line}: step {step} {was}, but it is marked otherwise.")
