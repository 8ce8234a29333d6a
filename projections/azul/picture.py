"""Azul as people and programs see it: the table in letters and colours, and as plain values."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from events.azul import (
    Slot,
)
from events.core import Seat
from projections.azul.state import (
    MARKER,
    NO_COLOUR,
    Board,
    Edition,
    State,
    Wall,
    WallOptions,
    to_act,
)
from projections.azul.sums import FLOOR
from projections.azul.tiles import Tiles, counts, slots_of
from projections.core import (
    ROOMY,
    Line,
    Names,
    Room,
    Span,
    beside,
    columns,
    fits,
    flowing,
    joined_within,
    looked_at,
    packed,
    shortened,
    side_by_side,
    stacked,
    width_of,
)
from projections.words import count, signed

BOARD_WIDTH: Final = 35
GAP: Final = 3
OFFER_WIDTH: Final = 79
"""Five displays of four tiles."""
NAME_WIDTH: Final = 10
"""What a name in the heading gets before the bag and the lid have to move to the next line."""
PHASES: Final = {
    "start": "choosing who starts",
    "deal": "waiting for the deal",
    "draft": "drafting",
    "tile": "tiling",
    "over": "game over",
}
DOING: Final = {"start": "to choose", "draft": "to move", "tile": "to place"}

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The whole table: the offer on top, then the boards, as many beside each other as there is room for."""
    return draw_table(state, names, room, _offer(state, room.width))


def draw_table(state: State, names: Names, room: Room, offer: Sequence[Line]) -> list[Line]:
    """The offer with all boards whole; where that is too much, with the looker's whole and the others in short."""
    above = [_heading(state, names, room.width), offer if state.phase != "over" else []]
    boards = [draw_board(state, seat, names) for seat in range(1, state.seats + 1)]
    whole = stacked([*above, side_by_side(boards, BOARD_WIDTH, room.width, GAP)], Room())
    return whole if fits(whole, room) else stacked([*above, _compact(state, names, room)], room)


def situation(state: State) -> str:
    """How far the game has come."""
    return f"Round {state.round} · {PHASES[state.phase]}"


def stock(state: State) -> str:
    """What lies in the bag and the lid. The lid lies open: everybody may count its colours (AZ-89)."""
    letters = state.options.edition.letters
    colours = " ".join(f"{many}{letters[slot]}" for slot, many in enumerate(counts(state.lid)) if many)
    return f"bag {sum(counts(state.bag))} · lid {colours or 0}"


def _heading(state: State, names: Names, width: int) -> list[Line]:
    where, seats = situation(state), to_act(state)
    if seats:
        where, doing = f"{where} · ", f" {DOING[state.phase]}"
        left = width - columns(f"{where}{doing}    {stock(state)}")
        who = joined_within([names[seat] for seat in seats], max(left, NAME_WIDTH * len(seats)))
        where += who + doing
    return flowing([[Span(where, "bold")], [Span(stock(state), "dim")]], width, gap=4)


def _offer(state: State, width: int) -> list[Line]:
    displays = []
    for number, tiles in enumerate(state.displays, start=1):
        blanks = Span("   " * (4 - max(1, sum(counts(tiles)))))
        displays.append([Span(f" {number} ", "bold"), *draw_tiles(tiles, state.options.edition), blanks])
    return [*packed(displays, min(width, OFFER_WIDTH), gap=1), *draw_centre(state, width)]


def draw_centre(state: State, width: int) -> list[Line]:
    """The centre with the marker, if it lies there."""
    marker = [Span(" starts ", "marker"), Span(" ")] if state.marker == 0 else []
    tiles = [[tile] for tile in draw_tiles(state.centre, state.options.edition)]
    return packed([[Span(" C ", "bold"), *marker], *tiles], width, indent=3)


def draw_tiles(tiles: Tiles, edition: Edition) -> list[Span]:
    """The tiles of one place; a dot where there are none."""
    return [draw_tile(slot, edition) for slot in slots_of(tiles)] or [Span(" · ", "dim")]


def draw_tile(slot: Slot, edition: Edition) -> Span:
    """One tile."""
    return Span(f" {edition.letters[slot]} ", f"tile.{edition.colours[slot]}")


def colour_key_of(edition: Edition) -> Callable[[Any], Line]:
    """What an edition's letters mean."""
    key: list[Span] = []
    for slot, colour in enumerate(edition.colours):
        key += [Span("  " if key else ""), draw_tile(slot, edition), Span(f" {colour}")]
    return lambda state: key


# ----------------------------------------------------------------------------------------------------------- boards


def draw_board(state: State, seat: Seat, names: Names) -> list[Line]:
    """What lies in front of a seat: title, pattern lines beside the wall, floor."""
    board, edition = state.boards[seat - 1], state.options.edition
    score: list[Span] = [Span(f"  {count(board.score, 'point')}")]
    if _has_marker_beside(state, seat):
        score += [Span("  "), Span(" starts ", "marker")]
    title = [_name(state, seat, names, BOARD_WIDTH - width_of(score)), *score]
    return [title, *(_row(state, board, row) for row in range(5)), _floor(board, edition)]


def _name(state: State, seat: Seat, names: Names, width: int) -> Span:
    acts = seat in to_act(state)
    return Span(f"{'▶' if acts else ' '} {shortened(names[seat], width - 2)}", "bold" if acts else "")


def _has_marker_beside(state: State, seat: Seat) -> bool:
    """Whether the marker lies beside the board, where it still says who starts."""
    return state.marker == seat and MARKER not in state.boards[seat - 1].floor and state.phase != "over"


def _row(state: State, board: Board, row: int) -> Line:
    return [
        Span(f"{row + 1} ", "dim"),
        *_pattern_line(board, row, state.options.edition),
        Span(" ▸ ", "dim"),
        *_wall_row(state, board, row),
    ]


