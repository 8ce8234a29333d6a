"""A Coloretto collection drawn: cards fanned out in a lane for each kind, with what they score as it stands."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from events.coloretto import Colour, Kind
from events.core import Seat
from projections.coloretto.state import (
    COLOUR_NAMES,
    GOLDEN,
    JOKER,
    LETTERS,
    PLUS_TWO,
    State,
    Tableau,
    jokers_left,
)
from projections.coloretto.worth import Pile, optimal, piles, worth
from projections.drawing import Element, Panel, circle, group, part, path, rectangle, seat_part, text
from projections.words import count, joined, signed

WIDTH: Final = 380
MARGIN: Final = 8
SHAPE: Final = 1.38
"""How much higher a card is than wide."""
LOOKS: Final = (*COLOUR_NAMES, "plus", "joker", "gold")
"""The kind of colours each kind of card is drawn in."""
PARTS: Final = (*COLOUR_NAMES, "plus-two", "joker", "joker")
"""What the cards of each kind in front of a seat are called as a part."""
CARD: Final = 34
STEP: Final = 15
"""From one card of a fan to the next, as long as there is room for it."""
FANNED: Final = 0.36
"""The size of a letter that is still seen when another card lies on it."""
FAN: Final = 122
"""The height of a fan, however many cards it has: a card that is taken moves nothing on the page."""
LANE: Final = FAN + 48
LANES_TOP: Final = 36
LANE_PITCH: Final = 48

# ---------------------------------------------------------------------------------------------------------------- cards


def card(x: float, y: float, width: float, kind: Kind, letter: float = 0.46) -> Element:
    """A card with its letter in the corner, where it is seen when others lie on it, and a curled tail on its face.

    `letter` is its size, measured by the width of the card.
    """
    return group(
        rectangle(x, y, width, width * SHAPE, "face", rx=width * 0.13),
        _curl(x + width * 0.52, y + width * 0.88, width * 0.27),
        _corner(x, y, width, LETTERS[kind], letter),
        **{"class": f"tile kind-{LOOKS[kind]}"},
    )


def _corner(x: float, y: float, width: float, letter: str, size: float) -> Element:
    return text(x + width * 0.1, y + width * (size * 0.5 + 0.05), letter, "", width * size, "start")


def _curl(x: float, y: float, size: float) -> Element:
    """The tail of a chameleon around a point."""
    line = "M-1.1,1 C.7,1.5 1.3,.5 1,-.3 C.7,-1.2 -.7,-1.1 -.7,-.2 C-.7,.6 .4,.6 .4,0 C.4,-.4 -.1,-.4 -.1,-.1"
    return group(path(line, "curl", stroke_width=0.34), transform=f"translate({x:.1f} {y:.1f}) scale({size:.1f})")


def place(x: float, y: float, width: float, letter: str = "", look: str = "") -> Element:
    """Where a card may lie, in the colours of the kind that is meant."""
    shape = rectangle(x, y, width, width * SHAPE, "face", rx=width * 0.13)
    letters = [_corner(x, y, width, letter, FANNED)] if letter else []
    return group(shape, *letters, **{"class": f"space kind-{look}" if look else "space"})


def kind_part(seat: Seat, kind: Kind, number: int = 0) -> str:
    """The part of a seat's cards of a kind; with a number, of one of them."""
    return seat_part(seat, f"{PARTS[kind]}-{number}" if number else PARTS[kind])


# --------------------------------------------------------------------------------------------------------------- a seat


def seat_panel(state: State, seat: Seat) -> Panel:
    """What a seat has collected."""
    tableau = state.tableaus[seat - 1]
    given, free = _jokers(tableau)
    found = {pile.colour: pile for pile in piles(state, tableau)}
    lanes = [
        _colour_lane(found.get(colour), colour, given[colour], is_settled=_is_settled(state, seat))
        for colour in state.colours
    ]
    lanes += [_joker_lane(free), _plus_lane(tableau)]
    pitch = min(LANE_PITCH, (WIDTH - 2 * MARGIN) / len(lanes))
    left = (WIDTH - len(lanes) * pitch) / 2
    held = [lane.label for lane in lanes if lane.number]
    total = f"worth {signed(worth(state, tableau))}{'' if _is_settled(state, seat) else ' as it stands'}"
    said = ["; ".join(held) or "no cards", total, _doing(state, seat)]
    if _started(state, seat):
        said.append("started this round")
    return Panel(
        key=seat_part(seat),
        title="Cards by colour",
        description=" ".join(f"{words[:1].upper()}{words[1:]}." for words in said if words),
        width=WIDTH,
        height=LANES_TOP + LANE + MARGIN,
        children=(
            *_status(state, seat),
            *(_draw_lane(lane, seat, left + number * pitch, pitch) for number, lane in enumerate(lanes)),
        ),
        seat=seat,
    )


def _status(state: State, seat: Seat) -> list[Element]:
    """Above the cards: who started, what the seat has done or has to decide, and what it would score now."""
    tableau, middle = state.tableaus[seat - 1], LANES_TOP / 2 + 2
    total = worth(state, tableau)
    started = _started(state, seat)
    doing = _doing(state, seat)
    said, beside = ("points", 48) if _is_settled(state, seat) else ("as it stands", 84)
    right = WIDTH - MARGIN - 2
    return [
        *([_first(MARGIN + 13, middle)] if started else []),
        *([text(MARGIN + (34 if started else 2), middle, doing, "quiet", 13, "start")] if doing else []),
        text(right - beside, middle, signed(total), "good" if total >= 0 else "bad", 16, "end"),
        text(right, middle, said, "quiet", 13, "end"),
    ]


