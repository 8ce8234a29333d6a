"""Azul as people and programs see it: the table in letters and colours, and as plain values."""

from collections.abc import Sequence
from typing import Any, Final

from events.azul import (
    Slot,
)
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
from projections.core import ROOMY, Line, Names, Room, Span, side_by_side
from projections.words import count, joined, signed

BOARD_WIDTH: Final = 34
DISPLAYS_PER_LINE: Final = 5
PHASES: Final = {
    "start": "choosing who starts",
    "deal": "waiting for the deal",
    "draft": "drafting",
    "tile": "tiling",
    "over": "game over",
}

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The whole table: the offer on top, then the boards, as many beside each other as there is room for."""
    boards = [draw_board(state, seat, names) for seat in range(1, state.seats + 1)]
    return draw_table(state, names, _offer(state), side_by_side(boards, BOARD_WIDTH, room.width))


def draw_table(state: State, names: Names, offer: Sequence[Line], boards: Sequence[Line]) -> list[Line]:
    """The parts of a table put together."""
    lines = [_heading(state, names), []]
    if state.phase != "over":
        lines += [*offer, []]
    return [*lines, *boards]


def _heading(state: State, names: Names) -> Line:
    who = f" · {names[state.turn]} to move" if state.turn and state.phase == "draft" else ""
    if state.phase == "tile":
        who = " · " + joined([names[seat] for seat in state.tiling]) + " to place"
    # The lid lies open: everybody may count its colours (AZ-89).
    colours = " ".join(f"{tiles}{state.options.edition.letters[slot]}" for slot, tiles in enumerate(state.lid) if tiles)
    stock = f"    bag {sum(state.bag)} · lid {colours or 0}"
    return [Span(f"Round {state.round} · {PHASES[state.phase]}{who}", "bold"), Span(stock, "dim")]


def _offer(state: State) -> list[Line]:
    displays: list[list[Span]] = []
    for index, tiles in enumerate(state.displays):
        if index % DISPLAYS_PER_LINE == 0:
            displays.append([])
        displays[-1] += [Span(f" {index + 1} ", "bold"), *draw_tiles(tiles, state.options.edition)]
        displays[-1].append(Span("   " * max(0, 4 - max(1, sum(tiles)))))
    return [*displays, draw_centre(state)]


def draw_centre(state: State) -> Line:
    """The centre with the marker, if it lies there."""
    marker = [Span(" 1st ", "marker"), Span(" ")] if state.marker == 0 else []
    return [Span(" C ", "bold"), *marker, *draw_tiles(state.centre, state.options.edition)]


def draw_tiles(counts: Sequence[int], edition: Edition) -> list[Span]:
    """The tiles of one place; a dot where there are none."""
    tiles = [draw_tile(slot, edition) for slot, tiles in enumerate(counts) for _ in range(tiles)]
    return tiles or [Span(" · ", "dim")]


def draw_tile(slot: Slot, edition: Edition) -> Span:
    """One tile."""
    return Span(f" {edition.letters[slot]} ", f"tile.{edition.colours[slot]}")


def draw_board(state: State, seat: int, names: Names) -> list[Line]:
    """What lies in front of a seat: title, pattern lines beside the wall, floor."""
    board = state.boards[seat - 1]
    acts = seat in to_act(state)
    title: Line = [
        Span(f"{'▶' if acts else ' '} {names[seat]}"[: BOARD_WIDTH - 12], "bold" if acts else ""),
        Span(f"  {count(board.score, 'point')}"),
        *([Span("  "), Span(" 1st ", "marker")] if state.marker == seat and MARKER not in board.floor else []),
    ]
    rows = [_row(state, board, row) for row in range(5)]
    return [title, *rows, _floor(board, state.options.edition)]


def _row(state: State, board: Board, row: int) -> Line:
    size, filled, colour = row + 1, board.lines[row], board.colours[row]
    spans = [Span(f"{size} ", "dim"), Span("   " * (5 - size))]
    spans += [Span(" · ", "dim")] * (size - filled)
    spans += [draw_tile(colour, state.options.edition)] * filled
    spans.append(Span(" ▸ ", "dim"))
    return [*spans, *(draw_cell(state.options, board, row, column) for column in range(5))]


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
    spans = [Span("floor ", "dim")]
    for space, cost in enumerate(FLOOR):
        if space >= len(board.floor):
            spans.append(Span(f" -{cost}", "dim"))
        elif board.floor[space] == MARKER:
            spans.append(Span("1st", "marker"))
        else:
            spans.append(draw_tile(board.floor[space], edition))
    loss = sum(FLOOR[: len(board.floor)])
    return [*spans, Span(f"  {signed(-loss)}" if loss else "", "bad")]


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
        "bag": sum(state.bag),
        "lid": {colours[slot]: tiles for slot, tiles in enumerate(state.lid)},
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


def _names(counts: Sequence[int], colours: Sequence[str]) -> list[str]:
    return [colours[slot] for slot, tiles in enumerate(counts) for _ in range(tiles)]
