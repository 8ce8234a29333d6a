"""A score pad of Coloretto as people and programs see it: every collection with what it would score now."""

from typing import Any, Final

from projections.coloretto.picture import draw_side, draw_tableau, tableau_view
from projections.coloretto.state import COLOUR_NAMES
from projections.coloretto_pad.state import COUNTING, State, to_act
from projections.core import ROOMY, Line, Names, Room, Span
from projections.words import joined

PHASES: Final = {COUNTING: "to count", "final": "to decide", "over": ""}


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Who has still something to enter on top, then every collection."""
    seats = joined([names[seat] for seat in to_act(state)])
    heading = f"{seats} {PHASES[state.phase]}" if seats else "Game over"
    lines: list[Line] = [[Span(heading[: room.width], "bold")], []]
    for seat in range(1, state.seats + 1):
        lines += draw_tableau(state, seat, names, acts=seat in to_act(state))
    return [*lines, [], draw_side(state)]


def view(state: State) -> dict[str, Any]:
    """Everything on the pad."""
    return {
        "phase": state.phase,
        "to_act": list(to_act(state)),
        "side": "violet" if state.options.is_violet else "brown",
        "colours": [COLOUR_NAMES[colour] for colour in state.colours],
        "tableaus": [tableau_view(state, seat, tableau) for seat, tableau in enumerate(state.tableaus, start=1)],
        "standings": [{"seat": place.seat, "rank": place.rank, "score": place.score} for place in state.standings],
    }
