"""Every point of Summer Pavilion as a score line: start, marker, placement, surplus, and the end of the game."""

from collections.abc import Iterator, Sequence
from typing import Final

from events.core import ScoreLine, Seat
from events.summer_pavilion import GameEnded, Star
from projections.summer_pavilion.stars import (
    COLOURS,
    MULTICOLOUR,
    NUMBER_POINTS,
    NUMBER_SPACES,
    SLOTS,
    STAR_POINTS,
    STAR_SPACES,
)
from projections.summer_pavilion.state import Pavilion
from service.games.core import ranked

START_SCORE: Final = 5
LOWEST_SCORE: Final = 1


def start_points(seat: Seat) -> ScoreLine:
    """What every seat begins with (SP-11)."""
    return ScoreLine(seat, "SP-11", "start", START_SCORE, START_SCORE)


def marker_loss(seat: Seat, score: int, tiles: int) -> ScoreLine:
    """The price of the marker: one point for each tile that came from the centre with it (SP-27)."""
    return ScoreLine(seat, "SP-27", "marker-loss", -tiles, -_affordable(score, tiles), {"tiles": tiles})


def surplus_loss(seat: Seat, score: int, tiles: int, is_last_round: bool) -> ScoreLine:
    """The price of tiles thrown away when passing (SP-60, in the last round SP-61)."""
    rule = "SP-61" if is_last_round else "SP-60"
    return ScoreLine(seat, rule, "surplus-loss", -tiles, -_affordable(score, tiles), {"tiles": tiles})


def _affordable(score: int, loss: int) -> int:
    """How much of a loss a score can take; the rest is forgiven (SP-28, SP-R14)."""
    return min(loss, score - LOWEST_SCORE)


# --------------------------------------------------------------------------------------------------------- placing


def _group(occupied: int, slot: int) -> tuple[int, int, int]:
    """Size, first and last slot, clockwise, of the group a tile on this slot (from 0) joins (SP-46, SP-47)."""
    after = 0
    while after < SLOTS - 1 and occupied >> (slot + after + 1) % SLOTS & 1:
        after += 1
    before = 0
    while before + after < SLOTS - 1 and occupied >> (slot - before - 1) % SLOTS & 1:
        before += 1
    return before + 1 + after, (slot - before) % SLOTS + 1, (slot + after) % SLOTS + 1


_GROUPS: Final = tuple(tuple(_group(occupied, slot) for slot in range(SLOTS)) for occupied in range(1 << SLOTS))
"""The group of a new tile by the occupied slots of its star, as bits, and its own slot from 0."""


def placement_points(seat: Seat, board: Pavilion, star: Star, slot: int) -> ScoreLine:
    """The points of a tile about to be placed: the size of its group on that star (SP-47)."""
    size, first, last = _GROUPS[board.occupied >> star * SLOTS & 0b111111][slot - 1]
    return ScoreLine(
        seat,
        "SP-47",
        "placement",
        size,
        size,
        {"star": star, "slot": slot, "group": size, "first": first, "last": last},
    )


# --------------------------------------------------------------------------------------------------- end of the game


def final_points(seat: Seat, board: Pavilion, side: str) -> Iterator[ScoreLine]:
    """Complete stars, then numbers of which every space is occupied (SP-67…SP-69)."""
    for star, spaces in enumerate(STAR_SPACES):
        if board.occupied & spaces == spaces:
            colour = star_colour(board, star)
            points = STAR_POINTS["multicolour" if colour == MULTICOLOUR else COLOURS[colour]]
            yield ScoreLine(seat, "SP-67", "star-complete", points, points, {"star": star, "colour": colour})
    for number, points in NUMBER_POINTS.items():
        spaces = NUMBER_SPACES[side][number]
        if board.occupied & spaces == spaces:
            yield ScoreLine(seat, "SP-67", "number-complete", points, points, {"number": number})


def ended(boards: Sequence[Pavilion], side: str) -> GameEnded:
    """The end of the game: the last points of every board, and the result they lead to."""
    lines = tuple(line for seat, board in enumerate(boards, start=1) for line in final_points(seat, board, side))
    totals = [board.score for board in boards]
    for line in lines:
        totals[line.seat - 1] += line.applied
    return GameEnded(scores=lines, standings=ranked(totals, [0] * len(boards)))


def star_colour(board: Pavilion, star: Star) -> int:
    """What a complete star counts as: the one colour on it, or MULTICOLOUR (SP-74)."""
    colours = board.star_colours[star]
    return MULTICOLOUR if colours & colours - 1 else colours.bit_length() - 1
