"""The parts of the drawing one touches to make a move in Azul."""

from collections.abc import Sequence

from events.core import Seat
from projections.azul.board import cell_part
from projections.azul.state import State
from projections.drawing import seat_part
from service.games.azul.rules import DraftTiles
from service.games.azul.tiling import TileLine
from service.games.core import Action
from service.games.first_player import ChooseStart, click_choice


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """Tiles, then where they go: a pattern line, the floor or, on the free side, a cell of the wall."""
    match action:
        case DraftTiles():
            colour = state.options.edition.colours[action.colour]
            source = f"display-{action.source}" if action.source else "centre"
            return f"{source}.{colour}", seat_part(seat, f"line-{action.line}" if action.line else "floor")
        case TileLine():
            return seat_part(seat, f"line-{action.line}"), cell_part(seat, action.line, action.column)
        case ChooseStart():
            return click_choice(action)
    raise TypeError(f"{action!r} is not an action of Azul")
