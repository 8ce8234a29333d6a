"""The greedy bot's estimate for Master Chocolatier: Azul's, with the one fall that the disc makes free."""

from events.core import Seat
from projections.azul.state import NO_COLOUR
from projections.master_chocolatier.state import SHIELD, State
from service.games.azul import bot as azul
from service.games.azul.rules import DraftTiles
from service.games.core import Action


def estimate(state: State, seat: Seat, action: Action) -> float:
    """What the action changes in the seat's score if the round ended with it."""
    wins_disc = (
        isinstance(action, DraftTiles)
        and action.source > 0
        and state.sides[action.source - 1] == SHIELD
        and not state.holder
    )
    shields = (wins_disc or state.holder == seat) and state.disc == NO_COLOUR
    return azul.estimate(state, seat, action, shields, shields and state.options.shields_marker)
