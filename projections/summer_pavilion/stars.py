"""The player board of Summer Pavilion as data: stars, printed numbers, and what surrounds each pillar, statue, window.

A space is `star.slot`. Slots run clockwise around a star and name the same physical space on both sides (SP-46, SP-75).
Everything below the literals is worked out from them once.
"""

from typing import Final, NamedTuple

COLOURS: Final = ("purple", "green", "orange", "yellow", "blue", "red")
"""In the order in which they are wild, round 1 to round 6 (SP-19)."""
LETTERS: Final = ("P", "G", "O", "Y", "B", "R")
ROUNDS: Final = 6

STARS: Final = ("NW", "NE", "E", "SE", "SW", "W", "C")
"""The outer stars clockwise, named by position, and the star in the middle."""
CENTRE: Final = 6
STAR_COLOURS: Final = ("orange", "red", "blue", "yellow", "green", "purple")
"""What the outer stars show on the coloured side; the middle one takes every colour once (SP-40)."""
SLOTS: Final = 6
DIRECTIONS: Final = ("N", "NE", "SE", "S", "SW", "NW")
"""Where the six spaces of a star point, clockwise."""
SLOT_ONE: Final = ("NE", "SE", "S", "SW", "NW", "N", "N")
"""Where slot 1 of each star points; the other slots follow clockwise (T4b)."""

NUMBERS: Final = {
    "coloured": ((1, 2, 3, 4, 5, 6),) * 7,
    "colourless": ((3, 2, 1, 4, 5, 6),) * 6 + ((3, 3, 3, 3, 3, 3),),
}
"""The number printed on each slot of each star, by side of the board (T3, T4)."""

FEATURES: Final = (
    ("pillar-NW", 1, ("NW.2", "NW.3", "C.1", "C.6")),
    ("pillar-NE", 1, ("NE.2", "NE.3", "C.1", "C.2")),
    ("pillar-E", 1, ("E.2", "E.3", "C.2", "C.3")),
    ("pillar-SE", 1, ("SE.2", "SE.3", "C.3", "C.4")),
    ("pillar-SW", 1, ("SW.2", "SW.3", "C.4", "C.5")),
    ("pillar-W", 1, ("W.2", "W.3", "C.5", "C.6")),
    ("statue-NW-NE", 2, ("NW.1", "NW.2", "NE.3", "NE.4")),
    ("statue-NE-E", 2, ("NE.1", "NE.2", "E.3", "E.4")),
    ("statue-E-SE", 2, ("E.1", "E.2", "SE.3", "SE.4")),
    ("statue-SE-SW", 2, ("SE.1", "SE.2", "SW.3", "SW.4")),
    ("statue-SW-W", 2, ("SW.1", "SW.2", "W.3", "W.4")),
    ("statue-W-NW", 2, ("W.1", "W.2", "NW.3", "NW.4")),
    ("window-NW", 3, ("NW.5", "NW.6")),
    ("window-NE", 3, ("NE.5", "NE.6")),
    ("window-E", 3, ("E.5", "E.6")),
    ("window-SE", 3, ("SE.5", "SE.6")),
    ("window-SW", 3, ("SW.5", "SW.6")),
    ("window-W", 3, ("W.5", "W.6")),
)
"""Every feature with the bonus tiles it gives and the spaces around it (T5–T7)."""

STAR_POINTS: Final = {"purple": 20, "green": 18, "orange": 17, "yellow": 16, "blue": 15, "red": 14, "multicolour": 12}
"""What a complete star is worth (T2)."""
MULTICOLOUR: Final = len(COLOURS)
"""Stands beside the colours where a score line names what a complete star shows."""
NUMBER_POINTS: Final = {1: 4, 2: 8, 3: 12, 4: 16}
"""What all spaces of one number are worth (T2)."""


def space_name(star: int, slot: int) -> str:
    """`E.6` for star 2, slot 6."""
    return f"{STARS[star]}.{slot}"


def space_bit(name: str) -> int:
    """The space as one bit of a board's 42."""
    star, slot = name.split(".")
    return 1 << STARS.index(star) * SLOTS + int(slot) - 1


class Feature(NamedTuple):
    """A pillar, statue or window."""

    name: str
    reward: int
    """Bonus tiles it gives (SP-51)."""
    spaces: int
    """The spaces that complete it, as bits."""


ALL_FEATURES: Final = tuple(Feature(name, reward, sum(map(space_bit, spaces))) for name, reward, spaces in FEATURES)
FEATURES_AT: Final = tuple(
    tuple(feature for feature in ALL_FEATURES if feature.spaces >> space & 1) for space in range(len(STARS) * SLOTS)
)
"""The features a space belongs to (T8), by star × 6 + slot − 1."""
STAR_SPACES: Final = tuple(0b111111 << star * SLOTS for star in range(len(STARS)))
"""The spaces of each star, as bits."""
NUMBER_SPACES: Final = {
    side: {
        number: sum(
            1 << star * SLOTS + slot
            for star, printed in enumerate(stars)
            for slot, shown in enumerate(printed)
            if shown == number
        )
        for number in NUMBER_POINTS
    }
    for side, stars in NUMBERS.items()
}
"""The spaces with each number that scores, as bits, by side (SP-69)."""
