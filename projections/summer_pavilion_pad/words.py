"""A score pad of Summer Pavilion in words: every event as a sentence, and the rules to read about it."""

from collections.abc import Mapping
from typing import Final

from events.core import Event
from events.summer_pavilion import GameEnded, SeatPassed, TilePlaced
from events.summer_pavilion_pad import MarkerTaken, SpaceBuilt, TilesLeft
from projections.core import Imperatives, Names, Story, Subjects
from projections.story import with_round
from projections.summer_pavilion.stars import COLOURS, space_name
from projections.summer_pavilion.sums import CITES as GAME_CITES
from projections.summer_pavilion.words import STORY as GAME_STORY
from projections.summer_pavilion.words import SUBJECTS as GAME_SUBJECTS
from projections.summer_pavilion.words import tell_points
from projections.words import count


def _lost(event: MarkerTaken | TilesLeft, names: Names) -> str:
    what = "took the marker" if isinstance(event, MarkerTaken) else "threw tiles away"
    return f"{names[event.seat]} {what}: {tell_points(event.scores[-1:])}."


def _space_built(event: SpaceBuilt, names: Names) -> str:
    bonus = f"; {count(event.bonus, 'bonus tile')} due" if event.bonus else ""
    return f"{names[event.seat]} built {_space(event)}: {tell_points(event.scores[-1:])}{bonus}."


def _offer_space(event: SpaceBuilt, names: Names) -> str:
    return f"Enter {_space(event)}" + (f"; it brings {count(event.bonus, 'bonus tile')}" if event.bonus else "")


def _space(event: SpaceBuilt) -> str:
    return f"{COLOURS[event.colour]} on {space_name(event.star, event.slot)}"


def _tiles_left(event: TilesLeft, names: Names) -> str:
    if not event.tiles:
        return f"{names[event.seat]} threw nothing away."
    return _lost(event, names)


STORY: Final[Story] = {
    MarkerTaken: with_round(_lost),
    SpaceBuilt: with_round(_space_built),
    TilesLeft: with_round(_tiles_left),
    GameEnded: GAME_STORY[GameEnded],
}

IMPERATIVES: Final[Imperatives] = {
    MarkerTaken: lambda event, names: f"Enter the marker, taken with {count(event.tiles, 'tile')}",
    SpaceBuilt: _offer_space,
    TilesLeft: lambda event, names: f"Enter {count(event.tiles, 'discarded tile') if event.tiles else 'no discards'}",
}

SUBJECTS: Final[Subjects] = {"placement": GAME_SUBJECTS["placement"]}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    MarkerTaken: ("SP-27", "SP-28"),
    SpaceBuilt: GAME_CITES[TilePlaced],
    TilesLeft: GAME_CITES[SeatPassed],
    GameEnded: GAME_CITES[GameEnded],
}
