"""The facts of Azul: Summer Pavilion. Colours are 0–5 in the order of their wild rounds (SP-19), stars 0–6."""

from typing import Annotated

from msgspec import Meta

from events import first_player
from events.core import Count, Event, Round, ScoreLine, Seat, Standing

Colour = Annotated[int, Meta(ge=0, le=5)]
"""A tile colour, 0–5: purple, green, orange, yellow, blue, red; colour c is wild in round c + 1."""
Star = Annotated[int, Meta(ge=0, le=6)]
"""A star of the board, 0–6: NW, NE, E, SE, SW, W, and C in the middle."""
Space = Annotated[int, Meta(ge=1, le=6)]
"""A space of a star, clockwise; the same physical space on both sides of the board."""
Source = Annotated[int, Meta(ge=0, le=9)]
"""A display, counted from 1; 0 is the centre."""


class StartDrawn(first_player.StartDrawn, frozen=True, gc=False, tag="summer_pavilion.start_drawn"):
    """Chance named the seat that starts the first round (SP-R17)."""


class StartChosen(first_player.StartChosen, frozen=True, gc=False, tag="summer_pavilion.start_chosen"):
    """The host named the seat that starts the first round (SP-R17)."""


class SupplyFilled(Event, frozen=True, gc=False, tag="summer_pavilion.supply_filled"):
    """Open spaces of the supply received tiles: all ten at the setup, later as many as there were (SP-12, SP-55)."""

    reveals = True
    by_chance = True

    tiles: tuple[Colour, ...]
    """In the order they were drawn."""
    poured: bool = False
    """Whether the tower was emptied into the bag on the way (SP-56)."""
    scores: tuple[ScoreLine, ...] = ()
    """The points everybody starts with, at the setup (SP-11)."""


class DisplaysFilled(Event, frozen=True, gc=False, tag="summer_pavilion.displays_filled"):
    """A round began: displays filled, marker back in the centre, corner tiles back in the hands (SP-62…SP-66)."""

    reveals = True
    by_chance = True

    round: Round
    starter: Seat
    displays: tuple[tuple[Colour, ...], ...]
    """The tiles of each display in the order they were drawn; short or empty when tiles ran out (SP-64, SP-R4)."""
    next: Seat
    """Who acts first: the starter, or whoever places first when no display received a tile (SP-R5); 0 for nobody."""
    poured: bool = False
    """Whether the tower was emptied into the bag on the way (SP-63)."""


class TilesAcquired(Event, frozen=True, gc=False, tag="summer_pavilion.tiles_acquired"):
    """A seat took the tiles of one colour from one source, with a wild tile where there was one (SP-22…SP-24)."""

    seat: Seat
    source: Source
    colour: Colour
    taken: Count
    """Tiles of that colour."""
    next: Seat
    """Who acts next; the first to place when the offer is empty now."""
    wild: Count = 0
    """Wild tiles taken besides: one, or none where there was none (SP-23)."""
    marker: bool = False
    """Whether this was the first pick from the centre and took the marker (SP-27)."""
    last: bool = False
    """Whether the offer is empty now and placing begins (SP-32)."""
    scores: tuple[ScoreLine, ...] = ()


class TilePlaced(Event, frozen=True, gc=False, tag="summer_pavilion.tile_placed"):
    """A seat placed one tile on a star; the rest of the payment went to the tower (SP-38)."""

    seat: Seat
    star: Star
    slot: Space
    colour: Colour
    own: Count
    """Tiles of that colour used, the placed one included."""
    next: Seat
    """Who acts next: this seat while it has bonus tiles to choose; 0 when nobody has a tile left to place."""
    scores: tuple[ScoreLine, ...]
    wild: Count = 0
    """Wild tiles used in place of the colour."""
    features: tuple[str, ...] = ()
    """Pillars, statues and windows this tile completed (SP-50)."""
    owed: Count = 0
    """Bonus tiles to be taken from the supply now (SP-51)."""
    forfeited: Count = 0
    """Bonus tiles the supply was too small to give (SP-R7)."""
    refill: bool = False
    """Whether the supply is to be refilled before play goes on (SP-55, SP-R6)."""


class BonusTaken(Event, frozen=True, gc=False, tag="summer_pavilion.bonus_taken"):
    """A seat took its bonus tiles from the supply (SP-51, SP-52)."""

    seat: Seat
    tiles: tuple[Colour, ...]
    """In ascending order of colour."""
    next: Seat
    refill: bool = False


class SeatPassed(Event, frozen=True, gc=False, tag="summer_pavilion.seat_passed"):
    """A seat ended its round: it kept some tiles in the corners and discarded the rest (SP-59…SP-61)."""

    seat: Seat
    next: Seat
    kept: tuple[Colour, ...] = ()
    """In ascending order of colour."""
    scores: tuple[ScoreLine, ...] = ()
    refill: bool = False


class GameEnded(Event, frozen=True, gc=False, tag="summer_pavilion.game_ended"):
    """Complete stars and numbers were scored and the result stands (SP-67…SP-70)."""

    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]


SummerPavilionEvent = (
    StartDrawn
    | StartChosen
    | SupplyFilled
    | DisplaysFilled
    | TilesAcquired
    | TilePlaced
    | BonusTaken
    | SeatPassed
    | GameEnded
)
