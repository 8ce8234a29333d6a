"""A score pad of Azul in words: Azul's sentences and reasons, and one of its own."""

from events.azul import FloorCleared, GameEnded, LineTiled
from events.azul_pad import FloorCounted, GameStopped, TileLaid
from projections.azul import words as azul
from projections.azul.state import Edition
from projections.azul.words import reasons_of as reasons_of
from projections.core import Story
from projections.story import with_round


def story_of(edition: Edition) -> Story:
    """One sentence per event of a pad."""
    reasons = reasons_of(edition)
    game = azul.story_of(edition, reasons)
    return {
        TileLaid: with_round(game[LineTiled]),
        FloorCounted: with_round(game[FloorCleared]),
        GameEnded: game[GameEnded],
        GameStopped: lambda event, names: azul.tell_end(reasons, "there is no further round", event.scores, names),
    }
