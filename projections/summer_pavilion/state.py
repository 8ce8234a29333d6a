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
from projections.core import written_often
from projections.starting import HOST, HOST_CHOICE, named_start
from projections.summer_pavilion.stars import SLOTS, STARS

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


@written_often
class Pavilion(Struct):
    """What scores in front of one seat, and its score."""

    score: int
    spaces: list[Colour]
    """The tile on each space, star by star, NO_COLOUR when empty."""
    occupied: int
    """The occupied spaces as bits, kept beside them because every placement asks for groups and features."""
    star_colours: list[int]
    """For each star the colours on it, as bits; what a star still takes depends on them (SP-40, SP-73)."""


@written_often
class Board(Pavilion):
    """What lies in front of one seat."""

    hand: list[int]
    """Tiles per colour beside the board."""
    corners: list[int]
    """Tiles per colour kept for the next round (SP-59)."""
    passed: bool
    """Whether the seat said pass in this round. A seat without tiles takes no turn either (SP-R11)."""


@written_often
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
    displays: list[list[int]]
    """Tiles per colour on each display."""
    centre: list[int]
    offered: int
    """Tiles on the displays and in the centre together."""
    marker: Seat
    """Who holds the start-player marker; 0 while it lies in the centre."""
    supply: list[int]
    bag: list[int]
    tower: list[int]
    boards: list[Board]
    standings: tuple[Standing, ...]


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
        displays=[[0] * COLOURS for _ in range(DISPLAYS[seats])],
        centre=[0] * COLOURS,
        offered=0,
        marker=0,
        supply=[0] * COLOURS,
        bag=[TILES_PER_COLOUR] * COLOURS,
        tower=[0] * COLOURS,
        boards=[
            Board(
                score=0,
                hand=[0] * COLOURS,
                corners=[0] * COLOURS,
                passed=False,
                spaces=[NO_COLOUR] * (len(STARS) * SLOTS),
                occupied=0,
                star_colours=[0] * len(STARS),
            )
            for _ in range(seats)
        ],
        standings=(),
    )


def copy(state: State) -> State:
    """An independent copy."""
    return State(
        seats=state.seats,
        options=state.options,
        phase=state.phase,
        round=state.round,
        wild=state.wild,
        starter=state.starter,
        turn=state.turn,
        owed=state.owed,
        displays=[display[:] for display in state.displays],
        centre=state.centre[:],
        offered=state.offered,
        marker=state.marker,
        supply=state.supply[:],
        bag=state.bag[:],
        tower=state.tower[:],
        boards=[
            Board(
                score=board.score,
                hand=board.hand[:],
                corners=board.corners[:],
                passed=board.passed,
                spaces=board.spaces[:],
                occupied=board.occupied,
                star_colours=board.star_colours[:],
            )
            for board in state.boards
        ],
        standings=state.standings,
    )


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is, or the host before the first round; nobody while chance is awaited."""
    if state.phase in ("acquire", "place", "bonus"):
        return (state.turn,)
    return (HOST,) if state.phase == "start" and state.options.host_chooses else ()


def scores(state: State) -> tuple[int, ...]:
    """Every seat's score."""
    return tuple([board.score for board in state.boards])


def standings(state: State) -> tuple[Standing, ...]:
    """The result, once there is one."""
    return state.standings


def invariants(state: State) -> dict[str, int]:
    """All tiles by colour and the marker, wherever they lie."""
    pools = [state.bag, state.tower, state.supply, state.centre, *state.displays]
    for board in state.boards:
        pools += [board.hand, board.corners]
    counts = [sum(pool[colour] for pool in pools) for colour in range(COLOURS)]
    for board in state.boards:
        for tile in board.spaces:
            if tile != NO_COLOUR:
                counts[tile] += 1
    markers = int(0 <= state.marker <= state.seats)
    return {**{f"colour {colour}": count for colour, count in enumerate(counts)}, "marker": markers}


def _start_named(state: State, event: StartDrawn | StartChosen) -> None:
    state.starter = event.seat
    state.phase = "supply"


def _supply_filled(state: State, event: SupplyFilled) -> None:
    if event.poured:
        _pour(state)
    bag, supply = state.bag, state.supply
    for colour in event.tiles:
        bag[colour] -= 1
        supply[colour] += 1
    if event.scores:
        add_points(state.boards, event.scores)
    state.phase = "place" if state.turn else "deal"


def _displays_filled(state: State, event: DisplaysFilled) -> None:
    if event.poured:
        _pour(state)
    bag = state.bag
    offered = 0
    for display, tiles in zip(state.displays, event.displays, strict=True):
        for colour in tiles:
            bag[colour] -= 1
            display[colour] += 1
        offered += len(tiles)
    for board in state.boards:
        board.passed = False
        if any(board.corners):
            hand = board.hand
            for colour, tiles_kept in enumerate(board.corners):
                hand[colour] += tiles_kept
            board.corners = [0] * COLOURS
    state.offered = offered
    state.round = event.round
    state.wild = event.round - 1
    state.starter = event.starter
    state.marker = 0
    state.turn = event.next
    state.phase = "acquire" if offered else "place" if event.next else "deal"


def _tiles_acquired(state: State, event: TilesAcquired) -> None:
    board = state.boards[event.seat - 1]
    hand = board.hand
    source = state.displays[event.source - 1] if event.source else state.centre
    source[event.colour] -= event.taken
    hand[event.colour] += event.taken
    if event.wild:
        source[state.wild] -= event.wild
        hand[state.wild] += event.wild
    if event.source:
        centre = state.centre
        for colour in range(COLOURS):
            if source[colour]:
                centre[colour] += source[colour]
                source[colour] = 0
    state.offered -= event.taken + event.wild
    if event.marker:
        state.marker = event.seat
        add_points(state.boards, event.scores)
    state.turn = event.next
    if event.last:
        state.phase = "place"


def _tile_placed(state: State, event: TilePlaced) -> None:
    board = state.boards[event.seat - 1]
    colour = event.colour
    board.hand[colour] -= event.own
    state.tower[colour] += event.own - 1
    if event.wild:
        board.hand[state.wild] -= event.wild
        state.tower[state.wild] += event.wild
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
    hand, supply = state.boards[event.seat - 1].hand, state.supply
    for colour in event.tiles:
        supply[colour] -= 1
        hand[colour] += 1
    state.owed = 0
    _go_on(state, event)


def _seat_passed(state: State, event: SeatPassed) -> None:
    board = state.boards[event.seat - 1]
    hand, corners, tower = board.hand, board.corners, state.tower
    for colour in event.kept:
        hand[colour] -= 1
        corners[colour] += 1
    for colour in range(COLOURS):
        tower[colour] += hand[colour]
    board.hand = [0] * COLOURS
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
    for colour in range(COLOURS):
        state.bag[colour] += state.tower[colour]
    state.tower = [0] * COLOURS


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
