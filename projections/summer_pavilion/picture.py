"""Summer Pavilion as people and programs see it: the table in letters and colours, and as plain values."""

from itertools import zip_longest
from typing import Any, Final

from events.core import Seat
from projections.core import (
    ROOMY,
    Line,
    Names,
    Room,
    Span,
    beside,
    fits,
    flowing,
    looked_at,
    packed,
    shortened,
    stacked,
    width_of,
)
from projections.summer_pavilion.pavilion import (
    BOARD_WIDTH,
    GAP,
    NAME_WIDTH,
    Short,
    boards_abreast,
    cell_width,
    draw_in_short,
    draw_key,
    draw_pavilion,
    draw_stars,
    draw_tile,
    in_columns,
)
from projections.summer_pavilion.stars import ALL_FEATURES, COLOURS, LETTERS, ROUNDS, SLOTS, STARS
from projections.summer_pavilion.state import NO_COLOUR, Board, Pavilion, State, to_act
from projections.tiles import Tiles, colours_of, counts, how_many
from projections.words import count, total

DISPLAY_WIDTH: Final = 16
DISPLAYS_PER_LINE: Final = 5
HEADING_GAP: Final = 4
NAME_IN_HEADING: Final = 10
"""What a name gets in a narrow window, where bag and tower may move to the next line."""
PHASES: Final = {
    "start": "choosing who starts",
    "supply": "waiting for the supply",
    "deal": "waiting for the deal",
    "acquire": "acquiring",
    "place": "placing",
    "over": "game over",
}
_NOTHING: Final = Span(" · ", "dim")
_NONE: Final = Span("·", "dim")
_TWO_HEAPS: Final = len("12P 12G")


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The whole table where there is room for it, else one board whole and the others as far as they fit."""
    heading = _heading(state, names, room.width)
    key = draw_key(state.options.side, room.width)
    boards = [_board(state, seat, names) for seat in range(1, state.seats + 1)]
    offer = [] if state.phase == "over" else [*_offer(state, room.width), []]
    whole = [*heading, [], *offer, *boards_abreast(boards, room.width), [], *key]
    if fits(whole, room):
        return whole
    offer = [] if state.phase == "over" else _offer_in_short(state, room.width)
    return stacked([[*heading, *offer], _boards_within(state, names, room), key], room)


def situation(state: State) -> str:
    """How far the game has come, and which colour is wild."""
    doing = PHASES.get(state.phase) or f"choosing {count(state.owed, 'bonus tile')}"
    if state.wild == NO_COLOUR:
        return doing
    return f"Round {state.round} of {ROUNDS} · {doing} · {COLOURS[state.wild]} is wild"


def _boards_within(state: State, names: Names, room: Room) -> list[Line]:
    """Every board, lower, if that is low enough at any time of a match; else one, and the others in short beside it."""
    seats = range(1, state.seats + 1)
    own = looked_at(room, [state.turn] if state.turn else to_act(state))
    is_narrow = room.width < BOARD_WIDTH
    if is_narrow:
        every = stacked([_board(state, seat, names, width=room.width) for seat in seats], ROOMY)
    else:
        every = boards_abreast([_board(state, seat, names, low=True) for seat in seats], room.width)
    # The heading, the centre with the supply, and the key: twice as many lines in a narrow window.
    other_lines = (8 if is_narrow else 3) + len(_displays(state, room.width))
    if room.height is None or len(every) + other_lines <= room.height:
        return every
    if is_narrow:
        return [*_board(state, own, names, width=room.width), *_others(state, own, names, room.width)]
    board = _board(state, own, names)
    if len(board) + other_lines > room.height:
        board = _board(state, own, names, low=True)
    width = room.width - BOARD_WIDTH - GAP
    return beside([board, _others(state, own, names, width)], [BOARD_WIDTH, width], GAP)


def _heading(state: State, names: Names, width: int) -> list[Line]:
    before = [Span(f"Round {state.round}", "bold")]
    if state.wild != NO_COLOUR:
        before += [Span(" · wild "), draw_tile(state.wild)]
    doing = f" · {PHASES[state.phase]}" if state.phase in PHASES else ""
    todo = f" to choose {count(state.owed, 'bonus tile')}" if state.owed else " to move"
    after = Span(f"bag {how_many(state.bag)} · tower {how_many(state.tower)}", "dim")
    who = ""
    for seat in to_act(state):
        left = width - HEADING_GAP - width_of([*before, Span(doing), Span(f" · {todo}"), after])
        who = f" · {shortened(names[seat], left if width >= BOARD_WIDTH else NAME_IN_HEADING)}{todo}"
    return flowing([[*before, Span(doing + who, "bold")], [after]], width, HEADING_GAP)


# ------------------------------------------------------------------------------------------------------- the offer


def _offer(state: State, width: int) -> list[Line]:
    return [
        *_displays(state, min(width, DISPLAYS_PER_LINE * DISPLAY_WIDTH)),
        [Span(" C ", "bold"), *_marker(state, 0), *_counted(state.centre)],
        [Span(" supply ", "bold"), *(_tiles(state.supply) or [_NOTHING])],
    ]


def _offer_in_short(state: State, width: int) -> list[Line]:
    centre = [Span(" C ", "bold"), *_marker(state, 0), *_counted_in_short(state.centre)]
    supply = [Span(" supply ", "bold"), *_counted_in_short(state.supply)]
    displays = _displays(state, width) if state.offered else []
    cells = [centre, supply] if state.offered or state.marker == 0 else [supply]
    return [*displays, *packed(cells, width, 2)]


def _displays(state: State, width: int) -> list[Line]:
    """The displays in lines of about the same length."""
    displays = len(state.displays)
    lines = -(-displays // max(1, width // DISPLAY_WIDTH))
    cells: list[list[Span]] = []
    for number, tiles in enumerate(state.displays, start=1):
        cell = [Span(f" {number} ", "bold"), *(_tiles(tiles) or [_NOTHING])]
        cells.append([*cell, Span(" " * (DISPLAY_WIDTH - width_of(cell)))])
    return packed(cells, -(-displays // lines) * DISPLAY_WIDTH)


def _marker(state: State, place: Seat) -> list[Span]:
    """The chip of whoever starts the next round, in the centre (0) or at a seat; it says nothing when all is over."""
    return [Span(" starts ", "marker"), Span(" ")] if state.marker == place and state.phase != "over" else []


def _tiles(tiles: Tiles) -> list[Span]:
    return list(map(draw_tile, colours_of(tiles)))


def _counted(tiles: Tiles) -> list[Span]:
    spans: list[Span] = []
    for colour, many in enumerate(counts(tiles)):
        if many:
            spans += [draw_tile(colour), Span(f"×{many} " if many > 1 else " ")]
    return spans or [_NOTHING]


def _counted_in_short(tiles: Tiles) -> list[Span]:
    """`3P 1G`, as payments are written."""
    spans: list[Span] = []
    for heap in _heaps(tiles):
        spans += [*([Span(" ")] if spans else []), heap]
    return spans


def _heaps(tiles: Tiles) -> list[Span]:
    heaps = [(many, colour) for colour, many in enumerate(counts(tiles)) if many]
    return [Span(f"{many}{LETTERS[colour]}", f"tile.{COLOURS[colour]}") for many, colour in heaps] or [_NONE]


# ------------------------------------------------------------------------------------------------------ the boards


def _board(state: State, seat: Seat, names: Names, *, low: bool = False, width: int = BOARD_WIDTH) -> list[Line]:
    """A board whole, or star by star in a width that is less."""
    board = state.boards[seat - 1]
    acts = seat in to_act(state)
    marker = _marker(state, seat)
    after = [
        Span(f"  {total(board.score)} {'point' if board.score == 1 else 'points'}"),
        *([Span("  "), marker[0]] if marker else []),
        *([Span("  passed", "dim")] if _has_passed(state, board) else []),
    ]
    name = shortened(f"{'▶' if acts else ' '} {names[seat]}", min(NAME_WIDTH, width - width_of(after)))
    title: Line = [Span(name, "bold" if acts else ""), *after]
    held, tiles = ("kept ", board.corners) if board.corners else ("hand ", board.hand)
    is_narrow = width < BOARD_WIDTH
    stars = draw_stars(board, state.options.side) if is_narrow else draw_pavilion(board, state.options.side, low=low)
    hand = _counted_in_short(tiles) if is_narrow else _counted(tiles)
    return [title, *stars, [Span(held, "dim"), *hand]]


def _others(state: State, own: Seat, names: Names, width: int) -> list[Line]:
    """Everybody else in short, with the tiles in their hands, or those they kept when they passed."""
    others = [seat for seat in range(1, state.seats + 1) if seat != own]
    boards = [state.boards[seat - 1] for seat in others]
    shorts = [
        Short(names[seat], seat in to_act(state), board, _remark(state, seat, board))
        for seat, board in zip(others, boards, strict=True)
    ]
    size = cell_width(len(others), width)
    heaps = [_heaps(board.corners if board.passed else board.hand) for board in boards]
    hands = [packed([[heap] for heap in of_seat], max(_TWO_HEAPS, size - 1), 1) for of_seat in heaps]
    rows = zip_longest(*hands, fillvalue=())
    lines = [in_columns("" if row else "hand", cells, size) for row, cells in enumerate(rows)]
    return [*draw_in_short(shorts, width), *lines]


def _remark(state: State, seat: Seat, board: Board) -> Span:
    if _marker(state, seat):
        return Span("starts", "marker")
    return Span("passed", "dim") if _has_passed(state, board) else Span("")


def _has_passed(state: State, board: Board) -> bool:
    """Whether a seat is out of the round, as long as there is one."""
    return board.passed and state.phase != "over"


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Everything public about the table. Bag and tower show their size only; neither can be looked into."""
    return {
        "side": state.options.side,
        "phase": state.phase,
        "round": state.round,
        "wild": None if state.wild == NO_COLOUR else COLOURS[state.wild],
        "turn": state.turn or None,
        "to_act": list(to_act(state)),
        "owed": state.owed,
        "starter": state.starter or None,
        "marker": state.marker or "centre",
        "displays": [_names(display) for display in state.displays],
        "centre": _names(state.centre),
        "supply": _names(state.supply),
        "bag": how_many(state.bag),
        "tower": how_many(state.tower),
        "boards": [_board_view(seat, board) for seat, board in enumerate(state.boards, start=1)],
        "standings": [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in state.standings],
    }


def _board_view(seat: int, board: Board) -> dict[str, Any]:
    return {
        "seat": seat,
        "score": board.score,
        "hand": _names(board.hand),
        "corners": _names(board.corners),
        "passed": board.passed,
        **pavilion_view(board),
    }


def pavilion_view(board: Pavilion) -> dict[str, Any]:
    """The stars of a board by name, and what is complete around them."""
    return {
        "stars": {
            name: [None if tile == NO_COLOUR else COLOURS[tile] for tile in board.spaces[star * SLOTS :][:SLOTS]]
            for star, name in enumerate(STARS)
        },
        "features": [feature.name for feature in ALL_FEATURES if board.occupied & feature.spaces == feature.spaces],
    }


def _names(tiles: Tiles) -> list[str]:
    return [COLOURS[colour] for colour in colours_of(tiles)]
