"""What a seat can ask for in Summer Pavilion, and every such action that is legal in a state."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import compress
from typing import Final

from events.core import Seat
from events.summer_pavilion import Colour, Star, StartChosen, StartDrawn
from projections.summer_pavilion.stars import CENTRE, NUMBERS, ROUNDS, SLOTS, STAR_COLOURS, STARS
from projections.summer_pavilion.stars import COLOURS as COLOUR_NAMES
from projections.summer_pavilion.state import COLOURS, Pavilion, State
from projections.tiles import Tiles, counts
from service.games.core import Action
from service.games.first_player import Starting, first_player
from service.games.options import Option

CORNERS: Final = 4
COLOURLESS: Final = "colourless"
STARTING: Final = Starting("summer-pavilion", "SP-R17", StartDrawn, StartChosen)

OPTIONS: Final = (
    Option("boardSide", "coloured", ("coloured", COLOURLESS), "printed star colours, or chosen in play (SP-71)"),
    first_player("SP-R17"),
)


class AcquireTiles(Action, frozen=True, gc=False, tag="summer_pavilion.acquire_tiles"):
    """Take all tiles of one colour from one source, with one wild tile if there is any."""

    source: int
    """The display, counted from 1; 0 is the centre."""
    colour: Colour


class PlaceTile(Action, frozen=True, gc=False, tag="summer_pavilion.place_tile"):
    """Place one tile and pay for its space."""

    star: Star
    slot: int
    """1–6, clockwise."""
    colour: Colour
    own: int
    """Tiles of that colour used, the placed one included."""
    wild: int = 0
    """Wild tiles used in place of the colour."""


class TakeBonus(Action, frozen=True, gc=False, tag="summer_pavilion.take_bonus"):
    """Choose the bonus tiles owed from the supply."""

    tiles: tuple[Colour, ...]
    """In ascending order of colour, so that every choice has one form."""


class Pass(Action, frozen=True, gc=False, tag="summer_pavilion.pass"):
    """Take no more turns this round; keep up to four tiles and discard the rest."""

    passes = True

    kept: tuple[Colour, ...] = ()
    """In ascending order of colour."""


# ---------------------------------------------------------------------------------------------------- what is legal

_MOST_DISPLAYS: Final = 9
MOST_TILES: Final = 6
"""No space takes more tiles than this, so larger numbers in hand make no difference."""
ACQUISITIONS: Final = tuple(
    tuple(AcquireTiles(source=source, colour=colour) for colour in range(COLOURS))
    for source in range(_MOST_DISPLAYS + 1)
)
_FREE_SLOTS: Final = tuple(
    tuple(slot for slot in range(SLOTS) if not occupied >> slot & 1) for occupied in range(1 << SLOTS)
)
_ALL_COLOURS: Final = (1 << COLOURS) - 1
_DEAR_SLOTS: Final = {
    side: tuple(
        tuple(
            sum(1 << slot for slot, number in enumerate(numbers) if number > tiles)
            for tiles in range(2 * MOST_TILES + 1)
        )
        for numbers in stars
    )
    for side, stars in NUMBERS.items()
}
"""By side, star and number of tiles, the slots that take more than those, as bits."""

Payments = tuple[tuple[tuple[tuple[PlaceTile, ...], ...], ...], ...]
"""The placements of one colour on one star, by own and wild tiles in hand and by slot from 0."""


def legal(state: State, seat: Seat) -> Sequence[Action]:
    """Every action open to the seat."""
    if state.turn != seat:
        return STARTING.legal(state.seats, seat) if state.phase == "start" and state.options.host_chooses else []
    if state.phase == "place":
        return _legal_turns(state, seat)
    if state.phase == "acquire":
        return _legal_acquisitions(state)
    if state.phase == "bonus":
        return bonuses(state.supply, state.owed)
    return []


def _legal_acquisitions(state: State) -> list[Action]:
    actions: list[Action] = []
    for source, tiles in enumerate(state.sources):
        if tiles:
            actions += _acquisitions_from(source, tiles, state.wild)
    return actions


@lru_cache(10_000)
def _acquisitions_from(source: int, tiles: Tiles, wild: Colour) -> tuple[AcquireTiles, ...]:
    """What may be taken where these tiles lie. Remembered, because displays hold the same few again and again."""
    takes = ACQUISITIONS[source]
    named = [take for take, lying in zip(takes, counts(tiles), strict=True) if lying and take.colour != wild]
    return tuple(named) or (takes[wild],)  # SP-24: the wild colour may be named only where there is nothing else


def _legal_turns(state: State, seat: Seat) -> list[Action]:
    board, wild, side = state.boards[seat - 1], state.wild, state.options.side
    hand = counts(board.hand)
    actions: list[Action] = [PASSES[0]] if state.round == ROUNDS else list(_passes(hand))
    table, dear = payments_at(side), _DEAR_SLOTS[side]
    wilds = min(hand[wild], MOST_TILES)
    in_hand = [
        (colour, min(tiles, MOST_TILES), 0 if colour == wild else wilds) for colour, tiles in enumerate(hand) if tiles
    ]
    occupied = board.occupied
    for star in range(len(STARS)):
        closed = occupied & 0b111111
        occupied >>= SLOTS
        if closed != 0b111111:
            accepted = accepted_colours(board, star, side)
            for colour, own, substitutes in in_hand:
                if accepted >> colour & 1:
                    payments = table[star][colour][own][substitutes]
                    for slot in _FREE_SLOTS[closed | dear[star][own + substitutes]]:
                        actions += payments[slot]
    return actions


def _passes(hand: Sequence[int]) -> Iterator[Pass]:
    """Every pass from a hand of so many tiles per colour."""
    possible = _KEEPING[0][CORNERS]
    for tiles, keeping in zip(hand, _KEEPING, strict=True):
        if tiles < CORNERS:
            possible &= keeping[tiles]
    return compress(PASSES, possible.to_bytes(len(PASSES), "little"))


def accepted_colours(board: Pavilion, star: Star, side: str) -> int:
    """The colours the star takes, as bits (SP-39, SP-40, SP-73)."""
    if side != COLOURLESS:
        return PRINTED[star] if star != CENTRE else _ALL_COLOURS & ~board.star_colours[star]
    colours = board.star_colours[star]
    if (board.occupied >> star * SLOTS & 0b111111).bit_count() < 2:
        return _ALL_COLOURS  # SP-R15: one tile decides nothing yet
    return _ALL_COLOURS & ~colours if colours & colours - 1 else colours


PRINTED: Final = tuple(1 << COLOUR_NAMES.index(name) for name in STAR_COLOURS)


@cache
def payments_at(side: str) -> tuple[tuple[Payments, ...], ...]:
    """Every placement there can be, by star and colour. Actions are values: made once (SP-45)."""
    return tuple(
        tuple(_payments_on(star, colour, NUMBERS[side][star]) for colour in range(COLOURS))
        for star in range(len(STARS))
    )


def _payments_on(star: Star, colour: Colour, numbers: Sequence[int]) -> Payments:
    ways = [
        [PlaceTile(star=star, slot=slot, colour=colour, own=own, wild=number - own) for own in range(1, number + 1)]
        for slot, number in enumerate(numbers, start=1)
    ]
    return tuple(
        tuple(
            tuple(
                tuple(slot_ways[max(1, number - wild) - 1 : own])
                for slot_ways, number in zip(ways, numbers, strict=True)
            )
            for wild in range(MOST_TILES + 1)
        )
        for own in range(MOST_TILES + 1)
    )


@cache
def bonuses(supply: Tiles, owed: int) -> tuple[TakeBonus, ...]:
    return tuple(map(bonus, choices(counts(supply), owed)))


@cache
def bonus(tiles: tuple[Colour, ...]) -> TakeBonus:
    """A choice of bonus tiles, made once like every other action."""
    return TakeBonus(tiles=tiles)


def choices(tiles: Sequence[int], size: int, colour: Colour = 0) -> Iterator[tuple[Colour, ...]]:
    """Every different way to choose so many tiles, each in ascending order of colour."""
    if size == 0:
        yield ()
    elif colour < COLOURS:
        for used in range(min(tiles[colour], size), -1, -1):
            for rest in choices(tiles, size - used, colour + 1):
                yield (colour,) * used + rest


PASSES: Final = tuple(Pass(kept=kept) for size in range(CORNERS + 1) for kept in choices((CORNERS,) * COLOURS, size))
"""Every pass there can be, those that keep fewer tiles first."""
_KEEPING: Final = tuple(
    tuple(
        int.from_bytes(bytes(turn.kept.count(colour) <= tiles for turn in PASSES), "little")
        for tiles in range(CORNERS + 1)
    )
    for colour in range(COLOURS)
)
"""By colour and number of tiles in hand, which of the passes keep no more than those: a byte 1 or 0 for each."""
