"""A score pad of Coloretto as people and programs see it: every collection with what it would score now."""

from typing import Any, Final

from projections.coloretto.picture import draw_side, draw_tableau, tableau_view
from projections.coloretto.state import COLOUR_NAMES
from projections.coloretto_pad.state import COUNTING, State, to_act
from projections.core import ROOMY, Line, Names, Room, Span, joined_within

PHASES: Final = {COUNTING: "to count", "final": "to decide", "over": ""}


SITUATIONS: Final = {COUNTING: "counting the cards", "final": "jokers and plus colours", "over": "game over"}


def situation(state: State) -> str:
    """How far the pad is."""
    return SITUATIONS[state.phase]


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Who has still something to enter on top, then every collection: five of them fit the smallest room."""
    acting = to_act(state)
    doing = f" {PHASES[state.phase]}"
    seats = joined_within([names[seat] for seat in acting], room.width - len(doing))
    lines: list[Line] = [[Span(f"{seats}{doing}" if acting else "Game over", "bold")], []]
    for seat in range(1, state.seats + 1):
        lines += draw_tableau(state, seat, names, room.width, acts=seat in acting)
    return [*lines, [], *draw_side(state, room.width)]


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
