"""Pebbles drawn: bowl, hand and dice, and for each seat its pile and its largest haul."""

from typing import Final

from events.core import Seat
from projections.core import ScoredParts
from projections.drawing import OFFER, Element, Panel, circle, part, rectangle, seat_part, text, tile
from projections.words import count
from tests.pebbles.projection.state import State
from tests.pebbles.projection.words import dice

MARGIN: Final = 8
PEBBLE: Final = 12
ABREAST: Final = 10
HEAP: Final = (ABREAST + 1) * PEBBLE
"""The width of a heap."""
HEIGHT: Final = 92
"""The height of a heap: it has room for all pebbles there are, so that nothing moves when some are taken."""
DIE: Final = 40
RIGHT: Final = HEAP + 2 * MARGIN
WIDTH: Final = RIGHT + HEAP + MARGIN
BELOW: Final = HEIGHT + 2 * MARGIN


def board(state: State) -> list[Panel]:
    """What lies in the middle, then what lies in front of each seat."""
    return [_offer(state), *(_seat(state, seat) for seat in range(1, state.seats + 1))]


def _offer(state: State) -> Panel:
    in_hand = sum(state.hand)
    return Panel(
        key=OFFER,
        title="The bowl and the dice",
        description=f"{count(state.bowl, 'pebble')} in the bowl, {in_hand} in hand, {dice(state.dice)} in the air.",
        width=WIDTH,
        height=BELOW + DIE + MARGIN,
        children=(
            _heap("bowl", "bowl", MARGIN, state.bowl),
            _heap("hand", "hand", RIGHT, in_hand),
            *(_die(state, number) for number in range(1, state.most_dice + 1)),
        ),
    )


def _heap(name: str, words: str, x: float, pebbles: int) -> Element:
    lying = [
        circle(x + (place % ABREAST + 1) * PEBBLE, MARGIN + 30 + place // ABREAST * PEBBLE, 5, "pip")
        for place in range(pebbles)
    ]
    plate = rectangle(x, MARGIN, HEAP, HEIGHT, "plate", rx=12)
    said = text(x + HEAP / 2, MARGIN + 13, f"{words}: {pebbles}", size=13)
    return part(name, f"{words}: {count(pebbles, 'pebble')}", plate, said, *lying)


def _die(state: State, number: int) -> Element:
    """To touch the third die is to throw three; those in the air are red."""
    kind = "red" if number <= state.dice else "white"
    x = MARGIN + (number - 1) * (DIE + MARGIN)
    return part(die_part(number), f"throw {dice(number)}", tile(x, BELOW, DIE, kind, str(number)))


def die_part(number: int) -> str:
    """The part of a die."""
    return f"die-{number}"


def _seat(state: State, seat: Seat) -> Panel:
    pile, haul, keeps = state.piles[seat - 1], state.hauls[seat - 1], count(state.keeps[seat - 1], "time")
    return Panel(
        key=seat_part(seat),
        title="Pile and largest haul",
        description=f"{count(pile, 'pebble')} on the pile, kept {keeps}, at most {haul} at once.",
        width=WIDTH,
        height=BELOW + 20,
        children=(
            _heap(seat_part(seat, "pile"), "pile", MARGIN, pile),
            _heap(seat_part(seat, "haul"), "largest haul", RIGHT, haul),
            text(MARGIN, BELOW + 6, f"kept {keeps}", "quiet", 13, "start"),
        ),
        seat=seat,
    )


SCORED_PARTS: Final[ScoredParts] = {
    "kept": lambda event, line, state: [seat_part(line.seat, "pile")],
    "only-ones": lambda event, line, state: [die_part(number + 1) for number in range(line.operands["dice"])],
    "largest-haul": lambda event, line, state: [seat_part(line.seat, "haul")],
}
