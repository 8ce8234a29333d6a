"""The contract every game keeps with its drawing: moves are paths of its parts, and points show what made them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from events.core import Seat
from projections.core import State
from projections.drawing import Element, Panel, parts_of, seat_part
from projections.story import imperative
from tests.shelf import LARGEST, PLAIN, VARIANTS, Shape, each_shape, is_looked_at, names, turns

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

WIDEST = 400
"""Units of a panel: about as many as a phone has points, so that what is large enough in units is so on a phone."""
SMALLEST_LETTERS = 9


@each_shape
def test_every_legal_action_is_a_path_of_parts_that_are_drawn(shape: Shape) -> None:
    game, people = shape.game, names(shape.seats)
    for number, turn in enumerate(turns(shape, 21)):
        seats = [] if game.rules.request(turn.state) else game.projection.to_act(turn.state)
        if not is_looked_at(shape, number, 4):
            continue
        drawn = set(parts_of(game.projection.board(turn.state)))
        for seat in seats:
            met: set[tuple[tuple[str, ...], str]] = set()
            for action in game.rules.legal(turn.state, seat):
                path = tuple(game.path(turn.state, seat, action))
                words = imperative(game.projection, game.rules.decide(turn.state, seat, action)[0], people)
                assert path, f"{action} has no path"
                assert set(path) <= drawn, f"{action} goes over {set(path) - drawn}, which is not drawn"
                assert (path, words) not in met, f"another action has the path {path} and the words “{words}” too"
                met.add((path, words))


@each_shape
def test_every_point_shows_what_made_it(shape: Shape) -> None:
    """Every kind of point the first three times; after that some of them, because a whole table is drawn for each."""
    projection, met = shape.game.projection, Counter[str]()
    for turn in turns(shape, 22):
        after = projection.copy(turn.state)
        for event in turn.events:
            projection.apply[type(event)](after, event)
            fresh = [line for line in event.scores if met[line.reason] < 3 or is_looked_at(shape, met[line.reason], 4)]
            met.update(line.reason for line in event.scores)
            if not fresh:
                continue
            drawn = set(parts_of(projection.board(after)))
            for line in fresh:
                made = list(projection.scored_parts[line.reason](event, line, after))
                assert made, f"nothing is shown for {line}"
                assert set(made) <= drawn, f"{line} was made by {set(made) - drawn}, which is not drawn"


@pytest.mark.parametrize("shape", [*PLAIN, *VARIANTS], ids=lambda shape: shape.id)
def test_drawings_are_whole_and_readable(shape: Shape) -> None:
    projection = shape.game.projection
    for state in _some_states(shape):
        panels = projection.board(state)
        seats = [panel for panel in panels if panel.seat]
        assert [panel.key for panel in seats] == [seat_part(seat) for seat in range(1, shape.seats + 1)]
        assert [panel.seat for panel in seats] == list(range(1, shape.seats + 1))
        twice = [name for name, times in Counter(parts_of(panels)).items() if times > 1]
        assert not twice
        for panel in panels:
            assert panel.title, panel.key
            assert panel.description.endswith("."), panel.key
            assert panel.width <= WIDEST, panel.key
            _check_letters_and_places(panel)


@pytest.mark.parametrize("shape", [*LARGEST, *VARIANTS], ids=lambda shape: shape.id)
def test_whatever_changes_before_a_seat_is_seen(shape: Shape) -> None:
    projection = shape.game.projection
    before: dict[Seat, tuple[object, object, str]] = {}
    for state in _some_states(shape):
        panels = {panel.seat: panel for panel in projection.board(state) if panel.seat}
        for seat, panel in panels.items():
            lies = _lying_before(projection.view(state), seat)
            if seat in before and before[seat][0] != lies:
                assert before[seat][1] != panel.children, f"{lies} is drawn like {before[seat][0]}"
                assert before[seat][2] != panel.description, f"{lies} is told like {before[seat][0]}"
            before[seat] = (lies, panel.children, panel.description)


def _some_states(shape: Shape) -> Iterator[State]:
    for number, turn in enumerate(turns(shape, 23)):
        if number % 5 == 0:
            yield shape.game.projection.copy(turn.state)
    yield turn.state  # which the playout has brought to its end by now


def _lying_before(view: dict[str, Any], seat: Seat) -> list[object]:
    """What a view says of one seat, but for its score, which stands above the drawing."""
    lists = [value for key, value in view.items() if isinstance(value, list) and key != "standings"]
    entries = [entry for listed in lists for entry in listed if isinstance(entry, dict) and entry.get("seat") == seat]
    return [{name: value for name, value in entry.items() if name != "score"} for entry in entries]


def _check_letters_and_places(panel: Panel) -> None:
    for element in _elements(panel.children):
        values = element.attributes
        if element.tag == "text":
            assert float(values["font-size"]) >= SMALLEST_LETTERS, f"{element} cannot be read"
        for name, end in (("x", panel.width), ("cx", panel.width), ("y", panel.height), ("cy", panel.height)):
            assert 0 <= float(values.get(name, 0)) <= end, f"{element} lies outside of {panel.key}"
        if element.tag == "rect":
            assert float(values["x"]) + float(values["width"]) <= panel.width, f"{element} lies outside of {panel.key}"
            assert float(values["y"]) + float(values["height"]) <= panel.height, f"{element} lies outside {panel.key}"


def _elements(children: Iterable[Element | str]) -> Iterator[Element]:
    """Every element that is where its own numbers say: not within something that was turned or moved."""
    for child in children:
        if isinstance(child, Element) and "transform" not in child.attributes:
            yield child
            yield from _elements(child.children)
