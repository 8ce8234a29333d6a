"""What score pads that are kept round by round share."""

from collections.abc import Sequence
from typing import Protocol

from events.core import Seat, Standing


class Entered(Protocol):
    """A pad on which every seat closes every round."""

    seats: int
    entering: list[Seat]
    standings: tuple[Standing, ...]


def to_enter(state: Entered) -> Sequence[Seat]:
    """Everybody who has not closed the round, in any order (AP-2, PP-2); between rounds, everybody."""
    if state.standings:
        return ()
    return tuple(state.entering) or tuple(range(1, state.seats + 1))
