"""Nettles drawn: the nettle in the middle, and for each seat its petals and what it has picked."""

from typing import Final

from events.core import Seat
from projections.core import ScoredParts
from projections.drawing import OFFER, Element, Panel, part, rectangle, seat_part, text
from projections.words import count, joined
from tests.nettles.projection.picture import in_the_middle, situation
from tests.nettles.projection.state import State, runs
from tests.nettles.projection.words import run_words

MARGIN: Final = 8
WIDTH: Final = 360
CARD: Final = 80
PETALS: Final = 84
"""The width of a seat's petals; the rest is for its nettles."""
ABREAST: Final = 7
"""Runs beside each other; fourteen nettles are no more than two rows of them."""


def board(state: State) -> list[Panel]:
    """What lies in the middle, then what lies in front of each seat."""
    return [_offer(state), *(_seat(state, seat) for seat in range(1, state.seats + 1))]


def _offer(state: State) -> Panel:
    return Panel(
        key=OFFER,
        title="The nettle",
        description=f"{in_the_middle(state).capitalize()}, {situation(state)}.",
        width=WIDTH,
        height=CARD + 2 * MARGIN,
        children=(
            part(
                "nettle",
                in_the_middle(state),
                rectangle(MARGIN, MARGIN, CARD, CARD, "plate", rx=8),
                text(MARGIN + CARD / 2, MARGIN + 34, str(state.nettle) if state.nettle else "–", size=30),
                text(MARGIN + CARD / 2, MARGIN + 66, count(state.paid, "petal"), size=13),
            ),
            text(CARD + 3 * MARGIN, MARGIN + CARD / 2, situation(state), "quiet", 13, "start"),
        ),
    )


def _seat(state: State, seat: Seat) -> Panel:
    petals = count(state.petals[seat - 1], "petal")
    picked = list(map(run_words, runs(state.nettles[seat - 1])))
    return Panel(
        key=seat_part(seat),
        title="Petals and nettles",
        description=f"{petals}; nettles: {joined(picked) or 'none'}.",
        width=WIDTH,
        height=64 + 2 * MARGIN,
        children=(
            _field(seat_part(seat, "petals"), MARGIN, PETALS, petals, [petals]),
            _field(
                seat_part(seat, "nettles"),
                PETALS + 2 * MARGIN,
                WIDTH - PETALS - 3 * MARGIN,
                f"nettles {joined(picked)}" if picked else "no nettles",
                [" ".join(picked[:ABREAST]), " ".join(picked[ABREAST:])],
            ),
        ),
        seat=seat,
    )


def _field(name: str, x: float, width: float, label: str, lines: list[str]) -> Element:
    written = [text(x + width / 2, MARGIN + 22 + 22 * row, line, size=13) for row, line in enumerate(lines) if line]
    return part(name, label, rectangle(x, MARGIN, width, 64, "plate", rx=8), *written)


SCORED_PARTS: Final[ScoredParts] = {
    "nettles": lambda event, line, state: [seat_part(line.seat, "nettles")],
    "petals": lambda event, line, state: [seat_part(line.seat, "petals")],
}
