"""A board of Summer Pavilion in letters and colours: whole, star by star, or in short beside those of other seats.

Every star is a ring of six cells around its name, drawn where it lies on the board:

         N              NW: slots 5 6 1 2 3 4 stand at NW N NE SE S SW
     NW     NE          and so on round the board, each star turned by 60°;
     SW     SE          `+1 +2 +3` between the stars are pillars, statues
         S              and windows with the bonus tiles they give.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from projections.core import Line, Span, flowing, shortened, side_by_side, width_of
from projections.summer_pavilion.stars import (
    ALL_FEATURES,
    CENTRE,
    COLOURS,
    DIRECTIONS,
    LETTERS,
    NUMBERS,
    SLOT_ONE,
    SLOTS,
    STAR_COLOURS,
    STARS,
    Feature,
)
from projections.summer_pavilion.state import NO_COLOUR, Pavilion
from projections.words import total

BOARD_WIDTH: Final = 49
GAP: Final = 2
WIDE_GAP: Final = 6
NAME_WIDTH: Final = 22
"""Columns of a name above a board; points and remarks stand beside it."""

_ROWS: Final = 14
_LOW: Final = (0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11)
"""Where each row goes on a low board, which has none between the stars: what stands there moves to the outer ones,"""
_LOW_PILLARS: Final = (*_LOW[:4], 4, *_LOW[5:9], 7, *_LOW[10:])
"""but pillars move to the middle star."""
_RING: Final = ((4, 0), (8, 1), (8, 2), (4, 3), (0, 2), (0, 1))
"""Where the cells at N, NE, SE, S, SW, NW of a star begin, as column and row."""
_NAME_PLACE: Final = (4, 1)
"""Where the name of a star stands in its ring."""
_CORNERS: Final = ((11, 0), (27, 0), (35, 5), (27, 10), (11, 10), (3, 5), (19, 5))
"""Where each star begins, clockwise from NW, and the middle one."""
_TURNS: Final = tuple(map(DIRECTIONS.index, SLOT_ONE))
"""Which cell of its ring holds a star's slot 1."""
_FEATURE_PLACES: Final = {
    "pillar-NW": (20, 4),
    "pillar-NE": (28, 4),
    "pillar-E": (32, 7),
    "pillar-SE": (28, 9),
    "pillar-SW": (20, 9),
    "pillar-W": (16, 7),
    "statue-NW-NE": (24, 1),
    "statue-NE-E": (36, 4),
    "statue-E-SE": (36, 9),
    "statue-SE-SW": (24, 12),
    "statue-SW-W": (12, 9),
    "statue-W-NW": (12, 4),
    "window-NW": (11, 0),
    "window-NE": (36, 0),
    "window-E": (47, 6),
    "window-SE": (36, 13),
    "window-SW": (11, 13),
    "window-W": (0, 6),
}
_KEYS: Final = {"coloured": "b3: slot 3, costs 3", "colourless": "3·1: slot 3, costs 1"}
_STARS_HEADING: Final = "slots 1 to 6             around"
_LABELS: Final = 4
"""Columns of the labels left of the seats that are shown in short."""
_SPACED: Final = 2 * SLOTS - 1
"""Columns of a star in short with a blank between its slots."""


def draw_pavilion(board: Pavilion, side: str, *, low: bool = False) -> list[Line]:
    """The stars and what lies between them, each piece of text put at its place; a low board is two rows lower."""
    rows, pillar_rows = (_LOW, _LOW_PILLARS) if low else (range(_ROWS), range(_ROWS))
    placed: list[list[tuple[int, Span]]] = [[] for _ in range(rows[-1] + 1)]
    for star, name in enumerate(STARS):
        left, top = _CORNERS[star]
        column, row = _NAME_PLACE
        placed[rows[top + row]].append((left + column, Span(f"{name:>2}", "bold")))
        for slot in range(SLOTS):
            column, row = _RING[(_TURNS[star] + slot) % SLOTS]
            placed[rows[top + row]].append((left + column, _cell(board, side, star, slot)))
    for feature in ALL_FEATURES:
        column, row = _FEATURE_PLACES[feature.name]
        placed[(pillar_rows if feature.reward == 1 else rows)[row]].append((column, _mark(board, feature)))
    return [_spread(spans) for spans in placed]


