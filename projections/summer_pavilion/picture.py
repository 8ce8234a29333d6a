"""Summer Pavilion as people and programs see it: the table in letters and colours, and as plain values.

Every star is a ring of six cells, drawn where it lies on the board:

         N              NW: slots 5 6 1 2 3 4 stand at NW N NE SE S SW
     NW     NE          and so on round the board, each star turned by 60°;
     SW     SE          `+1 +2 +3` between the stars are pillars, statues
         S              and windows with the bonus tiles they give.
"""

from collections.abc import Sequence
from typing import Any, Final

from projections.core import ROOMY, Line, Names, Room, Span, side_by_side
from projections.summer_pavilion.stars import (
    ALL_FEATURES,
    CENTRE,
    COLOURS,
    DIRECTIONS,
    LETTERS,
    NUMBERS,
    SLOT_ONE,
    SLOTS,
    STAR_COLOURS,
    STARS,
)
from projections.summer_pavilion.state import NO_COLOUR, Board, Pavilion, State, to_act
from projections.words import count, joined

BOARD_WIDTH: Final = 49
GAP: Final = 2
DISPLAYS_PER_LINE: Final = 5
PHASES: Final = {
    "start": "choosing who starts",
    "supply": "waiting for the supply",
    "deal": "waiting for the deal",
    "acquire": "acquiring",
    "place": "placing",
    "bonus": "choosing bonus tiles",
    "over": "game over",
}

