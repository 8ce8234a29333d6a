"""Azul, folded: the state of a table and one handler per event."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from msgspec import Struct

from events.azul import (
    DisplaysFilled,
    FloorCleared,
    GameEnded,
    LineDropped,
    LineTiled,
    Slot,
    StartChosen,
    StartDrawn,
    TilesDrafted,
)
from events.core import Event, ScoreLine, Seat, Standing
from projections.azul.tiles import COLOURS, ONE, OTHERS, Tiles, tiles_of
from projections.first_player import HOST, HOST_CHOICE, named_start
from projections.tiles import pieces

TILES_PER_COLOUR: Final = 20
MARKER: Final = 5
"""The starting-player marker on a floor line, where tiles stand as their slots 0–4."""
NO_COLOUR: Final = -1
ALL_COLOURS: Final = (1 << COLOURS) - 1
"""Every colour, in a set of colours as bits."""
DISPLAYS: Final = {2: 5, 3: 7, 4: 9}
"""How many displays a table of so many seats uses (AZ-3)."""


class Edition(Struct, frozen=True):
    """What an edition of Azul calls its things. Slots are persisted, names are not: red is slot 2 here, 4 elsewhere."""

    title: str
    colours: tuple[str, ...]
    """By slot, like the letters."""
    letters: tuple[str, ...]
    tile: str = "tile"
    wall: str = "wall"
    extra: int = 0
    """Tiles that a round may bring beyond those of its displays."""


EDITION: Final = Edition("Azul", ("blue", "yellow", "red", "black", "white"), ("B", "Y", "R", "K", "W"))


class WallOptions(Struct, frozen=True):
    """What decides how walls are laid and when the game ends: all that a score pad has to know."""

    edition: Edition
    is_grey: bool
    """Free placement (AZ-69) instead of the printed wall."""
    max_rounds: int
    """The agreed last round (AZ-87); 0 for none."""


class Options(WallOptions, frozen=True):
    """What the table agreed on, read once from the words in the opening."""

    pours_early: bool
    """Whether the lid goes into the bag as soon as the bag cannot fill the next display (AZ-D1)."""
    may_floor_part: bool
    """Whether tiles that fit may be put on the floor by choice (AZ-79)."""
    host_chooses: bool
    """Whether the host names who starts, rather than the lot."""


LINE_TAKES: Final = tuple(tuple(1 << COLOURS * colour + row for colour in range(COLOURS)) for row in range(5))
"""For the pattern line of each row and each colour the bit that says that the line takes it. Bits of all lines can be
added up: five lines for the first colour, then five for the next, …"""
EMPTY_TAKES: Final = tuple(
    tuple(sum(bit for colour, bit in enumerate(bits) if not shown >> colour & 1) for shown in range(ALL_COLOURS + 1))
    for bits in LINE_TAKES
)
"""For the pattern line of each row what it takes while it is empty, by the colours that its wall row shows, as bits."""

Row = tuple[Slot, ...]
"""The cells of a wall row, NO_COLOUR when empty."""
EMPTY_ROW: Final[Row] = (NO_COLOUR,) * COLOURS


class Wall(Struct):
    """What scores in front of one seat, and its score."""

    score: int
    wall: list[Row]
    """Rows of cells. Most boards are copied more often than tiled, and a row that cannot change need not be copied."""
    row_colours: list[int]
    """For each wall row the colours in it, as bits; kept beside the wall because every move asks for it (AZ-30)."""


class Board(Wall):
    """What lies in front of one seat."""

    lines: list[int]
    """Tiles in each pattern line."""
    colours: list[Slot]
    """The colour of each pattern line, NO_COLOUR when empty."""
    takes: list[int]
    """For each pattern line the colours it takes, as bits of `LINE_TAKES`: the one in it, or while it is empty those
    that its wall row does not show, and none once it is complete (AZ-29, AZ-30, AZ-80). Kept because every move asks
    for it."""
    floor: list[int]
    """Slots and MARKER, from the left."""


class State(Struct):
    """An Azul table."""

    seats: int
    options: Options
    phase: str
    """`start` (first player open), `deal`, `draft`, `tile` or `over`."""
    round: int
    starter: Seat
    """Who started this round; 0 before anybody has been named."""
    turn: Seat
    """Who drafts now; 0 outside drafting."""
    tiling: list[Seat]
    """Who has not finished tiling."""
    sources: list[Tiles]
    """What lies in the centre and then on each display, in the order in which drafts number their sources."""
    marker: Seat
    """Who holds the starting-player marker; 0 while it lies in the centre."""
    bag: Tiles
    lid: Tiles
    boards: list[Board]
    standings: tuple[Standing, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        """Every seat's score."""
        return tuple([board.score for board in self.boards])

    @property
    def centre(self) -> Tiles:
        """What lies in the centre."""
        return self.sources[0]

    @property
    def displays(self) -> list[Tiles]:
        """What lies on each display."""
        return self.sources[1:]


