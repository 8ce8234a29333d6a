"""The greedy bot's estimate for entries of a pad; people keep pads, but every game can be simulated."""

from events.core import Seat
from projections.summer_pavilion_pad.state import State
from service.games.core import Action
from service.games.summer_pavilion.scoring import placement_points
from service.games.summer_pavilion_pad.rules import BuildSpace, LeaveTiles, TakeMarker


def estimate(state: State, seat: Seat, action: Action) -> float:
    """The points of the entry."""
    if isinstance(action, BuildSpace):
        return placement_points(seat, state.boards[seat - 1], action.star, action.slot).applied
    if isinstance(action, TakeMarker | LeaveTiles):
        return -action.tiles
    return 0
