"""Writing a record: every step in words if the words give the same bytes back, as raw events if they do not."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from events.chain import HASH_BYTES, Row
from events.codec import encode
from events.core import Envelope
from events.match import MatchOpened
from projections.timeline import undone_steps
from service.play.evidence import Evidence
from service.records.course import Course
from service.records.grammar import (
    SHOWN_HASH,
    Sheet,
    StepLine,
    read_sheets,
    write_comment,
    write_step,
    write_tag,
    write_time,
)
from service.records.header import read_game, read_opening, write_header, write_signature
from service.records.problems import BadRecord
from service.records.seats import who
from service.records.words import parts_of


class ShownRow(NamedTuple):
    """A row with what it says, if it reads, and the hash to show for it."""

    row: Row
    envelope: Envelope | None
    shown: str
    is_odd: bool
    """Whether its hash does not follow from the one before, so that only the whole hash can stand for it."""


def write_text(evidence: Evidence) -> str:
    """The record of a match. Reading it back gives the same evidence, byte for byte, whatever state it is in."""
    stored = _stored(evidence)
    history = [entry.envelope for entry in stored if entry.envelope is not None]
    header = list(write_header(evidence, history))
    lines = [*header, ""]
    comments = {
        kind: {step: [r.text for r in group] for step, group in groupby(remarks, key=lambda remark: remark.step)}
        for kind in ("line", "end")
        if (remarks := sorted((r for r in evidence.annotations if r.kind == kind), key=lambda remark: remark.step))
    }
    own, at_end = comments.get("line", {}), comments.get("end", {})
    if before := own.pop(0, []):
        lines += [*map(write_comment, before), ""]
    undone = undone_steps(history)
    course = Course(evidence.match, evidence.names, _opening(header))
    width = max((len(who(seat, evidence.names)) for seat in evidence.names), default=0)
    for step, group in _steps(stored):
        line = _in_words(course, group, step in undone)
        if line is None:
            lines += [_raw(entry) for entry in group]
            own[step] = at_end.pop(step, []) + own.get(step, [])
        else:
            # A line ends with one comment; whatever more there is follows on lines of its own.
            ending = at_end.pop(step, [])
            lines.append(write_step(line, width, ending[0] if ending else None))
            own[step] = ending[1:] + own.get(step, [])
        _move_on(course, group)
        lines += map(write_comment, own.pop(step, []))
    left = [text for step in sorted({*own, *at_end}) for text in (*at_end.get(step, []), *own.get(step, []))]
    lines += map(write_comment, left)
    lines += ["", write_tag("Count", str(evidence.count)), write_tag("Head", evidence.head)]
    lines += [write_signature(signature) for signature in evidence.signatures]
    return "\n".join(lines) + "\n"


def _opening(header: Sequence[str]) -> MatchOpened | None:
    """The opening that a reader will make from these tags; None when it cannot."""
    sheet: Sheet = next(read_sheets("\n".join(header)))
    try:
        return read_opening(sheet, read_game(sheet))
    except BadRecord:
        return None


def _stored(evidence: Evidence) -> list[ShownRow]:
    found: list[ShownRow] = []
    for link in evidence.chain.links:
        # SQLite keeps whatever type a hand put there.
        data, hash_ = (value if isinstance(value, bytes) else str(value).encode() for value in link.row[1:])
        is_odd = len(hash_) == HASH_BYTES and not link.follows
        shown = hash_.hex() if is_odd else hash_[:SHOWN_HASH].hex()
        row = Row(link.row.seq, data, hash_)
        found.append(ShownRow(row, link.envelope, shown, is_odd or not link.is_placed))
    return found


def _steps(stored: Sequence[ShownRow]) -> Iterator[tuple[int, list[ShownRow]]]:
    """The rows of each step; one that cannot be read stands alone."""
    for (step, _), group in groupby(
        enumerate(stored), key=lambda numbered: (_step(numbered[1]), numbered[1].envelope is None and numbered[0])
    ):
        yield step, [entry for _, entry in group]


def _step(entry: ShownRow) -> int:
    return -1 if entry.envelope is None else entry.envelope.step


def _in_words(course: Course, group: Sequence[ShownRow], is_undone: bool) -> StepLine | None:
    """The step as a line that gives exactly these bytes back, if there is one."""
    envelopes = [entry.envelope for entry in group if entry.envelope is not None]
    if len(envelopes) < len(group) or any(entry.is_odd for entry in group) or course.is_lost:
        return None
    if any(0 < len(row.hash) < 32 or (row.hash and not group[-1].row.hash) for row, *_ in group[:-1]):
        return None  # a line shows the hash after the step only; what it would not show must not be lost
    first = envelopes[0]
    try:
        time = write_time(first.at, course.at)
        parts = parts_of(course, [(envelope.actor, envelope.event) for envelope in envelopes])
        line = StepLine(0, parts, first.step, is_undone, time, group[-1].shown)
        read = next(read_sheets(write_step(line))).lines
        if len(read) != 1 or not isinstance(read[0], StepLine) or first.step <= course.step:
            return None
        told = course.tell(read[0])
        again = [encode(envelope) for envelope in course.envelopes_for(told, read[0].number)]
    except Exception:
        # Facts that the rules of today would never state may make any of them fail; the raw events always stand.
        return None
    return line if again == [entry.row.data for entry in group] and not told.contradictions else None


def _move_on(course: Course, group: Sequence[ShownRow]) -> None:
    envelopes = [entry.envelope for entry in group if entry.envelope is not None]
    if len(envelopes) == len(group):
        course.take(envelopes)
    else:
        course.is_lost = True


def _raw(entry: ShownRow) -> str:
    seq, data, _ = entry.row
    shown = f"#{entry.shown} " if entry.shown else ""
    try:
        text = data.decode()
        is_plain = bool(text) and text == text.strip() and text.isprintable() and not text.startswith("base64")
    except UnicodeDecodeError:
        is_plain = False
    return f"!{seq} {shown}{text if is_plain else 'base64 ' + (b64encode(data).decode() or '=')}"
