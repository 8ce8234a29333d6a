"""The README is a test: its Python runs, its make targets exist; tests/test_documents.py runs its console sessions."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.play.chance import commitment, secret_from_seed

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def test_the_first_screen_shows_success_and_a_refusal() -> None:
    first_screen = "\n".join(README.splitlines()[:24])
    assert "make serve" in first_screen
    assert "make test" in first_screen
    assert "Refused (" in first_screen


def test_the_commitment_is_that_of_the_seed() -> None:
    """Hashes are another on every run, and so not compared; this one follows from the seed."""
    (shown,) = re.findall(r"commitment +([0-9a-f]{64})", README)
    assert "azul Ann Ben --seed 7" in README
    assert shown == commitment(secret_from_seed(7))


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
    assert {"serve", "test"} <= set(targets)
    for target in targets:
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)
