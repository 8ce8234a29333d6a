"""The seven stars of a board drawn: rhombi around their middles, and pillars, statues and windows where stars meet.

The tips of three neighbouring stars nearly touch, so that every pillar and statue has a rhombus between two stars for
itself, and every window the notch in which its star turns outwards. What a space or a feature looks like is worked out
once for each seat.
"""

from functools import cache, lru_cache
from math import cos, pi, sin, sqrt
from typing import Any, Final, NamedTuple

from events.core import ScoreLine, Seat
from projections.core import ScoredParts
from projections.drawing import Element, circle, group, part, path, polygon, seat_part, text
from projections.summer_pavilion.stars import (
    ALL_FEATURES,
    CENTRE,
    COLOURS,
    DIRECTIONS,
    LETTERS,
    NUMBER_SPACES,
    NUMBERS,
    SLOT_ONE,
    SLOTS,
    STAR_COLOURS,
    STAR_POINTS,
    STARS,
    Feature,
    space_name,
)
from projections.summer_pavilion.state import NO_COLOUR, Pavilion
from projections.words import count, joined

WIDTH: Final = 380
MARGIN: Final = 8
EDGE: Final = 37.5
"""A side of every rhombus."""
APART: Final = 3 * EDGE + 3
"""From one star to the next; with three edges their tips would touch."""
TIP: Final = sqrt(3) * EDGE
"""From the middle of a star to its tips."""
HEIGHT: Final = 2 * (APART * sqrt(3) / 2 + TIP)
INSET: Final = 0.945
"""What is left of each shape, so that neighbours can be told apart."""

# ------------------------------------------------------------------------------------------------------------- geometry


class Dot(NamedTuple):
    """A place in a drawing."""

    x: float
    y: float

    def away(self, distance: float, turn: float) -> "Dot":
        """The point so far from this one, clockwise from straight up by so many sixths of a full turn."""
        angle = turn * pi / 3
        return Dot(self.x + distance * sin(angle), self.y - distance * cos(angle))


def _inset(*corners: Dot, share: float = INSET) -> tuple[Dot, ...]:
    """A shape drawn in towards its middle, down to a share of its size."""
    x, y = (sum(along) / len(corners) for along in zip(*corners, strict=True))
    return tuple(Dot(x + (corner.x - x) * share, y + (corner.y - y) * share) for corner in corners)


_MIDDLE: Final = Dot(WIDTH / 2, MARGIN + HEIGHT / 2)
_STARS: Final = (*(_MIDDLE.away(APART, star - 0.5) for star in range(CENTRE)), _MIDDLE)
"""The middle of each star; the outer ones lie around the centre star, NW a twelfth of a turn left of straight up."""
_TURNS: Final = tuple(tuple(DIRECTIONS.index(first) + slot for slot in range(SLOTS)) for first in SLOT_ONE)
"""Where each slot of each star points, in sixths of a turn."""


def _rhombus(star: int, slot: int) -> tuple[Dot, ...]:
    middle, turn = _STARS[star], _TURNS[star][slot]
    return _inset(middle, middle.away(EDGE, turn - 0.5), middle.away(TIP, turn), middle.away(EDGE, turn + 0.5))


_RHOMBI: Final = tuple(tuple(_rhombus(star, slot) for slot in range(SLOTS)) for star in range(len(STARS)))


class _Place(NamedTuple):
    """Where a feature lies."""

    corners: tuple[Dot, ...]
    middle: Dot


