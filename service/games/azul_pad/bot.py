"""The greedy bot's estimate for entries of a pad; people keep pads, but every game can be simulated."""

from events.core import Seat
from projections.azul_pad.state import State
from service.games.azul.tiling import PENALTIES, tile_points
from service.games.azul_pad.rules import ClearFloor, LayTile, column_of
from service.games.core import Action


def estimate(state: State, seat: Seat, action: Action) -> float:
    """The points of the entry; an end is worth less than going on."""
    if isinstance(action, LayTile):
        wall = state.boards[seat - 1].wall
        return tile_points(seat, wall, action.line - 1, column_of(state, action) - 1).applied
    if isinstance(action, ClearFloor):
        return -PENALTIES[action.spaces]
    return -1
