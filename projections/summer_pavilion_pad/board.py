"""A score pad of Summer Pavilion drawn: each seat's stars, and below them what entries are tapped from."""

from functools import cache
from typing import Final

from events.core import Seat
from projections.core import ScoredParts
from projections.drawing import Element, Panel, part, seat_part, text, tile
from projections.pads import to_enter
from projections.summer_pavilion.board import PITCH, SMALL, draw_button, draw_remark, draw_taken_marker
from projections.summer_pavilion.star_board import (
    HEIGHT,
    MARGIN,
    STAR_SCORED_PARTS,
    WIDTH,
    describe_stars,
    draw_stars,
    number_parts,
)
from projections.summer_pavilion.stars import COLOURS, LETTERS
from projections.summer_pavilion_pad.picture import took_marker
from projections.summer_pavilion_pad.state import State
from projections.words import count

WITH_MARKER: Final = range(1, 10)
"""Tiles taken with the marker that have a spot of their own; the last spot is for more."""
LEFT: Final = range(9)
"""Tiles thrown away that have one."""
_ROW: Final = PITCH + 2
_LABELS: Final = WIDTH - MARGIN - 10 * PITCH
"""Where the spots begin, to the right of what they are for."""


def board(state: State) -> list[Panel]:
    """Each seat's stars with its entries; nothing lies between the seats of a pad."""
    return [_seat_panel(state, seat) for seat in range(1, state.seats + 1)]


def _seat_panel(state: State, seat: Seat) -> Panel:
    own, below = state.boards[seat - 1], MARGIN + HEIGHT + 8
    entries = () if state.standings else _draw_entries(seat, below)
    has_marker, is_done = took_marker(state, seat), seat not in to_enter(state) and not state.standings
    remarks = ["Took the start-player marker."] if has_marker else []
    remarks += [f"Is done with round {state.round}."] if is_done else []
    return Panel(
        key=seat_part(seat),
        title="Stars and entries",
        description=" ".join([describe_stars(own, state.side), *remarks]),
        width=WIDTH,
        height=below + len(entries) * _ROW + MARGIN,
        children=(
            *draw_stars(own, state.side, seat),
            *([draw_taken_marker(seat)] if has_marker else []),
            *([draw_remark("done")] if is_done else []),
            *entries,
        ),
        seat=seat,
    )


@cache
def _draw_entries(seat: Seat, top: float) -> tuple[Element, ...]:
    return (
        _draw_palette(seat, top),
        _draw_numbers(seat, "marker-tiles", "marker with", WITH_MARKER, top + _ROW),
        _draw_numbers(seat, "left", "threw away", LEFT, top + 2 * _ROW),
    )


def _draw_palette(seat: Seat, y: float) -> Element:
    """The colours, for stars that do not show which one they take."""
    label = text(_LABELS - 6, y + SMALL / 2, "colour", "quiet", size=12, anchor="end")
    tiles = [
        part(
            palette_part(seat, colour),
            f"a {name} tile",
            tile(_LABELS + colour * PITCH, y, SMALL, name, LETTERS[colour]),
        )
        for colour, name in enumerate(COLOURS)
    ]
    return part(seat_part(seat, "colours"), "the colour of the tile", label, *tiles)


def palette_part(seat: Seat, colour: int) -> str:
    """The part of a colour to choose: `seat-1.colours.blue`."""
    return seat_part(seat, "colours", COLOURS[colour])


def _draw_numbers(seat: Seat, row: str, words: str, numbers: range, y: float) -> Element:
    label = text(_LABELS - 6, y + SMALL / 2, words, "quiet", size=12, anchor="end")
    spots = [(number, str(number), f"{words} {count(number, 'tile')}") for number in numbers]
    spots.append((numbers.stop, f"{numbers.stop}+", f"{words} {numbers.stop} tiles or more"))
    buttons = [
        part(number_part(seat, row, numbers, number), told, draw_button(_LABELS + place * PITCH, y, shown))
        for place, (number, shown, told) in enumerate(spots)
    ]
    return part(seat_part(seat, row), f"{words} how many tiles", label, *buttons)


def marker_part(seat: Seat, tiles: int) -> str:
    """The part of taking the marker with so many tiles: `seat-1.marker-tiles.4`."""
    return number_part(seat, "marker-tiles", WITH_MARKER, tiles)


def left_part(seat: Seat, tiles: int) -> str:
    """The part of throwing so many tiles away: `seat-1.left.2`."""
    return number_part(seat, "left", LEFT, tiles)


def number_part(seat: Seat, row: str, numbers: range, number: int) -> str:
    """The part of a number in a row of spots, or of the spot for all that are larger: `seat-1.left.more`."""
    return seat_part(seat, row, number if number in numbers else "more")


SCORED_PARTS: Final[ScoredParts] = {
    **STAR_SCORED_PARTS,
    "marker-loss": lambda event, line, state: [seat_part(line.seat, "marker"), marker_part(line.seat, event.tiles)],
    # With the last entry of all the spots are gone, so the whole panel is named as well.
    "surplus-loss": lambda event, line, state: [seat_part(line.seat), left_part(line.seat, event.tiles)],
    "number-complete": lambda event, line, state: number_parts(line.seat, line.operands["number"], state.side),
}
