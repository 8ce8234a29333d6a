"""Pictures, words, sums and slips, as the gallery shows them."""

import pytest

from projections.core import SMALL, fits
from projections.fold import fold
from service.games.game import Game
from service.games.shelf import GAMES
from tests.gallery import GALLERY, NAMES, SOME, envelopes_of, gallery, plain
from tests.golden import LOGS


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_matches_look_and_read_as_they_did(game: Game) -> None:
    """Where a change is wanted, look at it, say `python -m tests.gallery`, and look at what changed."""
    assert gallery(game.key) == (GALLERY / f"{game.key}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_recorded_matches_fit_a_small_screen(game: Game) -> None:
    for log in sorted((LOGS / game.key).glob("*.jsonl")):
        envelopes = envelopes_of(log)
        for count in [*range(1, len(envelopes), 2 * SOME), len(envelopes)]:
            picture = game.projection.draw(fold(game.projection, envelopes[:count]).state, NAMES, SMALL)
            assert fits(picture, SMALL), f"{log.stem} after event {count}\n{plain(picture)}"
