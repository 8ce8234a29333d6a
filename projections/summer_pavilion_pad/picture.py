"""A score pad of Summer Pavilion as people and programs see it: the stars, the scores, and who has still to enter."""

from typing import Any

from projections.core import ROOMY, Line, Names, Room, Span, side_by_side
from projections.pads import to_enter
from projections.summer_pavilion.picture import BOARD_WIDTH, GAP, draw_key, draw_pavilion, pavilion_view
from projections.summer_pavilion_pad.state import State
from projections.words import count, joined


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Who has still to enter on top, then the boards, as many beside each other as there is room for."""
    boards = [_board(state, seat, names) for seat in range(1, state.seats + 1)]
    heading: Line = [Span(_heading(state, names)[: room.width], "bold")]
    return [heading, [], *side_by_side(boards, BOARD_WIDTH, room.width, GAP), *draw_key(state.side)]


def _heading(state: State, names: Names) -> str:
    if state.standings:
        return f"Round {state.round} · game over"
    coming = state.round if state.entering else state.round + 1
    return f"Round {coming} · {joined([names[seat] for seat in to_enter(state)])} to enter"


def _board(state: State, seat: int, names: Names) -> list[Line]:
    board, acts = state.boards[seat - 1], seat in to_enter(state)
    title: Line = [
        Span(f"{'▶' if acts else ' '} {names[seat]}"[: BOARD_WIDTH - 27], "bold" if acts else ""),
        Span(f"  {count(board.score, 'point')}"),
        *([Span("  took the marker", "dim")] if state.marker == seat and state.entering else []),
    ]
    return [title, *draw_pavilion(board, state.side)]


def view(state: State) -> dict[str, Any]:
    """Everything on the pad."""
    return {
        "side": state.side,
        "round": state.round,
        "to_act": list(to_enter(state)),
        "marker": state.marker or None,
        "boards": [
            {"seat": seat, "score": board.score, **pavilion_view(board)}
            for seat, board in enumerate(state.boards, start=1)
        ],
        "standings": [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in state.standings],
    }