_ROWS: Final = 14
_RING: Final = ((4, 0), (8, 1), (8, 2), (4, 3), (0, 2), (0, 1))
"""Where the cells at N, NE, SE, S, SW, NW of a star begin, as column and row."""
_CORNERS: Final = ((11, 0), (27, 0), (35, 5), (27, 10), (11, 10), (3, 5), (19, 5))
"""Where each star begins, clockwise from NW, and the middle one."""
_TURNS: Final = tuple(map(DIRECTIONS.index, SLOT_ONE))
"""Which cell of its ring holds a star's slot 1."""
_FEATURE_PLACES: Final = {
    "pillar-NW": (20, 4),
    "pillar-NE": (28, 4),
    "pillar-E": (32, 7),
    "pillar-SE": (28, 9),
    "pillar-SW": (20, 9),
    "pillar-W": (16, 7),
    "statue-NW-NE": (24, 1),
    "statue-NE-E": (36, 4),
    "statue-E-SE": (36, 9),
    "statue-SE-SW": (24, 12),
    "statue-SW-W": (12, 9),
    "statue-W-NW": (12, 4),
    "window-NW": (11, 0),
    "window-NE": (36, 0),
    "window-E": (47, 6),
    "window-SE": (36, 13),
    "window-SW": (11, 13),
    "window-W": (0, 6),
}


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The whole table: the offer on top, then the boards, as many beside each other as there is room for."""
    lines = [_heading(state, names), []]
    if state.phase != "over":
        lines += [*_offer(state), []]
    boards = [_board(state, seat, names) for seat in range(1, state.seats + 1)]
    lines += side_by_side(boards, BOARD_WIDTH, room.width, GAP)
    return [*lines, *draw_key(state.options.side)]


def draw_key(side: str) -> list[Line]:
    """What the signs on a board mean, where it is not plain to see."""
    return [] if side == "coloured" else [[], [Span("3·1 is slot 3, which costs 1 tile", "dim")]]


def _heading(state: State, names: Names) -> Line:
    spans = [Span(f"Round {state.round}", "bold")]
    if state.wild != NO_COLOUR:
        spans += [Span(" · wild "), _tile(state.wild)]
    who = " · " + joined([names[seat] for seat in to_act(state)]) + " to move" if to_act(state) else ""
    owed = f" · {count(state.owed, 'bonus tile')} due" if state.owed else ""
    spans.append(Span(f" · {PHASES[state.phase]}{who}{owed}", "bold"))
    return [*spans, Span(f"    bag {sum(state.bag)} · tower {sum(state.tower)}", "dim")]


def _offer(state: State) -> list[Line]:
    displays: list[list[Span]] = []
    for index, tiles in enumerate(state.displays):
        if index % DISPLAYS_PER_LINE == 0:
            displays.append([])
        displays[-1] += [Span(f" {index + 1} ", "bold"), *(_tiles(tiles) or [Span(" · ", "dim")])]
        displays[-1].append(Span("   " * max(0, 4 - max(1, sum(tiles)))))
    centre = [Span(" C ", "bold"), *([Span(" 1st ", "marker"), Span(" ")] if state.marker == 0 else [])]
    return [
        *displays,
        [*centre, *_counted(state.centre)],
        [Span(" supply ", "bold"), *(_tiles(state.supply) or [Span(" · ", "dim")])],
    ]


def _tiles(counts: Sequence[int]) -> list[Span]:
    return [_tile(colour) for colour, tiles in enumerate(counts) for _ in range(tiles)]


def _counted(counts: Sequence[int]) -> list[Span]:
    spans: list[Span] = []
    for colour, tiles in enumerate(counts):
        if tiles:
            spans += [_tile(colour), Span(f"×{tiles} " if tiles > 1 else " ")]
    return spans or [Span(" · ", "dim")]


def _tile(colour: int) -> Span:
    return Span(f" {LETTERS[colour]} ", f"tile.{COLOURS[colour]}")


def _board(state: State, seat: int, names: Names) -> list[Line]:
    board = state.boards[seat - 1]
    acts = seat in to_act(state)
    title: Line = [
        Span(f"{'▶' if acts else ' '} {names[seat]}"[: BOARD_WIDTH - 27], "bold" if acts else ""),
        Span(f"  {count(board.score, 'point')}"),
        *([Span("  "), Span(" 1st ", "marker")] if state.marker == seat else []),
        *([Span("  passed", "dim")] if board.passed else []),
    ]
    hand: Line = [Span("hand ", "dim"), *_counted(board.hand)]
    corners: Line = [Span("kept ", "dim"), *_counted(board.corners)]
    return [title, *draw_pavilion(board, state.options.side), corners if any(board.corners) else hand]


def draw_pavilion(board: Pavilion, side: str) -> list[Line]:
    """The stars and what lies between them, each piece of text put at its place."""
    placed: list[list[tuple[int, Span]]] = [[] for _ in range(_ROWS)]
    for star in range(len(STARS)):
        left, top = _CORNERS[star]
        for slot in range(SLOTS):
            column, row = _RING[(_TURNS[star] + slot) % SLOTS]
            placed[top + row].append((left + column, _cell(board, side, star, slot)))
    for feature in ALL_FEATURES:
        column, row = _FEATURE_PLACES[feature.name]
        is_complete = board.occupied & feature.spaces == feature.spaces
        placed[row].append((column, Span("ok", "good") if is_complete else Span(f"+{feature.reward}", "dim")))
    return [_spread(spans) for spans in placed]


def _spread(placed: list[tuple[int, Span]]) -> Line:
    line: list[Span] = []
    position = 0
    for column, span in sorted(placed):
        line += [Span(" " * (column - position)), span]
        position = column + len(span.text)
    return line


def _cell(board: Pavilion, side: str, star: int, slot: int) -> Span:
    tile = board.spaces[star * SLOTS + slot]
    if tile != NO_COLOUR:
        return _tile(tile)
    number = NUMBERS[side][star][slot]
    if side != "coloured":
        return Span(f"{slot + 1}·{number}", "dim")
    if star == CENTRE:
        return Span(f"·{number} ", "dim")
    colour = COLOURS.index(STAR_COLOURS[star])
    return Span(f"{LETTERS[colour].lower()}{number} ", f"print.{STAR_COLOURS[star]}")


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
        "bag": sum(state.bag),
        "tower": sum(state.tower),
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


def _names(counts: Sequence[int]) -> list[str]:
    return [COLOURS[colour] for colour, tiles in enumerate(counts) for _ in range(tiles)]