def _place_of(feature: Feature) -> _Place:
    """Between the two stars it belongs to, or outside of its one star."""
    kind, *stars = feature.name.split("-")
    star = STARS.index(stars[0])
    outwards = star - 0.5
    if kind == "window":
        notch = _STARS[star].away(EDGE, outwards)
        shoulders = [notch.away(0.78 * EDGE, outwards + side) for side in (1, -1)]
        ends = [notch.away(0.92 * EDGE, outwards).away(0.36 * EDGE, outwards - side * 1.5) for side in (1, -1)]
        return _Place(_inset(notch, shoulders[0], *reversed(ends), shoulders[1]), notch.away(0.52 * EDGE, outwards))
    turn = outwards + 2 if kind == "statue" else outwards + 3
    near, far = _STARS[star], _STARS[STARS.index(stars[1]) if kind == "statue" else CENTRE]
    middle = Dot((near.x + far.x) / 2, (near.y + far.y) / 2)
    return _Place(
        _inset(
            near.away(EDGE, turn),
            middle.away(TIP / 2, turn + 1.5),
            far.away(EDGE, turn + 3),
            middle.away(TIP / 2, turn - 1.5),
        ),
        middle,
    )


_PLACES: Final = {feature.name: _place_of(feature) for feature in ALL_FEATURES}


# -------------------------------------------------------------------------------------------------------------- drawing


def draw_stars(board: Pavilion, side: str, seat: Seat) -> list[Element]:
    """The stars of a seat, and what lies between them."""
    occupied = board.occupied
    features = [_draw_feature(feature, seat, occupied & feature.spaces == feature.spaces) for feature in ALL_FEATURES]
    stars = [_draw_star(side, star, seat, tuple(board.spaces[star * SLOTS :][:SLOTS])) for star in range(len(STARS))]
    return features + stars


@lru_cache(maxsize=4096)  # from step to step nearly all stars stay as they are
def _draw_star(side: str, star: int, seat: Seat, tiles: tuple[int, ...]) -> Element:
    spaces = [_draw_space(side, star, slot, seat, tile) for slot, tile in enumerate(tiles)]
    built = SLOTS - tiles.count(NO_COLOUR)
    return part(star_part(seat, star), _star_label(side, star, built), *spaces, _NAME_PLATES[star])


def star_part(seat: Seat, star: int) -> str:
    """The part of a star in front of a seat: `seat-1.star-E`."""
    return seat_part(seat, f"star-{STARS[star]}")


def space_part(seat: Seat, star: int, slot: int) -> str:
    """The part of a space, its slot counted from 1: `seat-1.star-E.6`."""
    return f"{star_part(seat, star)}.{slot}"


def has_own_colour(side: str, star: int) -> bool:
    """Whether a star shows which colour it takes (SP-39)."""
    return side == "coloured" and star != CENTRE


def _star_label(side: str, star: int, built: int) -> str:
    if has_own_colour(side, star):
        kind, worth = STAR_COLOURS[star], f"worth {STAR_POINTS[STAR_COLOURS[star]]} when complete"
    elif side == "coloured":
        kind, worth = "every colour once", f"worth {STAR_POINTS['multicolour']} when complete"
    else:
        kind, worth = "one colour or every colour once", "worth what it shows when complete"
    return f"star {STARS[star]}, {kind}: {built} of {count(SLOTS, 'space')} built, {worth}"


_NAME_PLATES: Final = tuple(
    group(circle(middle.x, middle.y, 10.5, "pip"), text(middle.x, middle.y, name, "quiet", size=10))
    for name, middle in zip(STARS, _STARS, strict=True)
)


@cache
def _draw_space(side: str, star: int, slot: int, seat: Seat, tile: int) -> Element:
    """A space, its slot counted from 0: with the tile that lies there, or with the colour that is printed."""
    number, middle, turn = NUMBERS[side][star][slot], _STARS[star], _TURNS[star][slot]
    inner, outer = middle.away(0.53 * EDGE, turn), middle.away(0.98 * EDGE, turn)
    name, corners = space_name(star, slot + 1), _RHOMBI[star][slot]
    shapes = [polygon(corners, "face", stroke_linejoin="round")]
    if tile != NO_COLOUR:
        look, what = f"tile kind-{COLOURS[tile]}", COLOURS[tile]
        shapes += [polygon(_inset(*corners, share=0.8), "inlay"), text(*outer, LETTERS[tile], size=18)]
        shapes.append(text(*inner, str(number), size=10))
    else:
        look, what = "space", "empty"
        shapes.append(text(*outer, str(number), size=16))
        if has_own_colour(side, star):
            colour = STAR_COLOURS[star]
            look, what = f"space kind-{colour}", f"empty, for {colour}"
            shapes.append(text(*inner, LETTERS[COLOURS.index(colour)].lower(), size=11))
    return part(space_part(seat, star, slot + 1), f"{name}, number {number}: {what}", *shapes, **{"class": look})


