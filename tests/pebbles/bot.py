"""How good a move in Pebbles looks right now; all the greedy bot knows."""

from typing import Final

from events.core import Seat
from service.games.core import Action
from tests.pebbles.projection.state import State
from tests.pebbles.rules import ThrowDice

PIPS: Final = 4
"""What a die shows on average when it does not show a 1."""


def estimate(state: State, seat: Seat, action: Action) -> float:
    """The pebbles in hand after the move, weighed by the chance that no die shows a 1."""
    hand = sum(state.hand)
    if not isinstance(action, ThrowDice):
        return hand
    return (5 / 6) ** action.dice * (hand + min(PIPS * action.dice, state.bowl))