class Walls(Protocol):
    """A table as far as its walls go: Azul's, or a score pad's."""

    @property
    def boards(self) -> Sequence[Wall]: ...


def wall_options(options: Mapping[str, str], edition: Edition) -> WallOptions:
    """What the words in the opening say about walls."""
    rounds = options["maxRounds"]
    return WallOptions(
        edition=edition,
        is_grey=options["boardSide"] != "coloured",
        max_rounds=0 if rounds == "none" else int(rounds),
    )


_TAKES_ALL: Final = [takes[0] for takes in EMPTY_TAKES]
"""What the lines of an empty board take."""


def initial(seats: int, options: Mapping[str, str], edition: Edition = EDITION) -> State:
    """The table before anything was drawn: all tiles in the bag (AZ-14), every score 0 (AZ-12)."""
    named, wall = named_start(options), wall_options(options, edition)
    return State(
        seats=seats,
        options=Options(
            edition=edition,
            is_grey=wall.is_grey,
            max_rounds=wall.max_rounds,
            pours_early=options["bagRefill"] == "when-insufficient",
            may_floor_part=options["partialFloor"] == "true",
            host_chooses=options["firstPlayer"] == HOST_CHOICE,
        ),
        phase="deal" if named else "start",
        round=0,
        starter=named,
        turn=0,
        tiling=[],
        sources=[0] * (1 + DISPLAYS[seats]),
        marker=named,
        bag=TILES_PER_COLOUR * sum(ONE),
        lid=0,
        boards=[
            Board(
                score=0,
                lines=[0] * 5,
                colours=[NO_COLOUR] * 5,
                wall=[EMPTY_ROW] * 5,
                row_colours=[0] * 5,
                takes=_TAKES_ALL[:],
                floor=[],
            )
            for _ in range(seats)
        ],
        standings=(),
    )


def to_act(state: State) -> tuple[Seat, ...]:
    """The drafting seat, every seat with a tiling choice left, or the host before the first round."""
    if state.phase == "draft":
        return (state.turn,)
    if state.phase == "tile":
        return tuple(state.tiling)
    return (HOST,) if state.phase == "start" and state.options.host_chooses else ()


def invariants(state: State) -> Mapping[str, int]:
    """All tiles by colour and the marker, wherever they lie (AZ-10)."""
    tiles, markers = counted(state)
    return pieces(tiles, COLOURS, markers)


def counted(state: State) -> tuple[Tiles, int]:
    """The same as tiles and a number of markers."""
    # Asked after every step of an audit, of which counting tile by tile took more than a quarter.
    tiles = state.bag + state.lid + sum(state.sources)
    markers = int(state.marker == 0)
    for seat, board in enumerate(state.boards, start=1):
        for colour, many in zip(board.colours, board.lines, strict=True):
            if many:
                tiles += _AS_TILES[colour] * many
        tiles += sum(map(_tiles_in_row, board.wall))
        for space in board.floor:
            tiles += _AS_TILES[space]
        # A marker on a floor line is the one its holder has; on anybody else's it would be a second one.
        markers += (state.marker == seat) if MARKER not in board.floor else 1 + (state.marker != seat)
    return tiles, markers


_AS_TILES: Final = (*ONE, 0)
"""What each slot of a floor line, a wall or a pattern line is as tiles; MARKER and NO_COLOUR are none."""


