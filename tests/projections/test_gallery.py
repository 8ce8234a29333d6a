"""Pictures, words, sums and slips, as the gallery shows them."""

from pathlib import Path

import pytest

from projections.core import SMALL, fits
from projections.fold import fold
from service.games.game import Game
from service.games.shelf import GAMES
from tests.gallery import NAMES, SOME, digest_line, envelopes_of, game_of, kept, logs_of, pages, plain

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
each_log = pytest.mark.parametrize(
    "log", [log for game in GAMES for log in logs_of(game.key)], ids=lambda log: f"{log.parent.name}-{log.stem}"
)
"""A test for each, so that processes share the work. Where a change is wanted: `python -m tests.gallery`, then look."""


@each_game
def test_a_match_looks_and_reads_as_it_did(game: Game) -> None:
    drawn, numbers = kept(game.key)
    assert pages(game.key) == drawn
    assert [line.split()[0] for line in numbers] == [log.stem for log in logs_of(game.key)]


@each_log
def test_every_match_looks_and_reads_as_it_did(log: Path) -> None:
    assert digest_line(log) in kept(log.parent.name)[1]


@each_log
def test_recorded_matches_fit_a_small_screen(log: Path) -> None:
    envelopes = envelopes_of(log)
    projection = game_of(envelopes).projection
    for count in [*range(1, len(envelopes), 2 * SOME), len(envelopes)]:
        picture = projection.draw(fold(projection, envelopes[:count]).state, NAMES, SMALL)
        assert fits(picture, SMALL), f"{log.stem} after event {count}\n{plain(picture)}"
