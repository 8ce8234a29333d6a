"""The greedy bot's estimate for Summer Pavilion: how good an action looks right now."""

from functools import cache

from events.core import Seat
from projections.summer_pavilion.stars import NUMBER_POINTS, NUMBER_SPACES, STAR_COLOURS, STAR_POINTS, STAR_SPACES
from projections.summer_pavilion.state import State
from projections.tiles import count_of, counts, how_many
from service.games.core import Action
from service.games.summer_pavilion.actions import AcquireTiles, Pass, PlaceTile, TakeBonus
from service.games.summer_pavilion.scoring import marker_loss, placement_points, surplus_loss
from service.games.summer_pavilion.spaces import completed_by

TILE_VALUE = 0.75
"""Roughly what a tile in hand turns into."""
WILD_VALUE = 0.25
"""How much more a tile that can stand for any colour is worth."""


def estimate(state: State, seat: Seat, action: Action) -> float:
    """What the action changes in the seat's score, with tiles in hand counted for what they may become."""
    board = state.boards[seat - 1]
    if isinstance(action, AcquireTiles):
        tiles = counts(state.sources[action.source])
        is_wild = action.colour == state.wild
        wilds = 1 if is_wild else min(tiles[state.wild], 1)
        taken = wilds + (0 if is_wild else tiles[action.colour])
        # Tiles of a colour already in hand pay for dearer spaces.
        value = taken * TILE_VALUE + wilds * WILD_VALUE + min(count_of(board.hand, action.colour), 3) / 10
        costs = action.source == 0 and state.marker == 0
        return value + (marker_loss(seat, board.score, taken).applied if costs else 0)
    if isinstance(action, PlaceTile):
        points = placement_points(seat, board, action.star, action.slot).applied
        bonus = sum(feature.reward for feature in completed_by(board, action.star, action.slot))
        paid = action.own + action.wild * (1 + WILD_VALUE)
        return points + bonus * TILE_VALUE - paid / 10
    if isinstance(action, TakeBonus):
        hand = counts(board.hand)
        return sum(TILE_VALUE + WILD_VALUE * (colour == state.wild) + hand[colour] / 10 for colour in action.tiles)
    if isinstance(action, Pass):
        surplus = how_many(board.hand) - len(action.kept)
        next_wild = state.wild + 1
        kept = sum(WILD_VALUE * (colour == next_wild) for colour in action.kept)
        return surplus_loss(seat, board.score, surplus, False).applied - 1 + kept
    return 0


def worth(state: State) -> list[float]:
    """The scores, with the points of the end as far as the boards have come towards them, and with tiles in hand."""
    if state.standings:
        return [board.score for board in state.boards]
    goals = _goals(state.options.side)
    return [
        board.score
        + sum(points * ((board.occupied & spaces).bit_count() / size) ** 3 for spaces, size, points in goals)
        + TILE_VALUE * how_many(board.hand + board.corners)
        for board in state.boards
    ]


@cache
def _goals(side: str) -> tuple[tuple[int, int, int], ...]:
    """The stars and numbers of a side that bring points when they are complete: spaces, how many, points (SP-67)."""
    colours = STAR_COLOURS if side == "coloured" else ()
    names = [*colours, *["multicolour"] * (len(STAR_SPACES) - len(colours))]
    stars = [(spaces, STAR_POINTS[name]) for spaces, name in zip(STAR_SPACES, names, strict=True)]
    numbers = [(NUMBER_SPACES[side][number], points) for number, points in NUMBER_POINTS.items()]
    return tuple((spaces, spaces.bit_count(), points) for spaces, points in [*stars, *numbers])
