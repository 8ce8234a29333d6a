"""Azul drawn: the offer, and for each seat pattern lines, wall and floor."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from events.azul import LineTiled
from events.core import ScoreLine, Seat
from projections.azul.offer import MARGIN, WIDTH, draw_marker, offer_panel
from projections.azul.state import MARKER, NO_COLOUR, Board, Edition, State, Wall, WallOptions, Walls
from projections.azul.sums import FLOOR
from projections.core import ScoredParts
from projections.drawing import Element, Panel, part, polygon, rectangle, seat_part, space, text, tile
from projections.words import count, joined, signed

TILE: Final = 30
GAP: Final = 3
"""Between tiles."""
PITCH: Final = TILE + GAP
COLUMNS: Final = 14
"""What the numbers of the columns take above a wall."""
TOP: Final = MARGIN + COLUMNS
LINES_RIGHT: Final = MARGIN + 5 * PITCH - GAP
WALL_LEFT: Final = WIDTH - MARGIN - 5 * PITCH
FLOOR_TOP: Final = TOP + 5 * PITCH + 22
FLOOR_LEFT: Final = MARGIN + 38
FLOOR_RIGHT: Final = FLOOR_LEFT + len(FLOOR) * PITCH
"""Where the floor line ends; the loss stands at the margin."""


def board(state: State) -> list[Panel]:
    """The displays and the centre, then each seat's board."""
    offer = [offer_panel(state)] if state.phase != "over" else []
    return [*offer, *(seat_panel(state, seat) for seat in range(1, state.seats + 1))]


def seat_panel(state: State, seat: Seat) -> Panel:
    """What lies in front of a seat: pattern lines beside the wall, the floor below."""
    own, options = state.boards[seat - 1], state.options
    beside = state.marker == seat and MARKER not in own.floor and state.phase != "over"
    marker = draw_marker(MARGIN + TILE / 2, TOP + TILE / 2, TILE)
    told = [_describe_lines(own, options.edition), describe_wall(own, options.edition)]
    told += [f"Floor: {_fallen(own, options.edition)}.", *(["Has the starting-player marker."] if beside else [])]
    return Panel(
        key=seat_part(seat),
        title=f"Pattern lines, {options.edition.wall} and floor",
        description=" ".join(told),
        width=WIDTH,
        height=FLOOR_TOP + TILE + MARGIN,
        children=(
            *(_pattern_line(own, options.edition, seat, row) for row in range(5)),
            *draw_wall(options, own, seat, WALL_LEFT, TOP),
            _floor(own, options.edition, seat),
            *([part(marker_part(seat), "starts the next round", marker)] if beside else []),
        ),
        seat=seat,
    )


def marker_part(seat: Seat) -> str:
    """The part of a marker that lies beside a board."""
    return seat_part(seat, "marker")


def _pattern_line(own: Board, edition: Edition, seat: Seat, row: int) -> Element:
    filled, colour, y = own.lines[row], own.colours[row], TOP + row * PITCH
    cells = [
        tile(x, y, TILE, edition.colours[colour], edition.letters[colour]) if place < filled else space(x, y, TILE)
        for place, x in enumerate(LINES_RIGHT - TILE - place * PITCH for place in range(row + 1))
    ]
    is_full = filled == row + 1
    holds = f"{filled} of {row + 1} {edition.colours[colour]}" if filled else "empty"
    x, middle = LINES_RIGHT + 8, y + TILE / 2
    arrow = polygon([(x, middle - 6), (x + 8, middle), (x, middle + 6)], "ready" if is_full else "arrow")
    label = f"pattern line {row + 1}, {holds}{', complete' if is_full else ''}"
    return part(seat_part(seat, f"line-{row + 1}"), label, *cells, arrow)


def _floor(own: Board, edition: Edition, seat: Seat) -> Element:
    middle = FLOOR_TOP + TILE / 2
    drawn: list[Element] = [text(MARGIN, middle, "floor", "quiet", size=12, anchor="start")]
    for place, cost in enumerate(FLOOR):
        x = FLOOR_LEFT + place * PITCH
        drawn.append(text(x + TILE / 2, FLOOR_TOP - 8, signed(-cost), "quiet", size=11))
        piece = own.floor[place] if place < len(own.floor) else NO_COLOUR
        lies = draw_piece(piece, edition, x, FLOOR_TOP)
        label = f"floor space {place + 1}, {signed(-cost)}: {piece_name(piece, edition)}"
        drawn.append(part(floor_part(seat, place + 1), label, lies))
    loss = sum(FLOOR[: len(own.floor)])
    if loss:
        drawn.append(text(WIDTH - MARGIN, middle, signed(-loss), "bad", size=16, anchor="end"))
    return part(seat_part(seat, "floor"), f"floor, {_fallen(own, edition)}", *drawn)


def floor_part(seat: Seat, place: int) -> str:
    """The part of a floor space, counted from 1."""
    return seat_part(seat, f"floor-{place}")


def draw_piece(piece: int, edition: Edition, x: float, y: float) -> Element:
    """What lies on a space whose top left corner is at a point: a tile, the marker or nothing."""
    if piece == NO_COLOUR:
        return space(x, y, TILE)
    if piece == MARKER:
        return draw_marker(x + TILE / 2, y + TILE / 2, TILE)
    return tile(x, y, TILE, edition.colours[piece], edition.letters[piece])


