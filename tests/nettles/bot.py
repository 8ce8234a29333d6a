"""How good a move in Nettles looks right now, and how a seat stands before anything is scored."""

from collections.abc import Sequence
from typing import Final

from events.core import Seat
from service.games.core import Action
from tests.nettles.projection.state import State, runs
from tests.nettles.rules import PickNettle

PATIENCE: Final = 5.0
"""The points a petal is worth paying for: it saves its owner from the nettle, for one round at least."""


def estimate(state: State, seat: Seat, action: Action) -> float:
    """What picking would cost or bring, and what paying is taken for."""
    if not isinstance(action, PickNettle):
        return -PATIENCE
    held = state.nettles[seat - 1]
    return state.paid + _cost(held) - _cost([*held, state.nettle])


def worth(state: State) -> Sequence[float]:
    """What each seat would score if the game ended now: before the end the scores say nothing."""
    return [petals - _cost(held) for petals, held in zip(state.petals, state.nettles, strict=True)]


def _cost(nettles: list[int]) -> int:
    return sum(run[0] for run in runs(nettles))
