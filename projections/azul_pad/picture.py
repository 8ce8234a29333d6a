"""A score pad of Azul as people and programs see it: the walls, the scores, and who has still to enter."""

from typing import Any, Final

from projections.azul.picture import draw_cell, wall_view
from projections.azul_pad.state import State
from projections.core import ROOMY, Line, Names, Room, Span, columns, joined_within, shortened, side_by_side
from projections.pads import to_enter
from projections.words import count

BOARD_WIDTH: Final = 30


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Who has still to enter on top, then the walls, as many beside each other as there is room for."""
    boards = [_board(state, seat, names) for seat in range(1, state.seats + 1)]
    return [[Span(_heading(state, names, room.width), "bold")], [], *side_by_side(boards, BOARD_WIDTH, room.width)]


def coming_round(state: State) -> int:
    """The round the next entry is for; the last one once all is over."""
    return state.round if state.entering or state.standings else state.round + 1


def situation(state: State) -> str:
    """How far the game has come."""
    return f"Round {coming_round(state)} · {'game over' if state.standings else 'entering what was placed'}"


def _heading(state: State, names: Names, width: int) -> str:
    if state.standings:
        return situation(state)
    where = f"Round {coming_round(state)} · "
    who = joined_within([names[seat] for seat in to_enter(state)], width - columns(f"{where} to enter"))
    return f"{where}{who} to enter"


def _board(state: State, seat: int, names: Names) -> list[Line]:
    board, acts = state.boards[seat - 1], seat in to_enter(state)
    score = f"  {count(board.score, 'point')}"
    name = shortened(names[seat], BOARD_WIDTH - 2 - columns(score))
    title: Line = [Span(f"{'▶' if acts else ' '} {name}", "bold" if acts else ""), Span(score)]
    rows: list[Line] = [
        [Span(f"  {row + 1} ", "dim"), *(draw_cell(state.options, board, row, column) for column in range(5))]
        for row in range(5)
    ]
    return [title, *rows]


def view(state: State) -> dict[str, Any]:
    """Everything on the pad."""
    colours = state.options.edition.colours
    return {
        "round": state.round,
        "to_act": list(to_enter(state)),
        "boards": [
            {"seat": seat, "score": board.score, "wall": wall_view(board, colours)}
            for seat, board in enumerate(state.boards, start=1)
        ],
        "standings": [
            {"seat": place.seat, "rank": place.rank, "score": place.score, "rows": place.tiebreak}
            for place in state.standings
        ],
    }
