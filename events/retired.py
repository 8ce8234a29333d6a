"""Retired event shapes, no longer written but read for ever: each knows the events of today that it means."""

from collections.abc import Callable
from typing import Any, Final

from events.azul import FloorCleared
from events.core import Event, ScoreLine, Seat


class FloorScored(Event, frozen=True, gc=False, tag="azul.floor_scored"):
    """The first shape of `azul.floor_cleared`: one optional penalty instead of a tuple of score lines."""

    seat: Seat
    penalty: ScoreLine | None = None


def _floor_scored(old: FloorScored) -> FloorCleared:
    return FloorCleared(seat=old.seat, scores=() if old.penalty is None else (old.penalty,))


RetiredEvent = FloorScored

UPCASTS: Final[dict[type[Event], Callable[[Any], Event]]] = {FloorScored: _floor_scored}
"""Retired type → the event it means today. A tag is never reused, so the type alone decides."""
