"""The parts of the drawing one touches to enter something on a score pad of Summer Pavilion."""

from collections.abc import Sequence

from events.core import Seat
from projections.summer_pavilion.star_board import space_part
from projections.summer_pavilion.state import NO_COLOUR
from projections.summer_pavilion_pad.board import left_part, marker_part, palette_part
from projections.summer_pavilion_pad.state import State
from service.games.core import Action
from service.games.summer_pavilion_pad.rules import BuildSpace, LeaveTiles, TakeMarker


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """A space, and where it does not say so the colour that lies there; or how many tiles."""
    match action:
        case BuildSpace(star=star, slot=slot, colour=colour):
            where = space_part(seat, star, slot)
            return (where,) if colour == NO_COLOUR else (where, palette_part(seat, colour))
        case TakeMarker(tiles=tiles):
            return (marker_part(seat, tiles),)
        case LeaveTiles(tiles=tiles):
            return (left_part(seat, tiles),)
    raise TypeError(f"{action!r} is not an entry of a score pad of Summer Pavilion")
