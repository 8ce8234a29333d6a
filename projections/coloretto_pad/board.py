"""A score pad of Coloretto drawn: for each seat a row of spots for every kind of card, and then its collection."""

from typing import Final

from events.coloretto import Kind
from events.core import Seat
from projections.coloretto.board import score_chart
from projections.coloretto.collection import LOOKS, MARGIN, WIDTH, kind_part, seat_panel
from projections.coloretto.state import CARDS_PER_COLOUR, JOKER, JOKERS, KINDS, LETTERS, PLUS_TWO, PLUS_TWOS, Tableau
from projections.coloretto.worth import Pile, piles, worth
from projections.coloretto_pad.state import COUNTING, State
from projections.coloretto_pad.words import counted
from projections.drawing import Element, Panel, group, part, rectangle, seat_part, space, text, tile
from projections.words import signed

SPOT: Final = 28
PITCH: Final = 32
SPOTS_LEFT: Final = WIDTH - MARGIN - PLUS_TWOS * PITCH + (PITCH - SPOT)


def board(state: State) -> list[Panel]:
    """The score chart, then what each seat counts; once everybody has counted, the collections as in the game."""
    draw = _count_panel if state.phase == COUNTING else seat_panel
    return [score_chart(state), *(draw(state, seat) for seat in range(1, state.seats + 1))]


def done_part(seat: Seat) -> str:
    """The part that says that a seat has counted everything."""
    return seat_part(seat, "done")


def _count_panel(state: State, seat: Seat) -> Panel:
    tableau = state.tableaus[seat - 1]
    kinds = (*state.colours, JOKER, PLUS_TWO)
    bottom = MARGIN + len(kinds) * PITCH + 4
    is_open = seat in state.counting
    held = [counted(kind, tableau.cards[kind]) for kind in kinds if tableau.cards[kind]]
    total = f"worth {signed(worth(state, tableau))} as it stands"
    return Panel(
        key=seat_part(seat),
        title="How many cards of each kind",
        description=f"Counted: {', '.join(held) or 'nothing yet'}; {total}. "
        + ("More may follow." if is_open else "That is everything."),
        width=WIDTH,
        height=bottom + SPOT + MARGIN,
        children=(
            *(_kind_row(tableau, seat, kind, MARGIN + row * PITCH) for row, kind in enumerate(kinds)),
            *(_value(pile, MARGIN + kinds.index(pile.colour) * PITCH) for pile in piles(state, tableau)),
            _done(seat, bottom, is_open=is_open),
            text(WIDTH - MARGIN, bottom + SPOT / 2, total, "quiet", 13, "end"),
        ),
        seat=seat,
    )


def _kind_row(tableau: Tableau, seat: Seat, kind: Kind, y: float) -> Element:
    """A spot for every number of cards there can be of a kind; those that were counted lie there as pieces."""
    most = {JOKER: JOKERS, PLUS_TWO: PLUS_TWOS}.get(kind, CARDS_PER_COLOUR)
    held = tableau.cards[kind]
    spots = []
    for number in range(1, most + 1):
        x = SPOTS_LEFT + (number - 1) * PITCH
        drawn = (
            tile(x, y, SPOT, LOOKS[kind], str(number))
            if number <= held
            else space(x, y, SPOT, str(number), LOOKS[kind])
        )
        spots.append(part(kind_part(seat, kind, number), counted(kind, number), drawn))
    sign = tile(MARGIN, y, SPOT, LOOKS[kind], LETTERS[kind])
    return part(kind_part(seat, kind), f"{KINDS[kind]}: {held or 'none'} counted", sign, *spots)


def _value(pile: Pile, y: float) -> Element:
    """What a colour scores as it stands, behind its spots: it has one less than there are "+2" cards."""
    look = "good hoped" if pile.value > 0 else "bad hoped"
    return text(WIDTH - MARGIN, y + SPOT / 2, signed(pile.value), look, 14, "end")


def _done(seat: Seat, y: float, *, is_open: bool) -> Element:
    words = "That is everything" if is_open else "✓ counted"
    look = "plate" if is_open else "plate bare"
    width = 150
    button = group(
        rectangle(MARGIN, y, width, SPOT, look, rx=8), text(MARGIN + width / 2, y + SPOT / 2, words, size=13)
    )
    return part(done_part(seat), "everything is counted", button)
