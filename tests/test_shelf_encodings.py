"""The contract of encodings: every legal action has a number of its own, and whoever sees the same may do the same."""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import json as msgspec_json

from events.core import Seat
from events.master_chocolatier import Sent
from projections import tiles
from projections.azul.state import EMPTY_ROW, with_tile
from projections.azul.tiles import counts, tiles_of
from projections.core import State
from projections.master_chocolatier.state import SPREAD
from service.errors import IllegalAction
from service.games.encoding import NUMBER, ActionIndex, Encoding, Field, around
from service.games.game import Game
from service.games.master_chocolatier import MASTER_CHOCOLATIER
from service.games.master_chocolatier.rules import SpreadTiles
from service.games.options import read_options
from service.games.shelf import GAMES, find_game
from tests.shelf import SHAPES, Shape, each_game, turns

PLAYED = [shape for shape in SHAPES if not shape.game.pad_of]
each_played = pytest.mark.parametrize("shape", PLAYED, ids=lambda shape: shape.id)
PINNED = Path(__file__).parent / "encodings.json"
"""What every number stands for, as digests: by ruleset, seats and options. Lines are added, never changed."""


MATCHES = 1000
"""Of every game, over all its tables."""


def encoding_of(game: Game) -> Encoding:
    assert game.encoding is not None
    return game.encoding


def index_of(shape: Shape) -> ActionIndex:
    options = read_options(shape.game.rules, shape.options, shape.seats)
    return encoding_of(shape.game).actions(shape.seats, options)


def layout_of(shape: Shape) -> tuple[Field, ...]:
    options = read_options(shape.game.rules, shape.options, shape.seats)
    return encoding_of(shape.game).layout(shape.seats, options)


@each_game
def test_every_game_that_is_played_has_an_encoding(game: Game) -> None:
    assert (game.encoding is None) == bool(game.pad_of)


# ------------------------------------------------------------------------------------------------------------- actions


def check_numbers(shape: Shape, seed: int) -> int:
    """Hold every legal action of a whole match to its number; how many there were."""
    index, game, seen = index_of(shape), shape.game, 0
    for turn in turns(shape, seed):
        for seat in game.projection.to_act(turn.state):
            actions = game.rules.legal(turn.state, seat)
            numbers = index.numbers(turn.state, actions)
            assert len(set(numbers)) == len(actions), "two actions share a number"
            assert min(numbers) >= 0
            assert max(numbers) < len(index)
            assert [index.action(turn.state, number) for number in numbers] == list(actions)
            seen += len(actions)
    return seen


