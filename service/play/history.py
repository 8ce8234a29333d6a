"""A match to look into, wherever it comes from: a ledger, a record file, an export."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from events.core import Envelope, ScoreLine
from events.match import MatchOpened
from projections.core import Names, State
from projections.fold import Table, fold
from projections.timeline import effective, is_play
from service.errors import Damaged, NotFound
from service.games.game import Game
from service.games.shelf import by_ruleset
from service.play.evidence import Evidence
from service.play.replay import Live, read


class History(Struct, frozen=True):
    """The events of a match with what is needed to read them. Whether they are true is for the audit to say."""

    source: str
    """What people call it: a match id, or a file."""
    match: str
    game: Game
    envelopes: Sequence[Envelope]
    names: Names

    @property
    def opened(self) -> MatchOpened:
        """What was agreed before the first move."""
        event = self.envelopes[0].event
        assert isinstance(event, MatchOpened)
        return event

    def envelope(self, seq: int) -> Envelope:
        """The event of that number, or a refusal."""
        if not 1 <= seq <= len(self.envelopes):
            raise NotFound("replay/event", f"There is no event {seq}; choose 1–{len(self.envelopes)}.")
        return self.envelopes[seq - 1]

    def table_after(self, seq: int) -> Table:
        """The table after an event; before the first one it is as the opening left it."""
        return fold(self.game.projection, self.envelopes[: max(seq, 1)])


class Point(Struct, frozen=True):
    """A score line in effect, where it stands in the match and what the table looked like right before it."""

    seq: int
    round: int
    is_end: bool
    """Whether it came with the end of the game, such as a bonus."""
    line: ScoreLine
    before: State


def of_live(live: Live) -> History:
    """A match in hand."""
    return History(live.id, live.id, live.game, live.envelopes, live.names)


def of_evidence(evidence: Evidence) -> History:
    """A match as evidence. Raises Damaged for what does not read."""
    if not evidence.rows:
        raise Damaged("ledger/empty", f"{evidence.source} holds no events.", evidence.match, 0)
    envelopes = read(evidence.match, evidence.rows)
    opened = envelopes[0].event
    assert isinstance(opened, MatchOpened)
    return History(evidence.source, evidence.match, by_ruleset(opened.ruleset), envelopes, Names(evidence.names))


def points(history: History) -> Iterator[Point]:
    """Every score line of play in effect, in order."""
    projection = history.game.projection
    state = projection.initial(history.opened.seats, history.opened.options)
    round_ = 0
    for envelope in effective(history.envelopes):
        if not is_play(envelope):
            continue
        event = envelope.event
        round_ = event.round or round_
        lines = event.scores
        before = projection.copy(state) if lines else None
        projection.apply[type(event)](state, event)
        is_end = bool(projection.standings(state))
        seq = envelope.seq  # type: ignore[attr-defined]
        yield from (Point(seq, round_, is_end, line, before) for line in lines)


def rounds(history: History) -> int:
    """How many rounds were begun."""
    return max((envelope.event.round for envelope in effective(history.envelopes)), default=0)
