"""docs/http.md is a test: its blocks run in order against a real service, and its tables are those of the program."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.http.serving import serving

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```(?:\n\n```(text|json)\n(.*?)```)?", GUIDE, re.DOTALL)
ADDRESS = "http://127.0.0.1:8080"
MORE = "…"
END_OF_BLOCK = "\x1e"
PATIENCE = 300
"""Seconds after which a guide that hangs is a guide that fails."""

# What is another on every run, and what it is shown as.
OTHERS = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"), "UUID"),
    (re.compile(r"[0-9a-f]{16,}"), "HASH"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), "TOKEN"),
    (re.compile(r"\b[0-9a-z]{10}\b"), "MATCH"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
    (re.compile(r"-[0-9a-f]{8}\b"), "-NAMES"),
)


def masked(text: str) -> str:
    for pattern, shown in OTHERS:
        text = pattern.sub(shown, text)
    return text


def fits(promised: Any, came: Any) -> bool:
    """Whether an answer is what the page says, in which `…` stands for anything, and as a key for any others."""
    if promised == MORE:
        return True
    if isinstance(promised, dict) and isinstance(came, dict):
        named = promised.keys() - {MORE}
        is_whole = MORE in promised or named == came.keys()
        return is_whole and all(key in came and fits(promised[key], came[key]) for key in named)
    if isinstance(promised, list) and isinstance(came, list):
        return len(promised) == len(came) and all(map(fits, promised, came))
    return bool(promised == came)


def test_the_guide_runs_from_top_to_bottom(tmp_path: Path, migrated_file: Path) -> None:
    assert shutil.which("curl"), "docs/http.md is for people with curl, and there is none here to try it with"
    database = str(shutil.copy(migrated_file, tmp_path / "matches.db"))
    with serving(database, tmp_path, "--rate", "50", "--streams", "16") as service:
        script = "".join(f"{code}printf '\\036'\n" for code, _, _ in BLOCKS).replace(ADDRESS, service.url)
        done = subprocess.run(
            ["bash"], input=script, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert not done.stderr
    answers = done.stdout.split(END_OF_BLOCK)
    assert len(answers) == len(BLOCKS) + 1
    for (code, kind, promised), came in zip(BLOCKS, answers, strict=False):
        if kind == "json":
            assert fits(json.loads(masked(promised)), json.loads(masked(came))), f"{code}\n{came}"
        else:
            assert masked(came).splitlines() == masked(promised).splitlines(), f"{code}\n{came}"
