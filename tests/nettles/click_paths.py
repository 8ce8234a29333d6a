"""The parts of the drawing one touches to make a move in Nettles."""

from collections.abc import Sequence

from events.core import Seat
from projections.drawing import seat_part
from service.games.core import Action
from tests.nettles.projection.state import State
from tests.nettles.rules import PayPetal


def path(state: State, seat: Seat, action: Action) -> Sequence[str]:
    """The own petals and then the nettle, or the nettle and then the own ones."""
    if isinstance(action, PayPetal):
        return seat_part(seat, "petals"), "nettle"
    return "nettle", seat_part(seat, "nettles")
