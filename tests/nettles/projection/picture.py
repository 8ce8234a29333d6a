"""Nettles as people and programs see it: the table in a few lines, and as plain values."""

from typing import Any, Final

from events.core import Seat
from projections.core import ROOMY, Line, Names, Room, Span, columns, flowing, shortened
from projections.words import count
from tests.nettles.projection.state import State, runs
from tests.nettles.projection.words import run_words

NAME_WIDTH: Final = 20


def situation(state: State) -> str:
    """How many nettles are still to come."""
    return f"{count(state.deck, 'nettle')} in the deck"


def in_the_middle(state: State) -> str:
    """The nettle and what was paid for it."""
    return f"nettle {state.nettle} with {count(state.paid, 'petal')}" if state.nettle else "no nettle"


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """The middle on top, then a line for every seat; small enough for any screen."""
    shown = {seat: shortened(names[seat], NAME_WIDTH) for seat in range(1, state.seats + 1)}
    longest = max(map(columns, shown.values()))
    middle = [Span(in_the_middle(state).capitalize(), "bold"), Span(f" · {situation(state)}")]
    seats = [_seat(state, seat, name, longest) for seat, name in shown.items()]
    return [line for part in (middle, [], *seats) for line in flowing([part], room.width)]


def _seat(state: State, seat: Seat, name: str, longest: int) -> Line:
    is_on_turn = seat == state.turn and not state.standings
    score = f", {count(state.scores[seat - 1], 'point')}" if state.standings else ""
    picked = " ".join(map(run_words, runs(state.nettles[seat - 1])))
    return [
        Span("▶ " if is_on_turn else "  "),
        Span(name, "bold" if is_on_turn else ""),
        Span(" " * (longest - columns(name))),
        Span(f"  {count(state.petals[seat - 1], 'petal'):9}{score}"),
        Span(f"  {picked}", "dim"),
    ]


def view(state: State) -> dict[str, Any]:
    """The table as plain values; which nettles are in the deck is for nobody to know."""
    return {
        "nettle": state.nettle,
        "petals": state.paid,
        "deck": state.deck,
        "turn": 0 if state.standings else state.turn,
        "seats": [
            {"seat": seat, "score": score, "petals": petals, "nettles": list(nettles)}
            for seat, (score, petals, nettles) in enumerate(
                zip(state.scores, state.petals, state.nettles, strict=True), start=1
            )
        ],
    }
