"""docs/adding-a-game.md is true: its code is the example's, its files exist, and it leaves out no part of a game."""

import re
from pathlib import Path

import pytest
from msgspec import Struct

from projections.core import Projection
from service.games.core import Rules, Stage
from service.games.game import Game
from service.games.notation import Notation
from service.games.options import Option

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "adding-a-game.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^ *```(python|markdown)\n(.*?)^ *```$", TEXT, re.DOTALL | re.MULTILINE)
SOURCES = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for path in [
        *sorted((ROOT / "tests" / "pebbles").rglob("*.py")),
        ROOT / "tests" / "pebbles" / "rulebook.md",
        ROOT / "tests" / "rules" / "test_pebbles.py",
        ROOT / "tests" / "test_tried_out.py",
    ]
}


@pytest.mark.parametrize("language, block", BLOCKS, ids=lambda text: text.strip().splitlines()[0][:50])
def test_every_block_stands_in_the_example(language: str, block: str) -> None:
    suffix = {"python": ".py", "markdown": ".md"}[language]
    places = [path for path, source in SOURCES.items() if path.suffix == suffix and f"\n{block}" in f"\n{source}"]
    assert places, f"no file of the example has this block as it stands:\n{block}"


def test_every_file_of_the_example_is_quoted() -> None:
    """A part of a game that the guide passes over is one that the next author forgets."""
    quoted = {path for path, source in SOURCES.items() for _, block in BLOCKS if f"\n{block}" in f"\n{source}"}
    assert {path.name for path in SOURCES} - {path.name for path in quoted} == set()


@pytest.mark.parametrize("record", [Game, Projection, Rules, Notation], ids=lambda kind: kind.__name__)
def test_every_field_of_a_games_records_is_mentioned(record: type[Struct]) -> None:
    missing = [name for name in record.__struct_fields__ if not re.search(rf"(`|^    ){name}(`|=)", TEXT, re.M)]
    assert missing == []
    for name in ("replaced", "choices"):
        assert name in {*Stage.__struct_fields__, *Option._fields}
        assert f"`{name}`" in TEXT


def test_every_path_and_link_leads_somewhere() -> None:
    paths = set(re.findall(r"`((?:tests|events|projections|service|docs)/[\w./-]*)`", TEXT))
    links = {target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", TEXT)}
    assert paths
    assert links
    for path in paths:
        assert (ROOT / path).exists(), path
    for link in links:
        assert (GUIDE.parent / link).resolve().exists(), link
    assert "(docs/adding-a-game.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
