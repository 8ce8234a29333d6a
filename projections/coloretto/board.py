"""Coloretto drawn: the rows, the deck and the score chart; and in front of each seat what it has collected."""

from typing import Final

from events.coloretto import Colour
from projections.coloretto.collection import MARGIN, SHAPE, WIDTH, card, kind_part, place, seat_panel
from projections.coloretto.state import COLOUR_NAMES, COLOURS, KINDS, NO_CARD, PLUS_TWO, State
from projections.coloretto.worth import table_of
from projections.core import ScoredParts
from projections.drawing import OFFER, Element, Panel, group, part, rectangle, text
from projections.words import count, joined

ROW_CARD: Final = 32
ROW_HEIGHT: Final = 50
ROW_PITCH: Final = 54
ROW_WIDTH: Final = 188
FEWEST_ROWS: Final = 3
ASIDE: Final = MARGIN + ROW_WIDTH + 12
"""Where what lies beside the rows begins."""
DECK_CARD: Final = 58
START_CARD: Final = 40

# ------------------------------------------------------------------------------------------------------------ the offer


def board(state: State) -> list[Panel]:
    """The rows with the deck, or the score chart alone once they are gone; then what each seat has."""
    offer = score_chart(state) if state.phase in ("final", "over") else _offer(state)
    return [offer, *(seat_panel(state, seat) for seat in range(1, state.seats + 1))]


def _offer(state: State) -> Panel:
    rows = len(state.rows)
    bottom = MARGIN + max(FEWEST_ROWS, rows) * ROW_PITCH
    is_choosing = state.phase == "cards" and state.options.may_choose_start
    lying = _start_cards(state, (MARGIN + bottom) / 2) if is_choosing else [_row(state, index) for index in range(rows)]
    chart, below = _chart(state, bottom + 4)
    starting = f"To start with: {joined([COLOUR_NAMES[colour] for colour in state.colours])}." if is_choosing else ""
    told = [
        starting or f"{'; '.join(_describe_row(state, index) for index in range(rows))}.".capitalize(),
        f"{_describe_deck(state).capitalize()}.",
        "" if state.drawn == NO_CARD else f"{_describe_drawn(state).capitalize()}.",
        _describe_chart(state),
    ]
    return Panel(
        key=OFFER,
        title="The cards to start with, and the deck" if is_choosing else f"{count(rows, 'row')} and the deck",
        description=" ".join(filter(None, told)),
        width=WIDTH,
        height=below + MARGIN,
        children=(*lying, *_beside_rows(state, (MARGIN + bottom) / 2), *chart),
    )


def _row(state: State, index: int) -> Element:
    y, number, holder = MARGIN + index * ROW_PITCH, index + 1, state.holders[index]
    middle = y + ROW_HEIGHT / 2
    plate = rectangle(MARGIN, y, ROW_WIDTH, ROW_HEIGHT, "plate bare" if holder else "plate", rx=10)
    if holder:
        inside = [text(MARGIN + ROW_WIDTH / 2, middle, f"row {number} · seat {holder} took it", "quiet", size=12)]
    else:
        across = MARGIN + 48
        lying = state.rows[index]
        inside = [_row_card(state, number, MARGIN + 6, y + 8, ROW_HEIGHT - 16)]
        for spot in range(state.capacities[index]):
            x = across + spot * (ROW_CARD + 12)
            inside.append(card(x, y + 3, ROW_CARD, lying[spot]) if spot < len(lying) else place(x, y + 3, ROW_CARD))
    return part(f"row-{number}", _describe_row(state, index), plate, *inside)


def _row_card(state: State, number: int, x: float, y: float, size: float) -> Element:
    """The card that marks a row, green where two play (CO-58)."""
    return group(
        rectangle(x, y, size, size, "face", rx=size * 0.5),
        text(x + size / 2, y + size / 2, str(number), size=size * 0.5),
        **{"class": f"tile kind-{'green' if state.seats == 2 else 'brown'}"},
    )


def _describe_row(state: State, index: int) -> str:
    if holder := state.holders[index]:
        return f"row {index + 1}, which seat {holder} took"
    lying, size = state.rows[index], state.capacities[index]
    cards = joined([KINDS[kind] for kind in lying]) or "empty"
    left = size - len(lying)
    return f"row {index + 1}: {cards}, {f'room for {left} more' if left else 'full'}"


def _start_cards(state: State, middle: float) -> list[Element]:
    abreast, high = 4, START_CARD * SHAPE + 10
    drawn = []
    for spot, colour in enumerate(state.colours):
        row, column = divmod(spot, abreast)
        x, y = MARGIN + column * (START_CARD + 8), middle + (row - 1) * high
        drawn.append(part(start_part(colour), COLOUR_NAMES[colour], card(x, y, START_CARD, colour)))
    return drawn


