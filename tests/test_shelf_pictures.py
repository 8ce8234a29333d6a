"""The contract every game keeps with its pictures. A new game is tested by being in GAMES, as in `test_shelf.py`."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import astuple

from events.core import CHANCE, Seat
from projections.core import NARROW, ROOMY, SMALL, Room, State, fits
from tests.gallery import plain
from tests.shelf import LONG_NAMES, PLAIN, VARIANTS, Shape, each_shape, is_looked_at, names, turns

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@each_shape
def test_pictures_and_views_can_always_be_made(shape: Shape) -> None:
    projection, people = shape.game.projection, names(shape.seats)
    for number, turn in enumerate(turns(shape, 8)):
        if not is_looked_at(shape, number, 1):
            continue
        picture = projection.draw(turn.state, people)
        text = "".join(span.text for line in picture for span in line)
        assert all(people[seat] in text for seat in range(1, shape.seats + 1)), "everybody finds their place"
        assert fits(picture, ROOMY)
        json.dumps(projection.view(turn.state))


@each_shape
def test_every_table_fits_a_small_screen_for_everybody_at_it(shape: Shape) -> None:
    """A picture is as it were without an end of lines, all boards whole, or else another for everybody: with theirs."""
    projection, people, seats = shape.game.projection, names(shape.seats), range(1, shape.seats + 1)
    for number, state in enumerate(_some_states(shape, 10)):
        crowded = projection.draw(state, LONG_NAMES, SMALL._replace(seat=number % (shape.seats + 1)))
        assert fits(crowded, SMALL), plain(crowded)
        pictures = [projection.draw(state, people, SMALL._replace(seat=seat)) for seat in seats]
        assert all(fits(picture, SMALL) for picture in pictures), plain(pictures[0])
        texts = [plain(picture) for picture in pictures]
        if len(set(texts)) < shape.seats:
            assert set(texts) == {plain(projection.draw(state, people, Room(SMALL.width)))}, "nobody's board is whole"
        assert all(people[seat] in text for seat in seats for text in texts), "everybody finds their place"


@each_shape
def test_every_table_fits_a_narrow_window(shape: Shape) -> None:
    projection = shape.game.projection
    for state in _some_states(shape, 10):
        picture = projection.draw(state, LONG_NAMES, NARROW)
        assert fits(picture, NARROW), plain(picture)


@pytest.mark.parametrize("shape", [*PLAIN, *VARIANTS], ids=lambda shape: shape.id)
def test_whatever_changes_before_the_looker_is_seen_on_a_small_screen(shape: Shape) -> None:
    """A move changes much of a table. Here nothing but the mover's own board changes, and the picture must."""
    projection, people = shape.game.projection, names(shape.seats)
    for turn in turns(shape, 12):
        if turn.actor == CHANCE:
            continue
        assert isinstance(turn.actor, int)
        after, mixed = projection.copy(turn.state), projection.copy(turn.state)
        for event in turn.events:
            projection.apply[type(event)](after, event)
        for boards, changed in zip(_kept_by_seat(mixed), _kept_by_seat(after), strict=True):
            boards[turn.actor - 1] = changed[turn.actor - 1]
        views = [_lying_before(projection.view(state), turn.actor) for state in (turn.state, mixed)]
        assert views[0], "a view has an entry for every seat"
        if views[0] != views[1]:
            room = SMALL._replace(seat=turn.actor)
            before, with_it = (plain(projection.draw(state, people, room)) for state in (turn.state, mixed))
            assert before != with_it, f"{views[1]} looks like {views[0]} in\n{before}"


@each_shape
def test_colour_keys_explain_letters_in_a_line(shape: Shape) -> None:
    key = shape.game.projection.colour_key(shape.initial)
    assert fits([key], SMALL)
    letters = [span.text.strip() for span in key if span.style.startswith("tile.")]
    assert len(set(letters)) == len(letters)


def _some_states(shape: Shape, seed: int) -> Iterator[State]:
    """Every third state of a playout, or fewer of a table like others, and the last one."""
    for number, turn in enumerate(turns(shape, seed)):
        if is_looked_at(shape, number, 3):
            yield turn.state
    yield turn.state  # which the playout has brought to its end by now


def _lying_before(view: dict[str, Any], seat: Seat) -> list[object]:
    """What a view says of one seat, wherever it lists seats."""
    lists = [value for value in view.values() if isinstance(value, list)]
    return [entry for entries in lists for entry in entries if isinstance(entry, dict) and entry.get("seat") == seat]


def _kept_by_seat(state: State) -> list[list[Struct]]:
    """The boards, tableaus or whatever else a state keeps one of for each seat."""
    lists = [value for value in astuple(state) if isinstance(value, list) and len(value) == state.seats]
    return [entries for entries in lists if isinstance(entries[0], Struct)]
