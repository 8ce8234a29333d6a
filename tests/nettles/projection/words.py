"""Nettles in words: every event as a sentence, every point with its reason, the rules to read about it."""

from collections.abc import Mapping, Sequence
from typing import Final

from events.core import Event
from projections.core import Imperatives, Names, Reasons, Story
from projections.words import count, joined
from tests.nettles.events import GameEnded, NettlePicked, NettleTurned, PetalPaid


def run_words(run: Sequence[int]) -> str:
    """`8` or `8–10`."""
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


def _nettle_picked(event: NettlePicked, names: Names) -> str:
    petals = f" with {count(event.petals, 'petal')}" if event.petals else ""
    return f"{names[event.seat]} picked nettle {event.nettle}{petals}."


def _game_ended(event: GameEnded, names: Names) -> str:
    places = ", ".join(f"{names[place.seat]} {place.score}" for place in event.standings)
    return f"The last nettle was picked, and the game ended: {places}."


STORY: Final[Story] = {
    NettleTurned: lambda event, names: f"Nettle {event.nettle} was turned over.",
    PetalPaid: lambda event, names: f"{names[event.seat]} paid a petal.",
    NettlePicked: _nettle_picked,
    GameEnded: _game_ended,
}

IMPERATIVES: Final[Imperatives] = {
    PetalPaid: lambda event, names: "Pay a petal",
    NettlePicked: lambda event, names: (
        f"Take nettle {event.nettle}" + (f" with {count(event.petals, 'petal')}" if event.petals else "")
    ),
}

REASONS: Final[Reasons] = {
    "nettles": lambda operands: f"nettles {joined(list(operands))}",
    "petals": lambda operands: f"{count(operands['petals'], 'petal')} left",
}

CITES: Final[Mapping[type[Event], tuple[str, ...]]] = {
    NettleTurned: ("NE-2", "NE-3"),
    PetalPaid: ("NE-5",),
    NettlePicked: ("NE-6",),
    GameEnded: ("NE-7", "NE-8", "NE-9", "NE-10", "NE-11"),
}
