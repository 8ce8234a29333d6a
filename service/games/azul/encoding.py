"""The encoding of Azul: actions and observations as numbers."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from events.core import Seat
from projections.azul.state import DISPLAYS, State, to_act
from projections.azul.tiles import COLOURS, Tiles, counts
from service.games.azul.rules import DraftTiles, whole_draft
from service.games.azul.tiling import FLOOR_SPACES, TileLine
from service.games.core import Action
from service.games.encoding import (
    ActionIndex,
    Encoding,
    Field,
    around,
    counted,
    marked,
    numbers,
    of_each_seat,
    one_of,
)
from service.games.first_player import ChooseStart

LINES: Final = 5
PHASES: Final = ("start", "draft", "tile")
"""When somebody has a choice."""

# ------------------------------------------------------------------------------------------------------------- actions


@cache
def _index(seats: int, may_floor_part: bool) -> ActionIndex:
    return ActionIndex(every_action(seats, may_floor_part))


def every_action(seats: int, may_floor_part: bool) -> Iterator[Action]:
    """Who starts, drafts to a line or the floor, tiles of the free side, and drafts of which a part is floored."""
    sources = range(DISPLAYS[seats] + 1)
    yield from (ChooseStart(seat) for seat in range(1, seats + 1))
    for source in sources:
        for colour in range(COLOURS):
            yield from (whole_draft(source, colour, line) for line in range(LINES + 1))
    for line in range(1, LINES + 1):
        yield from (TileLine(line, column) for column in range(1, LINES + 1))
    if may_floor_part:
        for source in sources:
            for colour in range(COLOURS):
                for line in range(2, LINES + 1):
                    yield from (DraftTiles(source, colour, line, floor) for floor in range(1, line))


def actions(seats: int, options: Mapping[str, str]) -> ActionIndex:
    """The same numbers on both sides of the board."""
    return _index(seats, options["partialFloor"] == "true")


# -------------------------------------------------------------------------------------------------------- observations


def layout(seats: int, options: Mapping[str, str]) -> tuple[Field, ...]:
    """What everybody shares, then what lies in front of each seat."""
    is_grey = options["boardSide"] != "coloured"
    board = (
        Field("score", 1, 999),
        Field("floor", COLOURS + 1, FLOOR_SPACES),
        Field("lines", LINES * COLOURS, LINES),
        Field("wall", LINES * LINES * COLOURS if is_grey else LINES * COLOURS),
    )
    return (
        Field("phase", len(PHASES)),
        Field("to act", seats),
        Field("started", seats),
        Field("marker", seats),
        Field("round", 1, 2000),
        Field("centre", COLOURS, 20),
        Field("displays", COLOURS * DISPLAYS[seats], 20),
        Field("bag", COLOURS, 20),
        Field("lid", COLOURS, 20),
        *of_each_seat(seats, board),
    )


_PHASES: Final = {phase: one_of(len(PHASES), place) for place, phase in enumerate((*PHASES, "deal", "over"))}
_ROWS: Final = tuple(
    counted(COLOURS, tuple(slot for slot in range(COLOURS) if colours >> slot & 1)) for colours in range(1 << COLOURS)
)
"""For every set of colours in a wall row, a number for each colour."""
_LINES: Final = tuple(
    tuple(counted(COLOURS, (colour,) * tiles) for colour in range(COLOURS)) for tiles in range(LINES + 1)
)
"""By number and colour of the tiles in a line, how many there are of each colour."""


@lru_cache(10_000)
def _lying(tiles: Tiles) -> bytes:
    """What lies in one place, a number for each colour."""
    return numbers(*counts(tiles))


def observe(state: State, seat: Seat) -> bytes:
    """Everything that lies on the table, and what is left in bag and lid."""
    seats = state.seats
    parts = [
        _PHASES[state.phase],
        marked(seats, seat, to_act(state)),
        marked(seats, seat, (state.starter,)),
        marked(seats, seat, (state.marker,)),
        numbers(state.round),
        *map(_lying, (*state.sources, state.bag, state.lid)),
    ]
    is_grey = state.options.is_grey
    for other in around(seats, seat):
        board = state.boards[other - 1]
        parts += numbers(board.score), counted(COLOURS + 1, tuple(board.floor))
        parts += [_LINES[tiles][colour] for tiles, colour in zip(board.lines, board.colours, strict=True)]
        if is_grey:
            parts += [one_of(COLOURS, cell) for row in board.wall for cell in row]  # none, where there is no tile
        else:
            parts += map(_ROWS.__getitem__, board.row_colours)
    return b"".join(parts)


ENCODING: Final = Encoding(actions, layout, observe)
