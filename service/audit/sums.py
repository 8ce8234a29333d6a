"""The check of score sums: every score is the sum of its recorded lines, and results agree."""

from collections.abc import Sequence

from events.core import Event
from events.match import MatchClosed, StepUndone
from projections.timeline import is_play, undone_steps
from service.audit.format import Reading
from service.audit.report import Findings


def check_sums(reading: Reading, start: Sequence[int], findings: Findings) -> None:
    """Add up the recorded lines in effect and hold every recorded result to the sums."""
    totals = dict(enumerate(start, start=1))
    undone = undone_steps(reading.envelopes) if StepUndone in reading.kinds else frozenset()
    lines = 0
    # Most kinds of event have neither points nor a result, and are skipped.
    telling = {kind for kind in {*reading.kinds} if _tells(kind)}
    for position, (kind, envelope) in enumerate(zip(reading.kinds, reading.envelopes, strict=True), start=1):
        if kind not in telling:
            continue
        event = envelope.event
        if is_play(envelope):
            if envelope.step in undone:
                continue
        elif not isinstance(event, MatchClosed):
            continue
        for line in event.scores:
            lines += 1
            if line.seat not in totals:
                findings.fail("sums", position, f"It gives points to seat {line.seat}, who is not at the table.")
                continue
            if line.applied != line.requested and not abs(line.applied) < abs(line.requested):
                findings.fail("sums", position, f"It applies {line.applied} where {line.requested} was due.")
            totals[line.seat] += line.applied
        for place in event.standings:
            if totals.get(place.seat) != place.score:
                total = totals.get(place.seat, "nothing")
                findings.fail(
                    "sums", position, f"Seat {place.seat}'s lines add up to {total}; the result says {place.score}."
                )
    findings.passed("sums", f"{lines} score lines: {', '.join(map(str, totals.values()))}")


def _tells(kind: type[Event]) -> bool:
    """Whether events of this kind may bring points or declare a result."""
    return kind.scores is not Event.scores or kind.standings is not Event.standings
