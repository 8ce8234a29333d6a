"""The parts of the drawing one touches to make a move in Coloretto."""

from collections.abc import Sequence

from events.core import Seat
from projections.coloretto.board import start_part
from projections.coloretto.collection import kind_part
from projections.coloretto.state import JOKER, State
from service.games.coloretto.ending import AssignJoker, NameColours
from service.games.coloretto.rules import ChooseStartCard, DrawCard, PlaceCard, TakeRow
from service.games.core import Action


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """The deck, a row to place in or to take, a card to start with; at the end a joker and its colour, or colours."""
    match action:
        case DrawCard():
            return ("deck",)
        case PlaceCard() | TakeRow():  # with a card in hand one places, without one takes: never both
            return (f"row-{action.row}",)
        case ChooseStartCard():
            return (start_part(action.colour),)
        case AssignJoker():
            return kind_part(seat, JOKER), kind_part(seat, action.colour)
        case NameColours():
            return [kind_part(seat, colour) for colour in action.colours]
    raise TypeError(f"{action!r} is not an action of Coloretto")