def _first(x: float, y: float) -> Element:
    return group(circle(x, y, 13, "face"), text(x, y, "1st", size=11), **{"class": "marker"})


def _started(state: State, seat: Seat) -> bool:
    return state.round > 0 and state.starter == seat and state.phase not in ("final", "over")


def _is_settled(state: State, seat: Seat) -> bool:
    """Whether nothing is left to decide."""
    return state.phase == "over" or (state.phase == "final" and seat not in state.deciding)


def _doing(state: State, seat: Seat) -> str:
    """What a seat has done in this round, has left to decide or could have decided."""
    tableau = state.tableaus[seat - 1]
    if state.phase == "over":
        best = optimal(state.options, tableau.cards, state.colours).total
        return f"{signed(best)} was possible" if best > worth(state, tableau) else "the most that was possible"
    if state.phase == "final":
        left = jokers_left(tableau)
        asked = f"{count(left, 'joker')} to give a colour" if left else "three plus colours to name"
        return "has decided" if _is_settled(state, seat) else asked
    if seat in state.holders:
        return f"out with row {state.holders.index(seat) + 1}"
    return "out without a row" if state.out >> seat & 1 else ""


# ---------------------------------------------------------------------------------------------------------------- lanes


class _Lane(NamedTuple):
    """The cards of one kind, and what is said of them."""

    kind: Kind
    label: str
    cards: Sequence[Kind] = ()
    number: int = 0
    """How many cards count here; 0 where there is nothing."""
    value: str = ""
    look: str = ""
    hoped: int = 0
    """Jokers without a colour that are worth most here."""


def _jokers(tableau: Tableau) -> tuple[list[list[Kind]], list[Kind]]:
    """The jokers by the colour they were given, and those without one; the golden joker is the last to get one."""
    left = [JOKER] * tableau.cards[JOKER] + [GOLDEN] * tableau.cards[GOLDEN]
    given = []
    for jokers in tableau.assigned:
        given.append(left[:jokers])
        left = left[jokers:]
    return given, left


def _named(jokers: Sequence[Kind]) -> str:
    plain = jokers.count(JOKER)
    return joined([*([count(plain, "joker")] if plain else []), *["the golden joker"] * jokers.count(GOLDEN)])


def _colour_lane(pile: Pile | None, colour: Colour, jokers: list[Kind], *, is_settled: bool) -> _Lane:
    name = COLOUR_NAMES[colour]
    if pile is None:
        return _Lane(colour, f"no {name}")
    held = [
        *([f"{pile.own} {name}"] if pile.own else []),
        *([f"{_named(jokers)} as {name}"] if jokers else []),
        *([f"{count(pile.hoped, 'joker')} that would do most as {name}"] if pile.hoped else []),
    ]
    return _Lane(
        kind=colour,
        label=f"{joined(held)}: {signed(pile.value)}",
        cards=[*jokers, *[colour] * pile.own],
        number=pile.cards,
        value=signed(pile.value),
        look=f"{'good' if pile.value > 0 else 'bad'}{'' if is_settled else ' hoped'}",
        hoped=pile.hoped,
    )


def _joker_lane(free: list[Kind]) -> _Lane:
    if not free:
        return _Lane(JOKER, "no joker without a colour")
    return _Lane(JOKER, f"{_named(free)} without a colour", free, len(free), "free", "quiet")


def _plus_lane(tableau: Tableau) -> _Lane:
    cards = tableau.cards[PLUS_TWO]
    if not cards:
        return _Lane(PLUS_TWO, 'no "+2" card')
    value, label = signed(2 * cards), count(cards, '"+2" card')
    return _Lane(PLUS_TWO, f"{label}: {value}", [PLUS_TWO] * cards, cards, value, "good")


def _draw_lane(lane: _Lane, seat: Seat, x: float, pitch: float) -> Element:
    """The ground of a lane, the cards fanned out on it, and under them how many they are and what they score."""
    left, middle, top = x + (pitch - CARD) / 2, x + pitch / 2, LANES_TOP + 5
    step = min(STEP, (FAN - CARD * SHAPE) / max(1, len(lane.cards) + lane.hoped - 1))
    fan = [place(left, top + spot * step, CARD, "j", LOOKS[JOKER]) for spot in range(lane.hoped)]
    for number, kind in enumerate(lane.cards, start=1):
        drawn = card(left, top + (lane.hoped + number - 1) * step, CARD, kind, FANNED)
        # Each "+2" card scores by itself (CO-52), the cards of a colour score together.
        fan.append(part(kind_part(seat, kind, number), f'"+2" card {number}', drawn) if kind == PLUS_TWO else drawn)
    below = LANES_TOP + FAN + 18
    words = [text(middle, below, str(lane.number), size=13), text(middle, below + 17, lane.value, lane.look, size=13)]
    return part(
        kind_part(seat, lane.kind),
        lane.label,
        rectangle(x + 1, LANES_TOP, pitch - 2, LANE, "lane", rx=8),
        *(fan or [place(left, top, CARD, LETTERS[lane.kind].lower(), LOOKS[lane.kind])]),
        *(words if lane.number else []),
    )
