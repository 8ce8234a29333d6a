"""What happens in Azul: Master Chocolatier and not in Azul. All the rest is written with Azul's own facts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.azul import DisplaysFilled, LineDropped, Slot, Source, TilesDrafted
from events.core import Event, Round

Side = Annotated[int, Meta(ge=0, le=8)]
"""A gold side, 0–8: 0 takes one more tile (SF1), 1–5 pull colour slots 0–4 (SF2), 6 keeps (SF3), 7 spreads (SF4) and
8 shields (SF5) (MC-13)."""


Shielded = Literal["", "tile", "marker"]
"""What went onto the disc, if anything."""


class Sent(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """All leftover tiles of one colour, sent to one display."""

    colour: Slot
    display: Source


class Pulled(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One tile that moved from a display to the gold display beside it."""

    colour: Slot
    origin: Source
    display: Source


class GoldPlacesDrawn(Event, frozen=True, gc=False, tag="master_chocolatier.gold_places_drawn"):
    """The displays were shuffled and laid out, and chance said which of them are turned to gold (MC-10…MC-12)."""

    reveals = True
    by_chance = True

    round: Round
    places: tuple[Source, ...]
    """Displays counted from 1, in the order they were drawn."""


class GoldSidesShown(Event, frozen=True, gc=False, tag="master_chocolatier.gold_sides_shown"):
    """The displays drawn were turned over and showed their gold sides (MC-12, MC-13)."""

    reveals = True
    by_chance = True

    places: tuple[Source, ...]
    """From the lowest number up."""
    sides: tuple[Side, ...]
    """One for each place."""


class SpecialDisplaysFilled(DisplaysFilled, frozen=True, gc=False, tag="master_chocolatier.special_displays_filled"):
    """A round was set up, and a gold display received more than its four tiles (MC-18, MC-19)."""

    extra_display: Source = 0
    """The display with one more tile (SF1), counted from 1; 0 when there was none."""
    extra: Slot = -1
    """The colour of that tile."""
    pulled: tuple[Pulled, ...] = ()
    """What the colour displays (SF2) took from their neighbours, in order."""


class SpecialTilesDrafted(TilesDrafted, frozen=True, gc=False, tag="master_chocolatier.special_tiles_drafted"):
    """A seat drafted, and its leftovers or a fallen piece went another way than in Azul (MC-20…MC-24).

    A marker on the disc is recorded as `beside`: it takes no space of the floor line.
    """

    stayed: bool = False
    """The leftovers stayed where they were (SF3)."""
    spread: tuple[Sent, ...] = ()
    """Where the leftovers went (SF4), every colour once, from the lowest slot up."""
    took_disc: bool = False
    """The seat took the display, or its token, as an extra floor space (SF5)."""
    shielded: Shielded = ""
    """What this draft put on the disc; a tile there is not among the fallen."""


class ShieldedLineDropped(LineDropped, frozen=True, gc=False, tag="master_chocolatier.shielded_line_dropped"):
    """No cell could take a complete line; one of its tiles fell on the disc, the others as usual (MC-38)."""


MasterChocolatierEvent = (
    GoldPlacesDrawn | GoldSidesShown | SpecialDisplaysFilled | SpecialTilesDrafted | ShieldedLineDropped
)
