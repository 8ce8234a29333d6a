"""Validation of a record by the grammar, its own hashes and the rules, without any ledger."""

from itertools import groupby

from msgspec import Struct

from events.core import Envelope
from service.errors import Refused
from service.play.evidence import Evidence
from service.records.course import Course
from service.records.grammar import StepLine, write_time
from service.records.header import result
from service.records.imports import check_evidence
from service.records.problems import BadRecord
from service.records.words import parts_of


class Valid(Struct, frozen=True):
    """What a sound record holds."""

    source: str
    match: str
    game: str
    ruleset: str
    steps: int
    events: int
    result: str
    is_signed: bool
    has_hashes: bool


def validate(evidence: Evidence) -> Valid:
    """Raise the first thing that is wrong with a record, naming its line; answer with what it holds otherwise."""
    checked = check_evidence(evidence)
    if evidence.remarks:
        raise Refused("record/contradiction", f"{evidence.source}, {evidence.remarks[0]}")
    opened = checked.table.opened
    course = Course(evidence.match, evidence.names, opened)
    for step, group in groupby(checked.envelopes, key=lambda envelope: envelope.step):
        envelopes = list(group)
        if not _follows(course, envelopes):
            seq = envelopes[0].seq
            raise BadRecord(
                "record/undecided",
                evidence.lines.get(seq, 0),
                f"step {step} (event {seq}) is not what the rules {opened.ruleset} decide; `audit` says more.",
                source=evidence.source,
            )
        course.take(envelopes)
    return Valid(
        source=evidence.source,
        match=evidence.match,
        game=opened.game,
        ruleset=opened.ruleset,
        steps=course.step,
        events=len(checked.envelopes),
        result=result(checked.envelopes, evidence.names),
        is_signed=bool(evidence.signatures),
        has_hashes=bool(evidence.head),
    )


def _follows(course: Course, envelopes: list[Envelope]) -> bool:
    """Whether the rules make these very facts of the step; older shapes count as what they mean today."""
    entries = [(envelope.actor, envelope.event) for envelope in envelopes]
    try:
        parts = parts_of(course, entries)
        told = course.tell(StepLine(0, parts, time=write_time(envelopes[0].at, course.at)))
    except Exception:
        # Facts that the rules of today would never state may make any of this fail.
        return False
    return told.entries == entries
