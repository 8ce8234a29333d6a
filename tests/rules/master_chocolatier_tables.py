"""Master Chocolatier tables laid out by hand: B blue, N browN, W white, K black, R red, M the marker."""

from collections.abc import Mapping, Sequence

from events.azul import FloorCleared
from projections.azul import MARKER, NO_COLOUR, Board
from projections.master_chocolatier import BLUE_SIDE, State
from service.games import MASTER_CHOCOLATIER
from service.rules.azul import DraftTiles
from tests.scenario import Happened, Scenario, given

LETTERS = "BNWKRM"
BLUE, BROWN, WHITE, BLACK, RED = range(5)
SIDES = ("+1", "B", "N", "W", "K", "R", "=", "<>", "0")
"""The gold sides as players write them, in the order of their numbers."""


def slots(letters: str) -> list[int]:
    """`"BBM"` as slots."""
    return [LETTERS.index(letter) for letter in letters]


def counts(letters: str) -> list[int]:
    """`"BBR"` as pralines per colour."""
    return [letters.count(letter) for letter in LETTERS[:5]]


def table(
    seats: int = 2,
    *,
    displays: Sequence[str] = (),
    gold: Mapping[int, str] | None = None,
    centre: str = "",
    marker: int = 0,
    turn: int = 1,
    starter: int = 1,
    phase: str = "draft",
    round_: int = 1,
    bag: str | None = None,
    lid: str = "",
    holder: int = 0,
    disc: str = "",
    **options: str,
) -> Scenario:
    """A table where only what a test names is changed; gold displays bring the special factories with them."""
    variant = {"specialFactories": "on"} if gold is not None else {}
    scenario = given(MASTER_CHOCOLATIER, seats, firstPlayer="seat:1", **variant, **options)

    def arrange(state: State) -> None:
        state.phase, state.round, state.starter, state.marker = phase, round_, starter, marker
        state.turn = turn if phase == "draft" else 0
        for number, tiles in enumerate(displays):
            state.displays[number] = counts(tiles)
        state.sides = tuple(
            SIDES.index(gold[place]) if gold and place in gold else BLUE_SIDE
            for place in range(1, len(state.displays) + 1)
        )
        state.holder, state.disc = holder, slots(disc)[0] if disc else NO_COLOUR
        if disc == "M":
            state.marker = holder
        state.centre = counts(centre)
        state.offered = sum(map(len, displays)) + len(centre)
        if bag is not None:
            state.bag = counts(bag)
        state.lid = counts(lid)

    return scenario.with_(arrange)


def lay(
    scenario: Scenario,
    seat: int,
    *,
    lines: Sequence[str] = (),
    box: Sequence[tuple[int, int]] = (),
    pralines: dict[tuple[int, int], str] | None = None,
    floor: str = "",
    score: int = 0,
) -> Scenario:
    """The same table with a board laid out: pattern lines as letters, printed cells or lettered pralines in the box."""

    def arrange(state: State) -> None:
        board = state.boards[seat - 1]
        for row, letters in enumerate(lines):
            board.lines[row] = len(letters)
            board.colours[row] = slots(letters)[0] if letters else NO_COLOUR
        for row, column in box:
            _put(board, row, column, (column - row) % 5)
        for (row, column), letter in (pralines or {}).items():
            _put(board, row, column, slots(letter)[0])
        board.floor = slots(floor)
        if MARKER in board.floor:
            state.marker = seat
        board.score = score

    return scenario.with_(arrange)


def _put(board: Board, row: int, column: int, colour: int) -> None:
    board.wall[row - 1][column - 1] = colour
    board.row_colours[row - 1] |= 1 << colour


def board_of(scenario: Scenario, seat: int) -> Board:
    """A seat's board."""
    board: Board = scenario.state.boards[seat - 1]
    return board


def offer(scenario: Scenario) -> list[str]:
    """What lies on each display, as letters in the order of the slots."""
    return ["".join(LETTERS[c] * count for c, count in enumerate(display)) for display in scenario.state.displays]


def tiling(scenario: Scenario, seat: int = 1) -> Happened:
    """End the drafting: the other seat drops the last praline of the centre, a red one, to its floor."""
    other = seat % scenario.state.seats + 1

    def arrange(state: State) -> None:
        state.displays = [[0] * 5 for _ in state.displays]
        state.centre, state.offered, state.turn = counts("R"), 1, other
        state.marker = state.marker or other

    return scenario.with_(arrange).when(other, DraftTiles(source=0, colour=RED, line=0))


def penalties(happened: Happened, seat: int = 1) -> list[tuple[str, int]]:
    """What the seat's floor came to, as rules and points."""
    cleared = next(event for event in happened.only(FloorCleared) if event.seat == seat)
    return [(line.rule, line.requested) for line in cleared.scores]
