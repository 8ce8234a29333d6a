"""docs/research.md tells the layouts as they are."""

import re
from pathlib import Path

import pytest

from service.games.shelf import GAMES, find_game
from service.research.env import Env

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (.+?)\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE))
TITLES = {game.key: game.title.removeprefix("Azul: ") for game in GAMES if not game.pad_of}
LARGEST = {"master-chocolatier": {"specialFactories": "on"}}
"""The options with the most fields, for a game whose layout depends on them; the page tells the largest layout."""
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def told(title: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", SECTIONS[title], re.MULTILINE)


@pytest.mark.parametrize("key", TITLES)
def test_every_field_is_told_in_its_place(key: str) -> None:
    layout = Env(key, find_game(key).rules.seats[0], LARGEST.get(key, {})).layout
    fields = [field.name for field in layout if not re.match(r"next \d+ ", field.name)]
    before = told("Azul") if key == "master-chocolatier" else []
    assert before + told(TITLES[key]) == fields


@pytest.mark.parametrize("key", ["azul", "summer-pavilion", "coloretto"])
def test_the_numbers_of_numbers_are_right(key: str) -> None:
    first, *more = find_game(key).rules.seats
    sizes = {seats: sum(field.size for field in Env(key, seats).layout) for seats in (first, *more)}
    section = SECTIONS[TITLES[key]]
    assert f"{sizes[first]} numbers at {NUMBERS[first]} seats" in section
    assert [seats for seats in more if f"{sizes[seats]} at {NUMBERS[seats]}" not in section] == []


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
