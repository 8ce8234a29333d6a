"""Entries of a Summer Pavilion score pad in writing: `E6`, `C3=P`, `marker 4` and `left 2`."""

from collections.abc import Sequence
from typing import Final

from events.core import Event
from events.summer_pavilion_pad import MarkerTaken, SpaceBuilt, TilesLeft
from projections.summer_pavilion.stars import LETTERS, STARS
from projections.summer_pavilion.state import NO_COLOUR
from projections.summer_pavilion_pad.state import State
from service.games.core import Action
from service.games.notation import Reader, entry_notation, recall_by
from service.games.summer_pavilion.notation import A_COLOUR, COLOUR_WORDS, SLOT_WORDS, STAR_WORDS
from service.games.summer_pavilion_pad.rules import BuildSpace, LeaveTiles, TakeMarker, is_named


def read_entry(reader: Reader) -> Action:
    """The entry that stands here."""
    if reader.maybe("marker"):
        return TakeMarker(tiles=reader.number("how many tiles came with the marker"))
    if reader.maybe("left"):
        return LeaveTiles(tiles=reader.number("how many tiles were thrown away"))
    if reader.maybe("done"):
        return LeaveTiles(tiles=0)
    star = reader.word(STAR_WORDS, f"a star ({', '.join(STARS)}) with its slot, marker or left")
    reader.maybe(".")
    slot = reader.word(SLOT_WORDS, "a slot (1–6)")
    colour = reader.word(COLOUR_WORDS, A_COLOUR) if reader.maybe("=") else NO_COLOUR
    return BuildSpace(star=star, slot=slot, colour=colour)


def write(action: Action) -> str:
    """The entry in its shortest form."""
    if isinstance(action, BuildSpace):
        colour = f"={LETTERS[action.colour]}" if action.colour != NO_COLOUR else ""
        return f"{STARS[action.star]}{action.slot}{colour}"
    if isinstance(action, TakeMarker):
        return f"marker {action.tiles}"
    if isinstance(action, LeaveTiles):
        return f"left {action.tiles}"
    raise TypeError(f"{action!r} is not an entry of a score pad of Summer Pavilion")


def recall(state: State, events: Sequence[Event]) -> Action:
    """The entry that led from this state to these events."""
    first = events[0]
    if isinstance(first, SpaceBuilt):
        return BuildSpace(first.star, first.slot, first.colour if is_named(state, first.star) else NO_COLOUR)
    return _recall_others(state, events)


_recall_others: Final = recall_by("an entry of a score pad", {MarkerTaken: TakeMarker, TilesLeft: LeaveTiles})


NOTATION: Final = entry_notation(
    read_entry,
    write,
    recall,
    examples=(
        ("E6", "built on star E, slot 6"),
        ("C3=P", "built purple on the centre star, slot 3 (every star of the colourless side)"),
        ("marker 4", "took the start-player marker with 4 tiles"),
        ("left 2", "threw 2 tiles away, and the round is entered"),
    ),
)
