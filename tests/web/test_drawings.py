"""The drawings of every game in a real browser."""

import httpx
import pytest
from playwright.sync_api import ViewportSize

from service.games.game import Game
from service.games.shelf import GAMES
from tests.http.serving import Service
from tests.shelf import people
from tests.web.conftest import Visitors, check_reading, in_both_lights


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@in_both_lights
def test_a_table_is_drawn_to_be_read(
    service: Service, visit: Visitors, game: Game, size: ViewportSize, scheme: str
) -> None:
    names = people(game, 4)
    opened = httpx.post(f"{service.api}/matches", json={"game": game.key, "players": names}).json()
    page = visit(size, color_scheme=scheme)
    page.goto(f"/matches/{opened['match']['match']}")
    assert page.locator("svg.board").count() >= len(names)
    check_reading(page)
