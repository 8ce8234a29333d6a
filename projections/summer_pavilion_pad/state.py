"""A score pad of Summer Pavilion, folded: stars and scores, and who has still to enter this round."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from events.core import Event, Seat, Standing
from events.summer_pavilion import GameEnded
from events.summer_pavilion_pad import MarkerTaken, SpaceBuilt, TilesLeft
from projections.summer_pavilion.stars import SLOTS, STARS
from projections.summer_pavilion.state import NO_COLOUR, Pavilion, add_points, put_tile


class State(Struct):
    """A score pad."""

    seats: int
    side: str
    """`coloured` or `colourless`."""
    round: int
    """The round that was begun last; 0 before the first entry."""
    entering: list[Seat]
    """Who has not closed this round; empty between rounds."""
    marker: Seat
    """Who took the marker this round; 0 while nobody is known to have."""
    builders: list[Seat]
    """Who has built something this round."""
    tiles: int
    """The most tiles that can be in hands: dealt or won, and neither paid nor thrown away."""
    boards: list[Pavilion]
    standings: tuple[Standing, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        """Every seat's score."""
        return tuple([board.score for board in self.boards])


def initial(seats: int, options: Mapping[str, str]) -> State:
    """The empty pad; the points to start with come with the first round."""
    return State(
        seats=seats,
        side=options["boardSide"],
        round=0,
        entering=[],
        marker=0,
        builders=[],
        tiles=0,
        boards=[
            Pavilion(score=0, spaces=[NO_COLOUR] * (len(STARS) * SLOTS), occupied=0, star_colours=[0] * len(STARS))
            for _ in range(seats)
        ],
        standings=(),
    )


def invariants(state: State) -> dict[str, int]:
    """A pad conserves nothing, but no space ever holds two tiles."""
    tiles = sum(tile != NO_COLOUR for board in state.boards for tile in board.spaces)
    return {"tiles on stars, beyond their spaces": tiles - sum(board.occupied.bit_count() for board in state.boards)}


def begin_round(state: State, round_: int, dealt: int) -> None:
    """A round with so many tiles on its displays; 0 while one is on."""
    if round_:
        state.round = round_
        state.entering = list(range(1, state.seats + 1))
        state.marker = 0
        state.builders = []
        state.tiles += dealt


def _marker_taken(state: State, event: MarkerTaken) -> None:
    begin_round(state, event.round, event.dealt)
    state.marker = event.seat
    add_points(state.boards, event.scores)


def _space_built(state: State, event: SpaceBuilt) -> None:
    begin_round(state, event.round, event.dealt)
    put_tile(state.boards[event.seat - 1], event.star, event.slot, event.colour)
    state.tiles += event.bonus - event.paid
    if event.seat not in state.builders:
        state.builders.append(event.seat)
    add_points(state.boards, event.scores)


def _tiles_left(state: State, event: TilesLeft) -> None:
    begin_round(state, event.round, event.dealt)
    state.tiles -= event.tiles
    state.entering.remove(event.seat)
    add_points(state.boards, event.scores)


def _game_ended(state: State, event: GameEnded) -> None:
    add_points(state.boards, event.scores)
    state.standings = event.standings


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    MarkerTaken: _marker_taken,
    SpaceBuilt: _space_built,
    TilesLeft: _tiles_left,
    GameEnded: _game_ended,
}
