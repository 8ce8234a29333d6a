"""Written numbers: what a table wrote beside its moves and as its result, kept where the rules contradict it.

The numbers people argue about are remarks like any other: a comment `paper {1: +4 =57}` at the end of the step they
stood beside, and a tag `PaperResult`. They are outside the chain, travel with every export, and are held against the
rules again whenever somebody asks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from events.core import Envelope, Seat
from projections.timeline import undone_steps
from service.limits import quoted
from service.play.evidence import Evidence
from service.play.history import History, of_evidence
from service.records.header import read_places, result
from service.records.points import Held, Written, check_points, hold, read_points, scored, write_written
from service.records.seats import find_seat
from service.store.shapes import RemarkRow

RESULT_TAG: Final = "PaperResult"
_POINTS: Final = re.compile(r"\s*+paper\s*+\{([^{}]++)\}\s*+")


class WrittenTotals(NamedTuple):
    """Totals that were written at one place of the score sheet."""

    lines: int
    """How many score lines had been given by then."""
    seq: int
    """The event they stood beside; 0 for the result."""
    numbers: dict[Seat, int]


class _Note(NamedTuple):
    """Points that stood beside a step of play in effect."""

    envelopes: list[Envelope]
    lines: int
    """How many score lines had been given before the step."""
    held: list[Held]
    wrong: str
    """What the rules say against them; empty when they are right."""


def kept(result_: Mapping[Seat, int], points: Mapping[int, Sequence[Written]]) -> list[RemarkRow]:
    """A written result and the points beside steps as remarks. Seats stand by number: people change their names."""
    places = "; ".join(f"{seat}: {score}" for seat, score in result_.items())
    beside = [RemarkRow(step, "end", "", f"paper {{{write_written(found, {})}}}") for step, found in points.items()]
    return [*([RemarkRow(0, "tag", RESULT_TAG, places)] if places else []), *beside]


def has_written(evidence: Evidence) -> bool:
    """Whether numbers that a table wrote are kept with the match."""
    return any(_is_result(remark) or _points(remark) for remark in evidence.annotations)


def contradictions(evidence: Evidence) -> list[str]:
    """Every written number that the rules contradict, in words, with the line of the file it stood on."""
    if not has_written(evidence):
        return []
    history = of_evidence(evidence)
    found = []
    for note in _notes(history, evidence.annotations):
        line = evidence.lines.get(note.envelopes[0].seq, 0)
        place = f"line {line}" if line else f"event {note.envelopes[-1].seq}"
        found += [f"{place}: {note.wrong}"] if note.wrong else []
    return [*found, *filter(None, (_wrong_result(history, numbers) for numbers in _results(evidence.annotations)))]


def written_totals(history: History, annotations: Sequence[RemarkRow]) -> list[WrittenTotals]:
    """Every total the table wrote down, in order; wrong points without a total count from the total before them."""
    paper: dict[Seat, int] = {}
    found: list[WrittenTotals] = []
    for note in _notes(history, annotations):
        places: dict[int, dict[Seat, int]] = {}
        for held in note.held:
            seat, total = held.written.seat, _total(held, paper)
            if total is not None and 1 <= seat <= history.opened.seats:
                paper[seat] = places.setdefault(note.lines + held.covered, {})[seat] = total
        found += [WrittenTotals(place, note.envelopes[-1].seq, numbers) for place, numbers in sorted(places.items())]
    if history.table.closed is not None:
        seats = range(1, history.opened.seats + 1)
        for numbers in _results(annotations):
            seated = {seat: score for seat, score in numbers.items() if seat in seats}
            found.append(WrittenTotals(len(history.scoresheet), 0, seated))
    return found


def read_result(text: str, names: Mapping[Seat, str]) -> dict[Seat, int]:
    """The points of everybody in a written result. Raises ValueError for somebody unknown, or without points."""
    found: dict[Seat, int] = {}
    for name, score in read_places(text):
        seat = find_seat(name, names)
        if seat is None or score is None:
            raise ValueError(
                f"{name!r} is not a player of this match" if seat is None else f"{name!r} has no points there"
            )
        found[seat] = score
    return found


def _total(held: Held, paper: Mapping[Seat, int]) -> int | None:
    """The total that was written, or that wrong points lead to; right points without one claim no total."""
    written = held.written
    if written.total is not None or held.is_right:
        return written.total
    return paper.get(written.seat, held.before) + sum(points for points, _, _ in written.points)


def _notes(history: History, annotations: Sequence[RemarkRow]) -> Iterator[_Note]:
    names, sheet, undone = _names(history), history.scoresheet, undone_steps(history.envelopes)
    steps: dict[int, list[Envelope]] = {}
    for envelope in history.envelopes:
        steps.setdefault(envelope.step, []).append(envelope)
    totals = dict.fromkeys(range(1, history.opened.seats + 1), 0)
    lines = 0
    for remark in sorted(annotations, key=lambda remark: remark.step):
        written = _points(remark)
        if not written or remark.step not in steps or remark.step in undone:
            continue
        while lines < len(sheet) and sheet[lines].step < remark.step:
            totals[sheet[lines].seat] = sheet[lines].total
            lines += 1
        text, envelopes, scores = write_written(written, names), steps[remark.step], list(totals.values())
        found = scored([envelope.event for envelope in envelopes], scores)
        wrong = check_points(text, found, scores, names, None)
        yield _Note(envelopes, lines, hold(text, found, scores, names, None), wrong)


def _points(remark: RemarkRow) -> list[Written]:
    found = _POINTS.fullmatch(remark.text) if remark.kind != "tag" else None
    try:
        return list(read_points(found[1], {}, None)) if found else []
    except ValueError:
        return []  # somebody's own comment, which only begins like one of these


def _is_result(remark: RemarkRow) -> bool:
    return remark.kind == "tag" and remark.name == RESULT_TAG


def _results(annotations: Sequence[RemarkRow]) -> Iterator[dict[Seat, int]]:
    for remark in annotations:
        if _is_result(remark):
            try:
                yield read_result(remark.text, {})
            except ValueError:
                continue  # somebody's own tag, which is only called like ours


def _wrong_result(history: History, numbers: Mapping[Seat, int]) -> str:
    closed = history.table.closed
    written = "; ".join(f"{history.names[seat]} {score}" for seat, score in numbers.items())
    if closed is None:
        return f"[Result {quoted(written)}] is written, but the match is not over yet."
    scores = {place.seat: place.score for place in closed.standings}
    if all(scores.get(seat) == score for seat, score in numbers.items()):
        return ""
    right = result(history.envelopes, _names(history))
    return f"[Result {quoted(written)}] is not what the match says: {right!r}."


def _names(history: History) -> dict[Seat, str]:
    return {seat: row.name for seat, row in history.seats.items()}
