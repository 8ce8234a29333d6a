"""Tiles by colour as the bits of one number: what lies on a display, in the centre, in the bag or in the lid."""

from functools import lru_cache
from typing import Final

from events.azul import Slot

COLOURS: Final = 5

Tiles = int
"""What lies in one place, such as a display or the bag: for each colour how many tiles, six bits a colour.

No place holds more than 20 of a colour, so tiles are put together by adding, without a look at each colour.
"""
SHIFTS: Final = (0, 6, 12, 18, 24)
"""For each colour how far its bits are from the lowest."""
MOST: Final = 63
"""All bits of one colour."""
ONE: Final = tuple(1 << shift for shift in SHIFTS)
"""One tile of each colour."""
ALL: Final = tuple(MOST << shift for shift in SHIFTS)
"""For each colour the mask of its tiles."""
OTHERS: Final = tuple(sum(ALL) - own for own in ALL)
"""For each colour the mask of all other tiles, which are left when it is taken."""


@lru_cache(1_000)
def tiles_of(slots: tuple[Slot, ...]) -> Tiles:
    """These tiles in one place. Displays are dealt in 625 ways, so that each is added up once."""
    return sum(map(ONE.__getitem__, slots))


def counts(tiles: Tiles) -> tuple[int, ...]:
    """How many there are of each colour."""
    return tiles & MOST, tiles >> 6 & MOST, tiles >> 12 & MOST, tiles >> 18 & MOST, tiles >> 24 & MOST


def count_of(tiles: Tiles, colour: Slot) -> int:
    """How many there are of one colour."""
    return tiles >> SHIFTS[colour] & MOST


def slots_of(tiles: Tiles) -> list[Slot]:
    """Every tile there is, colour by colour."""
    return [colour for colour, many in enumerate(counts(tiles)) for _ in range(many)]
