"""The parts of the drawing one touches to make a move in Pebbles."""

from collections.abc import Sequence

from events.core import Seat
from projections.drawing import seat_part
from service.games.core import Action
from tests.pebbles.projection.board import die_part
from tests.pebbles.projection.state import State
from tests.pebbles.rules import KeepPebbles, ThrowDice


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """As many dice as one throws, or the hand and then the pile."""
    match action:
        case ThrowDice():
            return (die_part(action.dice),)
        case KeepPebbles():
            return "hand", seat_part(seat, "pile")
    raise TypeError(f"{action!r} is not an action of Pebbles")
