"""What every game's actions are called and how they are written, for those who stored or printed it."""

import pytest

from events.core import Standing
from events.match import SeatTaken
from service.games.first_player import ChooseStart
from service.games.game import Game
from service.games.options import read_options
from service.games.shelf import GAMES

TAGS = {
    "azul": ("start.choose", "azul.draft_tiles", "azul.tile_line"),
    "master-chocolatier": (
        "start.choose",
        "azul.draft_tiles",
        "master_chocolatier.spread_tiles",
        "azul.tile_line",
    ),
    "summer-pavilion": (
        "start.choose",
        "summer_pavilion.acquire_tiles",
        "summer_pavilion.place_tile",
        "summer_pavilion.take_bonus",
        "summer_pavilion.pass",
    ),
    "coloretto": (
        "coloretto.choose_start_card",
        "coloretto.draw_card",
        "coloretto.place_card",
        "coloretto.take_row",
        "coloretto.assign_joker",
        "coloretto.name_colours",
    ),
    "azul-pad": ("azul_pad.lay_tile", "azul_pad.clear_floor", "azul_pad.stop_game"),
    "master-chocolatier-pad": ("azul_pad.lay_tile", "azul_pad.clear_floor", "azul_pad.stop_game"),
    "summer-pavilion-pad": (
        "summer_pavilion_pad.take_marker",
        "summer_pavilion_pad.build_space",
        "summer_pavilion_pad.leave_tiles",
    ),
    "coloretto-pad": (
        "coloretto_pad.count_cards",
        "coloretto_pad.close_collection",
        "coloretto.assign_joker",
        "coloretto.name_colours",
    ),
}
CHOSEN = [game for game in GAMES if any(option.name == "firstPlayer" for option in game.rules.options)]
"""Where somebody starts; on a pad nobody does."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_tags_are_kept(game: Game) -> None:
    """They are in the fingerprints of stored commands, so they stay."""
    assert tuple(action.__struct_config__.tag for action in game.rules.actions) == TAGS[game.key]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_follows_from_no_action_is_recalled_as_none(game: Game) -> None:
    state = game.projection.initial(2, read_options(game.rules, {}, 2))
    with pytest.raises(TypeError):
        game.notation.recall(state, [SeatTaken(seat=1)])
    with pytest.raises(TypeError):
        game.notation.recall_outcome(SeatTaken(seat=1))


@pytest.mark.parametrize("game", [game for game in CHOSEN if game.key != "coloretto"], ids=lambda game: game.key)
def test_where_the_host_chooses_chance_owes_nothing(game: Game) -> None:
    state = game.projection.initial(2, read_options(game.rules, {"firstPlayer": "host-choice"}, 2))
    assert game.rules.request(state) is None
    assert [*game.rules.legal(state, 1)] == [ChooseStart(1), ChooseStart(2)]
    lot = game.projection.initial(2, read_options(game.rules, {}, 2))
    assert game.rules.request(lot) is not None
    assert [*game.rules.legal(lot, 1)] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_before_anything_is_scored_everybody_is_first(game: Game) -> None:
    state = game.projection.initial(2, read_options(game.rules, {}, 2))
    start = game.projection.scores(state)[0]
    assert game.rules.rank(state) == (Standing(1, 1, start), Standing(2, 1, start))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_examples_of_every_notation_read(game: Game) -> None:
    for text, _ in game.notation.examples:
        assert game.notation.write(game.notation.read(text)) == text
