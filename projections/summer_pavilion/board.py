"""Summer Pavilion drawn: displays, centre and supply, and for each seat its stars, the corners and the hand."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from events.core import ScoreLine, Seat
from events.summer_pavilion import TilesAcquired
from projections.core import ScoredParts
from projections.drawing import OFFER, Element, Panel, circle, group, part, rectangle, seat_part, space, text, tile
from projections.summer_pavilion.star_board import (
    HEIGHT,
    MARGIN,
    STAR_SCORED_PARTS,
    WIDTH,
    describe_stars,
    draw_stars,
    number_parts,
)
from projections.summer_pavilion.stars import COLOURS, LETTERS, ROUNDS
from projections.summer_pavilion.state import Board, State
from projections.tiles import Tiles, colours_of, count_of, counts, how_many
from projections.words import count, joined

SUPPLY: Final = 10
REWARDS: Final = "for surrounding a pillar +1, a statue +2, a window +3"
"""Bonus tiles (SP-51), told where they lie."""
CORNERS: Final = 4
"""Tiles a board has room to keep (SP-6)."""

_TILE: Final = 30
_DISPLAY: Final = 72
"""From one display to the next."""
_ABREAST: Final = 5
"""Displays in a row."""
SMALL: Final = 27
"""The size of tiles that lie in rows."""
PITCH: Final = 28
"""From one of them to the next."""
_PILE_LEFT: Final = MARGIN + 26
_PILE: Final = 12
"""Tiles of the centre in a row."""
_MOST_LEFT: Final = 3
"""Tiles of a display that can come to the centre."""
_HAND: Final = 13
"""Tiles of a hand in a row, as long as two rows hold them."""

# ------------------------------------------------------------------------------------------------------------ the offer


def board(state: State) -> list[Panel]:
    """What is on offer as long as there is a game, then each seat's board."""
    offer = [_offer(state)] if state.phase != "over" else []
    return [*offer, *(_seat_panel(state, seat) for seat in range(1, state.seats + 1))]


