"""docs/bots.md keeps its word: its example plays every game, and what it shows of the protocol is what is said."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from events.match import MoveForfeited
from service.bots import outside
from service.games.shelf import GAMES
from service.limits import BOT_LINE_BYTES, MAX_SAID
from service.play.simulate import make_plan, simulate
from tests.bots.conftest import heard
from tests.bots.scripts import script
from tests.bots.test_outside import LISTENING
from tests.documents import ROOT, blocks, text_of

PAGE = ROOT / "docs" / "bots.md"
GAMES_TO_PLAY = [game.key for game in GAMES if not game.pad_of]


def written(name: str) -> str:
    """A file that the page writes."""
    found = re.search(rf"cat > {name} <<'END'\n(.*?)^END$", text_of(PAGE), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def shown() -> list[dict[str, Any]]:
    """Every message the page shows."""
    texts = [body for language, body in blocks(PAGE) if language == "json"]
    return [json.loads(line) for text in texts for line in text.replace("\n ", " ").splitlines()]


@pytest.mark.parametrize("game", GAMES_TO_PLAY)
def test_its_program_plays_every_game(folder: Path, game: str) -> None:
    (folder / "mine.py").write_text(written("mine.py"))
    plan = make_plan(game, None, {}, [f"exec:{sys.executable} mine.py", "random"], 0)
    (result,) = simulate(plan, 1)
    assert result.winners
    assert result.forfeits == ()


def test_its_program_has_about_twenty_lines() -> None:
    assert len(written("mine.py").splitlines()) <= 20


@pytest.mark.parametrize("game", GAMES_TO_PLAY)
def test_its_function_plays_every_game(folder: Path, game: str) -> None:
    (folder / "mybots.py").write_text(written("mybots.py"))
    (result,) = simulate(make_plan(game, None, {}, ["module:mybots.lowest", "random"], 0), 1)
    assert result.forfeits == ()


def test_the_messages_it_shows_are_those_that_are_said(folder: Path) -> None:
    """The same fields, and the same kinds of values in them."""
    list(simulate(make_plan("azul", None, {}, [f"exec:{script(folder, LISTENING)}", "random"], 0), 1))
    said = {message["type"]: message for message in heard(folder)}
    asked = [message for message in shown() if "type" in message]
    assert [message["type"] for message in asked] == ["hello", "move", "end"]
    for message in asked:
        real = said[message["type"]]
        assert message.keys() == real.keys()
        assert {key: type(value) for key, value in message.items()} == {key: type(real[key]) for key in message}
    (choice,) = asked[1]["actions"]
    assert choice.keys() == said["move"]["actions"][0].keys()
    assert choice["action"].keys() == said["move"]["actions"][0]["action"].keys()
    for answer in (message for message in shown() if "type" not in message):
        assert set(answer) <= set(outside.ProgramAnswer.__struct_fields__)


def test_its_reasons_and_limits_are_ours() -> None:
    text = text_of(PAGE)
    section = text[text.index("## When a bot fails") :]
    reasons = re.findall(r"^\| `(\w+)` \|", section[: section.index("Then the move")], re.MULTILINE)
    (kind,) = (kind for name, kind in MoveForfeited.__annotations__.items() if name == "why")
    assert set(reasons) == set(kind.__args__)
    assert f"longer than {BOT_LINE_BYTES:,} bytes" in text
    assert f"first {MAX_SAID} characters" in text
