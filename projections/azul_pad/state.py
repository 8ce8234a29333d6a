"""A score pad of Azul, folded: walls and scores, and who has still to enter this round."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from events.azul import GameEnded
from events.azul_pad import FloorCounted, GameStopped, TileLaid
from events.core import Event, Seat, Standing
from projections.azul.state import (
    EMPTY_ROW,
    NO_COLOUR,
    Edition,
    Wall,
    WallOptions,
    add_points,
    wall_options,
    with_tile,
)
from projections.azul.tiles import COLOURS


class State(Struct):
    """A score pad."""

    seats: int
    options: WallOptions
    round: int
    """The round that was begun last; 0 before the first entry."""
    entering: list[Seat]
    """Who has not closed this round; empty between rounds."""
    lines: list[int]
    """For each seat the lowest line it has entered this round; 0 for none."""
    thrown: list[int]
    """By colour, tiles of this round's lines that did not go to a wall."""
    pieces: int
    """Tiles of all lines entered so far, and everything that lay on floors."""
    boards: list[Wall]
    standings: tuple[Standing, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        """Every seat's score."""
        return tuple([board.score for board in self.boards])


def initial_of(edition: Edition) -> Callable[[int, Mapping[str, str]], State]:
    """What makes the empty pad of an edition: empty walls, every score 0 (AZ-12)."""

    def initial(seats: int, options: Mapping[str, str]) -> State:
        return State(
            seats=seats,
            options=wall_options(options, edition),
            round=0,
            entering=[],
            lines=[0] * seats,
            thrown=[0] * COLOURS,
            pieces=0,
            boards=[Wall(score=0, wall=[EMPTY_ROW] * 5, row_colours=[0] * 5) for _ in range(seats)],
            standings=(),
        )

    return initial


def invariants(state: State) -> dict[str, int]:
    """A pad conserves nothing, but every tile on a wall is a colour of its own in its row."""
    tiles = sum(cell != NO_COLOUR for board in state.boards for row in board.wall for cell in row)
    colours = sum(row.bit_count() for board in state.boards for row in board.row_colours)
    return {"tiles on walls, beyond the colours of their rows": tiles - colours}


def _begin_round(state: State, event: TileLaid | FloorCounted) -> None:
    if event.round:
        state.round = event.round
        state.entering = list(range(1, state.seats + 1))
        state.lines = [0] * state.seats
        state.thrown = [0] * COLOURS


def _tile_laid(state: State, event: TileLaid) -> None:
    _begin_round(state, event)
    board, row = state.boards[event.seat - 1], event.line - 1
    board.wall[row] = with_tile(board.wall[row], event.column - 1, event.colour)
    board.row_colours[row] |= 1 << event.colour
    state.lines[event.seat - 1] = event.line
    state.thrown[event.colour] += event.line - 1
    state.pieces += event.line
    add_points(state.boards, event.scores)


def _floor_counted(state: State, event: FloorCounted) -> None:
    _begin_round(state, event)
    state.pieces += event.spaces
    state.entering.remove(event.seat)
    add_points(state.boards, event.scores)


def _game_over(state: State, event: GameEnded | GameStopped) -> None:
    add_points(state.boards, event.scores)
    state.standings = event.standings


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    TileLaid: _tile_laid,
    FloorCounted: _floor_counted,
    GameEnded: _game_over,
    GameStopped: _game_over,
}
