"""Azul tables laid out by hand, in letters: B blue, Y yellow, R red, K black, W white, M the marker."""

from collections.abc import Sequence

from projections.azul.state import MARKER, NO_COLOUR, Board, State, Wall, with_tile
from projections.azul.tiles import ONE, Tiles
from service.games.azul import AZUL
from tests.scenario import Scenario, given

LETTERS = "BYRKWM"
BLUE, YELLOW, RED, BLACK, WHITE = range(5)


def slots(letters: str, alphabet: str = LETTERS) -> list[int]:
    """`"BBM"` as slots, in the letters of an edition."""
    return [alphabet.index(letter) for letter in letters]


def heap(letters: str, alphabet: str = LETTERS) -> Tiles:
    """`"BBR"` as tiles that lie in one place."""
    return sum(letters.count(letter) * one for letter, one in zip(alphabet, ONE, strict=False))


def table(
    seats: int = 2,
    *,
    displays: Sequence[str] = (),
    centre: str = "",
    marker: int = 0,
    turn: int = 1,
    starter: int = 1,
    round_: int = 1,
    bag: str | None = None,
    lid: str = "",
    **options: str,
) -> Scenario:
    """A table in the drafting phase. Only what a test names lies on it; what is not named is in the bag."""
    scenario = given(AZUL, seats, firstPlayer="seat:1", **options)

    def arrange(state: State) -> None:
        state.phase, state.round, state.turn, state.starter, state.marker = "draft", round_, turn, starter, marker
        for source, tiles in enumerate((centre, *displays)):
            state.sources[source] = heap(tiles)
        if bag is not None:
            state.bag = heap(bag)
        state.lid = heap(lid)

    return scenario.with_(arrange)


def lay(
    scenario: Scenario,
    seat: int,
    *,
    lines: Sequence[str] = (),
    wall: Sequence[tuple[int, int]] = (),
    tiles: dict[tuple[int, int], str] | None = None,
    floor: str = "",
    score: int = 0,
) -> Scenario:
    """The same table with a board laid out: pattern lines as letters, printed cells or lettered tiles on the wall."""
    alphabet = "".join(scenario.state.options.edition.letters) + "M"

    def arrange(state: State) -> None:
        board = state.boards[seat - 1]
        for row, letters in enumerate(lines):
            board.lines[row] = len(letters)
            board.colours[row] = slots(letters, alphabet)[0] if letters else NO_COLOUR
        for row, column in wall:
            put(board, row, column, (column - row) % 5)
        for (row, column), letter in (tiles or {}).items():
            put(board, row, column, slots(letter, alphabet)[0])
        board.takes = takes(board)
        board.floor = slots(floor, alphabet)
        if MARKER in board.floor:
            state.marker = seat
        board.score = score

    return scenario.with_(arrange)


def cells(rows: str) -> dict[tuple[int, int], str]:
    """`"BY... YB..."` as the tiles of a wall, row by row; a dot is an empty cell."""
    return {
        (row, column): letter
        for row, letters in enumerate(rows.split(), start=1)
        for column, letter in enumerate(letters, start=1)
        if letter != "."
    }


def put(board: Wall, row: int, column: int, colour: int) -> None:
    """A tile on the wall; rows and columns count from 1."""
    board.wall[row - 1] = with_tile(board.wall[row - 1], column - 1, colour)
    board.row_colours[row - 1] |= 1 << colour


def takes(board: Board) -> list[int]:
    """The colours each line takes, found out anew from lines and wall: bit 5 * colour + row for each."""
    taken = []
    for row, (tiles, held) in enumerate(zip(board.lines, board.colours, strict=True)):
        fitting = [
            colour for colour in range(5) if held in (NO_COLOUR, colour) and not board.row_colours[row] >> colour & 1
        ]
        taken.append(sum(1 << 5 * colour + row for colour in fitting) if tiles <= row else 0)
    return taken


def board_of(scenario: Scenario, seat: int) -> Board:
    """A seat's board."""
    board: Board = scenario.state.boards[seat - 1]
    return board
