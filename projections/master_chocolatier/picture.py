"""Master Chocolatier as people and programs see it: the table in letters and colours, and as plain values."""

from typing import Any, Final

from events.azul import Slot
from projections.azul import picture as azul
from projections.azul.state import MARKER, NO_COLOUR
from projections.core import ROOMY, Line, Names, Room, Span, packed, shortened, width_of
from projections.master_chocolatier.state import (
    BLUE_SIDE,
    EDITION,
    PULL,
    SHIELD,
    SIDE_NAMES,
    SIGNS,
    SPREAD,
    UNTURNED,
    State,
)
from projections.master_chocolatier.words import does

GAP: Final = 1
DISPLAY_WIDTH: Final = 19 + GAP
OFFER_WIDTH: Final = 5 * DISPLAY_WIDTH - GAP
NAME_WIDTH: Final = 28
"""What a name gets where the signs are explained."""

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Azul's picture; with special factories, gold displays show their signs and say what they do."""
    if not state.options.has_specials:
        return azul.draw(state, names, room)
    width = min(room.width, OFFER_WIDTH)
    offer = [
        *packed(_displays(state, names), width, GAP),
        *azul.draw_centre(state, width),
        *_legend(state, names, width),
    ]
    return azul.draw_table(state, names, room, offer)


def _displays(state: State, names: Names) -> list[list[Span]]:
    cells = []
    for display, (side, tiles) in enumerate(zip(state.sides, state.displays, strict=True), start=1):
        cell = [Span(f" {display} ", "bold"), _sign(side)]
        if display == state.gone:
            cell.append(Span(f"→ {shortened(names[state.holder], 9)}", "dim"))
        else:
            cell += azul.draw_tiles(tiles, EDITION)
        # A display with more than four pralines takes the room of two, and the next one is in line again.
        cells.append([*cell, Span(" " * (-(width_of(cell) + GAP) % DISPLAY_WIDTH))])
    return cells


def _sign(side: int) -> Span:
    if side == BLUE_SIDE:
        return Span("    ")
    if side == UNTURNED:
        return Span(" ?  ", "good")
    style = f"print.{EDITION.colours[PULL.index(side)]}" if side in PULL else "good"
    return Span(f"{SIGNS[side]:<3} ", style)


def _legend(state: State, names: Names, width: int) -> list[Line]:
    """What the signs of this round mean, and what became of the disc."""
    lines: list[Line] = []
    for display, side in enumerate(state.sides, start=1):
        if side >= 0:
            effect = [[Span(word, "dim")] for word in _effect(state, display, names).split()]
            if side == SHIELD and state.holder:
                effect.append([_disc(state.disc)])
            lines += packed([[Span(f"   {SIGNS[side]:<3}", "dim")], *effect], width, gap=1, indent=7)
    return lines


def _effect(state: State, display: int, names: Names) -> str:
    side = state.sides[display - 1]
    if side == SPREAD:
        return f"leftovers of display {display} go to its neighbours, each colour to one of them"
    if side != SHIELD:
        return f"display {display} {does(side)}"
    if state.holder:
        return f"{shortened(names[state.holder], NAME_WIDTH)} holds the disc of display {display}"
    return f"who picks from display {display} takes its disc: the next fallen praline is free"


def _disc(piece: int) -> Span:
    """What lies on the disc."""
    if piece == NO_COLOUR:
        return Span(" 0 ", "good")
    return Span(" st", "marker") if piece == MARKER else azul.draw_tile(piece, EDITION)


# --------------------------------------------------------------------------------------------------- plain values


def view(state: State) -> dict[str, Any]:
    """Azul's view, the gold sides and the disc. What lies under blue displays is nowhere in the state (MC-44)."""
    words = {BLUE_SIDE: None, UNTURNED: "unturned", **dict(enumerate(SIDE_NAMES))}
    return {
        **azul.view(state),
        "sides": [words[side] for side in state.sides],
        "disc": {"seat": state.holder, "holds": _piece(state.disc)} if state.holder else None,
    }


def _piece(piece: Slot) -> str | None:
    if piece == NO_COLOUR:
        return None
    return "marker" if piece == MARKER else EDITION.colours[piece]
