"""What a search makes of a match, as programs see it: hints for a seat that is to move, and a review of what was."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from events.core import Seat
from projections.story import imperative, sentence
from service.games.actions import AnyAction
from service.play.bots import is_bot
from service.play.hints import WeighedChoice
from service.play.history import History
from service.questions.review import MatchReview, Reviewed

Expected = Annotated[float, Meta(description="Points by which the seat is expected to be ahead of its best rival.")]


class HintedMove(Struct, frozen=True):
    """A legal move and what is expected of it."""

    move: str
    words: str
    """The move in the imperative: `Take 2 blue from display 1 to line 2`."""
    action: AnyAction
    points: int
    """What it changes in the seat's score at once."""
    path: list[str]
    """The parts of the drawing that one touches for it, in order."""
    expected: Expected


class HintAnswer(Struct, frozen=True):
    """The best moves that were found for a seat."""

    match: str
    head: int
    """The event after which they are to be played."""
    seat: Seat
    level: int
    moves: list[HintedMove]
    """At most three, the best first."""


def hint_answer(live: History, seat: Seat, level: int, hints: list[WeighedChoice]) -> HintAnswer:
    """Hints as a program reads them."""
    shown = [
        HintedMove(choice.move, choice.words, choice.action, choice.points, list(choice.path), expected)
        for choice, expected in hints
    ]
    return HintAnswer(live.id, live.envelopes[-1].seq, seat, level, shown)


class DecisionAnswer(Struct, frozen=True):
    """A move that was chosen among several, and the best one found."""

    seq: int
    """The event that recorded it."""
    step: int
    seat: Seat
    move: str
    words: str
    """What happened."""
    best: str
    """The best move found; the one that was played where nothing better was found."""
    best_words: str
    """That move in the imperative."""
    choices: int
    """How many moves were legal."""
    expected: Expected
    """After the move that was played."""
    lost: Annotated[float, Meta(ge=0, description="Points given away against the best move found.")]


class ReviewedPlayer(Struct, frozen=True):
    """How well somebody chose."""

    seat: Seat
    name: str
    bot: bool
    decisions: int
    lost: float
    """Points given away, all decisions together."""


class ReviewAnswer(Struct, frozen=True):
    """Every decision of a match, and what was made of it."""

    match: str
    game: str
    level: int
    players: list[ReviewedPlayer]
    worst: list[DecisionAnswer]
    """The three moves that lost most, the worst first; fewer where there are not so many mistakes."""
    turning: int | None
    """The event of the decision from which on the winner was expected to win; null where there is none."""
    course: str
    """The same in words."""
    decisions: list[DecisionAnswer]
    """All of them, in order."""


class ReviewUnderWay(Struct, frozen=True):
    """A review that is not done yet: ask again."""

    match: str
    level: int
    done: int
    """Decisions looked at so far."""
    decisions: int
    """All of them."""


def review_answer(history: History, review: MatchReview) -> ReviewAnswer:
    """A review as a program reads it."""
    names, turning = history.names, review.turning
    return ReviewAnswer(
        match=history.id,
        game=history.game.key,
        level=review.level,
        players=[
            ReviewedPlayer(seat, names[seat], is_bot(history, seat), len(lost), round(sum(lost), 2))
            for seat in range(1, review.seats + 1)
            for lost in [review.lost_by(seat)]
        ],
        worst=[_decision(history, one) for one in review.worst],
        turning=None if turning is None else turning.seq,
        course=course(history, review),
        decisions=[_decision(history, one) for one in review.decisions],
    )


def _decision(history: History, one: Reviewed) -> DecisionAnswer:
    projection, names = history.game.projection, history.names
    fields = asdict(one)
    words = sentence(projection, fields.pop("played"), names)
    best_words = imperative(projection, fields.pop("instead"), names)
    return DecisionAnswer(**fields, words=words, best_words=best_words)


def course(history: History, review: MatchReview) -> str:
    """Where the match turned, in a sentence."""
    names, turning = history.names, review.turning
    winner = names[review.winner]
    if turning is not None:
        who = names[turning.seat]
        return f"The turning point was step {turning.step}, {who} {turning.move}: since then {winner} was ahead."
    if not review.winner:
        return "Nobody won alone." if review.final else "There is no result, and so no turning point."
    if review.was_always_ahead:
        return f"{winner} was ahead from the first decision on."
    return f"{winner} was not ahead before the last decision was made."