_EMBLEMS: Final = {
    "pillar": "m-5.5-5.5h11v2.5h-2v6h2v2.5h-11v-2.5h2v-6h-2z",
    "statue": "m-5.5 5.5a5.5 6 0 0 1 11 0zm5.5-11a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
    "window": "m-5 5.5v-6a5 5 0 0 1 4.4-4.9v4.9h-3v1.2h3v4.8zm5.6 0v-4.8h3v-1.2h-3v-4.9a5 5 0 0 1 4.4 4.9v6z",
}
"""A column, a bust and an arch with bars, around a point."""


@cache
def _draw_feature(feature: Feature, seat: Seat, is_complete: bool) -> Element:
    kind, _, where = feature.name.partition("-")
    corners, (x, y) = _PLACES[feature.name]
    if is_complete:
        look, plate, state, mark = "surrounded", "face", "surrounded", text(x, y + 6.5, "✓", size=12)
    else:
        look, plate, state = "", "plate", f"gives {count(feature.reward, 'bonus tile')} once surrounded"
        mark = text(x, y + 6.5, f"+{feature.reward}", "quiet", size=11)
    return part(
        seat_part(seat, feature.name),
        f"{kind} {where}: {state}",
        polygon(corners, plate, stroke_linejoin="round"),
        path(f"M{x:.2f} {y - 6.5:.2f}{_EMBLEMS[kind]}", "emblem"),
        mark,
        **{"class": look},
    )


# ------------------------------------------------------------------------------------------------------------ in words


def describe_stars(board: Pavilion, side: str) -> str:
    """What is built on the stars, slot by slot, and what is surrounded."""
    stars = []
    for star, name in enumerate(STARS):
        tiles = list(enumerate(board.spaces[star * SLOTS :][:SLOTS], start=1))
        if has_own_colour(side, star):
            built = [str(slot) for slot, tile in tiles if tile != NO_COLOUR]
            stars.append(f"{name} ({STAR_COLOURS[star]}) {joined(built)}" if built else "")
        else:
            built = [f"{slot} {COLOURS[tile]}" for slot, tile in tiles if tile != NO_COLOUR]
            stars.append(f"{name} {joined(built)}" if built else "")
    complete = [feature.name for feature in ALL_FEATURES if board.occupied & feature.spaces == feature.spaces]
    told = "; ".join(filter(None, stars))
    spaces = f"Slots built: {told}." if told else "Nothing is built."
    return f"{spaces} Surrounded: {joined(complete) or 'nothing'}."


# ----------------------------------------------------------------------------------------------------- what made points


def _group_parts(event: Any, line: ScoreLine, state: Any) -> list[str]:
    star, first = line.operands["star"], line.operands["first"]
    return [space_part(line.seat, star, (first + step - 1) % SLOTS + 1) for step in range(line.operands["group"])]


def _star_parts(event: Any, line: ScoreLine, state: Any) -> list[str]:
    return [space_part(line.seat, line.operands["star"], slot) for slot in range(1, SLOTS + 1)]


def number_parts(seat: Seat, number: int, side: str) -> list[str]:
    """Every space of a seat with this number."""
    return [
        space_part(seat, space // SLOTS, space % SLOTS + 1)
        for space in range(len(STARS) * SLOTS)
        if NUMBER_SPACES[side][number] >> space & 1
    ]


STAR_SCORED_PARTS: Final[ScoredParts] = {
    "start": lambda event, line, state: [seat_part(line.seat)],
    "placement": _group_parts,
    "star-complete": _star_parts,
}
"""What made the points of the reasons that a game and its score pad tell in the same way."""
