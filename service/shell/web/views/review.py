"""The review of a match that is over: how far ahead whom it was expected to see, and the worst mistakes first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from events.core import Seat
from projections.words import joined
from service.play.frames import Frames
from service.play.history import History
from service.questions.review import MatchReview
from service.shell.answers.advice import DecisionAnswer, ReviewAnswer, review_answer
from service.shell.web.views.chart import Chart, lead_chart

LEVELS: Final = {2: "Quick", 3: "Thorough"}
"""What the levels are called that are thought at for a page."""
_TWO: Final = 2


class ReviewProgress(NamedTuple):
    """A review that is under way."""

    level: int
    done: int
    decisions: int


class FinishedReview(NamedTuple):
    """A review that is there."""

    answer: ReviewAnswer
    worst: Sequence[tuple[DecisionAnswer, str]]
    """The worst mistakes, and whose."""
    decisions: Sequence[tuple[DecisionAnswer, str]]
    chart: Chart
    level: str


class ReviewView(NamedTuple):
    """The page: a review, how far it is, why there is none, or the form that asks for one."""

    match: str
    game: str
    players: str
    begun: datetime
    levels: dict[int, str]
    problem: str
    progress: ReviewProgress | None
    review: FinishedReview | None


def review_view(
    history: History, review: MatchReview | None = None, *, progress: ReviewProgress | None = None, problem: str = ""
) -> ReviewView:
    """The page of a match."""
    return ReviewView(
        history.id,
        history.game.title,
        joined([history.names[seat] for seat in range(1, history.opened.seats + 1)]),
        history.envelopes[0].at,
        LEVELS,
        problem,
        progress,
        _reviewed(history, review) if review is not None else None,
    )


def _reviewed(history: History, review: MatchReview) -> FinishedReview:
    answer = review_answer(history, review)
    frames = Frames(history, range(1, history.envelopes[-1].step + 1))
    return FinishedReview(
        answer,
        [(one, history.names[one.seat]) for one in answer.worst],
        [(one, history.names[one.seat]) for one in answer.decisions],
        lead_chart(frames, review, _lines(review)),
        LEVELS[review.level].lower(),
    )


def _lines(review: MatchReview) -> list[Seat]:
    """Whose leads are drawn: of two, the winner's says it all."""
    return [review.winner or 1] if review.seats == _TWO else list(range(1, review.seats + 1))
