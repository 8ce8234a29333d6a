"""The review of a match that is over: how far ahead whom it was expected to see, and the worst mistakes first."""

from events.core import Seat
from projections.words import count, joined, tenths
from service.play.frames import Frames
from service.play.history import History
from service.questions.review import MatchReview
from service.shell.answers.advice import DecisionAnswer, review_answer
from service.shell.page.escape import escape
from service.shell.page.pieces import day
from service.shell.web.chart import lead_chart

LEVELS = {2: "Quick", 3: "Thorough"}
"""What the levels are called that are thought at for a page."""
_TWO = 2


def offer_page(history: History, problem: str = "") -> str:
    """The page before anybody has asked for a review, or where there is nothing to review and why."""
    levels = "".join(f'<option value="{level}">{words}</option>' for level, words in LEVELS.items())
    asking = (
        "<p>A search looks at every decision and says what it would have played, what the move that was played lost"
        ' against that, and where the match turned.</p><form class="ask"><label>How hard to think '
        f'<select name="level">{levels}</select></label> <button class="main">Review it</button></form>'
    )
    return _page(history, f'<p class="problem">{escape(problem)}</p>' if problem else asking)


def waiting_page(history: History, level: int, done: int, decisions: int) -> str:
    """The page while the review is under way; a script comes back by itself, everybody else by the link."""
    return _page(
        history,
        f'<section class="under-way" data-level="{level}"><p><label>Looking through {count(decisions, "decision")}'
        f' <progress max="{decisions}" value="{done}">{done}</progress></label></p>'
        f'<p><a class="button" href="?level={level}">See how far it is</a></p>'
        '<p class="problem" role="alert" hidden></p></section>',
    )


def review_page(history: History, review: MatchReview) -> str:
    """The whole review."""
    answer = review_answer(history, review)
    frames = Frames(history, range(1, history.envelopes[-1].step + 1))
    mistakes = "".join(_mistake(history, one) for one in answer.worst)
    worst = f"<h2>The worst mistakes</h2><ol>{mistakes}</ol>" if mistakes else "<p>No mistakes were found.</p>"
    lost = "".join(
        f'<tr><td>{escape(player.name)}</td><td class="number">{player.decisions}</td>'
        f'<td class="number">{player.lost:.1f}</td></tr>'
        for player in answer.players
    )
    rows = "".join(_row(history, one) for one in answer.decisions)
    return _page(
        history,
        f'<section class="worst">{worst}</section><section class="leads"><h2>The expected lead</h2>'
        f'<p class="course">{_course(answer.course, answer.turning)}</p>{lead_chart(frames, review, _lines(review))}'
        '<p class="quiet">How many points ahead of the best rival one was expected to be after each decision.</p>'
        '<table><thead><tr><th scope="col">Player</th><th class="number" scope="col">Decisions</th>'
        f'<th class="number" scope="col">Points lost</th></tr></thead><tbody>{lost}</tbody></table></section>'
        '<details class="all"><summary>Every decision</summary><div class="sheet" tabindex="0" role="group"'
        ' aria-label="Every decision"><table><thead><tr><th scope="col">Step</th><th scope="col">Who</th>'
        '<th scope="col">Played</th><th scope="col">Best found</th><th class="number" scope="col">Lost</th>'
        f'<th class="number" scope="col">Lead</th></tr></thead><tbody>{rows}</tbody></table></div></details>'
        f'<p class="quiet">Looked at: {escape(LEVELS[review.level].lower())}.'
        " A search is not always right; the more it thinks, the more it sees.</p>",
    )


def _lines(review: MatchReview) -> list[Seat]:
    """Whose leads are drawn: of two, the winner's says it all."""
    return [review.winner or 1] if review.seats == _TWO else list(range(1, review.seats + 1))


def _page(history: History, body: str) -> str:
    address = f"/matches/{escape(history.id)}"
    players = joined([history.names[seat] for seat in range(1, history.opened.seats + 1)])
    return (
        f'<article class="review"><header><h1>Review: {escape(history.game.title)}</h1>'
        f'<p class="quiet">{escape(players)} · {day(history.envelopes[0].at)}</p></header>{body}'
        f'<p class="links"><a class="button" href="{address}">The table</a> '
        f'<a class="button" href="{address}/replay">Replay</a> '
        f'<a class="button" href="{address}/case">Audit and disputes</a></p></article>'
    )


def _course(words: str, turning: int | None) -> str:
    shown = escape(words)
    return shown if turning is None else f'<a href="replay?at={turning}">{shown}</a>'


def _mistake(history: History, one: DecisionAnswer) -> str:
    lost = f"{escape(history.names[one.seat])} lost {one.lost:.1f} points"
    return (
        f'<li><p><a href="replay?at={one.seq}">Step {one.step}</a>: <strong>{lost}</strong></p>'
        f'<p>{escape(one.words)}</p><p class="better">Better: {escape(one.best_words)}</p></li>'
    )


def _row(history: History, one: DecisionAnswer) -> str:
    best, lost = (one.best, f"{one.lost:.1f}") if one.lost else ("", "")
    return (
        f'<tr><td><a href="replay?at={one.seq}">{one.step}</a></td><td>{escape(history.names[one.seat])}</td>'
        f'<td title="{escape(one.words)}">{escape(one.move)}</td>'
        f'<td title="{escape(one.best_words)}">{escape(best)}</td>'
        f'<td class="number">{lost}</td><td class="number">{tenths(one.expected)}</td></tr>'
    )
