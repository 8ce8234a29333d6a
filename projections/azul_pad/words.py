"""A score pad of Azul in words: Azul's sentences and reasons, and one of its own."""

from events.azul import FloorCleared, GameEnded, LineTiled
from events.azul_pad import FloorCounted, GameStopped, TileLaid
from projections.azul import words as azul
from projections.azul.state import Edition
from projections.azul.words import reasons_of as reasons_of
from projections.core import Imperatives, Names, Story
from projections.story import with_round
from projections.words import count


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


def imperatives_of(edition: Edition) -> Imperatives:
    """The entries there are on a pad."""
    return {
        TileLaid: lambda event, names: azul.offer_tile(edition, event, "Enter"),
        FloorCounted: _offer_floor,
        GameStopped: lambda event, names: "End the game: there is no further round",
    }


def _offer_floor(event: FloorCounted, names: Names) -> str:
    return f"Enter {count(event.spaces, 'occupied floor space') if event.spaces else 'a clean floor'}"
