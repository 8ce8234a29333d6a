"""The rules in writing: every rule the code cites can be looked up, under its id, in the document of its game."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from service.games.game import Game
from service.games.options import offered
from service.games.shelf import GAMES

ROOT = Path(__file__).parents[1]
CITED = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
PARAGRAPH = re.compile(r"^(?:[-*] )?\*\*([A-Z]{2}-[A-Z]?\d+)\*\* \S", re.MULTILINE)
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def document(game: Game) -> str:
    return (ROOT / "docs" / "rules" / f"{game.key}.md").read_text(encoding="utf-8")


def explained(game: Game) -> list[str]:
    """The ids that open a paragraph or list item of the game's document, in order."""
    return PARAGRAPH.findall(document(game))


def sources(game: Game) -> list[Path]:
    """The game's files: one in `events`, a folder in each of the two rooms that know games."""
    name = game.key.replace("-", "_")
    folders = [ROOT / "projections" / name, ROOT / "service" / "games" / name]
    return [ROOT / "events" / f"{name}.py", *(path for folder in folders for path in sorted(folder.glob("*.py")))]


@each_game
def test_every_rule_the_code_cites_is_explained(game: Game) -> None:
    paths = sources(game)
    assert {"state", "picture", "words", "rules", "notation", "bot"} <= {path.stem for path in paths}
    known = {rule for other in GAMES for rule in explained(other)}
    cited = {(rule, path.name) for path in paths for rule in CITED.findall(path.read_text(encoding="utf-8"))}
    assert cited
    assert sorted((rule, name) for rule, name in cited if rule not in known) == []


@each_game
def test_ids_are_unique_and_without_gaps(game: Game) -> None:
    series = defaultdict[str, list[int]](list)
    for rule in explained(game):
        prefix, number = re.split(r"(?=\d)", rule, maxsplit=1)
        series[prefix].append(int(number))
    assert series
    for prefix, numbers in series.items():
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), prefix


def test_every_document_has_a_prefix_of_its_own() -> None:
    prefixes = [prefix for game in GAMES for prefix in {rule.split("-")[0] for rule in explained(game)}]
    assert len(prefixes) == len(set(prefixes)) == len(GAMES)


@each_game
def test_every_option_is_named_with_its_default_and_choices(game: Game) -> None:
    rows = [line.split(" | ") for line in document(game).splitlines() if line.startswith("| `")]
    for option in game.rules.options:
        choices = ", ".join(
            f"`{choice.text}` ({choice.tables})" if choice.tables else f"`{choice.text}`"
            for choice in offered(option, game.rules.seats)
        )
        assert [f"| `{option.name}`", f"`{option.default}`", choices] in [row[:3] for row in rows]
