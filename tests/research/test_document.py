"""docs/research.md tells the layouts as they are."""

import re
from pathlib import Path

import pytest

from service.games.shelf import GAMES, find_game
from service.research.env import Env

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (.+?)\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE))
TITLES = {game.key: game.title.removeprefix("Azul: ") for game in GAMES if not game.pad_of}
LARGEST = {"azul": {}, "master-chocolatier": {"specialFactories": "on"}, "summer-pavilion": {}, "coloretto": {}}


def told(title: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", SECTIONS[title], re.MULTILINE)


@pytest.mark.parametrize("key", TITLES)
def test_every_field_is_told_in_its_place(key: str) -> None:
    fields = [field.name for field in Env(key, 2, LARGEST[key]).layout if not field.name.startswith("next 1 ")]
    before = told("Azul") if key == "master-chocolatier" else []
    assert before + told(TITLES[key]) == fields


@pytest.mark.parametrize("key", ["azul", "summer-pavilion", "coloretto"])
def test_the_numbers_of_numbers_are_right(key: str) -> None:
    sizes = [sum(field.size for field in Env(key, seats).layout) for seats in find_game(key).rules.seats]
    section = SECTIONS[TITLES[key]]
    assert f"{sizes[0]} numbers at two seats, {sizes[1]} at three" in section
    assert all(re.search(rf"\b{size} at (four|five)", section) for size in sizes[2:])


@pytest.mark.parametrize(
    "key, seats, options, blocks",
    [
        ("azul", 2, {}, (2, 30 * 6, 25)),
        ("azul", 4, {"partialFloor": "true"}, (4, 30 * 10, 25, 50 * 10)),
        ("master-chocolatier", 3, {"specialFactories": "on"}, (3, 30 * 8, 25, 480)),
        ("master-chocolatier", 2, {"specialFactories": "on", "partialFloor": "true"}, (2, 180, 25, 300, 1280)),
        ("summer-pavilion", 2, {}, (2, 6 * 6, 210, 83, 252)),
        ("summer-pavilion", 4, {"boardSide": "colourless"}, (4, 6 * 10, 210, 83, 864)),
        ("coloretto", 2, {}, (1, 3, 3, 7, 7, 35)),
        ("coloretto", 5, {}, (1, 5, 5, 7, 7, 35)),
    ],
)
def test_the_blocks_of_actions_add_up(key: str, seats: int, options: dict[str, str], blocks: tuple[int, ...]) -> None:
    assert Env(key, seats, options).size == sum(blocks)
