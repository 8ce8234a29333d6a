"""A score pad of Azul drawn to be tapped: for each seat its wall, its colours and its floor."""

from collections.abc import Iterator
from typing import Final

from events.azul import Slot
from events.core import Seat
from projections.azul.board import COLUMNS, GAP, describe_wall, draw_wall, floor_part
from projections.azul.offer import MARGIN, WIDTH
from projections.azul.sums import FLOOR
from projections.azul_pad.picture import coming_round
from projections.azul_pad.state import State
from projections.drawing import OFFER, Element, Panel, group, part, rectangle, seat_part, space, text, tile
from projections.words import count, signed

END: Final = "end"
"""The part one touches to say that there is no further round."""
CELL: Final = 38
PITCH: Final = CELL + GAP
WALL_LEFT: Final = MARGIN + 18
TOP: Final = MARGIN + COLUMNS
PALETTE_LEFT: Final = WALL_LEFT + 5 * PITCH + 26
FLOOR_TOP: Final = TOP + 5 * PITCH + 26
KEY: Final = 22
"""The size of a colour that is only a key to the letters: too small to look like something to tap."""
SPOT: Final = (WIDTH - 2 * MARGIN - len(FLOOR) * GAP) / (len(FLOOR) + 1)
"""The width of a floor space: with the clean floor they fill a line."""


def board(state: State) -> list[Panel]:
    """What belongs to the table, then what is entered for each seat."""
    return [
        *([] if state.standings else [_table(state)]),
        *(_seat_panel(state, seat) for seat in range(1, state.seats + 1)),
    ]


def _table(state: State) -> Panel:
    """How far the round has come, and the spot that ends the game between two rounds (AP-7)."""
    entered = state.seats - len(state.entering) if state.entering else 0
    where = f"{entered} of {count(state.seats, 'player')} entered"
    may_end = bool(state.round) and not state.entering
    left, width, height = WIDTH - MARGIN - 150, 150, 36
    spot = group(
        rectangle(left, MARGIN, width, height, "face", rx=8),
        text(left + width / 2, MARGIN + height / 2, "No further round", size=14),
        **{"class": "space" if may_end else "space shut"},
    )
    label = "no further round: count the bonuses" if may_end else "the game can end once a round is entered by all"
    return Panel(
        key=OFFER,
        title="The pad",
        description=f"Round {coming_round(state)}: {where}.",
        width=WIDTH,
        height=height + 2 * MARGIN,
        children=(
            text(MARGIN, MARGIN + 10, f"Round {coming_round(state)}", size=16, anchor="start"),
            text(MARGIN, MARGIN + 28, where, "quiet", size=13, anchor="start"),
            part(END, label, spot),
        ),
    )


def _seat_panel(state: State, seat: Seat) -> Panel:
    own, options, shut = state.boards[seat - 1], state.options, _shut_rows(state, seat)
    return Panel(
        key=seat_part(seat),
        title=f"{options.edition.wall.capitalize()} and floor",
        description=f"{describe_wall(own, options.edition)} {_still_open(state, seat).capitalize()}.",
        width=WIDTH,
        height=FLOOR_TOP + CELL + MARGIN,
        children=(
            *draw_wall(options, own, seat, WALL_LEFT, TOP, CELL, shut),
            *_palette(state, seat),
            text(MARGIN, FLOOR_TOP - 12, "occupied floor spaces", "quiet", size=12, anchor="start"),
            text(WIDTH - MARGIN, FLOOR_TOP - 12, _still_open(state, seat), "quiet", size=12, anchor="end"),
            *(_floor_space(seat, spaces, is_shut=_is_closed(state, seat)) for spaces in range(len(FLOOR) + 1)),
        ),
        seat=seat,
    )


def _is_closed(state: State, seat: Seat) -> bool:
    """Whether nothing can be entered for the seat now."""
    return bool(state.standings) or (bool(state.entering) and seat not in state.entering)


def _shut_rows(state: State, seat: Seat) -> int:
    """The rows above the lowest that was entered, that one included: lines are settled from the top down (AZ-38)."""
    if state.standings or not state.entering:
        return 0
    return state.lines[seat - 1] if seat in state.entering else 5


def _still_open(state: State, seat: Seat) -> str:
    if state.standings:
        return "the game is over"
    if _is_closed(state, seat):
        return f"round {state.round} is entered"
    first = _shut_rows(state, seat) + 1
    if first > 5:
        return "only the floor is open"
    return f"rows {first}–5 are open" if first < 5 else "row 5 is open"


def _palette(state: State, seat: Seat) -> Iterator[Element]:
    """The colours with their names: to be tapped on the free side, a key to the letters on the other."""
    edition, is_grey = state.options.edition, state.options.is_grey
    size = CELL if is_grey else KEY
    is_shut = is_grey and _is_closed(state, seat)
    for slot, name in enumerate(edition.colours):
        middle, letter = TOP + slot * PITCH + CELL / 2, edition.letters[slot]
        place = (PALETTE_LEFT, middle - size / 2, size)
        drawn = (
            group(space(*place, letter), **{"class": "shut"}) if is_shut else tile(*place, name, letter),
            text(PALETTE_LEFT + size + 8, middle, name, "quiet", anchor="start"),
        )
        yield part(colour_part(state, seat, slot), f"lay {name}", *drawn) if is_grey else group(*drawn)


def colour_part(state: State, seat: Seat, slot: Slot) -> str:
    """The part of a colour to be laid on the free side."""
    return seat_part(seat, state.options.edition.colours[slot])


def _floor_space(seat: Seat, spaces: int, *, is_shut: bool) -> Element:
    """The spot for so many occupied spaces, with what they cost; 0 is a clean floor."""
    x, y, loss = MARGIN + spaces * (SPOT + GAP), FLOOR_TOP, sum(FLOOR[:spaces])
    look = "space shut" if is_shut else "space"
    spot = group(
        rectangle(x, y, SPOT, CELL, "face", rx=6),
        text(x + SPOT / 2, y + 13, str(spaces), size=15),
        text(x + SPOT / 2, y + 29, signed(-loss) if loss else "clean", size=11),
        **{"class": look},
    )
    label = f"{count(spaces, 'floor space')} occupied, a loss of {count(loss, 'point')}" if spaces else "a clean floor"
    return part(floor_part(seat, spaces), label, spot)
