"""The greedy bot's estimate for Azul: how good an action looks right now."""

from events.core import Seat
from projections.azul.state import NO_COLOUR, State, with_tile
from projections.azul.tiles import COLOURS, count_of
from projections.copying import copied
from service.games.azul.rules import DraftTiles, room
from service.games.azul.tiling import FLOOR_SPACES, PENALTIES, TileLine, open_cells, printed_column, tile_points
from service.games.core import Action


def estimate(
    state: State, seat: Seat, action: Action, shields_tile: bool = False, shields_marker: bool = False
) -> float:
    """What the action changes in the seat's score if the round ended with it; fractions prefer fuller lines.

    A variant may shield the first tile that falls, or the marker, from costing anything.
    """
    board = state.boards[seat - 1]
    if isinstance(action, TileLine):
        return tile_points(seat, board.wall, action.line - 1, action.column - 1).applied
    if not isinstance(action, DraftTiles):
        return 0
    taken = count_of(state.sources[action.source], action.colour)
    placed = room(board, action.colour, action.line, taken) - action.floor if action.line else 0
    falling, marker = taken - placed, action.source == 0 and state.marker == 0
    is_shielded = (shields_tile and falling > 0) or (shields_marker and marker)
    spaces = len(board.floor) + falling + marker - is_shielded
    loss = PENALTIES[min(spaces, FLOOR_SPACES)] - PENALTIES[len(board.floor)]
    if not placed:
        return -loss
    row = action.line - 1
    if board.lines[row] + placed < action.line:
        return placed / (2 * action.line) - loss
    wall = board.wall[:]
    for above in range(row):
        if board.lines[above] == above + 1 and not state.options.is_grey:
            colour = board.colours[above]
            wall[above] = with_tile(wall[above], printed_column(above + 1, colour), colour)
    if not state.options.is_grey:
        return tile_points(seat, wall, row, printed_column(action.line, action.colour)).applied - loss
    filled = copied(board)
    filled.lines[row], filled.colours[row] = action.line, action.colour
    cells = open_cells(filled, action.line)
    gains = [tile_points(seat, wall, row, column).applied for column in cells]
    return max(gains, default=PENALTIES[min(spaces, 7)] - PENALTIES[min(spaces + action.line, 7)]) - loss


def _hoped(bonus: int) -> list[float]:
    """What so many of the five tiles a bonus takes are worth: every further one makes it likelier."""
    return [bonus * (tiles / 5) ** 2 for tiles in range(6)]


_ROW, _COLUMN, _COLOUR = map(_hoped, (2, 7, 10))
"""The bonuses of the end (AZ-61…AZ-63)."""


def worth(state: State) -> list[float]:
    """The scores, with the bonuses of the end as far as the walls have come towards them."""
    if state.standings:
        return [board.score for board in state.boards]
    found = []
    for board in state.boards:
        rows = board.row_colours
        value = board.score + sum(_ROW[colours.bit_count()] for colours in rows)
        for column in zip(*board.wall, strict=True):
            value += _COLUMN[5 - column.count(NO_COLOUR)]
        for colour in range(COLOURS):
            value += _COLOUR[sum(colours >> colour & 1 for colours in rows)]
        found.append(value)
    return found