@lru_cache(8_000)
def _tiles_in_row(row: Row) -> Tiles:
    """The tiles in a wall row, of which there are no more than some thousand."""
    return sum(map(_AS_TILES.__getitem__, row))


def _start_named(state: State, event: StartDrawn | StartChosen) -> None:
    state.starter = state.marker = event.seat
    state.phase = "deal"


def _displays_filled(state: State, event: DisplaysFilled) -> None:
    if event.poured:
        state.bag += state.lid
        state.lid = 0
    sources, dealt = state.sources, 0
    for source, tiles in enumerate(map(tiles_of, event.displays), start=1):
        sources[source] += tiles
        dealt += tiles
    state.bag -= dealt
    state.round = event.round
    state.starter = state.turn = event.starter
    state.marker = 0
    state.phase = "draft"


def _tiles_drafted(state: State, event: TilesDrafted) -> None:
    colour, source, sources = event.colour, event.source, state.sources
    left = sources[source] & OTHERS[colour]
    if source:
        sources[source] = 0
        sources[0] += left
    else:
        sources[0] = left
    board = state.boards[event.seat - 1]
    if event.marker:
        state.marker = event.seat
        if event.marker == "floor":
            board.floor.append(MARKER)
    if placed := event.placed:
        row, lines = event.line - 1, board.lines
        tiles = lines[row] + placed
        lines[row] = tiles
        board.colours[row] = colour
        board.takes[row] = LINE_TAKES[row][colour] if tiles <= row else 0
    if event.fallen:
        board.floor.extend([colour] * event.fallen)
    if event.discarded:
        state.lid += ONE[colour] * event.discarded
    state.turn = following = event.next
    if not following:
        state.phase = "tile"
        state.tiling = list(range(1, state.seats + 1))


def _line_tiled(state: State, event: LineTiled) -> None:
    # Written out here and in `_floor_cleared`: put together of calls, a replay takes 8 % longer.
    boards, row, colour = state.boards, event.line - 1, event.colour
    board = boards[event.seat - 1]
    lines, wall, row_colours = board.lines, board.wall, board.row_colours
    if further := lines[row] - 1:
        state.lid += ONE[colour] * further
    lines[row] = 0
    board.colours[row] = NO_COLOUR
    cells = list(wall[row])
    cells[event.column - 1] = colour
    wall[row] = tuple(cells)
    row_colours[row] = shown = row_colours[row] | 1 << colour
    board.takes[row] = EMPTY_TAKES[row][shown]
    for line in event.scores:
        boards[line.seat - 1].score += line.applied


def with_tile(cells: Row, column: int, colour: Slot) -> Row:
    """A wall row with one tile more, its column counted from 0."""
    row = list(cells)
    row[column] = colour
    return tuple(row)


def _line_dropped(state: State, event: LineDropped) -> None:
    board, row = state.boards[event.seat - 1], event.line - 1
    board.lines[row] = 0
    board.colours[row] = NO_COLOUR
    board.takes[row] = EMPTY_TAKES[row][board.row_colours[row]]
    board.floor.extend([event.colour] * event.fallen)
    state.lid += ONE[event.colour] * event.discarded


def _floor_cleared(state: State, event: FloorCleared) -> None:
    boards, tiling = state.boards, state.tiling
    floor = boards[event.seat - 1].floor
    if floor:
        fallen = 0
        for space in floor:
            fallen += _AS_TILES[space]
        state.lid += fallen
        floor.clear()
    for line in event.scores:
        boards[line.seat - 1].score += line.applied
    tiling.remove(event.seat)
    if not tiling:
        state.phase = "deal"


def _game_ended(state: State, event: GameEnded) -> None:
    add_points(state.boards, event.scores)
    state.standings = event.standings
    state.phase = "over"


def add_points(boards: Sequence[Wall], lines: tuple[ScoreLine, ...]) -> None:
    """Points on the boards they are for."""
    for line in lines:
        boards[line.seat - 1].score += line.applied


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    StartDrawn: _start_named,
    StartChosen: _start_named,
    DisplaysFilled: _displays_filled,
    TilesDrafted: _tiles_drafted,
    LineTiled: _line_tiled,
    LineDropped: _line_dropped,
    FloorCleared: _floor_cleared,
    GameEnded: _game_ended,
}