def start_part(colour: Colour) -> str:
    """The part of a card to start with."""
    return f"start-{COLOUR_NAMES[colour]}"


def _beside_rows(state: State, middle: float) -> list[Element]:
    """The deck, the card in hand and, under both, the last-round card."""
    high = DECK_CARD * SHAPE
    top = middle - (high + 66) / 2
    left, right = ASIDE + 12, ASIDE + 94
    cards = state.undrawn
    backs = [rectangle(left + 3 * layer, top + 3 * layer, DECK_CARD, high, "back", rx=8) for layer in range(2, -1, -1)]
    number = text(left + DECK_CARD / 2, top + high / 2, str(cards), "on-back", size=22)
    deck = [*backs[-cards:], number] if cards else [place(left, top, DECK_CARD, "0")]
    hand = place(right, top, DECK_CARD) if state.drawn == NO_CARD else card(right, top, DECK_CARD, state.drawn)
    drawn = "no card drawn" if state.drawn == NO_CARD else _describe_drawn(state)
    under = top + high + 14
    return [
        part("deck", _describe_deck(state), *deck),
        text(left + DECK_CARD / 2, under, "deck", "quiet", size=12),
        part("drawn", drawn, hand),
        text(right + DECK_CARD / 2, under, "drawn", "quiet", size=12),
        _last_round(state, under + 14),
    ]


def _last_round(state: State, y: float) -> Element:
    width, height = WIDTH - MARGIN - ASIDE, 34
    if state.is_last_round:
        words, look = ["This round is the last"], "marker"
    else:
        words, look = ["last-round card", f"under {count(state.above, 'card')}"], "space"
    first = y + height / 2 - 7 * (len(words) - 1)
    lines = [text(ASIDE + width / 2, first + 14 * line, said, size=12) for line, said in enumerate(words)]
    shape = rectangle(ASIDE, y, width, height, "face", rx=6)
    return part("last-round", _describe_last_round(state), group(shape, *lines, **{"class": look}))


def _describe_last_round(state: State) -> str:
    if state.is_last_round:
        return "the last-round card has come"
    return f"the last-round card lies under {count(state.above, 'card')}"


def _describe_deck(state: State) -> str:
    return f"the deck has {count(state.undrawn, 'card')}, {_describe_last_round(state)}"


def _describe_drawn(state: State) -> str:
    return f"seat {state.turn} has drawn {KINDS[state.drawn]}"


# ------------------------------------------------------------------------------------------------------ the score chart


def score_chart(state: State) -> Panel:
    """What so many cards of a colour score, for a table that has nothing else to show."""
    chart, below = _chart(state, MARGIN)
    return Panel(
        key=OFFER,
        title="What the cards of a colour score",
        description=_describe_chart(state),
        width=WIDTH,
        height=below + MARGIN,
        children=tuple(chart),
    )


def _chart(state: State, top: float) -> tuple[list[Element], float]:
    """The points by the number of cards from a height on, and where that ends."""
    side, values = table_of(state.options)
    width = (WIDTH - 2 * MARGIN) / (len(values) + 1)
    plate = rectangle(MARGIN, top, WIDTH - 2 * MARGIN, 42, "plate", rx=10)
    cells = [
        text(MARGIN + 8, top + 13, "cards", "quiet", 12, "start"),
        text(MARGIN + 8, top + 30, "points", "", 12, "start"),
    ]
    for column, (cards, points) in enumerate(values.items(), start=1):
        x = MARGIN + width * (column + 0.5)
        cells += [text(x, top + 13, cards, "quiet", size=12), text(x, top + 30, str(points), size=15)]
    below = text(WIDTH / 2, top + 54, f"{side} side{_left_out(state)}", "quiet", size=12)
    return [part("chart", _describe_chart(state), plate, *cells, below)], top + 60


def _left_out(state: State) -> str:
    out = [COLOUR_NAMES[colour] for colour in range(COLOURS) if colour not in state.colours]
    return f" · without {joined(out)}" if out else ""


def _describe_chart(state: State) -> str:
    side, values = table_of(state.options)
    steps = ", ".join(f"{cards}: {points}" for cards, points in values.items())
    return f"Points by the number of cards of a colour, {side} side{_left_out(state).replace(' ·', ',')}: {steps}."


SCORED_PARTS: Final[ScoredParts] = {
    "colour-plus": lambda event, line, state: [kind_part(line.seat, line.operands["colour"])],
    "colour-minus": lambda event, line, state: [kind_part(line.seat, line.operands["colour"])],
    "plus-two": lambda event, line, state: [kind_part(line.seat, PLUS_TWO, line.operands["card"])],
}
