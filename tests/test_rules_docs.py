"""The rules in writing: every rule the code cites can be looked up, under its id, in the document of its game."""

import re
from collections import defaultdict

import pytest

from service.games.game import Game
from service.games.options import offered
from service.questions.rulebook import rulebook, rules_of
from tests.shelf import EVERY_GAME, each_game, sources

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
CITED = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
PARAGRAPH = re.compile(r"^(?:[-*] )?\*\*([A-Z]{2}-[A-Z]?\d+)\*\* \S", re.MULTILINE)


def explained(game: Game) -> list[str]:
    """The ids that open a paragraph or list item of the game's document, in order."""
    return PARAGRAPH.findall(rulebook(game.key))


@each_game
def test_every_rule_the_code_cites_is_explained(game: Game) -> None:
    paths = sources(game)
    assert {"state", "picture", "words", "rules", "notation", "bot"} <= {path.stem for path in paths}
    known = {rule for other in EVERY_GAME for rule in explained(other)}
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


@each_game
def test_the_program_finds_every_paragraph(game: Game) -> None:
    assert set(explained(game)) <= set(rules_of(game.key))


def test_every_document_has_a_prefix_of_its_own() -> None:
    prefixes = [prefix for game in EVERY_GAME for prefix in {rule.split("-")[0] for rule in explained(game)}]
    assert len(prefixes) == len(set(prefixes)) == len(EVERY_GAME)


@each_game
def test_every_option_is_named_with_its_default_and_choices(game: Game) -> None:
    rows = [line.split(" | ") for line in rulebook(game.key).splitlines() if line.startswith("| `")]
    for option in game.rules.options:
        choices = ", ".join(
            f"`{choice.text}` ({choice.tables})" if choice.tables else f"`{choice.text}`"
            for choice in offered(option, game.rules.seats)
        )
        assert [f"| `{option.name}`", f"`{option.default}`", choices] in [row[:3] for row in rows]
