"""Azul: Summer Pavilion, folded: the state of a table and one handler per event."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from events.core import Event, ScoreLine, Seat, Standing
from events.summer_pavilion import (
    BonusTaken,
    Colour,
    DisplaysFilled,
    GameEnded,
    SeatPassed,
    Star,
    StartChosen,
    StartDrawn,
    SupplyFilled,
    TilePlaced,
    TilesAcquired,
)
from projections.first_player import HOST, HOST_CHOICE, named_start
from projections.summer_pavilion.stars import SLOTS, STARS
from projections.tiles import ONE, Tiles, pieces, tiles_of

COLOURS: Final = 6
TILES_PER_COLOUR: Final = 22
NO_COLOUR: Final = -1
DISPLAYS: Final = {2: 5, 3: 7, 4: 9}
"""How many displays a table of so many seats uses (SP-10)."""


class Options(Struct, frozen=True):
    """What the table agreed on, read once from the words in the opening."""

    side: str
    """`coloured` or `colourless` (SP-17, SP-71); the same for every seat (SP-R16)."""
    host_chooses: bool
    """Whether the host names who starts, rather than the lot."""


class Pavilion(Struct):
    """What scores in front of one seat, and its score."""

    score: int
    spaces: list[Colour]
    """The tile on each space, star by star, NO_COLOUR when empty."""
    occupied: int
    """The occupied spaces as bits, kept beside them because every placement asks for groups and features."""
    star_colours: list[int]
    """For each star the colours on it, as bits; what a star still takes depends on them (SP-40, SP-73)."""


class Board(Pavilion):
    """What lies in front of one seat."""

    hand: Tiles
    """What lies beside the board."""
    corners: Tiles
    """What is kept for the next round (SP-59)."""
    passed: bool
    """Whether the seat said pass in this round. A seat without tiles takes no turn either (SP-R11)."""


class State(Struct):
    """A table of Summer Pavilion."""

    seats: int
    options: Options
    phase: str
    """`start` (first player open), `supply`, `deal`, `acquire`, `place`, `bonus` or `over`."""
    round: int
    wild: Colour
    """The wild colour of the round; NO_COLOUR before the first."""
    starter: Seat
    """Who started this round; 0 before anybody has been named."""
    turn: Seat
    """Whose turn it is, or will be once the supply is refilled; 0 outside turns."""
    owed: int
    """Bonus tiles the seat whose turn it is has to choose."""
    sources: list[Tiles]
    """What lies in the centre and then on each display, in the order in which acquisitions number their sources."""
    marker: Seat
    """Who holds the start-player marker; 0 while it lies in the centre."""
    supply: Tiles
    bag: Tiles
    tower: Tiles
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

    @property
    def offered(self) -> Tiles:
        """What lies on the displays and in the centre together."""
        return sum(self.sources)


def initial(seats: int, options: Mapping[str, str]) -> State:
    """The table before anything was drawn: all tiles in the bag (SP-12), the marker in the centre (SP-14)."""
    named = named_start(options)
    return State(
        seats=seats,
        options=Options(side=options["boardSide"], host_chooses=options["firstPlayer"] == HOST_CHOICE),
        phase="supply" if named else "start",
        round=0,
        wild=NO_COLOUR,
        starter=named,
        turn=0,
        owed=0,
        sources=[0] * (1 + DISPLAYS[seats]),
        marker=0,
        supply=0,
        bag=TILES_PER_COLOUR * sum(ONE),
        tower=0,
        boards=[
            Board(
                score=0,
                hand=0,
                corners=0,
                passed=False,
                spaces=[NO_COLOUR] * (len(STARS) * SLOTS),
                occupied=0,
                star_colours=[0] * len(STARS),
            )
            for _ in range(seats)
        ],
        standings=(),
    )


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is, or the host before the first round; nobody while chance is awaited."""
    if state.phase in ("acquire", "place", "bonus"):
        return (state.turn,)
    return (HOST,) if state.phase == "start" and state.options.host_chooses else ()


def invariants(state: State) -> Mapping[str, int]:
    """All tiles by colour and the marker, wherever they lie."""
    tiles = state.bag + state.tower + state.supply + state.offered
    for board in state.boards:
        tiles += board.hand + board.corners
        for tile in board.spaces:
            if tile != NO_COLOUR:
                tiles += ONE[tile]
    return pieces(tiles, COLOURS, markers=int(0 <= state.marker <= state.seats))


