"""What every game's actions are called and how they are written, for those who stored or printed it."""

import pytest

from events.match import SeatTaken
from projections.first_player import HOST_CHOICE
from service.games.first_player import ChooseStart
from service.games.game import Game
from tests.shelf import EVERY_GAME, Shape

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

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
    "pebbles": ("pebbles.throw_dice", "pebbles.keep_pebbles"),
    "nettles": ("nettles.pay_petal", "nettles.pick_nettle"),
}


def choices(game: Game, name: str) -> tuple[object, ...]:
    """What an option may be at the smallest table; nothing where the game has no such option."""
    return next((option.at(game.rules.seats[0]) for option in game.rules.options if option.name == name), ())


CHOSEN = [game for game in EVERY_GAME if HOST_CHOICE in choices(game, "firstPlayer")]
"""Where the host may name who starts."""


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_tags_are_kept(game: Game) -> None:
    """They are in the fingerprints of stored commands, so they stay."""
    assert tuple(action.__struct_config__.tag for action in game.rules.actions) == TAGS[game.key]


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_what_follows_from_no_action_is_recalled_as_none(game: Game) -> None:
    state = Shape(game, game.rules.seats[0], {}).initial
    with pytest.raises(TypeError):
        game.notation.recall(state, [SeatTaken(seat=1)])
    with pytest.raises(TypeError):
        game.notation.recall_outcome(SeatTaken(seat=1))


@pytest.mark.parametrize("game", CHOSEN, ids=lambda game: game.key)
def test_where_the_host_chooses_chance_owes_nothing(game: Game) -> None:
    seats = game.rules.seats[0]
    state = Shape(game, seats, {"firstPlayer": HOST_CHOICE}).initial
    assert game.rules.request(state) is None
    assert [*game.rules.legal(state, 1)] == [ChooseStart(seat) for seat in range(1, seats + 1)]
    lot = Shape(game, seats, {}).initial
    assert game.rules.request(lot) is not None
    assert [*game.rules.legal(lot, 1)] == []


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_before_anything_is_scored_everybody_is_first(game: Game) -> None:
    shape = Shape(game, game.rules.seats[0], {})
    start = game.projection.scores(shape.initial)[0]
    places = game.rules.rank(shape.initial)
    assert [(place.seat, place.rank, place.score) for place in places] == [
        (seat, 1, start) for seat in range(1, shape.seats + 1)
    ]


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_the_examples_of_every_notation_read(game: Game) -> None:
    for text, _ in game.notation.examples:
        assert game.notation.write(game.notation.read(text)) == text
