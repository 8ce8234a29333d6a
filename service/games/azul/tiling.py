"""Azul once drafting is over: tiling, scoring, and the end of the game (phases B and C)."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import Any, Final, NamedTuple

from events.azul import EndReason, FloorCleared, GameEnded, LineDropped, LineTiled, Slot
from events.core import Event, ScoreLine, Seat, Standing
from projections.azul.state import ALL_COLOURS, APPLY, NO_COLOUR, Board, Row, State, Wall, WallOptions, Walls
from projections.azul.tiles import COLOURS
from projections.core import Apply
from service.errors import IllegalAction
from service.games.core import Action, ranked

PENALTIES: Final = (0, 1, 2, 4, 6, 8, 11, 14)
"""What 0–7 occupied floor spaces cost (AZ-7)."""
FLOOR_SPACES: Final = 7


class TileLine(Action, frozen=True, gc=False, tag="azul.tile_line"):
    """On the free side: move the tile of the topmost complete line to a column of its row."""

    line: int
    column: int
    """1–5; 0 would be the floor, which is never a choice (AZ-74)."""


def next_complete(board: Board) -> int:
    """The topmost complete pattern line, 1–5; 0 when there is none (AZ-38)."""
    for line, tiles in enumerate(board.lines, start=1):
        if tiles == line:
            return line
    return 0


def open_cells(board: Board, line: int) -> list[int]:
    """The columns (from 0) where the tile of a complete line may go on the free side."""
    return cells_for(board, line - 1, board.colours[line - 1])


def cells_for(board: Wall, row: int, colour: Slot) -> list[int]:
    """The columns (from 0) of a row where a tile of the colour may go on the free side (AZ-69, AZ-70)."""
    if board.row_colours[row] >> colour & 1:
        return []
    return [
        column
        for column in range(5)
        if board.wall[row][column] == NO_COLOUR and all(other[column] != colour for other in board.wall)
    ]


class Tiling(NamedTuple):
    """Where variants part once drafting is over: what falls, what the floor costs, and how both are written down."""

    apply: Apply
    dropped: Callable[[Any, Seat, int], LineDropped]
    """A complete line that no cell can take (AZ-71)."""
    floor_scores: Callable[[Any, Seat], tuple[ScoreLine, ...]]
    ends_dead: bool
    """Whether a round that ends dead ends the game (AZ-95); no ruleset before `azul/2` knows that."""


def tile_by_choice(state: State, seat: Seat, action: TileLine, tiling: Tiling) -> list[Event]:
    """A tile put where the seat wants it on the free side, and all up to the next choice; the state moves along."""
    if state.phase != "tile":
        raise IllegalAction("azul/phase", "AZ-18", f"Nothing can be tiled in the {state.phase} phase.")
    if seat not in state.tiling:
        raise IllegalAction("azul/turn", "AZ-38", f"Seat {seat} has no line left to tile.")
    board = state.boards[seat - 1]
    line, column = action.line, action.column
    expected = next_complete(board)
    if not 1 <= line <= 5 or board.lines[line - 1] != line:
        raise IllegalAction("azul/line-incomplete", "AZ-38", f"Line {line} is not complete; line {expected} is next.")
    if line != expected:
        raise IllegalAction(
            "azul/line-order", "AZ-75", f"Lines are tiled from the top: {expected} comes before {line}."
        )
    if column == 0:
        raise IllegalAction("azul/must-place", "AZ-74", f"Line {line} can be placed, so it may not go to the floor.")
    if not 1 <= column <= 5:
        raise IllegalAction("azul/cell", "AZ-69", f"There is no column {column}; choose 1–5.")
    if board.wall[line - 1][column - 1] != NO_COLOUR:
        raise IllegalAction("azul/cell-taken", "AZ-69", f"Row {line} column {column} is occupied.")
    if column - 1 not in open_cells(board, line):
        colour = state.options.edition.colours[board.colours[line - 1]]
        raise IllegalAction("azul/column-colour", "AZ-70", f"Column {column} already has {colour}.")
    event = _tiled(state, seat, line, column - 1)
    return [event, *tile_walls(state, [seat], tiling)]


def tile_walls(state: State, order: Sequence[Seat], tiling: Tiling) -> list[Event]:
    """Everything that follows without a choice once drafting is over; the state moves along."""
    events: list[Event] = []
    for seat in order:
        _tile_board(state, seat, tiling, events)
    if not state.tiling:
        ending = _ending(state, tiling)
        if ending is not None:
            tiling.apply[GameEnded](state, ending)
            events.append(ending)
    return events


def _tile_board(state: State, seat: Seat, tiling: Tiling, events: list[Event]) -> None:
    """Tile the walls of a seat up to its first choice, from the top: a line above one that is tiled never completes."""
    board, is_grey = state.boards[seat - 1], state.options.is_grey
    for line, tiles in enumerate(board.lines, start=1):
        if tiles != line:
            continue
        if not is_grey:
            events.append(_tiled(state, seat, line, printed_column(line, board.colours[line - 1])))
            continue
        cells = open_cells(board, line)
        if len(cells) > 1:
            return
        # One cell is no choice (and AZ-74 leaves no other); no cell sends the line to the floor (AZ-71).
        if cells:
            events.append(_tiled(state, seat, line, cells[0]))
        else:
            fall = tiling.dropped(state, seat, line)
            tiling.apply[type(fall)](state, fall)
            events.append(fall)
    event = FloorCleared(seat, tiling.floor_scores(state, seat))
    tiling.apply[FloorCleared](state, event)
    events.append(event)


def printed_column(line: int, colour: Slot) -> int:
    """Where the coloured wall shows a colour in a row, counted from 0 (AZ-8)."""
    return (colour + line - 1) % COLOURS


def _tiled(state: State, seat: Seat, line: int, column: int) -> LineTiled:
    board = state.boards[seat - 1]
    points = tile_points(seat, board.wall, line - 1, column)
    event = LineTiled(seat, line, board.colours[line - 1], column + 1, (points,))
    APPLY[LineTiled](state, event)
    return event


def dropped(state: State, seat: Seat, line: int) -> LineDropped:
    """The fall of a whole line to the floor, the excess to the lid."""
    board = state.boards[seat - 1]
    fallen = min(line, FLOOR_SPACES - len(board.floor))
    return LineDropped(seat=seat, line=line, colour=board.colours[line - 1], fallen=fallen, discarded=line - fallen)


def tile_points(seat: Seat, wall: Sequence[Row], row: int, column: int) -> ScoreLine:
    """The points of a tile about to be placed (AZ-44…AZ-47)."""
    first, second, third, fourth, fifth = wall
    cells = (first[column], second[column], third[column], fourth[column], fifth[column])
    across, down = _run(wall[row], column), _run(cells, row)
    points = (across if across > 1 else 0) + (down if down > 1 else 0) or 1
    return ScoreLine(
        seat,
        "AZ-46" if points > 1 else "AZ-45",
        "tile-placed",
        points,
        points,
        {"row": row + 1, "column": column + 1, "row_run": across, "column_run": down},
    )


@lru_cache(10_000)
def _run(cells: Row, place: int) -> int:
    """How many tiles in a row or column a tile at this place makes together with those it joins.

    Remembered, because rows and columns are alike from match to match.
    """
    first, end = place, place + 1
    while first and cells[first - 1] != NO_COLOUR:
        first -= 1
    while end < 5 and cells[end] != NO_COLOUR:
        end += 1
    return end - first


def floor_scores(state: State, seat: Seat) -> tuple[ScoreLine, ...]:
    """What the occupied floor spaces cost (AZ-50)."""
    board = state.boards[seat - 1]
    return floor_points(seat, board.score, len(board.floor))


def floor_points(seat: Seat, score: int, spaces: int) -> tuple[ScoreLine, ...]:
    """What so many occupied floor spaces cost a seat with this score (AZ-50); nothing for a clean floor."""
    if not spaces:
        return ()
    nominal = PENALTIES[spaces]
    applied = -min(nominal, score)  # AZ-52: never below 0
    return (ScoreLine(seat, "AZ-50", "floor", -nominal, applied, {"spaces": spaces}),)


TILING: Final = Tiling(APPLY, dropped, floor_scores, ends_dead=True)
TILING_1: Final = TILING._replace(ends_dead=False)


def _ending(state: State, tiling: Tiling) -> GameEnded | None:
    """The end of the game, if this was its last round (AZ-54, AZ-59, AZ-83, AZ-87, AZ-95)."""
    is_used_up = not state.bag and not state.lid
    reason = end_reason(state.boards, state.options, state.round, is_used_up, tiling.ends_dead)
    return None if reason is None else GameEnded(reason, *final_points(state.boards))


def end_reason(
    boards: Sequence[Wall], options: WallOptions, round_: int, is_used_up: bool, ends_dead: bool = True
) -> EndReason | None:
    """Why the game ends with this round, if it does."""
    # When several reasons hold, the one the rulebook knows comes first, and a dead position last: so it ends only games
    # that `azul/1` would have gone on with, and every other end is the same fact under both.
    for board in boards:
        if ALL_COLOURS in board.row_colours:
            return "row"
    if is_used_up:
        return "supply"
    if options.max_rounds and round_ >= options.max_rounds:
        return "rounds"
    return "dead" if ends_dead and options.is_grey and not any(map(has_open_cell, boards)) else None


def final_points(boards: Sequence[Wall]) -> tuple[tuple[ScoreLine, ...], tuple[Standing, ...]]:
    """The end bonuses of every board, and the result they lead to."""
    lines = tuple(line for seat, board in enumerate(boards, start=1) for line in bonuses(seat, board))
    totals = [board.score for board in boards]
    for line in lines:
        totals[line.seat - 1] += line.applied
    return lines, ranked(totals, [len(complete_rows(board)) for board in boards])


def has_open_cell(board: Wall) -> bool:
    """Whether any tile at all could still come to the wall on the free side (AZ-69, AZ-70)."""
    column_colours = [0] * 5
    for row in board.wall:
        for column, colour in enumerate(row):
            if colour != NO_COLOUR:
                column_colours[column] |= 1 << colour
    # An empty cell is open to every colour that neither its row nor its column shows.
    return any(
        colour == NO_COLOUR and row_colours | column_colours[column] != ALL_COLOURS
        for row, row_colours in zip(board.wall, board.row_colours, strict=True)
        for column, colour in enumerate(row)
    )


def complete_rows(board: Wall) -> list[int]:
    """The complete horizontal rows, counted from 1."""
    return [row for row, colours in enumerate(board.row_colours, start=1) if colours == ALL_COLOURS]


def bonuses(seat: Seat, board: Wall) -> Iterator[ScoreLine]:
    """The end bonuses of one board: rows, columns, colours (AZ-61…AZ-63)."""
    for row in complete_rows(board):
        yield ScoreLine(seat, "AZ-61", "row-bonus", 2, 2, {"row": row})
    for column, cells in enumerate(zip(*board.wall, strict=True), start=1):
        if NO_COLOUR not in cells:
            yield ScoreLine(seat, "AZ-62", "column-bonus", 7, 7, {"column": column})
    in_every_row = reduce(and_, board.row_colours)
    for colour in range(COLOURS):
        if in_every_row >> colour & 1:
            yield ScoreLine(seat, "AZ-63", "colour-bonus", 10, 10, {"colour": colour})


def rank(state: Walls) -> tuple[Standing, ...]:
    """The standings if play stopped now: scores as they are, complete rows as tie-break."""
    return ranked([board.score for board in state.boards], [len(complete_rows(board)) for board in state.boards])
