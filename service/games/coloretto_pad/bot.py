"""The greedy bot's estimate for entries of a pad; people keep pads, but every game can be simulated."""

from events.core import Seat
from projections.coloretto_pad.state import State
from service.games.coloretto import bot as coloretto
from service.games.coloretto_pad.rules import CountCards
from service.games.core import Action


def estimate(state: State, seat: Seat, action: Action) -> float:
    """What the cards add to the worth of the collection; end decisions as in the game."""
    if isinstance(action, CountCards):
        return coloretto.gain(state, seat, [action.card] * action.cards)
    return coloretto.estimate(state, seat, action)
