"""The parts of the drawing one touches to enter something on a score pad of Azul."""

from collections.abc import Sequence

from events.core import Seat
from projections.azul.board import cell_part, floor_part
from projections.azul_pad.board import END, colour_part
from projections.azul_pad.state import State
from service.games.azul_pad.rules import ClearFloor, LayTile, StopGame, column_of
from service.games.core import Action


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """The cell of the wall, on the free side after its colour; the last occupied floor space; or the end."""
    match action:
        case LayTile():
            cell = cell_part(seat, action.line, column_of(state, action))
            return (colour_part(state, seat, action.colour), cell) if state.options.is_grey else (cell,)
        case ClearFloor():
            return (floor_part(seat, action.spaces),)
        case StopGame():
            return (END,)
    raise TypeError(f"{action!r} is not an entry of a score pad of Azul")
