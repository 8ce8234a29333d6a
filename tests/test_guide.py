"""docs/adding-a-game.md is true: its code is the example's, its files exist, and it leaves out no part of a game."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import Struct

from events.codec import decode
from projections.core import Projection
from projections.fold import fold
from service.games.core import Rules, Stage
from service.games.game import Game
from service.games.notation import Notation
from service.games.options import Option
from service.games.shelf import find_game, on_the_shelf
from tests.golden import LOGS, add
from tests.shelf import EXAMPLES

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "adding-a-game.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^ *```(python|markdown)\n(.*?)^ *```$", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"python -m (tests\.\w+)([^`\n]*)", TEXT)
SOURCES = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for path in [
        *(path for game in EXAMPLES for path in sorted((ROOT / "tests" / game.key).rglob("*.py"))),
        *(ROOT / "tests" / game.key / "rulebook.md" for game in EXAMPLES),
        *(ROOT / "tests" / "rules" / f"test_{game.key}.py" for game in EXAMPLES),
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
    assert _parts(SOURCES) - _parts(quoted) == set()


def _parts(paths: Iterable[Path]) -> set[str]:
    """The parts of a game that files are, whichever example they belong to."""
    return {re.sub("|".join(game.key for game in EXAMPLES), "<game>", path.name) for path in paths}


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


def test_every_command_does_what_it_is_there_for(tmp_path: Path) -> None:
    """Golden logs are written and replay; the others write into the repository, and are looked for."""
    assert {module for module, _ in COMMANDS} == {"tests.golden", "tests.gallery", "tests.test_shelf_encodings"}
    written = [add(words.split(), tmp_path) for module, words in COMMANDS if module == "tests.golden"]
    assert {path.name for path in written} <= {path.name for path in (LOGS / "nettles").iterdir()}
    for path in written:
        expected, *rows = path.read_bytes().splitlines()
        with on_the_shelf(*EXAMPLES):
            envelopes = [decode(row) for row in rows]
            state = fold(find_game(path.parent.name).projection, envelopes).state
        assert list(state.scores) == json.loads(expected)["scores"]
        with pytest.raises(SystemExit, match="golden logs are only ever added"):
            add(["nettles/1", path.stem, "3", "1"], tmp_path)
    for module in ("tests.gallery", "tests.test_shelf_encodings"):
        assert '\nif __name__ == "__main__":' in (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
