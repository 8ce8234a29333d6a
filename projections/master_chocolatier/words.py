"""Master Chocolatier in words: every event as a sentence, every point with its reason."""

from typing import Final

from events.master_chocolatier import (
    GoldPlacesDrawn,
    GoldSidesShown,
    ShieldedLineDropped,
    SpecialDisplaysFilled,
    SpecialTilesDrafted,
)
from projections.azul import words as azul
from projections.core import Imperatives, Names, Reasons, Story, Subjects
from projections.master_chocolatier.state import EDITION, EXTRA, KEEP, PULL, SHIELD, SPREAD
from projections.words import count, joined


def does(side: int) -> str:
    """What a gold side does, as a verb with its object."""
    if side in PULL:
        return f"pulls {EDITION.colours[PULL.index(side)]} from its neighbours"
    return {
        EXTRA: "takes one more praline",
        KEEP: "keeps its leftovers",
        SPREAD: "spreads its leftovers",
        SHIELD: "shields whoever picks from it",
    }[side]


def _gold_places_drawn(event: GoldPlacesDrawn, names: Names) -> str:
    places = joined([str(place) for place in sorted(event.places)])
    return f"For round {event.round} the displays were shuffled; {places} were turned to gold."


def _gold_sides_shown(event: GoldSidesShown, names: Names) -> str:
    shown = [f"display {place} {does(side)}" for place, side in zip(event.places, event.sides, strict=True)]
    return f"The gold sides: {'; '.join(shown)}."


def _displays_filled(event: SpecialDisplaysFilled, names: Names) -> str:
    parts = [azul.tell_deal(EDITION, event, names)]
    if event.extra_display:
        parts.append(f"Display {event.extra_display} took one more {EDITION.colours[event.extra]}.")
    for display in dict.fromkeys(pulled.display for pulled in event.pulled):
        pulled = [one for one in event.pulled if one.display == display]
        origins = joined([str(one.origin) for one in pulled])
        parts.append(f"Display {display} pulled {len(pulled)} {EDITION.colours[pulled[0].colour]} from {origins}.")
    return " ".join(parts)


def _tiles_drafted(event: SpecialTilesDrafted, names: Names) -> str:
    more = []
    if event.stayed:
        more.append("the leftovers stayed")
    if event.spread:
        sent = joined([f"{EDITION.colours[one.colour]} to display {one.display}" for one in event.spread])
        more.append(f"the leftovers went on, {sent}")
    if event.took_disc:
        more.append("the disc was taken")
    if event.shielded == "tile":
        more.append(f"{count(1, EDITION.tile)} fell on the disc")
    return azul.tell_draft(EDITION, event, names, _beside(event), more)


def _offer_draft(event: SpecialTilesDrafted, names: Names) -> str:
    more = ["the leftovers stay"] if event.stayed else []
    more += [f"{EDITION.colours[one.colour]} goes to display {one.display}" for one in event.spread]
    if event.took_disc:
        more.append("the disc is yours")
    if event.shielded == "tile":
        more.append(f"{count(1, EDITION.tile)} falls on the disc")
    return azul.offer_draft(EDITION, event, names, _beside(event), more)


def _beside(event: SpecialTilesDrafted) -> str:
    """Where a marker lies that took no floor space."""
    return "on the disc" if event.shielded else "beside the full floor"


def _line_dropped(event: ShieldedLineDropped, names: Names) -> str:
    return azul.tell_fall(EDITION, event, names).removesuffix(".") + ", 1 of them on the disc."


REASONS: Final[Reasons] = {
    **azul.reasons_of(EDITION),
    "shielded": lambda operands: f"a {EDITION.colours[operands['colour']]} {EDITION.tile} on the disc",
    "shielded-marker": lambda operands: "the marker on the disc",
}

SUBJECTS: Final[Subjects] = azul.subjects_of(EDITION)

STORY: Final[Story] = {
    **azul.story_of(EDITION, REASONS),
    GoldPlacesDrawn: _gold_places_drawn,
    GoldSidesShown: _gold_sides_shown,
    SpecialDisplaysFilled: _displays_filled,
    SpecialTilesDrafted: _tiles_drafted,
    ShieldedLineDropped: _line_dropped,
}

IMPERATIVES: Final[Imperatives] = {**azul.imperatives_of(EDITION), SpecialTilesDrafted: _offer_draft}