def _pattern_line(board: Board, row: int, edition: Edition) -> list[Span]:
    filled, open_spaces = board.lines[row], row + 1 - board.lines[row]
    tiles = [draw_tile(board.colours[row], edition)] * filled
    return [*[Span("   ")] * (4 - row), *[Span(" · ", "dim")] * open_spaces, *tiles]


def _wall_row(state: State, board: Board, row: int) -> list[Span]:
    return [draw_cell(state.options, board, row, column) for column in range(5)]


def draw_cell(options: WallOptions, board: Wall, row: int, column: int) -> Span:
    """One cell of a wall; on the coloured side an empty one shows its print."""
    slot, edition = board.wall[row][column], options.edition
    if slot != NO_COLOUR:
        return draw_tile(slot, edition)
    if options.is_grey:
        return Span(" · ", "dim")
    printed = (column - row) % 5
    return Span(f" {edition.letters[printed].lower()} ", f"print.{edition.colours[printed]}")


def _floor(board: Board, edition: Edition) -> Line:
    costs = [Span(f" {signed(-cost)}", "dim") for cost in FLOOR[len(board.floor) :]]
    return [Span("floor ", "dim"), *_fallen(board, edition), *costs, *_loss(board, "  ")]


def _fallen(board: Board, edition: Edition) -> list[Span]:
    return [Span(" st", "marker") if piece == MARKER else draw_tile(piece, edition) for piece in board.floor]


def _loss(board: Board, gap: str) -> list[Span]:
    loss = sum(FLOOR[: len(board.floor)])
    return [Span(gap), Span(signed(-loss), "bad")] if loss else []


# --------------------------------------------------------------------------------------------------- boards in short


_IN_SHORT: Final = ((2, 21), (1, 13))
"""How many columns a cell and then a board takes, the larger form first."""


def _compact(state: State, names: Names, room: Room) -> list[Line]:
    """The looker's board, and beside it all others in the largest form there is room for."""
    looker = looked_at(room, to_act(state))
    others = [seat for seat in range(1, state.seats + 1) if seat != looker]
    left = room.width - BOARD_WIDTH
    cell, size = next((form for form in _IN_SHORT if len(others) * (form[1] + 1) <= left), _IN_SHORT[-1])
    boards = [_with_columns(draw_board(state, looker, names))]
    boards += [_in_short(state, seat, names, cell, size) for seat in others]
    gap = min(GAP, left // len(others) - size)
    return beside(boards, [BOARD_WIDTH, *[size] * len(others)], gap)


def _with_columns(board: list[Line]) -> list[Line]:
    """A board with its columns numbered, in a line of their own as the scores of the others have one."""
    title, *rest = board
    return [title, [Span(" " * 20), Span(" 1  2  3  4  5 ", "dim")], *rest]


def _in_short(state: State, seat: Seat, names: Names, cell: int, size: int) -> list[Line]:
    board, edition = state.boards[seat - 1], state.options.edition
    marker: list[Span] = []
    if _has_marker_beside(state, seat):
        marker = [Span(" "), Span("st" if cell == 1 else " starts ", "marker")]
    rows = [
        [
            Span("  "),
            *_narrowed(_pattern_line(board, row, edition), cell),
            Span("▸", "dim"),
            *_narrowed(_wall_row(state, board, row), cell),
        ]
        for row in range(5)
    ]
    floor = [*_fallen(board, edition), *[Span(" · ", "dim")] * (len(FLOOR) - len(board.floor))]
    return [
        [_name(state, seat, names, size - width_of(marker)), *marker],
        [Span(f"  {count(board.score, 'point')}")],
        *rows,
        [Span("  "), *_narrowed(floor, cell), *_loss(board, " ")],
    ]


def _narrowed(cells: Sequence[Span], size: int) -> list[Span]:
    """Cells in so many columns each, by their first letter; none after the last."""
    letters = [Span(f"{cell.text.strip()[:1]:<{size}}", cell.style) for cell in cells]
    return [*letters[:-1], Span(letters[-1].text[:1], letters[-1].style)]


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Everything public about the table (AZ-89, AZ-90); the order of the bag is not in the state at all."""
    colours = state.options.edition.colours
    return {
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn or None,
        "to_act": list(to_act(state)),
        "starter": state.starter or None,
        "marker": state.marker or "centre",
        "displays": [_names(display, colours) for display in state.displays],
        "centre": _names(state.centre, colours),
        "bag": sum(counts(state.bag)),
        "lid": dict(zip(colours, counts(state.lid), strict=True)),
        "boards": [_board_view(seat, board, colours) for seat, board in enumerate(state.boards, start=1)],
        "standings": [
            {"seat": place.seat, "rank": place.rank, "score": place.score, "rows": place.tiebreak}
            for place in state.standings
        ],
    }


def _board_view(seat: int, board: Board, colours: Sequence[str]) -> dict[str, Any]:
    return {
        "seat": seat,
        "score": board.score,
        "lines": [
            {"size": size, "filled": filled, "colour": colours[colour] if filled else None}
            for size, filled, colour in zip(range(1, 6), board.lines, board.colours, strict=True)
        ],
        "wall": wall_view(board, colours),
        "floor": ["marker" if space == MARKER else colours[space] for space in board.floor],
    }


def wall_view(board: Wall, colours: Sequence[str]) -> list[list[str | None]]:
    """The tiles on a wall by name, row by row."""
    return [[None if slot == NO_COLOUR else colours[slot] for slot in row] for row in board.wall]


def _names(tiles: Tiles, colours: Sequence[str]) -> list[str]:
    return [colours[slot] for slot in slots_of(tiles)]
