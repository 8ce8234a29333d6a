"""A score pad of Summer Pavilion as people and programs see it: the stars, the scores, and who has still to enter."""

from typing import Any

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
    joined_within,
    looked_at,
    shortened,
    stacked,
    width_of,
)
from projections.pads import to_enter
from projections.summer_pavilion.pavilion import (
    BOARD_WIDTH,
    GAP,
    NAME_WIDTH,
    Short,
    boards_abreast,
    draw_in_short,
    draw_key,
    draw_pavilion,
    draw_stars,
)
from projections.summer_pavilion.picture import pavilion_view
from projections.summer_pavilion_pad.state import State
from projections.words import count


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Who has still to enter on top, then the boards where all of them fit, else one and the others in short."""
    heading = flowing([[Span(_heading(state, names, room.width), "bold")]], room.width)
    key = draw_key(state.side, room.width)
    seats = range(1, state.seats + 1)
    if room.width < BOARD_WIDTH and room.height is None:
        boards = [_board(state, seat, names, width=room.width) for seat in seats]
        return stacked([heading, *boards, key], room)
    for low in (False, True):
        boards = [_board(state, seat, names, low=low) for seat in seats]
        whole = [*heading, [], *boards_abreast(boards, room.width), [], *key]
        if fits(whole, room):
            return whole
    own = looked_at(room, to_enter(state))
    shorts = [_short(state, seat, names) for seat in seats if seat != own]
    width = room.width - BOARD_WIDTH - GAP
    pictures = [_board(state, own, names), draw_in_short(shorts, width)]
    return stacked([heading, beside(pictures, [BOARD_WIDTH, width], GAP), key], room)


def situation(state: State) -> str:
    """The round that entries are for."""
    if state.standings:
        return f"Round {state.round} · game over"
    return f"Round {state.round if state.entering else state.round + 1}"


def _heading(state: State, names: Names, width: int) -> str:
    if state.standings:
        return situation(state)
    seats = to_enter(state)
    before, after = f"{situation(state)} · ", " to enter"
    return before + joined_within([names[seat] for seat in seats], width - len(before + after)) + after


def _board(state: State, seat: Seat, names: Names, *, low: bool = False, width: int = BOARD_WIDTH) -> list[Line]:
    """A board whole, or star by star in a width that is less."""
    board, acts, took = state.boards[seat - 1], seat in to_enter(state), took_marker(state, seat)
    after = [Span(f"  {count(board.score, 'point')}"), *([Span("  took the marker", "dim")] if took else [])]
    name = shortened(f"{'▶' if acts else ' '} {names[seat]}", min(NAME_WIDTH, width - width_of(after)))
    title: Line = [Span(name, "bold" if acts else ""), *after]
    stars = draw_stars(board, state.side) if width < BOARD_WIDTH else draw_pavilion(board, state.side, low=low)
    return [title, *stars]


def _short(state: State, seat: Seat, names: Names) -> Short:
    remark = Span("marker", "dim") if took_marker(state, seat) else Span("")
    return Short(names[seat], seat in to_enter(state), state.boards[seat - 1], remark)


def took_marker(state: State, seat: Seat) -> bool:
    """Whether a seat is known to have taken the marker in the round that is being entered."""
    return state.marker == seat and bool(state.entering)


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
