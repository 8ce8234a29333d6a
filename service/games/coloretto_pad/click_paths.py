"""The parts of the drawing one touches to enter something on a Coloretto score pad."""

from collections.abc import Sequence

from events.core import Seat
from projections.coloretto.collection import kind_part
from projections.coloretto_pad.board import done_part
from projections.coloretto_pad.state import State
from service.games.coloretto import click_paths as coloretto
from service.games.coloretto_pad.rules import CloseCollection, CountCards
from service.games.core import Action


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """The spot of so many cards of a kind, or the one that says it is everything; end decisions as in the game."""
    match action:
        case CountCards():
            return (kind_part(seat, action.card, action.cards),)
        case CloseCollection():
            return (done_part(seat),)
    return coloretto.path(state, seat, action)