def _start_named(state: State, event: StartDrawn | StartChosen) -> None:
    state.starter = event.seat
    state.phase = "supply"


def _supply_filled(state: State, event: SupplyFilled) -> None:
    if event.poured:
        _pour(state)
    tiles = tiles_of(event.tiles)
    state.bag -= tiles
    state.supply += tiles
    if event.scores:
        add_points(state.boards, event.scores)
    state.phase = "place" if state.turn else "deal"


def _displays_filled(state: State, event: DisplaysFilled) -> None:
    if event.poured:
        _pour(state)
    sources, dealt = state.sources, 0
    if len(event.displays) != len(sources) - 1:  # by a strict zip a whole match took 6 % longer
        raise ValueError(f"{len(event.displays)} displays were filled, not {len(sources) - 1}")
    for source, colours in enumerate(event.displays, start=1):
        tiles = tiles_of(colours)
        sources[source] += tiles
        dealt += tiles
    state.bag -= dealt
    for board in state.boards:
        board.passed = False
        if board.corners:
            board.hand += board.corners
            board.corners = 0
    state.round = event.round
    state.wild = event.round - 1
    state.starter = event.starter
    state.marker = 0
    state.turn = event.next
    state.phase = "acquire" if dealt else "place" if event.next else "deal"


def _tiles_acquired(state: State, event: TilesAcquired) -> None:
    source, sources = event.source, state.sources
    tiles = ONE[event.colour] * event.taken
    if event.wild:
        tiles += ONE[state.wild] * event.wild
    if source:
        sources[0] += sources[source] - tiles
        sources[source] = 0
    else:
        sources[0] -= tiles
    state.boards[event.seat - 1].hand += tiles
    if event.marker:
        state.marker = event.seat
        add_points(state.boards, event.scores)
    state.turn = event.next
    if event.last:
        state.phase = "place"


def _tile_placed(state: State, event: TilePlaced) -> None:
    board = state.boards[event.seat - 1]
    colour = event.colour
    paid = ONE[colour] * event.own
    if event.wild:
        paid += ONE[state.wild] * event.wild
    board.hand -= paid
    state.tower += paid - ONE[colour]
    put_tile(board, event.star, event.slot, colour)
    add_points(state.boards, event.scores)
    state.owed = event.owed
    state.turn = event.next
    state.phase = "bonus" if event.owed else "supply" if event.refill else "place" if event.next else "deal"


def put_tile(board: Pavilion, star: Star, slot: int, colour: Colour) -> None:
    """A tile on a space."""
    space = star * SLOTS + slot - 1
    board.spaces[space] = colour
    board.occupied |= 1 << space
    board.star_colours[star] |= 1 << colour


def _bonus_taken(state: State, event: BonusTaken) -> None:
    tiles = tiles_of(event.tiles)
    state.supply -= tiles
    state.boards[event.seat - 1].hand += tiles
    state.owed = 0
    _go_on(state, event)


def _seat_passed(state: State, event: SeatPassed) -> None:
    board = state.boards[event.seat - 1]
    kept = tiles_of(event.kept)
    state.tower += board.hand - kept
    board.corners += kept
    board.hand = 0
    board.passed = True
    if event.scores:
        add_points(state.boards, event.scores)
    _go_on(state, event)


def _game_ended(state: State, event: GameEnded) -> None:
    add_points(state.boards, event.scores)
    state.standings = event.standings
    state.phase = "over"


def _go_on(state: State, event: BonusTaken | SeatPassed) -> None:
    state.turn = event.next
    state.phase = "supply" if event.refill else "place" if event.next else "deal"


def _pour(state: State) -> None:
    state.bag += state.tower
    state.tower = 0


def add_points(boards: Sequence[Pavilion], lines: tuple[ScoreLine, ...]) -> None:
    """Points on the boards they are for."""
    for line in lines:
        boards[line.seat - 1].score += line.applied


APPLY: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    StartDrawn: _start_named,
    StartChosen: _start_named,
    SupplyFilled: _supply_filled,
    DisplaysFilled: _displays_filled,
    TilesAcquired: _tiles_acquired,
    TilePlaced: _tile_placed,
    BonusTaken: _bonus_taken,
    SeatPassed: _seat_passed,
    GameEnded: _game_ended,
}
