"""The review of a match that is over: how far ahead whom it was expected to see, and the worst mistakes first."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from service.play.frames import Frames
from service.play.history import History
from service.questions.review import MatchReview
from service.shell.answers.advice import ReviewAnswer, ReviewUnderWay, review_answer
from service.shell.web.views.chart import Chart, lead_chart

LEVELS: Final = {2: "Quick", 3: "Thorough"}
"""What the levels are called that are thought at for a page."""
_TWO: Final = 2


class ReviewView(NamedTuple):
    """The page: a review, how far it is, why there is none, or the form that asks for one."""

    history: History
    problem: str = ""
    under_way: ReviewUnderWay | None = None
    review: ReviewAnswer | None = None
    chart: Chart | None = None
    levels: Mapping[int, str] = LEVELS


def finished_view(history: History, review: MatchReview) -> ReviewView:
    """The page of a match with its review."""
    frames = Frames(history, range(1, history.envelopes[-1].step + 1))
    # Of two leads, the winner's says it all.
    drawn = [review.winner or 1] if review.seats == _TWO else list(range(1, review.seats + 1))
    return ReviewView(history, review=review_answer(history, review), chart=lead_chart(frames, review, drawn))
