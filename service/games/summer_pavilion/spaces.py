"""Where a tile may go on a board of Summer Pavilion, and what it completes there."""

from typing import Final

from events.summer_pavilion import Colour, Star
from projections.summer_pavilion.stars import CENTRE, FEATURES_AT, NUMBERS, SLOTS, STARS, Feature, space_name
from projections.summer_pavilion.stars import COLOURS as COLOUR_NAMES
from projections.summer_pavilion.state import COLOURS, Pavilion
from service.errors import IllegalAction
from service.games.refusals import Refusals
from service.games.summer_pavilion.actions import COLOURLESS, accepted_colours

REFUSALS: Final = Refusals(
    "summer-pavilion",
    "an action of Summer Pavilion",
    over="SP-18",
    seat="SP-1",
    action="SP-35",
    turn="SP-34",
    chance="SP-12",
)
illegal: Final = REFUSALS.illegal


def check_colour(colour: Colour) -> None:
    """Refuse a colour there is not."""
    if not 0 <= colour < COLOURS:
        raise illegal("colour", "SP-2", f"There is no colour {colour}; choose 0–{COLOURS - 1}.")


def completed_by(board: Pavilion, star: Star, slot: int) -> list[Feature]:
    """Pillars, statues and windows that a tile about to be placed completes (SP-50)."""
    space = star * SLOTS + slot - 1
    occupied = board.occupied | 1 << space
    return [feature for feature in FEATURES_AT[space] if occupied & feature.spaces == feature.spaces]


def check_space(board: Pavilion, side: str, star: Star, slot: int, colour: Colour, wild: Colour) -> int:
    """The number of the space, if it is there, empty and takes this colour."""
    if not 0 <= star < len(STARS) or not 1 <= slot <= SLOTS:
        raise illegal(
            "space", "SP-37", f"There is no slot {slot} on star {star}; stars are 0–6 ({' '.join(STARS)}), slots 1–6."
        )
    check_colour(colour)
    if board.occupied >> star * SLOTS + slot - 1 & 1:
        raise illegal("space-taken", "SP-37", f"{space_name(star, slot)} is occupied.")
    if not accepted_colours(board, star, side) >> colour & 1:
        raise _colour_refused(board, side, star, colour, wild)
    return NUMBERS[side][star][slot - 1]


def _colour_refused(board: Pavilion, side: str, star: Star, colour: Colour, wild: Colour) -> IllegalAction:
    name = COLOUR_NAMES[colour]
    accepted = accepted_colours(board, star, side)
    takes = ", ".join(COLOUR_NAMES[other] for other in range(COLOURS) if accepted >> other & 1)
    if side == COLOURLESS:
        kind = "multicoloured" if board.star_colours[star].bit_count() > 1 else "one-coloured"
        return illegal("star-kind", "SP-73", f"Star {STARS[star]} is {kind}: it takes {takes}, not {name}.")
    if star == CENTRE:
        return illegal("centre-colour", "SP-40", f"The centre star already shows {name}; it takes {takes}.")
    if colour == wild:
        why = "a wild tile only pays, it never stands for another colour on the board"
        return illegal("star-colour", "SP-42", f"Star {STARS[star]} takes {takes}, not {name}: {why}.")
    return illegal("star-colour", "SP-39", f"Star {STARS[star]} takes {takes}, not {name}.")
