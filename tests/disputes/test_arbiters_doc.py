"""docs/arbiters.md is a test: a fresh ledger, the commands of the walk-through in order, and the output it shows."""

import re
from html import unescape
from pathlib import Path

from tests.documents import ROOT, blocks, commands, run

PAGE = ROOT / "docs" / "arbiters.md"


def test_the_walk_through_prints_what_it_says(tmp_path: Path) -> None:
    steps = commands(PAGE)
    assert len(steps) > 20
    run(steps, tmp_path)
    (shown,) = [body for language, body in blocks(PAGE) if language == "page"]
    head, _, _ = (tmp_path / "report.html").read_text(encoding="utf-8").partition("<h2>")
    page = seen(head)
    assert len(shown.splitlines()) > 5
    for line in shown.splitlines():
        assert line.replace(": ", " ") in page.replace(": ", " "), line
    assert "Clean" not in head


def seen(page: str) -> str:
    """A piece of a page as it reads: no markup, one blank between words."""
    return " ".join(unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)).split())


def test_every_code_on_the_page_is_one_of_ours() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "service").rglob("*.py"))
    codes = set(re.findall(r"`(dispute/[a-z-]+)`", PAGE.read_text(encoding="utf-8")))
    raised = set(re.findall(r'"(dispute/[a-z-]+)"', sources))
    assert codes == raised, codes ^ raised


def test_the_paper_on_the_page_is_the_one_that_is_kept() -> None:
    shown = re.findall(r"```csv\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    kept = (ROOT / "docs" / "papers" / "scores.csv").read_text(encoding="utf-8")
    assert shown == "".join(line for line in kept.splitlines(keepends=True) if not line.startswith("#"))
