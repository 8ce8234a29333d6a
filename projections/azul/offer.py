"""What everybody at an Azul table takes from, drawn: the displays in a circle, and the centre within it."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin, sqrt
from typing import Final, NamedTuple

from projections.azul.picture import stock
from projections.azul.state import Edition, State
from projections.azul.tiles import Tiles, counts, slots_of
from projections.drawing import OFFER, Element, Panel, circle, group, part, rectangle, text, tile
from projections.words import count, joined

MARGIN: Final = 8
WIDTH: Final = 380
PIECE: Final = 28
PITCH: Final = PIECE + 2
"""From one piece to the next."""
SMALL_PIECE: Final = 24
"""What a piece measures where more than four lie on a display: still enough for a finger."""
DISPLAY: Final = 40
"""The radius of a display."""
REACH: Final = {5: 126, 7: 139, 9: 145}
"""From the middle of the table to the middle of so many displays: as near as the largest centre lets them."""
SIGN_WIDTH: Final = 34
SIGN_HEIGHT: Final = 17
AIR: Final = 4
"""Between the displays and the centre."""
_ROWS: Final[Mapping[int, tuple[int, ...]]] = {
    1: (1,), 2: (2,), 3: (2, 1), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (2, 3, 2)
}  # fmt: skip
"""How so many pieces lie on a round display, row by row; beyond that, three in a row."""


class Sign(NamedTuple):
    """What makes a display unlike the others."""

    letters: str
    """The sign itself, such as `+1`."""
    kind: str
    """The class of colours it is drawn in."""
    words: str
    """What it does, following the display: `takes one more praline`."""
    is_gone: bool = False
    """Whether the display was taken out of the circle."""


def offer_panel(state: State, signs: Mapping[int, Sign] | None = None) -> Panel:
    """The displays clockwise from the top, the centre between them; signs by the number of their display."""
    edition, reach = state.options.edition, REACH[len(state.displays)]
    across, down = WIDTH / 2, MARGIN + DISPLAY + reach
    shown = [
        draw_display(edition, tiles, number, x, y, -1 if y <= down else 1, (signs or {}).get(number))
        for (number, tiles), (x, y) in zip(
            enumerate(state.displays, start=1), _around(len(state.displays), across, down, reach), strict=True
        )
    ]
    below = down + reach * cos(pi / len(state.displays)) + DISPLAY
    return Panel(
        key=OFFER,
        title=f"{count(len(state.displays), 'display')} and the centre",
        description=_described(state, signs or {}),
        width=WIDTH,
        height=below + 16 + MARGIN,
        children=(
            *shown,
            _centre(state, across, down, reach - DISPLAY - AIR),
            text(across, below + 14, stock(state), "quiet", size=12),
        ),
    )


def _around(displays: int, across: float, down: float, reach: float) -> Iterator[tuple[float, float]]:
    for place in range(displays):
        angle = 2 * pi * place / displays
        yield across + reach * sin(angle), down - reach * cos(angle)


def draw_display(
    edition: Edition, tiles: Tiles, number: int, x: float, y: float, outwards: int, sign: Sign | None
) -> Element:
    """A display around a point: its tiles by colour, with its number and its sign, if any, at its upper or lower rim.

    The rim is the one that does not face the centre: above it for -1, below it for 1.
    """
    lying = slots_of(tiles)
    size = PIECE if len(lying) <= 4 else SMALL_PIECE
    rows = _ROWS.get(len(lying)) or [min(3, len(lying) - first) for first in range(0, len(lying), 3)]
    spots = list(_spots(rows, size + 2, x, y))
    colours = []
    for slot in dict.fromkeys(lying):
        name = edition.colours[slot]
        pieces = [_piece(edition, slot, spot, size) for spot, lies in zip(spots, lying, strict=True) if lies == slot]
        colours.append(part(f"display-{number}.{name}", f"{len(pieces)} {name} on display {number}", *pieces))
    look = f"plate{'' if lying else ' bare'}{' gilt' if sign and not sign.is_gone else ''}"
    if len(lying) <= max(_ROWS):
        plate = circle(x, y, DISPLAY, look)
    else:
        plate = rectangle(x - DISPLAY, y - DISPLAY, 2 * DISPLAY, 2 * DISPLAY, look, rx=16)
    rim = y + outwards * 31
    badges = [circle(x - 31, rim, 8.5, "pip"), text(x - 31, rim, str(number), size=11)]
    if sign:
        badges.append(draw_sign(sign, x + 12, rim + outwards * 2 - SIGN_HEIGHT / 2))
    label = f"display {number}{f', {sign.words}' if sign else ''}{'' if lying else ', empty'}"
    return part(f"display-{number}", label, plate, *colours, *badges)


def draw_sign(sign: Sign, x: float, y: float) -> Element:
    """A sign as a small plate with its top left corner at a point."""
    plate = rectangle(x, y, SIGN_WIDTH, SIGN_HEIGHT, "face", rx=5)
    letters = text(x + SIGN_WIDTH / 2, y + SIGN_HEIGHT / 2, sign.letters, size=12)
    return group(plate, letters, **{"class": f"tile kind-{sign.kind}"})


def _piece(edition: Edition, slot: int, spot: tuple[float, float], size: float) -> Element:
    return tile(spot[0] - size / 2, spot[1] - size / 2, size, edition.colours[slot], edition.letters[slot])


def _spots(rows: Sequence[int], pitch: float, x: float, y: float) -> Iterator[tuple[float, float]]:
    """The middles of pieces that lie in rows around a point."""
    for row, many in enumerate(rows):
        for place in range(many):
            yield x + (place - (many - 1) / 2) * pitch, y + (row - (len(rows) - 1) / 2) * pitch


def _centre(state: State, x: float, y: float, radius: float) -> Element:
    """The centre around a point: the marker first, then the tiles of each colour together."""
    edition, has_marker = state.options.edition, state.marker == 0
    pieces = sum(counts(state.centre)) + has_marker
    pitch = next(pitch for pitch in range(PITCH, 0, -1) if _most(pitch, radius) >= pieces)
    spots = _spots(_rows_within(pieces, pitch, radius), pitch, x, y)
    lying: list[Element] = []
    if has_marker:
        marker = draw_marker(*next(spots), pitch - 2)
        lying.append(part("centre.marker", "the starting-player marker in the centre", marker))
    for slot, many in enumerate(counts(state.centre)):
        if many:
            name = edition.colours[slot]
            tiles = [_piece(edition, slot, next(spots), pitch - 2) for _ in range(many)]
            lying.append(part(f"centre.{name}", f"{many} {name} in the centre", *tiles))
    label = f"the centre{'' if pieces else ', empty'}"
    words = [] if pieces else [text(x, y, "centre", "quiet")]
    return part("centre", label, circle(x, y, radius, "plate" if pieces else "plate bare"), *words, *lying)


def _widest(rows: int, pitch: float, radius: float) -> list[int]:
    """How many pieces each of so many rows can have within a circle."""
    edges = [max(abs(row - rows / 2), abs(row + 1 - rows / 2)) * pitch for row in range(rows)]
    return [int(2 * sqrt(radius**2 - edge**2) / pitch) if edge < radius else 0 for edge in edges]


def _most(pitch: float, radius: float) -> int:
    return max(sum(_widest(rows, pitch, radius)) for rows in range(1, int(2 * radius / pitch) + 1))


def _rows_within(pieces: int, pitch: float, radius: float) -> list[int]:
    """So many pieces in as few rows as a circle allows, all of about the same length."""
    numbers = range(1, int(2 * radius / pitch) + 1)
    rows = next(widest for widest in (_widest(many, pitch, radius) for many in numbers) if sum(widest) >= pieces)
    while sum(rows) > pieces:
        longest = len(rows) - 1 - rows[::-1].index(max(rows))
        rows[longest] -= 1
    return rows


def draw_marker(x: float, y: float, size: float) -> Element:
    """The starting-player marker around a point."""
    return group(circle(x, y, size / 2, "face"), text(x, y, "1st", size=12), **{"class": "marker"})


# ------------------------------------------------------------------------------------------------------------ in words


def _described(state: State, signs: Mapping[int, Sign]) -> str:
    edition = state.options.edition
    displays = [
        f"display {number}{_told(signs.get(number))}: {listed(tiles, edition) or 'empty'}"
        for number, tiles in enumerate(state.displays, start=1)
        if tiles or number in signs
    ]
    marker = ["the starting-player marker"] if state.marker == 0 else []
    centre = joined([*marker, *([listed(state.centre, edition)] if state.centre else [])]) or "empty"
    lid = listed(state.lid, edition) or "empty"
    return f"{'; '.join([*displays, f'centre: {centre}'])}. In the bag: {sum(counts(state.bag))}; in the lid: {lid}."


def _told(sign: Sign | None) -> str:
    return f" ({sign.words})" if sign else ""


def listed(tiles: Tiles, edition: Edition) -> str:
    """Tiles by colour in words: `2 blue, 1 red`."""
    return ", ".join(f"{many} {edition.colours[slot]}" for slot, many in enumerate(counts(tiles)) if many)
