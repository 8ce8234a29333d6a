"""Master Chocolatier as people and programs see it: the table in letters and colours, and as plain values."""

from collections.abc import Sequence
from typing import Any, Final

from events.azul import Slot
from projections.azul import picture as azul
from projections.azul.state import MARKER, NO_COLOUR
from projections.core import ROOMY, Line, Names, Room, Span, side_by_side
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

BOARD_WIDTH: Final = 44
OFFER_WIDTH: Final = 98

# --------------------------------------------------------------------------------------------------------- pictures


def draw(state: State, names: Names, room: Room = ROOMY) -> list[Line]:
    """Azul's picture; with special factories, gold displays show their signs and say what they do."""
    if not state.options.has_specials:
        return azul.draw(state, names, room)
    boards = [_board(state, seat, names) for seat in range(1, state.seats + 1)]
    offer = [*_displays(state, names), *_legend(state, names)]
    return azul.draw_table(state, names, offer, side_by_side(boards, BOARD_WIDTH, room.width))


def _displays(state: State, names: Names) -> list[Line]:
    lines: list[list[Span]] = [[]]
    for display, (side, tiles) in enumerate(zip(state.sides, state.displays, strict=True), start=1):
        cell = [Span(f" {display} ", "bold"), _sign(side)]
        if display == state.gone:
            cell.append(Span(f"→ {names[state.holder]}"[:12].ljust(12), "dim"))
        else:
            cell += azul.draw_tiles(tiles, EDITION)
            cell.append(Span("   " * max(0, 4 - max(1, sum(tiles)))))
        if _width(lines[-1]) + _width(cell) > OFFER_WIDTH:
            lines.append([])
        lines[-1] += cell
    return [*lines, azul.draw_centre(state)]


def _width(spans: Sequence[Span]) -> int:
    return sum(len(span.text) for span in spans)


def _sign(side: int) -> Span:
    if side == BLUE_SIDE:
        return Span("    ")
    if side == UNTURNED:
        return Span(" ?  ", "good")
    style = f"print.{EDITION.colours[PULL.index(side)]}" if side in PULL else "good"
    return Span(f"{SIGNS[side]:<3} ", style)


def _legend(state: State, names: Names) -> list[Line]:
    return [
        [Span(f"   {SIGNS[side]:<3} {_effect(state, display, names)}", "dim")]
        for display, side in enumerate(state.sides, start=1)
        if side >= 0
    ]


def _effect(state: State, display: int, names: Names) -> str:
    side = state.sides[display - 1]
    if side == SPREAD:
        return f"leftovers of display {display} go to the displays beside it, each colour to one of them"
    if side != SHIELD:
        return f"display {display} {does(side)}"
    if state.holder:
        return f"{names[state.holder]} holds the disc of display {display}"
    return f"whoever picks from display {display} takes its disc: the next fallen praline costs nothing"


def _board(state: State, seat: int, names: Names) -> list[Line]:
    title, *rows, floor = azul.draw_board(state, seat, names)
    if state.holder != seat:
        return [title, *rows, floor]
    if state.disc == MARKER:
        # The marker is drawn on the disc, so not beside the name as well.
        title = [span for span in title if span.style != "marker"]
    return [title, *rows, [*floor, Span("  disc ", "dim"), _disc(state.disc)]]


def _disc(piece: int) -> Span:
    if piece == NO_COLOUR:
        return Span(" 0 ", "good")
    return Span("1st", "marker") if piece == MARKER else azul.draw_tile(piece, EDITION)


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
