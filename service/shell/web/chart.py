"""The scores of a match, and what was expected of it, drawn over its steps. Seats are told apart by dashes and marks;
colours only help."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Final

from events.core import Seat
from projections.core import Names
from projections.drawing import Element, circle, polygon, rectangle
from projections.words import signed, tenths, total
from service.play.frames import Frames
from service.questions.review import MatchReview
from service.shell.page.escape import escape
from service.shell.page.svg import markup

WIDTH: Final = 480
HEIGHT: Final = 190
LEFT: Final = 34
RIGHT: Final = WIDTH - 12
TOP: Final = 20
BOTTOM: Final = HEIGHT - 10
LOOKS: Final = 6
"""Seats that look different; `replay.css` has as many."""
LINES: Final = 4
"""Parts the scale is divided into, about."""
APART: Final = 14
"""Units between the marks of a line: closer ones would hide it."""


def score_chart(frames: Frames, now: int) -> str:
    """A line for each seat, and for each step an area to point at; `now` is the step that is looked at."""
    history = frames.history
    series = _series(frames)
    lowest, highest = min(0, *map(min, series)), max(1, *map(max, series))
    scale = _Scale(len(frames.steps), lowest, highest)
    seats = range(1, history.opened.seats + 1)
    return (
        f'<figure class="chart"><figcaption>{_legend(history.names, series)}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{_levels(scale)}{_rounds(frames, scale)}'
        f"{''.join(_line(scale, seat, series[seat - 1]) for seat in seats)}"
        f"{''.join(_areas(frames, scale, series, now))}</svg></figure>"
    )


class _Scale:
    """Where a step and a score are found on the drawing."""

    def __init__(self, steps: int, lowest: int, highest: int) -> None:
        self.each = next(each for each in _round_numbers() if (highest - lowest) / each <= LINES + 1)
        self.lowest = lowest // self.each * self.each
        self.highest = -(-highest // self.each) * self.each
        self.width = (RIGHT - LEFT) / steps

    def x(self, index: int) -> float:
        """The middle of a step."""
        return LEFT + (index + 0.5) * self.width

    def y(self, score: float) -> float:
        """The height of a score."""
        return BOTTOM - (score - self.lowest) / (self.highest - self.lowest) * (BOTTOM - TOP)


def _round_numbers() -> Sequence[int]:
    return [digit * 10**zeros for zeros in range(25) for digit in (1, 2, 5)]


def _series(frames: Frames) -> list[list[int]]:
    """The score of each seat after each step."""
    projection, opened = frames.history.game.projection, frames.history.opened
    start = projection.initial(opened.seats, opened.options)
    states = [frames.state(step) for step in frames.steps]
    return [
        list(scores)
        for scores in zip(*(projection.scores(start if state is None else state) for state in states), strict=True)
    ]


def _levels(scale: _Scale) -> str:
    return "".join(
        f'<path class="level" d="M{LEFT} {scale.y(score):.1f}H{RIGHT}"/>'
        f'<text x="{LEFT - 5}" y="{scale.y(score) + 4:.1f}" text-anchor="end">{total(score)}</text>'
        for score in range(scale.lowest, scale.highest + 1, scale.each)
    )


def _rounds(frames: Frames, scale: _Scale) -> str:
    begun = []
    last = -float(APART)
    for step in frames.rounds:
        number = max(entry.event.round for entry in frames.entries(step))
        x = scale.x(frames.steps.index(step)) - scale.width / 2
        words = f'<text x="{x + 3:.1f}" y="{TOP - 7}">R{number}</text>' if x - last >= 2 * APART else ""
        last = x if words else last
        begun.append(f'<path class="round" d="M{x:.1f} {TOP}V{BOTTOM}"/>{words}')
    return "".join(begun)


def _line(scale: _Scale, seat: Seat, scores: Sequence[int]) -> str:
    x, y = scale.x(0), scale.y(scores[0])
    way, marks, marked = f"M{x:.1f} {y:.1f}", "", x - APART
    for index, (before, score) in enumerate(pairwise(scores), start=1):
        if score == before:
            continue
        x, y = scale.x(index), scale.y(score)
        way += f"H{x:.1f}V{y:.1f}"
        if x - marked >= APART:
            marks, marked = marks + _mark(seat, x, y), x
    end = scale.x(len(scores) - 1)
    last = _mark(seat, end, y) if end - marked >= APART else ""
    return f'<g class="{_look(seat)}"><path class="line" d="{way}H{end:.1f}"/>{marks}{last}</g>'


def _look(seat: Seat) -> str:
    return f"seat look-{(seat - 1) % LOOKS + 1}"


def _mark(seat: Seat, x: float, y: float) -> str:
    return markup([_shape((seat - 1) % LOOKS, x, y)])


def _shape(look: int, x: float, y: float) -> Element:
    size = 4.5
    if look == 0:
        return circle(x, y, size, "mark")
    if look == 1:
        return rectangle(x - size + 0.5, y - size + 0.5, 2 * size - 1, 2 * size - 1, "mark")
    if look == 2:
        return polygon([(x, y - size - 1), (x + size + 1, y + size), (x - size - 1, y + size)], "mark")
    if look == 3:
        return polygon([(x, y - size - 2), (x + size + 2, y), (x, y + size + 2), (x - size - 2, y)], "mark")
    if look == 4:
        return polygon([(x, y + size + 1), (x + size + 1, y - size), (x - size - 1, y - size)], "mark")
    return circle(x, y, size, "mark open")


def _areas(frames: Frames, scale: _Scale, series: Sequence[Sequence[int]], now: int) -> list[str]:
    """What one points at. Whoever does not see the chart has the list of moves: these are no stops for the keyboard."""
    names = frames.history.names
    areas = []
    for index, step in enumerate(frames.steps):
        at = frames.entries(step)[-1].seq
        scores = ", ".join(f"{names[seat]} {total(line[index])}" for seat, line in enumerate(series, start=1))
        look = " ".join(["undone"] * (step in frames.undone) + ["now"] * (step == now))
        areas.append(
            f'<a href="?at={at}" data-at="{at}" data-step="{step}" tabindex="-1" class="{look}">'
            f"<title>{escape(f'Step {step}: {scores}')}</title>"
            f'<rect x="{LEFT + index * scale.width:.2f}" y="{TOP}" width="{scale.width:.2f}"'
            f' height="{BOTTOM - TOP}"/></a>'
        )
    return areas


def _legend(names: Names, series: Sequence[Sequence[int]]) -> str:
    """Which line is whose, and where it ended."""
    return "".join(_key(seat, names, total(line[-1])) for seat, line in enumerate(series, start=1))


def _key(seat: Seat, names: Names, end: str) -> str:
    return (
        f'<span class="key"><svg viewBox="0 0 44 14" aria-hidden="true" class="{_look(seat)}">'
        f'<path class="line" d="M0 7H44"/>{_mark(seat, 22, 7)}</svg>{escape(names[seat])} <strong>{end}</strong></span>'
    )


# ------------------------------------------------------------------------------------------------------------- a review


def lead_chart(frames: Frames, review: MatchReview, seats: Sequence[Seat]) -> str:
    """How far ahead these seats were expected to be after each decision; mistakes are numbered as they are listed."""
    leads = {seat: review.leads(seat) for seat in seats}
    ends = {seat: review.final[seat - 1] for seat in seats if review.final}
    known = [*ends.values(), *(lead.points for line in leads.values() for lead in line)]
    scale = _Scale(len(frames.steps), floor(min(0, *known)), ceil(max(1, *known)))
    places = {step: scale.x(index) for index, step in enumerate(frames.steps)}
    lines = ""
    for seat, line in leads.items():
        points = [(places[lead.after.step], scale.y(lead.points)) for lead in line]
        points += [(RIGHT, scale.y(ends[seat]))] if seat in ends else []
        lines += f'<g class="{_look(seat)}"><path class="line" d="{_way(points)}"/>{_mark(seat, *points[-1])}</g>'
    names = frames.history.names
    legend = "".join(_key(seat, names, f"in the end {signed(ends[seat])}" if ends else "") for seat in seats)
    turning = review.turning
    turn = f'<path class="turning" d="M{places[turning.step]:.1f} {TOP}V{BOTTOM}"/>' if turning is not None else ""
    return (
        f'<figure class="chart"><figcaption>{legend}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{_levels(scale)}{_rounds(frames, scale)}'
        f'<path class="even" d="M{LEFT} {scale.y(0):.1f}H{RIGHT}"/>{turn}{lines}'
        f"{_mistakes(scale, places, review, seats)}{_decisions(scale, places, review, names)}</svg></figure>"
    )


def _mistakes(scale: _Scale, places: Mapping[int, float], review: MatchReview, seats: Sequence[Seat]) -> str:
    marks = ""
    for number, one in enumerate(review.worst, start=1):
        # Between two, the line is that of one of them: what one is ahead by the other is behind by.
        x, y = places[one.step], scale.y(one.expected if one.seat in seats else -one.expected)
        marks += markup([circle(x, y, 8, "mistake")])
        marks += f'<text class="on-mistake" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{number}</text>'
    return marks


def _way(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _decisions(scale: _Scale, places: Mapping[int, float], review: MatchReview, names: Names) -> str:
    """What one points at; whoever does not see the chart has the list of decisions."""
    areas = ""
    for one in review.decisions:
        lost = f", lost {one.lost:.1f}" if one.lost else ""
        words = f"Step {one.step}: {names[one.seat]} {one.move}, lead {tenths(one.expected)}{lost}"
        areas += (
            f'<a href="replay?at={one.seq}" tabindex="-1"><title>{escape(words)}</title>'
            f'<rect x="{places[one.step] - scale.width / 2:.2f}" y="{TOP}" width="{scale.width:.2f}"'
            f' height="{BOTTOM - TOP}"/></a>'
        )
    return areas
