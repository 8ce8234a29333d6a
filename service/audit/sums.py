"""The books: every score is the sum of its lines, as they were recorded, and results say nothing else."""

from collections.abc import Sequence

from events.core import Envelope
from events.match import MatchClosed
from projections.timeline import is_play, undone_steps
from service.audit.report import Findings
from service.games.game import Game


def check_sums(game: Game, envelopes: Sequence[Envelope], start: Sequence[int], findings: Findings) -> None:
    """Add up the recorded lines in effect and hold every recorded result to the sums."""
    totals = dict(enumerate(start, start=1))
    undone = undone_steps(envelopes)
    lines = 0
    for position, envelope in enumerate(envelopes, start=1):
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