@each_played
def test_every_legal_action_has_a_number_of_its_own(shape: Shape) -> None:
    tables = sum(other.game.key == shape.game.key for other in PLAYED)
    for seed in range(-(-MATCHES // tables)):
        assert check_numbers(shape, seed)


@each_played
def test_a_number_that_is_not_legal_is_refused_by_the_rules(shape: Shape) -> None:
    index, game, rng = index_of(shape), shape.game, Random(shape.id)
    refused = wrong = 0
    for turn in turns(shape, 8):
        for seat in game.projection.to_act(turn.state):
            legal = set(index.numbers(turn.state, game.rules.legal(turn.state, seat)))
            wrong += len(index) - len(legal)
            for number in rng.sample(range(len(index)), min(5, len(index))):
                if number not in legal:
                    with pytest.raises(IllegalAction):
                        game.rules.decide(turn.state, seat, index.action(turn.state, number))
                    refused += 1
    assert bool(refused) == bool(wrong), "some numbers were not legal, and none of them was tried"


def digests() -> dict[str, str]:
    """A digest of what the numbers of every table stand for before anything is drawn, and of what it shows."""
    found = {}
    for shape in PLAYED:
        if shape.game in GAMES:
            index, state = index_of(shape), shape.initial
            actions = [msgspec_json.encode(index.action(state, number)) for number in range(len(index))]
            layout = json.dumps([field[:2] for field in layout_of(shape)]).encode()
            found[shape.id] = sha256(b"\n".join([*actions, layout])).hexdigest()
    return found


def test_numbers_and_layouts_are_what_they_have_always_been() -> None:
    """After a new variant `python -m tests.test_shelf_encodings` adds its line; one that changes breaks a promise."""
    assert digests() == json.loads(PINNED.read_text(encoding="utf-8"))


def test_a_spread_is_numbered_by_the_way_each_other_colour_goes() -> None:
    """The part of Master Chocolatier's numbers that means nothing before there is a display that spreads."""
    shape = Shape(MASTER_CHOCOLATIER, 2, {"specialFactories": "on"})
    state, index = shape.initial, index_of(shape)
    state.sides = (-1, SPREAD, -1, -1, -1)
    state.sources[2] = tiles_of((0, 1, 3, 3))
    action = SpreadTiles(source=2, colour=1, line=3, spread=(Sent(0, 1), Sent(3, 3)))
    # 2 starts, 180 drafts and 25 tiles; colour 1 of 5, line 3 of 0–5, 16 ways; of slots 0 2 3 4 the third goes right
    assert index.numbers(state, [action]) == (2 + 180 + 25 + (1 * 6 + 3) * 16 + 0b0100,)
    assert len(index) == 2 + 180 + 25 + 5 * 6 * 16


# -------------------------------------------------------------------------------------------------------- observations


def seen_by(shape: Shape, state: State, seat: Seat) -> list[int]:
    return memoryview(encoding_of(shape.game).observe(state, seat)).cast(NUMBER).tolist()


@each_played
def test_observations_keep_to_their_layout(shape: Shape) -> None:
    layout = layout_of(shape)
    bounds = [(field.least, field.most, field.name) for field in layout for _ in range(field.size)]
    assert len({field.name for field in layout}) == len(layout), "two fields share a name"
    for turn in turns(shape, 9):
        if shape.game.projection.to_act(turn.state):
            for seat in range(1, shape.seats + 1):
                values = seen_by(shape, turn.state, seat)
                assert len(values) == len(bounds)
                for value, (least, most, name) in zip(values, bounds, strict=True):
                    assert least <= value <= most, name


@each_played
def test_whoever_sees_the_same_may_do_the_same(shape: Shape) -> None:
    index, game = index_of(shape), shape.game
    may_do: dict[tuple[int, ...], list[int]] = {}
    for seed in range(2):
        for turn in turns(shape, seed):
            for seat in game.projection.to_act(turn.state):
                seen = (seat, *seen_by(shape, turn.state, seat))
                numbers = sorted(index.numbers(turn.state, game.rules.legal(turn.state, seat)))
                assert may_do.setdefault(seen, numbers) == numbers


@each_played
def test_no_change_at_the_table_escapes_anybody(shape: Shape) -> None:
    view = shape.game.projection.view
    seats = range(1, shape.seats + 1)
    before: object = None
    looks: list[list[int]] = [[]] * shape.seats
    for turn in turns(shape, 3):
        now = view(turn.state)
        if shape.game.projection.to_act(turn.state) and now != before:
            after = [seen_by(shape, turn.state, seat) for seat in seats]
            assert all(map(list.__ne__, looks, after))
            before, looks = now, after


@each_played
def test_every_seat_sees_itself_first_and_all_see_the_same(shape: Shape) -> None:
    layout = layout_of(shape)
    own = [field.name.removeprefix("own ") for field in layout if field.name.startswith("own ")]
    state: State = None
    for number, turn in enumerate(turns(shape, 10)):
        if number == 12:
            state = turn.state
            break
    looks = {seat: _named(layout, seen_by(shape, state, seat)) for seat in range(1, shape.seats + 1)}
    scores = shape.game.projection.scores(state)
    for seat, look in looks.items():
        assert look["own score"] == [scores[seat - 1]]
        for step, other in enumerate(around(shape.seats, seat)[1:], start=1):
            assert [look[f"next {step} {name}"] for name in own] == [looks[other][f"own {name}"] for name in own]


MEANT: dict[str, dict[str, Callable[[Any, Seat], Sequence[int]]]] = {
    "azul": {
        "round": lambda state, seat: [state.round],
        "centre": lambda state, seat: counts(state.centre),
        "displays": lambda state, seat: list(chain(*map(counts, state.displays))),
        "bag": lambda state, seat: counts(state.bag),
        "lid": lambda state, seat: counts(state.lid),
        "to act": lambda state, seat: [int(other == state.turn) for other in around(state.seats, seat)],
        "started": lambda state, seat: [int(other == state.starter) for other in around(state.seats, seat)],
        "marker": lambda state, seat: [int(other == state.marker) for other in around(state.seats, seat)],
        "own floor": lambda state, seat: [state.boards[seat - 1].floor.count(piece) for piece in range(6)],
    },
    "summer-pavilion": {
        "round": lambda state, seat: [state.round],
        "owed": lambda state, seat: [state.owed],
        "wild": lambda state, seat: [int(colour == state.wild) for colour in range(6)],
        "supply": lambda state, seat: tiles.counts(state.supply),
        "bag": lambda state, seat: tiles.counts(state.bag),
        "tower": lambda state, seat: tiles.counts(state.tower),
        "own hand": lambda state, seat: tiles.counts(state.boards[seat - 1].hand),
        "own corners": lambda state, seat: tiles.counts(state.boards[seat - 1].corners),
        "own passed": lambda state, seat: [int(state.boards[seat - 1].passed)],
        "own stars": lambda state, seat: [int(tile >= 0) for tile in state.boards[seat - 1].spaces[:36]],
    },
    "coloretto": {
        "deck": lambda state, seat: state.deck,
        "above last round": lambda state, seat: [state.above],
        "below last round": lambda state, seat: [state.below],
        "card in hand": lambda state, seat: [int(kind == state.drawn) for kind in range(10)],
        "rows": lambda state, seat: [row.count(kind) for row in state.rows for kind in range(10)],
        "out": lambda state, seat: [state.out >> other & 1 for other in around(state.seats, seat)],
        "own cards": lambda state, seat: state.tableaus[seat - 1].cards,
        "own jokers given": lambda state, seat: state.tableaus[seat - 1].assigned,
        "own plus colours": lambda state, seat: [int(c in state.tableaus[seat - 1].plus) for c in range(7)],
    },
}
"""What some fields are, read from the state itself."""


@pytest.mark.parametrize("key", MEANT)
def test_fields_are_what_they_are_called(key: str) -> None:
    game = find_game(key)
    shape = Shape(game, 3, {})
    layout, seen = layout_of(shape), 0
    for turn in turns(shape, 1):
        if game.projection.to_act(turn.state) and (key != "azul" or turn.state.phase == "draft"):
            for seat in (1, 2, 3):
                named = _named(layout, seen_by(shape, turn.state, seat))
                for name, meant in MEANT[key].items():
                    assert named[name] == list(meant(turn.state, seat)), name
            seen += 1
    assert seen > 20


def test_lines_and_walls_of_azul_go_row_by_row() -> None:
    shape = Shape(find_game("azul"), 2, {})
    state = shape.initial
    board = state.boards[1]
    board.lines[2], board.colours[2] = 2, 4
    board.wall[3], board.row_colours[3] = with_tile(EMPTY_ROW, 1, 3), 1 << 3
    look = _named(layout_of(shape), seen_by(shape, state, 2))
    assert look["own lines"] == [0] * 10 + [0, 0, 0, 0, 2] + [0] * 10
    assert look["own wall"] == [0] * 15 + [0, 0, 0, 1, 0] + [0] * 5
    free = Shape(find_game("azul"), 2, {"boardSide": "grey"})
    grey = free.initial
    grey.boards[1].wall[3] = with_tile(EMPTY_ROW, 1, 3)
    look = _named(layout_of(free), seen_by(free, grey, 2))
    assert [place for place, mark in enumerate(look["own wall"]) if mark] == [(3 * 5 + 1) * 5 + 3]


def _named(layout: tuple[Field, ...], values: list[int]) -> dict[str, list[int]]:
    named, first = {}, 0
    for field in layout:
        named[field.name] = values[first : first + field.size]
        first += field.size
    return named


if __name__ == "__main__":
    PINNED.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
