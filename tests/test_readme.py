"""The README is a test: its console sessions print what it says, its Python runs, its make targets exist."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
A_HASH = re.compile(r"\b[0-9a-f]{64}\b")
AN_ID = re.compile(r"\b[0-9a-hj-km-np-tv-z]{10}\b")


def test_the_first_screen_shows_success_and_a_refusal() -> None:
    first_screen = "\n".join(README.splitlines()[:60])
    assert "make demo" in first_screen
    assert "make test" in first_screen
    assert "Refused (" in first_screen


@pytest.mark.parametrize("session", SESSIONS, ids=lambda text: text.splitlines()[0][2:40])
def test_console_sessions(session: str, tmp_path: Path) -> None:
    env = {**os.environ, "MATCHLEDGER_DATABASE": str(tmp_path / "readme.db"), "COLUMNS": "80", "NO_COLOR": "1"}
    for command, expected in _commands(session):
        words = command.replace("matchledger", f'"{sys.executable}" -m cli', 1)
        done = subprocess.run(
            words,
            shell=True,
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert _plain(done.stdout) == _plain(expected), command


@pytest.mark.parametrize("code", PYTHON, ids=lambda text: text.splitlines()[0][:40])
def test_python_blocks(code: str, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    promised = re.findall(r"# prints (.*)", code)
    assert promised
    assert done.stdout.splitlines() == promised


def test_make_targets_exist() -> None:
    targets = re.findall(r"^make (\w+)", "\n".join(SHELL), re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def _commands(session: str) -> list[tuple[str, str]]:
    """Command lines with what the README says they print."""
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def _plain(text: str) -> list[str]:
    lines = [AN_ID.sub("0123456789", A_HASH.sub("HASH", line)).rstrip() for line in text.strip().splitlines()]
    return [line for line in lines if line]
