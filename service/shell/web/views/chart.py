"""The scores of a match, and what was expected of it, drawn over its steps. Seats are told apart by dashes and marks;
colours only help."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import Final, NamedTuple

from markupsafe import Markup

from events.core import Seat
from projections.core import Names
from projections.drawing import Element, circle, group, path, polygon, rectangle
from projections.words import signed, tenths, total
from service.play.frames import Frames
from service.questions.review import MatchReview
from service.shell.web.drawing_svg import svg

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


class ChartKey(NamedTuple):
    """Which line is whose, and where it ended."""

    sign: Markup
    who: str
    end: str


class Chart(NamedTuple):
    """A drawing with its legend."""

    keys: Sequence[ChartKey]
    svg: Markup


def _svg(width: int, height: int, shapes: Sequence[Element], look: str = "") -> Markup:
    attributes = {"viewBox": f"0 0 {width} {height}", "aria-hidden": "true", **({"class": look} if look else {})}
    return svg(Element("svg", attributes, tuple(shapes)), is_still=True)


def score_chart(frames: Frames, now: int) -> Chart:
    """A line for each seat, and for each step an area to point at; `now` is the step that is looked at."""
    names, series = frames.history.names, _series(frames)
    scale = _Scale(len(frames.steps), min(0, *map(min, series)), max(1, *map(max, series)))
    lines = [_line(scale, seat, scores) for seat, scores in enumerate(series, start=1)]
    keys = [_key(seat, names, total(scores[-1])) for seat, scores in enumerate(series, start=1)]
    areas = _areas(frames, scale, series, now)
    shapes = [*_levels(scale), *_rounds(frames, scale), *lines, *areas]
    return Chart(keys, _svg(WIDTH, HEIGHT, shapes))


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


def _words(x: float, y: float, words: str, **attributes: str) -> Element:
    return Element("text", {"x": f"{x:.1f}", "y": f"{y:.1f}", **attributes}, (words,))


def _levels(scale: _Scale) -> Iterator[Element]:
    for score in range(scale.lowest, scale.highest + 1, scale.each):
        yield path(f"M{LEFT} {scale.y(score):.1f}H{RIGHT}", "level")
        yield _words(LEFT - 5, scale.y(score) + 4, total(score), **{"text-anchor": "end"})


def _rounds(frames: Frames, scale: _Scale) -> Iterator[Element]:
    last = -float(APART)
    for step in frames.rounds:
        number = max(entry.event.round for entry in frames.entries(step))
        x = scale.x(frames.steps.index(step)) - scale.width / 2
        yield path(f"M{x:.1f} {TOP}V{BOTTOM}", "round")
        if x - last >= 2 * APART:
            yield _words(x + 3, TOP - 7, f"R{number}")
            last = x


def _line(scale: _Scale, seat: Seat, scores: Sequence[int]) -> Element:
    x, y = scale.x(0), scale.y(scores[0])
    way, marks, marked = f"M{x:.1f} {y:.1f}", [], x - APART
    for index, (before, score) in enumerate(pairwise(scores), start=1):
        if score == before:
            continue
        x, y = scale.x(index), scale.y(score)
        way += f"H{x:.1f}V{y:.1f}"
        if x - marked >= APART:
            marks.append(_mark(seat, x, y))
            marked = x
    end = scale.x(len(scores) - 1)
    if end - marked >= APART:
        marks.append(_mark(seat, end, y))
    return group(path(f"{way}H{end:.1f}", "line"), *marks, **{"class": _look(seat)})


def _look(seat: Seat) -> str:
    return f"seat look-{(seat - 1) % LOOKS + 1}"


def _mark(seat: Seat, x: float, y: float) -> Element:
    size, look = 4.5, (seat - 1) % LOOKS
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


def _area(left: float, width: float, words: str, **link: str) -> Element:
    """What one points at. Whoever does not see the chart has a list: these are no stops for the keyboard."""
    shape = rectangle(left, TOP, width, BOTTOM - TOP)
    return Element("a", {**link, "tabindex": "-1"}, (Element("title", {}, (words,)), shape))


def _areas(frames: Frames, scale: _Scale, series: Sequence[Sequence[int]], now: int) -> Iterator[Element]:
    names = frames.history.names
    for index, step in enumerate(frames.steps):
        at = frames.entries(step)[-1].seq
        scores = ", ".join(f"{names[seat]} {total(line[index])}" for seat, line in enumerate(series, start=1))
        look = " ".join(["undone"] * (step in frames.undone) + ["now"] * (step == now))
        link = {"href": f"?at={at}", "data-at": str(at), "data-step": str(step), "class": look}
        yield _area(LEFT + index * scale.width, scale.width, f"Step {step}: {scores}", **link)


def _key(seat: Seat, names: Names, end: str) -> ChartKey:
    return ChartKey(_svg(44, 14, [path("M0 7H44", "line"), _mark(seat, 22, 7)], _look(seat)), names[seat], end)


# ------------------------------------------------------------------------------------------------------------- a review


def lead_chart(frames: Frames, review: MatchReview, seats: Sequence[Seat]) -> Chart:
    """How far ahead these seats were expected to be after each decision; mistakes are numbered as they are listed."""
    leads = {seat: review.leads(seat) for seat in seats}
    ends = {seat: review.final[seat - 1] for seat in seats if review.final}
    known = [*ends.values(), *(lead.points for line in leads.values() for lead in line)]
    scale = _Scale(len(frames.steps), floor(min(0, *known)), ceil(max(1, *known)))
    places = {step: scale.x(index) for index, step in enumerate(frames.steps)}
    shapes = [*_levels(scale), *_rounds(frames, scale), path(f"M{LEFT} {scale.y(0):.1f}H{RIGHT}", "even")]
    if review.turning is not None:
        shapes.append(path(f"M{places[review.turning.step]:.1f} {TOP}V{BOTTOM}", "turning"))
    for seat, line in leads.items():
        points = [(places[lead.after.step], scale.y(lead.points)) for lead in line]
        points += [(RIGHT, scale.y(ends[seat]))] if seat in ends else []
        way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        shapes.append(group(path(way, "line"), _mark(seat, *points[-1]), **{"class": _look(seat)}))
    names = frames.history.names
    shapes += [*_mistakes(scale, places, review, seats), *_decisions(scale, places, review, names)]
    keys = [_key(seat, names, f"in the end {signed(ends[seat])}" if ends else "") for seat in seats]
    return Chart(keys, _svg(WIDTH, HEIGHT, shapes))


def _mistakes(
    scale: _Scale, places: Mapping[int, float], review: MatchReview, seats: Sequence[Seat]
) -> Iterator[Element]:
    for number, one in enumerate(review.worst, start=1):
        # Between two, the line is that of one of them: what one is ahead by the other is behind by.
        x, y = places[one.step], scale.y(one.expected if one.seat in seats else -one.expected)
        yield circle(x, y, 8, "mistake")
        yield _words(x, y + 4, str(number), **{"class": "on-mistake", "text-anchor": "middle"})


def _decisions(scale: _Scale, places: Mapping[int, float], review: MatchReview, names: Names) -> Iterator[Element]:
    for one in review.decisions:
        lost = f", lost {one.lost:.1f}" if one.lost else ""
        words = f"Step {one.step}: {names[one.seat]} {one.move}, lead {tenths(one.expected)}{lost}"
        yield _area(places[one.step] - scale.width / 2, scale.width, words, href=f"replay?at={one.seq}")