def piece_name(piece: int, edition: Edition) -> str:
    """A tile, the marker or nothing by its name."""
    if piece == NO_COLOUR:
        return "empty"
    return "the starting-player marker" if piece == MARKER else edition.colours[piece]


def _fallen(own: Board, edition: Edition) -> str:
    pieces = joined([piece_name(piece, edition) for piece in own.floor])
    return f"{pieces}, a loss of {count(sum(FLOOR[: len(own.floor)]), 'point')}" if own.floor else "empty"


def _describe_lines(own: Board, edition: Edition) -> str:
    lines = [
        f"{row}: {filled} of {row} {edition.colours[colour]}"
        for row, filled, colour in zip(range(1, 6), own.lines, own.colours, strict=True)
        if filled
    ]
    return f"Pattern lines: {', '.join(lines) or 'all empty'}."


# ---------------------------------------------------------------------------------------------------------------- walls


def draw_wall(
    options: WallOptions, own: Wall, seat: Seat, left: float, top: float, size: float = TILE, shut: int = 0
) -> Iterator[Element]:
    """A wall with its rows and columns numbered; on the coloured side an empty cell shows its print.

    Nothing can come any more to the empty cells of the first rows, so many as are shut.
    """
    pitch = size + GAP
    yield rectangle(left - GAP, top - GAP, 5 * pitch + GAP, 5 * pitch + GAP, "plate", rx=6)
    for number in range(1, 6):
        middle = (number - 1) * pitch + size / 2
        yield text(left + middle, top - GAP - 6, str(number), "quiet", size=10)
        yield text(left - GAP - 8, top + middle, str(number), "quiet", size=10)
    for row in range(1, 6):
        for column in range(1, 6):
            x, y = left + (column - 1) * pitch, top + (row - 1) * pitch
            yield _cell(options, own, seat, row, column, x, y, size, is_shut=row <= shut)


def _cell(
    options: WallOptions, own: Wall, seat: Seat, row: int, column: int, x: float, y: float, size: float, is_shut: bool
) -> Element:
    edition, slot = options.edition, own.wall[row - 1][column - 1]
    printed = NO_COLOUR if options.is_grey else (column - row) % 5
    if slot != NO_COLOUR:
        what, drawn = edition.colours[slot], tile(x, y, size, edition.colours[slot], edition.letters[slot])
    elif printed == NO_COLOUR:
        what, drawn = "empty", space(x, y, size)
    else:
        what = f"empty, for {edition.colours[printed]}"
        drawn = space(x, y, size, edition.letters[printed].lower(), edition.colours[printed])
    if slot == NO_COLOUR and is_shut:
        what, look = f"{what}; closed for this round", {"class": "shut"}
    else:
        look = {}
    return part(cell_part(seat, row, column), f"row {row}, column {column}: {what}", drawn, **look)


def cell_part(seat: Seat, row: int, column: int) -> str:
    """The part of a cell of a wall, row and column counted from 1."""
    return seat_part(seat, f"wall-{row}-{column}")


def describe_wall(own: Wall, edition: Edition) -> str:
    """What lies on a wall in words."""
    rows = [
        f"row {number}: "
        + ", ".join(
            f"{edition.colours[slot]} in column {column}"
            for column, slot in enumerate(row, start=1)
            if slot != NO_COLOUR
        )
        for number, row in enumerate(own.wall, start=1)
        if any(slot != NO_COLOUR for slot in row)
    ]
    return f"{edition.wall.capitalize()}: {'; '.join(rows) or 'empty'}."


# ---------------------------------------------------------------------------------------------------- what made points


def run_parts(wall: Sequence[Sequence[int]], seat: Seat, row: int, column: int) -> list[str]:
    """The cells joined to one in its row and its column, that one included; row and column counted from 1."""
    across = _run([slot != NO_COLOUR for slot in wall[row - 1]], column)
    down = _run([cells[column - 1] != NO_COLOUR for cells in wall], row)
    return list(
        dict.fromkeys(
            [
                cell_part(seat, row, column),
                *(cell_part(seat, row, other) for other in across),
                *(cell_part(seat, other, column) for other in down),
            ]
        )
    )


def _run(filled: Sequence[bool], place: int) -> range:
    first = last = place
    while first > 1 and filled[first - 2]:
        first -= 1
    while last < len(filled) and filled[last]:
        last += 1
    return range(first, last + 1)


def _tiled(event: LineTiled, line: ScoreLine, state: Walls) -> list[str]:
    # The recorded row and column are those of this line: an event that tells of two tiles has a line for each.
    return run_parts(state.boards[line.seat - 1].wall, line.seat, line.operands["row"], line.operands["column"])


def _colour(event: Any, line: ScoreLine, state: Walls) -> list[str]:
    return [
        cell_part(line.seat, row, column)
        for row, cells in enumerate(state.boards[line.seat - 1].wall, start=1)
        for column, slot in enumerate(cells, start=1)
        if slot == line.operands["colour"]
    ]


SCORED_PARTS: Final[ScoredParts] = {
    "tile-placed": _tiled,
    "floor": lambda event, line, state: [
        floor_part(line.seat, place) for place in range(1, line.operands["spaces"] + 1)
    ],
    "row-bonus": lambda event, line, state: [
        cell_part(line.seat, line.operands["row"], column) for column in range(1, 6)
    ],
    "column-bonus": lambda event, line, state: [
        cell_part(line.seat, row, line.operands["column"]) for row in range(1, 6)
    ],
    "colour-bonus": _colour,
}
