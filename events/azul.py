"""The facts of Azul. Colours are slots 0–4; what a slot is called belongs to the edition (AZ-8)."""

from typing import Annotated, Literal

from msgspec import Meta

from events import first_player
from events.core import Count, Event, Round, ScoreLine, Seat, Standing

Slot = Annotated[int, Meta(ge=0, le=4)]
"""A tile colour, 0–4: blue, yellow, red, black, white in the base game."""
Source = Annotated[int, Meta(ge=0, le=9)]
"""A display, counted from 1; 0 is the centre."""
Line = Annotated[int, Meta(ge=0, le=5)]
"""A pattern line or a column of the wall, 1–5; as a line, 0 is the floor."""


class StartDrawn(first_player.StartDrawn, frozen=True, gc=False, tag="azul.start_drawn"):
    """Chance named the seat that starts the first round (AZ-15)."""


class StartChosen(first_player.StartChosen, frozen=True, gc=False, tag="azul.start_chosen"):
    """The host named the seat that starts the first round (AZ-15)."""


class DisplaysFilled(Event, frozen=True, gc=False, tag="azul.displays_filled"):
    """A round was set up: every display received its tiles, drawn from the bag (AZ-16, AZ-56)."""

    reveals = True
    by_chance = True

    round: Round
    starter: Seat
    displays: tuple[tuple[Slot, ...], ...]
    """The tiles of each display in the order they were drawn; short or empty when supplies ran out (AZ-58)."""
    poured: bool = False
    """Whether the lid was emptied into the bag on the way (AZ-57)."""


class TilesDrafted(Event, frozen=True, gc=False, tag="azul.tiles_drafted"):
    """A seat took every tile of one colour from one source and placed them."""

    seat: Seat
    source: Source
    colour: Slot
    taken: Count
    line: Line
    next: Seat
    """Who drafts next; 0 when the offer is empty and tiling begins."""
    placed: Count = 0
    """Tiles that went into the pattern line."""
    fallen: Count = 0
    """Tiles that took a space of the floor line."""
    discarded: Count = 0
    """Tiles that found the floor line full and went to the lid (AZ-34)."""
    marker: Literal["", "floor", "beside"] = ""
    """Where the starting-player marker went, if this pick took it (AZ-23, AZ-77)."""


class LineTiled(Event, frozen=True, gc=False, tag="azul.line_tiled"):
    """One tile of a complete pattern line moved to the wall and scored; the rest went to the lid (AZ-39, AZ-40)."""

    seat: Seat
    line: Line
    colour: Slot
    column: Line
    scores: tuple[ScoreLine, ...]


class LineDropped(Event, frozen=True, gc=False, tag="azul.line_dropped"):
    """No cell of the wall could take a complete line, so all its tiles fell (AZ-71)."""

    seat: Seat
    line: Line
    colour: Slot
    fallen: Count = 0
    discarded: Count = 0


class FloorCleared(Event, frozen=True, gc=False, tag="azul.floor_cleared"):
    """A seat has tiled its wall: its floor line was paid for and emptied (AZ-50, AZ-53)."""

    seat: Seat
    scores: tuple[ScoreLine, ...] = ()


EndReason = Literal["row", "supply", "rounds", "dead"]
"""A complete row (AZ-59), no tile left for a new round (AZ-83), the agreed last round (AZ-87), or walls that no tile
fits any more (AZ-95)."""


class GameEnded(Event, frozen=True, gc=False, tag="azul.game_ended"):
    """The end bonuses were scored and the result stands (AZ-59…AZ-66)."""

    reason: EndReason
    scores: tuple[ScoreLine, ...]
    standings: tuple[Standing, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule that ended it."""
        return ({"row": "AZ-59", "supply": "AZ-83", "rounds": "AZ-87", "dead": "AZ-95"}[self.reason],)


AzulEvent = (
    StartDrawn | StartChosen | DisplaysFilled | TilesDrafted | LineTiled | LineDropped | FloorCleared | GameEnded
)
