"""Tiles by colour as the bits of one number: what lies on a display, in the centre, in a bag or in a hand."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

Colour = int
"""A tile colour, counted from 0; no game has more than six."""
Tiles = int
"""What lies in one place, such as a display or the bag: for each colour how many tiles, five bits a colour.

No place holds more than 22 of a colour, so tiles are put together by adding, without a look at each colour. Six colours
of five bits are the 30 that the interpreter adds in one go: with six bits each a fold takes 7 % longer.
"""
SHIFTS: Final = (0, 5, 10, 15, 20, 25)
"""For each colour how far its bits are from the lowest."""
MOST: Final = 31
"""All bits of one colour."""
ONE: Final = tuple(1 << shift for shift in SHIFTS)
"""One tile of each colour."""
ALL: Final = tuple(MOST << shift for shift in SHIFTS)
"""For each colour the mask of its tiles."""
OTHERS: Final = tuple(sum(ALL) - own for own in ALL)
"""For each colour the mask of all other tiles, which are left when it is taken."""


class Added(dict[tuple[Colour, ...], Tiles]):
    """Tiles by the colours of each. Four or fewer, which are dealt in 1296 ways, are added up once.

    So it is bounded without an `lru_cache`, which would take the deal of a round a quarter longer.
    """

    def __init__(self, one: tuple[Tiles, ...]) -> None:
        self._one = one
        """One tile of each colour there is; others are refused."""

    def __missing__(self, colours: tuple[Colour, ...]) -> Tiles:
        tiles = sum(map(self._one.__getitem__, colours))
        if len(colours) <= 4:
            self[colours] = tiles
        return tiles


tiles_of: Final = Added(ONE).__getitem__
"""The tiles of these colours in one place."""


def counts(tiles: Tiles) -> tuple[int, ...]:
    """How many there are of each of six colours."""
    return (
        tiles & MOST,
        tiles >> 5 & MOST,
        tiles >> 10 & MOST,
        tiles >> 15 & MOST,
        tiles >> 20 & MOST,
        tiles >> 25 & MOST,
    )


def count_of(tiles: Tiles, colour: Colour) -> int:
    """How many there are of one colour."""
    return tiles >> SHIFTS[colour] & MOST


@lru_cache(1_000)
def pieces(tiles: Tiles, colours: int, markers: int) -> Mapping[str, int]:
    """All that lies on a table with so many colours, by name. Nothing gets lost, so it is mostly the same again."""
    by_colour = {f"colour {colour}": many for colour, many in enumerate(counts(tiles)[:colours])}
    return MappingProxyType({**by_colour, "marker": markers})


def how_many(tiles: Tiles) -> int:
    """How many there are of all colours together."""
    return sum(counts(tiles))


def colours_of(tiles: Tiles) -> list[Colour]:
    """Every tile there is, colour by colour."""
    return [colour for colour, many in enumerate(counts(tiles)) for _ in range(many)]
