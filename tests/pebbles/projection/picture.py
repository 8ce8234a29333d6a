"""Pebbles as people and programs see it: the table in a few lines, and as plain values."""

from collections.abc import Mapping
from typing import Any, Final

from events.core import Seat
from projections.core import ROOMY, Line, Names, Room, Span, columns, flowing, shortened
from projections.words import count
from tests.pebbles.projection.state import State
from tests.pebbles.projection.words import dice

NAME_WIDTH: Final = 24


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The bowl on top, then a line for every seat; small enough for any screen."""
    shown = {seat: shortened(names[seat], NAME_WIDTH) for seat in range(1, state.seats + 1)}
    longest = max(map(columns, shown.values()))
    lines = [_heading(state, shown), [], *(_seat(state, seat, name, longest) for seat, name in shown.items())]
    return [part for line in lines for part in flowing([line], room.width)]


def situation(state: State) -> str:
    """How far the bowl has been emptied, and whether dice are in the air."""
    throwing = f", throwing {dice(state.dice)}" if state.dice else ""
    return f"{count(state.bowl, 'pebble')} in the bowl{throwing}"


def _heading(state: State, shown: Mapping[Seat, str]) -> Line:
    bowl = Span(f"{count(state.bowl, 'pebble')} in the bowl", "bold")
    if not state.turn:
        return [bowl, Span(" · the game is over")]
    doing = f"throwing {dice(state.dice)}" if state.dice else "to move"
    hand = f" · {sum(state.hand)} in hand" if state.hand else ""
    return [bowl, Span(f"{hand} · {shown[state.turn]} {doing}")]


def _seat(state: State, seat: Seat, name: str, longest: int) -> Line:
    index = seat - 1
    is_on_turn = seat == state.turn
    haul = f", {state.hauls[index]} of them at once" if state.hauls[index] else ""
    return [
        Span("▶ " if is_on_turn else "  "),
        Span(name, "bold" if is_on_turn else ""),
        Span(" " * (longest - columns(name))),
        Span(f"  {count(state.scores[index], 'point'):9}"),
        Span(f"  {count(state.piles[index], 'pebble')} kept{haul}", "dim"),
    ]


def view(state: State) -> dict[str, Any]:
    """The table as plain values; there is nothing in Pebbles that anybody may not know."""
    return {
        "bowl": state.bowl,
        "turn": state.turn,
        "dice": state.dice,
        "hand": list(state.hand),
        "seats": [
            {"seat": seat, "score": score, "pile": pile, "keeps": keeps, "haul": haul}
            for seat, (score, pile, keeps, haul) in enumerate(
                zip(state.scores, state.piles, state.keeps, state.hauls, strict=True), start=1
            )
        ],
    }
