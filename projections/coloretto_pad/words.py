"""A score pad of Coloretto in words: every event as a sentence, and the rules to read about it."""

from collections.abc import Mapping
from typing import Final

from events.coloretto import ColoursNamed, JokerAssigned, Kind, LastRoundEnded
from events.coloretto_pad import CardsCounted, CollectionClosed
from events.core import Event
from projections.coloretto.state import COLOURS, JOKER, KINDS
from projections.coloretto.sums import CITES as GAME_CITES
from projections.coloretto.words import IMPERATIVES as GAME_IMPERATIVES
from projections.coloretto.words import STORY as GAME_STORY
from projections.coloretto_pad.state import SHARED
from projections.core import Imperatives, Names, Story
from projections.words import count


def counted(kind: Kind, cards: int) -> str:
    """So many cards of a kind: `3 red cards`, `1 joker`."""
    name = KINDS[kind]
    return count(cards, name if kind == JOKER else f"{name} card" if kind < COLOURS else f'"{name}" card')


def _cards_counted(event: CardsCounted, names: Names) -> str:
    return f"{names[event.seat]} has {counted(event.card, event.cards)}."


STORY: Final[Story] = {
    CardsCounted: _cards_counted,
    CollectionClosed: lambda event, names: f"{names[event.seat]} has counted everything.",
    **{kind: GAME_STORY[kind] for kind in SHARED},
    LastRoundEnded: lambda event, names: "Everything is counted: jokers get their colours, three colours count plus.",
}

IMPERATIVES: Final[Imperatives] = {
    CardsCounted: lambda event, names: f"Enter {counted(event.card, event.cards)}",
    CollectionClosed: lambda event, names: "Close the collection: everything is counted",
    **{kind: GAME_IMPERATIVES[kind] for kind in (JokerAssigned, ColoursNamed)},
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    CardsCounted: ("CO-3", "CP-3"),
    CollectionClosed: ("CP-2",),
    **{kind: GAME_CITES[kind] for kind in SHARED if kind in GAME_CITES},
}