def draw_stars(board: Pavilion, side: str) -> list[Line]:
    """A line for each star, for a window in which a board is too wide: its slots 1 to 6, and around it
    the pillar, the statue before the next star, and the window."""
    lines: list[Line] = [[Span(" " * len("NW  ")), Span(_STARS_HEADING, "dim")]]
    for star, name in enumerate(STARS):
        line = [Span(f"{name:<4}", "bold")]
        for slot in range(SLOTS):
            line += [_cell(board, side, star, slot), Span(" ")]
        for feature in ALL_FEATURES:
            if feature.name.split("-")[1] == name:
                line += [Span(" "), _mark(board, feature)]
        lines.append(line)
    return lines


def _mark(board: Pavilion, feature: Feature) -> Span:
    is_complete = board.occupied & feature.spaces == feature.spaces
    return Span("ok", "good") if is_complete else Span(f"+{feature.reward}", "dim")


def _spread(placed: list[tuple[int, Span]]) -> Line:
    line: list[Span] = []
    position = 0
    for column, span in sorted(placed):
        line += [Span(" " * (column - position)), span]
        position = column + len(span.text)
    return line


def _cell(board: Pavilion, side: str, star: int, slot: int) -> Span:
    tile = board.spaces[star * SLOTS + slot]
    if tile != NO_COLOUR:
        return draw_tile(tile)
    number = NUMBERS[side][star][slot]
    if side != "coloured":
        return Span(f"{slot + 1}·{number}", "dim")
    if star == CENTRE:
        return Span(f"·{number} ", "dim")
    colour = COLOURS.index(STAR_COLOURS[star])
    return Span(f"{LETTERS[colour].lower()}{number} ", f"print.{STAR_COLOURS[star]}")


def draw_tile(colour: int) -> Span:
    """A tile, three columns wide."""
    return Span(f" {LETTERS[colour]} ", f"tile.{COLOURS[colour]}")


def boards_abreast(boards: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Boards beside each other, as many as fit, and set apart as far as that leaves room for."""
    abreast = min(len(boards), max(1, (width + GAP) // (BOARD_WIDTH + GAP)))
    gap = (width - abreast * BOARD_WIDTH) // (abreast - 1) if abreast > 1 else GAP
    return side_by_side(boards, BOARD_WIDTH, width, min(gap, WIDE_GAP))


def draw_key(side: str, width: int) -> list[Line]:
    """What the signs on a board mean, where it is not plain to see."""
    cells = (_KEYS[side], "bonus tiles: +1 pillar, +2 statue, +3 window, ok complete")
    return flowing([[Span(cell, "dim")] for cell in cells], width, 3)


def colour_key(state: object) -> Line:
    """What the letters stand for, in every match alike."""
    spans: list[Span] = []
    for colour, name in enumerate(COLOURS):
        spans += [*([Span("  ")] if spans else []), draw_tile(colour), Span(f" {name}")]
    return spans


class Short(NamedTuple):
    """A seat whose board is not drawn whole."""

    name: str
    acts: bool
    board: Pavilion
    remark: Span


def cell_width(seats: int, width: int) -> int:
    """How wide the column of each of so many seats in short can be."""
    return (width - _LABELS) // seats - 1


def draw_in_short(shorts: Sequence[Short], width: int) -> list[Line]:
    """Seats in columns beside each other: name, points, a remark, and what lies on each star, slot 1 to slot 6."""
    size = cell_width(len(shorts), width)
    names = [[Span(shortened(short.name, size - 1), "bold" if short.acts else "")] for short in shorts]
    lines = [
        in_columns("", names, size, ["▶" if short.acts else " " for short in shorts]),
        in_columns("pts", [[Span(total(short.board.score))] for short in shorts], size),
        in_columns("", [[short.remark] for short in shorts], size),
    ]
    for star, name in enumerate(STARS):
        lines.append(in_columns(name, [_star_in_short(short.board, star, size) for short in shorts], size))
    return lines


def in_columns(label: str, cells: Sequence[Line], size: int, marks: Sequence[str] = ()) -> Line:
    """One line of seats in short: a label, and a cell of so many columns for each seat."""
    line = [Span(f"{label:<{_LABELS}}", "dim")]
    for place, cell in enumerate(cells):
        line += [Span(marks[place] if marks else " "), *cell, Span(" " * (size - width_of(cell)))]
    return line[:-1]


def _star_in_short(board: Pavilion, star: int, size: int) -> Line:
    line: list[Span] = []
    for tile in board.spaces[star * SLOTS :][:SLOTS]:
        if line and size > _SPACED:
            line.append(Span(" "))
        line.append(Span("·", "dim") if tile == NO_COLOUR else Span(LETTERS[tile], f"tile.{COLOURS[tile]}"))
    return line
