"""The parts of the drawing one touches to make a move in Summer Pavilion."""

from collections.abc import Iterator, Sequence

from events.core import Seat
from events.summer_pavilion import Colour
from projections.summer_pavilion.board import hand_part, keep_part, supply_part
from projections.summer_pavilion.star_board import has_own_colour, space_part
from projections.summer_pavilion.stars import COLOURS
from projections.summer_pavilion.state import State
from service.games.core import Action
from service.games.first_player import ChooseStart, click_choice
from service.games.summer_pavilion.actions import AcquireTiles, Pass, PlaceTile, TakeBonus


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """Tiles on offer; a space, and where it does not say so the colour that goes there; how many are kept, and which.

    How a space is paid for is left to words.
    """
    match action:
        case AcquireTiles():
            source = f"display-{action.source}" if action.source else "centre"
            return (f"{source}.{COLOURS[action.colour]}",)
        case PlaceTile(star=star, colour=colour):
            where = space_part(seat, star, action.slot)
            return (where,) if has_own_colour(state.options.side, star) else (where, hand_part(seat, colour))
        case TakeBonus():
            return [supply_part(colour, number) for colour, number in _numbered(action.tiles)]
        case Pass():
            kept = (hand_part(seat, colour, number) for colour, number in _numbered(action.kept))
            return keep_part(seat, len(action.kept)), *kept
        case ChooseStart():
            return click_choice(action)
    raise TypeError(f"{action!r} is not an action of Summer Pavilion")


def _numbered(tiles: Sequence[Colour]) -> Iterator[tuple[Colour, int]]:
    """Each tile with how many of its colour it makes; the tiles of a colour stand together (SP-R19)."""
    return ((colour, place - tiles.index(colour) + 1) for place, colour in enumerate(tiles))
