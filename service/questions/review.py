"""Reviews: a search looks for the best move at every decision of a match, and says what the played one lost and where
the match turned. Nothing is changed.

A decision is a move that somebody chose among several; undone ones are skipped. Each is judged by itself, from
what everybody at the table knew then, and seeded as a hint at that point would be.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from events.core import Event, Seat
from service.bots.search import Judged
from service.errors import Refused
from service.games.core import Action
from service.play.hints import Weighing, refuse_pad, weighed, weighing
from service.play.history import History
from service.play.workers import answers
from service.questions.rescore import decisions

LEVEL: Final = 3
"""The level of a review where none is given."""
WORST: Final = 3
"""Mistakes that are shown first."""
_TWO: Final = 2


class Reviewed(Struct, frozen=True):
    """A decision and what a search made of it. A lead is in points ahead of the best rival."""

    seq: int
    """The event that recorded it."""
    step: int
    seat: Seat
    move: str
    best: str
    """The best move found; the one played where that is as good."""
    played: Event
    """What happened, for a sentence."""
    instead: Event
    """What would have happened."""
    choices: int
    """How many moves were legal."""
    expected: float
    """The lead of the seat that was to be expected after its move."""
    lost: float
    """Points given away against the best move found; never below 0."""


class Lead(NamedTuple):
    """How far ahead of its best rival a seat was expected to be, after a decision."""

    after: Reviewed
    points: float


class MatchReview(Struct, frozen=True):
    """All decisions of a match, in order."""

    match: str
    level: int
    seats: int
    decisions: Sequence[Reviewed]
    winner: Seat
    """The seat that won alone; 0 where nobody did, or it is not over."""
    final: Sequence[int]
    """How far ahead of its best rival each seat was in the end, seat 1 first; empty where there is no result."""

    @property
    def worst(self) -> list[Reviewed]:
        """The moves that lost most, the worst first; fewer where there are not so many mistakes."""
        mistakes = sorted((one for one in self.decisions if one.lost > 0), key=lambda one: -one.lost)
        return mistakes[:WORST]

    def lost_by(self, seat: Seat) -> list[float]:
        """What each decision of a seat lost."""
        return [one.lost for one in self.decisions if one.seat == seat]

    def leads(self, seat: Seat) -> list[Lead]:
        """The expected lead of a seat after each decision it is known at.

        With two seats, one is ahead by as much as the other is behind. With more, a decision only says how far ahead
        the seat is that takes it.
        """
        return [
            Lead(one, one.expected if one.seat == seat else -one.expected)
            for one in self.decisions
            if one.seat == seat or self.seats == _TWO
        ]

    @property
    def turning(self) -> Reviewed | None:
        """The decision from which on the winner was ahead; None where it was from the first one on, where it never
        was, and where nobody won alone."""
        since = self._ahead_since
        return since.after if since is not None and not self.was_always_ahead else None

    @property
    def was_always_ahead(self) -> bool:
        """Whether the winner was ahead from the first decision on."""
        return self._ahead_since is not None and self._ahead_since == self.leads(self.winner)[0]

    @property
    def _ahead_since(self) -> Lead | None:
        """The first of the leads that the winner never lost again."""
        since = None
        for lead in self.leads(self.winner) if self.winner else ():
            since = None if lead.points <= 0 else since or lead
        return since


class ReviewedDecision(NamedTuple):
    """A decision as it was taken, and what is asked about it."""

    seq: int
    step: int
    played: Event
    action: Action
    choices: int
    asked: Weighing


def review(history: History, level: int = LEVEL, jobs: int = 1) -> MatchReview:
    """The whole match looked through, with so many processes."""
    inquest = Inquest(history, level)
    return inquest.answered(answers(weighed, inquest.asked, jobs))


class Inquest:
    """What a review asks about a match, and what it makes of the answers, whoever finds them."""

    def __init__(self, history: History, level: int = LEVEL) -> None:
        refuse_pad(history)
        self.history, self.level = history, level
        self._decided = list(_decided(history, level))
        if not self._decided:
            raise Refused(
                "review/nothing", f"Match {history.source} has nothing to review: nobody has chosen among moves yet."
            )

    @property
    def asked(self) -> list[Weighing]:
        """What is asked, in the order of the decisions."""
        return [one.asked for one in self._decided]

    def answered(self, found: Iterable[Sequence[Judged]]) -> MatchReview:
        """The review, from an answer to each question."""
        history = self.history
        closed = history.table.closed
        standings = closed.standings if closed is not None else ()
        first = [place.seat for place in standings if place.rank == 1]
        return MatchReview(
            match=history.id,
            level=self.level,
            seats=history.opened.seats,
            decisions=[self._reviewed(one, judged) for one, judged in zip(self._decided, found, strict=True)],
            winner=first[0] if len(first) == 1 else 0,
            final=_final(history) if standings else (),
        )

    def _reviewed(self, one: ReviewedDecision, found: Sequence[Judged]) -> Reviewed:
        rules, write, asked = self.history.game.rules, self.history.game.notation.write, one.asked
        own = next(known for known in found if known.action == one.action)
        best = found[0] if found[0].value > own.value else own
        return Reviewed(
            seq=one.seq,
            step=one.step,
            seat=asked.seat,
            move=write(own.action),
            best=write(best.action),
            played=one.played,
            instead=rules.decide(asked.state, asked.seat, best.action)[0],
            choices=one.choices,
            expected=own.value,
            lost=round(best.value - own.value, 2),
        )


def _decided(history: History, level: int) -> Iterator[ReviewedDecision]:
    """Every move in effect that was chosen among several, with the state it was chosen in."""
    game, projection = history.game, history.game.projection
    state = projection.initial(history.opened.seats, history.opened.options)
    for made in decisions(history):
        first, seat, action = made.envelopes[0], made.actor, made.action
        if isinstance(seat, int) and (choices := len(game.rules.legal(state, seat))) > 1:
            asked = weighing(history.id, game, projection.copy(state), seat, first.seq - 1, level, action)
            yield ReviewedDecision(first.seq, first.step, first.event, action, choices, asked)
        for event in made.events:
            projection.apply[type(event)](state, event)


def _final(history: History) -> list[int]:
    scores = list(history.game.projection.scores(history.table.state))
    return [own - max(scores[:seat] + scores[seat + 1 :]) for seat, own in enumerate(scores)]
