"""The tiles of an Azul table, which have five colours."""

from typing import Final

from projections import tiles as of_six
from projections.tiles import MOST, SHIFTS, Added, Tiles, count_of
from projections.tiles import colours_of as slots_of

__all__ = ["ALL", "COLOURS", "MOST", "ONE", "OTHERS", "SHIFTS", "Tiles", "count_of", "counts", "slots_of", "tiles_of"]

COLOURS: Final = 5
ONE: Final = of_six.ONE[:COLOURS]
"""One tile of each colour."""
ALL: Final = of_six.ALL[:COLOURS]
"""For each colour the mask of its tiles."""
OTHERS: Final = of_six.OTHERS[:COLOURS]
"""For each colour the mask of all other tiles, which are left when it is taken."""
tiles_of: Final = Added(ONE).__getitem__
"""The tiles of these slots in one place."""


def counts(tiles: Tiles) -> tuple[int, ...]:
    """How many there are of each colour."""
    return tiles & MOST, tiles >> 5 & MOST, tiles >> 10 & MOST, tiles >> 15 & MOST, tiles >> 20 & MOST
