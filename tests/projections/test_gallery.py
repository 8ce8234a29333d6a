"""Pictures, words, sums and slips, as the gallery shows them."""

import pytest

from service.games.game import Game
from service.games.shelf import GAMES
from tests.gallery import GALLERY, gallery


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_matches_look_and_read_as_they_did(game: Game) -> None:
    """Where a change is wanted, look at it, say `python -m tests.gallery`, and look at what changed."""
    assert gallery(game.key) == (GALLERY / f"{game.key}.txt").read_text(encoding="utf-8")
