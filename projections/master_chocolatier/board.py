"""Master Chocolatier drawn: Azul's table, gold displays with their signs, and the disc beside each floor."""

from typing import Final

from events.core import Seat
from projections.azul import board as azul
from projections.azul.offer import MARGIN, SIGN_HEIGHT, SIGN_WIDTH, Sign, draw_sign, offer_panel
from projections.azul.state import MARKER, NO_COLOUR
from projections.core import ScoredParts
from projections.drawing import Element, Panel, circle, part, seat_part, text
from projections.master_chocolatier.state import BLUE_SIDE, EDITION, PULL, SHIELD, SIGNS, UNTURNED, State
from projections.master_chocolatier.words import does

LEGEND: Final = 22
"""From one line of the legend to the next."""


def board(state: State) -> list[Panel]:
    """Azul's panels; with special factories, what is special about them."""
    if not state.options.has_specials:
        return azul.board(state)
    offer = [_offer(state)] if state.phase != "over" else []
    return [*offer, *(_seat_panel(state, seat) for seat in range(1, state.seats + 1))]


def _offer(state: State) -> Panel:
    """Azul's, with a line for each gold display that says what it does; as high before they are turned."""
    signs = {number: _sign(state, number) for number, side in enumerate(state.sides, start=1) if side != BLUE_SIDE}
    panel = offer_panel(state, signs)
    legend: list[Element] = []
    for place, (number, sign) in enumerate(signs.items()):
        y = panel.height + place * LEGEND
        legend.append(draw_sign(sign, MARGIN, y))
        words = f"display {number} {sign.words}"
        legend.append(text(MARGIN + SIGN_WIDTH + 8, y + SIGN_HEIGHT / 2, words, "quiet", size=13, anchor="start"))
    height = panel.height + state.seats * LEGEND + MARGIN
    return panel._replace(height=height, children=(*panel.children, *legend))


def _sign(state: State, display: int) -> Sign:
    side = state.sides[display - 1]
    if side == UNTURNED:
        return Sign("?", "gold", "is about to show its gold side")
    if side == SHIELD and state.holder:
        is_gone = display == state.gone
        where = "lies before a player as a free floor space" if is_gone else "gave its token to a player"
        return Sign(SIGNS[side], "gold", where, is_gone)
    return Sign(SIGNS[side], EDITION.colours[PULL.index(side)] if side in PULL else "gold", does(side))


def _seat_panel(state: State, seat: Seat) -> Panel:
    panel = azul.seat_panel(state, seat)
    has_disc = state.holder == seat
    caught = _caught(state) if has_disc else ""
    # The marker is one piece: on the disc it does not lie beside the board as well.
    elsewhere = azul.marker_part(seat) if has_disc and state.disc == MARKER else ""
    lying = [child for child in panel.children if not elsewhere or child.part != elsewhere]
    return panel._replace(
        description=panel.description + (f" The disc: {caught}." if has_disc else ""),
        children=(*lying, _disc(state, seat, caught)),
    )


def _caught(state: State) -> str:
    return f"{azul.piece_name(state.disc, EDITION)}{', which costs nothing' if state.disc != NO_COLOUR else ''}"


def _disc(state: State, seat: Seat, caught: str) -> Element:
    """The disc beside the floor line, or its place while the seat has none."""
    x, y, half = azul.FLOOR_RIGHT + 6, azul.FLOOR_TOP, azul.TILE / 2
    above = text(x + half, y - 8, "0", "quiet", size=11)
    if not caught:
        return part(disc_part(seat), "no disc", above, circle(x + half, y + half, half, "plate bare"))
    lies = [] if state.disc == NO_COLOUR else [azul.draw_piece(state.disc, EDITION, x, y)]
    return part(
        disc_part(seat), f"the disc, {caught}", above, circle(x + half, y + half, half + 3, "plate gilt"), *lies
    )


def disc_part(seat: Seat) -> str:
    """The part of a disc, or of its place."""
    return seat_part(seat, "disc")


SCORED_PARTS: Final[ScoredParts] = {
    **azul.SCORED_PARTS,
    "shielded": lambda event, line, state: [disc_part(line.seat)],
    "shielded-marker": lambda event, line, state: [disc_part(line.seat)],
}
