"""A score pad of Summer Pavilion in words: every event as a sentence, and the rules to read about it."""

from collections.abc import Mapping
from typing import Final

from events.core import Event
from events.summer_pavilion import GameEnded, SeatPassed, TilePlaced
from events.summer_pavilion_pad import MarkerTaken, RoundBegun, SpaceBuilt, TilesLeft
from projections.core import Names, Story
from projections.summer_pavilion.stars import COLOURS, space_name
from projections.summer_pavilion.sums import CITES as GAME_CITES
from projections.summer_pavilion.words import STORY as GAME_STORY
from projections.summer_pavilion.words import tell_points
from projections.words import count


def _round_begun(event: RoundBegun, names: Names) -> str:
    start = f"; everybody begins with {event.scores[0].applied} points" if event.scores else ""
    return f"Round {event.round} is entered{start}."


def _space_built(event: SpaceBuilt, names: Names) -> str:
    bonus = f"; {count(event.bonus, 'bonus tile')} due" if event.bonus else ""
    where = f"{COLOURS[event.colour]} on {space_name(event.star, event.slot)}"
    return f"{names[event.seat]} built {where}: {tell_points(event.scores)}{bonus}."


def _tiles_left(event: TilesLeft, names: Names) -> str:
    if not event.tiles:
        return f"{names[event.seat]} threw nothing away."
    return f"{names[event.seat]} threw tiles away: {tell_points(event.scores)}."


STORY: Final[Story] = {
    RoundBegun: _round_begun,
    MarkerTaken: lambda event, names: f"{names[event.seat]} took the marker: {tell_points(event.scores)}.",
    SpaceBuilt: _space_built,
    TilesLeft: _tiles_left,
    GameEnded: GAME_STORY[GameEnded],
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    RoundBegun: ("PP-3",),
    MarkerTaken: ("SP-27", "SP-28"),
    SpaceBuilt: GAME_CITES[TilePlaced],
    TilesLeft: GAME_CITES[SeatPassed],
    GameEnded: GAME_CITES[GameEnded],
}
