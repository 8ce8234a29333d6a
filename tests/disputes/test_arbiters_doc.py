"""docs/arbiters.md is a test: a fresh ledger, the commands of the walk-through in order, and the output it shows."""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "arbiters.md"
VARYING = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "KEY"),
    (re.compile(r"\b[0-9a-f]{16}…"), "HASH…"),
    (re.compile(r"\b[0-9a-f]{4}(-[0-9a-f]{4}){3}\b"), "FINGERPRINT"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC"), "TIME"),
    (re.compile(r"\b[0-9a-hj-km-np-tv-z]{10}\b"), "MATCH"),
    (re.compile(r"\S+/arbiters/"), "FOLDER/"),
)


def sessions() -> list[str]:
    return re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command with what the page says it prints."""
    parts = [part for session in sessions() for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def run(command: str, folder: Path, env: dict[str, str]) -> str:
    words = command.replace("matchledger", f'"{sys.executable}" -m cli', 1)
    done = subprocess.run(
        words, shell=True, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.stdout


def test_the_walk_through_prints_what_it_says(tmp_path: Path) -> None:
    keys, arbiters = tmp_path / "keys", tmp_path / "arbiters.txt"
    env = {
        **os.environ,
        "MATCHLEDGER_DATABASE": str(tmp_path / "ledger.db"),
        "MATCHLEDGER_KEYS": str(keys),
        "MATCHLEDGER_ARBITERS": str(arbiters),
        "KEYS": str(keys / "arbiters"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONPATH": str(ROOT),
    }
    (tmp_path / "docs").symlink_to(ROOT / "docs")  # the page's own files, seen from a folder to write into
    assert len(commands()) > 10
    for command, expected in commands():
        printed = run(command, tmp_path, env)
        if " key arbiter " in command:  # the page tells the reader to put the public key into the list
            with arbiters.open("a", encoding="utf-8") as listed:
                listed.write(printed.split()[0] + "\n")
        assert plain(printed) == plain(expected), command
    (shown,) = re.findall(r"```page\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    head, _, _ = (tmp_path / "report.html").read_text(encoding="utf-8").partition("<h2>")
    page = seen(head)
    assert len(shown.splitlines()) > 5
    for line in shown.splitlines():
        assert line.replace(": ", " ") in page.replace(": ", " "), line
    assert "Clean" not in head


def seen(page: str) -> str:
    """A piece of a page as it reads: no markup, one blank between words."""
    return " ".join(unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)).split())


def plain(text: str) -> list[str]:
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    return [line.rstrip() for line in text.strip().splitlines()]


def test_every_code_on_the_page_is_one_of_ours() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "service").rglob("*.py"))
    codes = set(re.findall(r"`(dispute/[a-z-]+)`", PAGE.read_text(encoding="utf-8")))
    raised = set(re.findall(r'"(dispute/[a-z-]+)"', sources))
    assert codes == raised, codes ^ raised


def test_the_paper_on_the_page_is_the_one_that_is_kept() -> None:
    shown = re.findall(r"```csv\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    kept = (ROOT / "docs" / "papers" / "scores.csv").read_text(encoding="utf-8")
    assert shown == "".join(line for line in kept.splitlines(keepends=True) if not line.startswith("#"))