def _offer(state: State) -> Panel:
    top = MARGIN + 34
    displays = [
        _draw_display(state, number, x, y)
        for number, (x, y) in enumerate(_display_places(len(state.displays), top), start=1)
    ]
    centre, below = _draw_centre(state, top + -(-len(state.displays) // _ABREAST) * _DISPLAY + 6)
    supply, below = _draw_supply(state, below + 10)
    return Panel(
        key=OFFER,
        title=f"{count(len(state.displays), 'display')}, the centre and the supply",
        description=_describe_offer(state),
        width=WIDTH,
        height=below + MARGIN,
        children=(*_rounds(state), *displays, centre, supply),
    )


def _rounds(state: State) -> Iterator[Element]:
    """The round counter: each round with its wild colour, the one that is on as a tile (SP-8, SP-19)."""
    size, pitch = 24, 29
    words = f"round {state.round} of {ROUNDS} · wild" if state.round else "wild colours"
    yield text(MARGIN, MARGIN + size / 2, words, "" if state.round else "quiet", size=13, anchor="start")
    left = WIDTH - MARGIN - ROUNDS * pitch + (pitch - size)
    for colour, name in enumerate(COLOURS):
        x = left + colour * pitch
        if colour == state.wild:
            drawn = _draw_tile(state, colour, x, MARGIN, size)
        else:
            drawn = space(x, MARGIN, size, LETTERS[colour].lower(), name)
        now = "now" if colour == state.wild else "over" if colour < state.wild else "to come"
        yield part(f"round-{colour + 1}", f"round {colour + 1}, {now}: {name} is wild", drawn)


def _display_places(displays: int, top: float) -> Iterator[tuple[float, float]]:
    """The middle of each display, in rows of about the same length."""
    rows = -(-displays // _ABREAST)
    longest = -(-displays // rows)
    for position in range(displays):
        row, column = divmod(position, longest)
        in_row = min(longest, displays - row * longest)
        yield WIDTH / 2 + (column - (in_row - 1) / 2) * _DISPLAY, top + (row + 0.5) * _DISPLAY


def _draw_display(state: State, number: int, x: float, y: float) -> Element:
    tiles = state.displays[number - 1]
    spots = [(x - _TILE - 1, y - _TILE - 1), (x + 1, y - _TILE - 1), (x - _TILE - 1, y + 1), (x + 1, y + 1)]
    colours = []
    for colour, many in enumerate(counts(tiles)):
        here, spots = spots[:many], spots[many:]
        if here:
            label = _what_is_taken(state, tiles, colour, f"on display {number}")
            pieces = [_draw_tile(state, colour, *spot, _TILE) for spot in here]
            colours.append(part(f"display-{number}.{COLOURS[colour]}", label, *pieces))
    plate = circle(x, y, _DISPLAY / 2 - 2, "plate" if tiles else "plate bare")
    name = (*([circle(x, y, 8, "pip")] if tiles else []), text(x, y, str(number), "quiet", size=11))
    return part(f"display-{number}", f"display {number}", plate, *colours, *name)


def _what_is_taken(state: State, tiles: Tiles, colour: int, where: str) -> str:
    """The tiles of a colour, and the wild one that comes along (SP-23)."""
    wild = state.wild
    also = f" and a wild {COLOURS[wild]}" if colour != wild and count_of(tiles, wild) else ""
    return f"{count_of(tiles, colour)} {'wild ' if colour == wild else ''}{COLOURS[colour]}{also} {where}"


def _draw_tile(state: State, colour: int, x: float, y: float, size: float) -> Element:
    """A tile; a wild one has a ring in it."""
    return _drawn_tile(colour, colour == state.wild, x, y, size)


@lru_cache(maxsize=4096)  # tiles lie in the same few hundred places in every match
def _drawn_tile(colour: int, is_wild: bool, x: float, y: float, size: float) -> Element:
    drawn = tile(x, y, size, COLOURS[colour], LETTERS[colour])
    if not is_wild:
        return drawn
    ring = rectangle(x + 3, y + 3, size - 6, size - 6, "inlay", rx=size / 2)
    return drawn._replace(children=(*drawn.children, ring))


def _draw_centre(state: State, top: float) -> tuple[Element, float]:
    """The centre from a height on, with room for all that can come to lie there in this match; and where it ends."""
    rows = -(-(1 + _MOST_LEFT * len(state.displays)) // _PILE)
    height = rows * PITCH + 8
    spots = ((_PILE_LEFT + place % _PILE * PITCH, top + 5 + place // _PILE * PITCH) for place in range(rows * _PILE))
    lying = []
    if state.marker == 0:
        lying.append(part("centre.marker", "the start-player marker in the centre", draw_marker(*next(spots))))
    for colour, many in enumerate(counts(state.centre)):
        if many:
            pieces = [_draw_tile(state, colour, *next(spots), SMALL) for _ in range(many)]
            label = _what_is_taken(state, state.centre, colour, "in the centre")
            lying.append(part(f"centre.{COLOURS[colour]}", label, *pieces))
    plate = rectangle(MARGIN, top, WIDTH - 2 * MARGIN, height, "plate", rx=14)
    letter = text(MARGIN + 13, top + height / 2, "C", "quiet")
    return part("centre", "the centre", plate, letter, *lying), top + height


def draw_marker(x: float, y: float) -> Element:
    """The start-player marker, with the corner of the square around it at a point."""
    middle = SMALL / 2
    marker = {"class": "marker"}
    return group(circle(x + middle, y + middle, middle, "face"), text(x + middle, y + middle, "1st", size=11), **marker)


def _draw_supply(state: State, top: float) -> tuple[Element, float]:
    due = f" · {count(state.owed, 'bonus tile')} to take" if state.owed else " · bonus tiles"
    label = text(MARGIN + 4, top + 8, f"supply{due}", "" if state.owed else "quiet", size=12, anchor="start")
    stock = f"bag {how_many(state.bag)} · tower {how_many(state.tower)}"
    rest = text(WIDTH - MARGIN - 4, top + 8, stock, "quiet", size=12, anchor="end")
    pitch, y = (WIDTH - 2 * MARGIN - 10) / SUPPLY, top + 22
    left = MARGIN + 5 + (pitch - _TILE) / 2
    lying = colours_of(state.supply)
    spaces = [space(left + place * pitch, y, _TILE) for place in range(len(lying), SUPPLY)]
    tiles = [
        part(
            supply_part(colour, place - lying.index(colour) + 1),
            f"{COLOURS[colour]} in the supply",
            _draw_tile(state, colour, left + place * pitch, y, _TILE),
        )
        for place, colour in enumerate(lying)
    ]
    plate = rectangle(MARGIN, top + 17, WIDTH - 2 * MARGIN, _TILE + 10, "plate", rx=14)
    rewards = text(WIDTH / 2, y + _TILE + 17, REWARDS, "quiet", size=11)
    return part("supply", "the supply", label, rest, plate, *spaces, *tiles, rewards), y + _TILE + 23


def supply_part(colour: int, number: int) -> str:
    """The part of the nth tile of a colour in the supply: `supply.blue-1`."""
    return f"supply.{COLOURS[colour]}-{number}"


def _describe_offer(state: State) -> str:
    wild = f"{COLOURS[state.wild]} is wild"
    where = f"Round {state.round} of {ROUNDS}, {wild}" if state.round else "Before the first round"
    displays = [f"display {number}: {_listed(tiles)}" for number, tiles in enumerate(state.displays, start=1) if tiles]
    marker = ["the start-player marker"] if state.marker == 0 else []
    centre = joined([*marker, *([_listed(state.centre)] if state.centre else [])]) or "empty"
    lies = "; ".join([*displays, f"centre: {centre}", f"supply: {_listed(state.supply) or 'empty'}"])
    due = f" {count(state.owed, 'bonus tile')} to take." if state.owed else ""
    return f"{where}. {lies[:1].upper()}{lies[1:]}. Bag: {how_many(state.bag)}; tower: {how_many(state.tower)}.{due}"


def _listed(tiles: Tiles) -> str:
    return ", ".join(f"{many} {COLOURS[colour]}" for colour, many in enumerate(counts(tiles)) if many)


# --------------------------------------------------------------------------------------------------------------- boards


def _seat_panel(state: State, seat: Seat) -> Panel:
    own, side = state.boards[seat - 1], state.options.side
    below = MARGIN + HEIGHT + 6
    is_on = state.phase != "over"
    marker = [draw_taken_marker(seat)] if state.marker == seat and is_on else []
    return Panel(
        key=seat_part(seat),
        title="Stars, corners and hand",
        description=_describe_seat(own, side, starts=bool(marker)),
        width=WIDTH,
        height=below + (3 if is_on else 1) * PITCH + MARGIN,  # no tile comes to a hand any more when all is over
        children=(
            *draw_stars(own, side, seat),
            *_draw_corners(state, own, seat),
            *marker,
            *([draw_remark("passed")] if own.passed and is_on else []),
            _draw_hand(state, own, seat, below),
            *_draw_passes(state, own, seat, below),
        ),
        seat=seat,
    )


def draw_remark(words: str) -> Element:
    """A word about a seat, in the upper right."""
    return text(WIDTH - MARGIN - SMALL - 6, MARGIN + SMALL / 2, words, "quiet", size=12, anchor="end")


def draw_taken_marker(seat: Seat) -> Element:
    """The start-player marker on a seat's board."""
    x = MARGIN + SMALL + 8
    return part(seat_part(seat, "marker"), "the start-player marker", draw_marker(x, MARGIN))


def _draw_corners(state: State, own: Board, seat: Seat) -> Iterator[Element]:
    """The four corners of the board, each with room for a tile that is kept (SP-6)."""
    kept = colours_of(own.corners)
    right, bottom = WIDTH - MARGIN - SMALL, MARGIN + HEIGHT - SMALL
    for place, (x, y) in enumerate([(MARGIN, MARGIN), (right, MARGIN), (right, bottom), (MARGIN, bottom)]):
        if place < len(kept):
            what, drawn = f"{COLOURS[kept[place]]} is kept", _draw_tile(state, kept[place], x, y, SMALL)
        else:
            what, drawn = "empty", space(x, y, SMALL)
        yield part(seat_part(seat, f"corner-{place + 1}"), f"corner {place + 1}: {what}", drawn)


def _draw_hand(state: State, own: Board, seat: Seat, top: float) -> Element:
    """Tile by tile in two rows, those of each colour together."""
    total = how_many(own.hand)
    abreast = max(_HAND, -(-total // 2))
    pitch = (WIDTH - 2 * MARGIN) / abreast
    words = f"hand: {count(total, 'tile')}" if total else "hand: empty"
    drawn = [text(MARGIN, top + PITCH / 2, words, "quiet", size=12, anchor="start")]
    before = 0
    for colour, many in enumerate(counts(own.hand)):
        if many:
            pieces = []
            for number in range(1, many + 1):
                row, column = divmod(before + number - 1, abreast)
                x, y = MARGIN + column * pitch, top + (row + 1) * PITCH
                lies = _draw_tile(state, colour, x, y, min(pitch - 1, SMALL))
                pieces.append(part(hand_part(seat, colour, number), f"{COLOURS[colour]} in hand", lies))
            wild = "wild " if colour == state.wild else ""
            drawn.append(part(hand_part(seat, colour), f"{many} {wild}{COLOURS[colour]} in hand", *pieces))
            before += many
    return part(seat_part(seat, "hand"), words, *drawn)


def hand_part(seat: Seat, colour: int, number: int = 0) -> str:
    """The part of a colour in hand, or of the nth tile of it: `seat-1.hand.blue`, `seat-1.hand.blue-2`."""
    return seat_part(seat, "hand", f"{COLOURS[colour]}-{number}" if number else COLOURS[colour])


def _draw_passes(state: State, own: Board, seat: Seat, top: float) -> Iterator[Element]:
    """While a seat can pass, a spot for each number of tiles it could keep; in the last round none (SP-59, SP-61)."""
    if state.phase != "place" or state.turn != seat:
        return
    most = min(CORNERS, how_many(own.hand)) if state.round < ROUNDS else 0
    left = WIDTH - MARGIN - (most + 1) * PITCH
    yield text(left - 6, top + SMALL / 2, "pass and keep", size=12, anchor="end")
    for many in range(most + 1):
        x = left + many * PITCH
        label = f"pass and keep {count(many, 'tile') if many else 'nothing'}"
        yield part(keep_part(seat, many), label, draw_button(x, top, str(many)))


def draw_button(x: float, y: float, words: str) -> Element:
    """A spot that stands for a number, to be touched."""
    letters = text(x + SMALL / 2, y + SMALL / 2, words, size=12 if len(words) < 3 else 10)
    return group(rectangle(x, y, SMALL, SMALL, "face", rx=6), letters, **{"class": "space"})


def keep_part(seat: Seat, many: int) -> str:
    """The part of passing and keeping so many tiles: `seat-1.keep-3`."""
    return seat_part(seat, f"keep-{many}")


def _describe_seat(own: Board, side: str, *, starts: bool) -> str:
    held = f"Hand: {_listed(own.hand) or 'empty'}. Corners: {_listed(own.corners) or 'empty'}."
    more = ["Has the start-player marker."] if starts else []
    more += ["Has passed."] if own.passed else []
    return " ".join([describe_stars(own, side), held, *more])


# ---------------------------------------------------------------------------------------------------- what made points


def _with_marker(event: TilesAcquired, line: ScoreLine, state: State) -> list[str]:
    taken = [event.colour, *([state.wild] if event.wild else [])]
    return [seat_part(line.seat, "marker"), *(hand_part(line.seat, colour) for colour in taken)]


SCORED_PARTS: Final[ScoredParts] = {
    **STAR_SCORED_PARTS,
    "marker-loss": _with_marker,
    "surplus-loss": lambda event, line, state: [seat_part(line.seat, "hand")],
    "number-complete": lambda event, line, state: number_parts(line.seat, line.operands["number"], state.options.side),
}
