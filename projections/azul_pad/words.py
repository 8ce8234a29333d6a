"""A score pad of Azul in words: Azul's sentences and reasons, and two of its own."""

from events.azul import FloorCleared, GameEnded, LineTiled
from events.azul_pad import GameStopped, RoundBegun
from projections.azul import words as azul
from projections.azul.state import Edition
from projections.azul.words import reasons_of as reasons_of
from projections.core import Story

_SHARED = (LineTiled, FloorCleared, GameEnded)


def story_of(edition: Edition) -> Story:
    """One sentence per event of a pad."""
    reasons = reasons_of(edition)
    shared = azul.story_of(edition, reasons)
    return {
        RoundBegun: lambda event, names: f"Round {event.round} is entered.",
        GameStopped: lambda event, names: azul.tell_end(reasons, "there is no further round", event.scores, names),
        **{kind: shared[kind] for kind in _SHARED},
    }
