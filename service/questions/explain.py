"""One event explained: the table before and after, every point added up, and the rules to read."""

from collections.abc import Iterator

from msgspec import Struct

from events.core import Envelope, Event, Seat
from events.dispute import AppealDecided
from projections.core import Projection
from projections.disputes import docket_of
from projections.fold import Table
from projections.scoresheet import arithmetic, running, wording
from projections.story import sentence
from projections.timeline import is_play, undone_steps
from service.play.history import History
from service.questions.rulebook import rule_text


class ExplainedLine(Struct, frozen=True):
    """A score line with its arithmetic."""

    seat: Seat
    rule: str
    reason: str
    sum: str
    """How the points come about."""
    requested: int
    applied: int
    before: int
    after: int


class Explained(Struct, frozen=True):
    """Everything there is to say about one event."""

    envelope: Envelope
    sentence: str
    is_undone: bool
    before: Table
    after: Table
    lines: list[ExplainedLine]
    rules: dict[str, str]
    """The rules that matter here with their texts, those of its points first."""

    @property
    def is_visible(self) -> bool:
        """Whether the event changed anything on the table."""
        return bool(self.before.state != self.after.state)


def explain(history: History, seq: int) -> Explained:
    """The event of that number, explained."""
    envelope = history.envelope(seq)
    event, projection = envelope.event, history.game.projection
    before, after = history.table_after(seq - 1), history.table_after(seq)
    scores = event.scores
    lines = list(_lines(projection, event, _totals(history, envelope, before))) if scores else []
    cited = [line.rule for line in scores]
    cited += event.rules
    cited += projection.cites.get(type(event), ())
    return Explained(
        envelope=envelope,
        sentence=sentence(projection, event, history.names),
        is_undone=envelope.step in undone_steps(history.envelopes),
        before=before,
        after=after,
        lines=lines,
        rules={rule: rule_text(rule) for rule in dict.fromkeys(cited)},
    )


def _totals(history: History, envelope: Envelope, before: Table) -> dict[Seat, int]:
    """What each seat has right before the event: its score, or for a ruling what is ruled so far."""
    if is_play(envelope):
        return dict(enumerate(history.game.projection.scores(before.state), start=1))
    past = docket_of(history.envelopes[: envelope.seq - 1])
    totals = {place.seat: place.score for place in past.ruled}
    if isinstance(envelope.event, AppealDecided) and envelope.event.number in past.disputes:
        for line in past.disputes[envelope.event.number].adjustments:  # overturned, they no longer count
            totals[line.seat] -= line.applied
    return totals


def _lines(projection: Projection, event: Event, totals: dict[Seat, int]) -> Iterator[ExplainedLine]:
    for line, total in running(event.scores, totals):
        yield ExplainedLine(
            seat=line.seat,
            rule=line.rule,
            reason=wording(projection, event, line),
            sum=arithmetic(projection, event, line),
            requested=line.requested,
            applied=line.applied,
            before=total - line.applied,
            after=total,
        )
