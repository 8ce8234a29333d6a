"""The facts of a score pad of Summer Pavilion; its end is written with the game's own.

The first entry of a round begins it (PP-3): it says which round that is and how many tiles its displays can have held,
and in the first round it brings the points everybody starts with (SP-11).
"""

from events.core import Count, Event, Round, ScoreLine, Seat
from events.summer_pavilion import Colour, Space, Star


class MarkerTaken(Event, frozen=True, gc=False, tag="summer_pavilion_pad.marker_taken"):
    """A seat took the start-player marker, and so many tiles with it (SP-27)."""

    seat: Seat
    tiles: Count
    scores: tuple[ScoreLine, ...]
    round: Round = 0
    dealt: Count = 0


class SpaceBuilt(Event, frozen=True, gc=False, tag="summer_pavilion_pad.space_built"):
    """A seat placed a tile on a star (SP-47)."""

    seat: Seat
    star: Star
    slot: Space
    colour: Colour
    paid: Count
    """Tiles it took, the placed one included (SP-38)."""
    scores: tuple[ScoreLine, ...]
    bonus: Count = 0
    """Tiles of the supply that it brought (SP-51)."""
    round: Round = 0
    dealt: Count = 0


class TilesLeft(Event, frozen=True, gc=False, tag="summer_pavilion_pad.tiles_left"):
    """A seat was done with a round, and threw so many tiles away (SP-60, SP-61)."""

    seat: Seat
    tiles: Count = 0
    scores: tuple[ScoreLine, ...] = ()
    round: Round = 0
    dealt: Count = 0


SummerPavilionPadEvent = MarkerTaken | SpaceBuilt | TilesLeft
