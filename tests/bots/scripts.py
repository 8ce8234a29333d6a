"""Small programs that play, or fail to: written to a folder, and seated by the command that runs them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent, indent

import pytest

from service.trust.folder import key_folder_at

GOOD = """
import json, sys

def say(**answer):
    print(json.dumps(answer), flush=True)

def hello(message):
    say(protocol=1)

def move(message):
    say(number=message["number"], index=0)

def end(message):
    pass

{overrides}
for line in sys.stdin:
    message = json.loads(line)
    globals()[message["type"]](message)
"""


def script(folder: Path, overrides: str = "", name: str = "mine") -> str:
    """The command of a program that plays the first legal action, unless it does something else instead."""
    (folder / f"{name}.py").write_text(GOOD.format(overrides=dedent(overrides)))
    return f"{sys.executable} {name}.py"


def moving(body: str) -> str:
    """What it does instead of moving."""
    return "def move(message):\n" + indent(dedent(body).strip(), "    ")


@contextmanager
def sitting_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of programs where somebody sits who has seated nothing before."""
    place = tmp_path / "programs"
    place.mkdir()
    monkeypatch.chdir(place)
    with key_folder_at(tmp_path / "keys"):
        yield place
