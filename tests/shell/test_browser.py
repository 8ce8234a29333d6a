"""The audit's page in a real browser: it renders by itself, asks nobody for anything, and fits on paper."""

import shutil
import subprocess
from pathlib import Path

import pytest

from service.audit import audit
from service.games.game import Game
from service.play.evidence import from_store
from service.play.ledger import Ledger
from service.play.matches import open_match
from service.shell.page.html import html_report
from tests.conftest import finish
from tests.shelf import each_game, players

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed; .ci/run installs it"),
    pytest.mark.usefixtures("pebbles_on_the_shelf"),
]
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def browse(page: Path, folder: Path, *flags: str) -> str:
    """What the browser answers about the page."""
    command = [str(CHROMIUM), *QUIET, f"--user-data-dir={folder / 'profile'}", *flags, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@each_game
def test_the_page_renders_and_prints(ledger: Ledger, tmp_path: Path, game: Game) -> None:
    seated = players(game.rules.seats[0])
    live = finish(ledger, open_match(ledger, game.key, len(seated), players=seated))
    evidence = from_store(ledger.store, live.id)
    page = tmp_path / "audit.html"
    page.write_text(html_report(audit(evidence), evidence), encoding="utf-8")
    dom = browse(page, tmp_path, "--dump-dom")
    assert "Clean: no check found anything wrong." in dom
    assert dom.count("<svg") >= 1
    assert all(name in dom for name in (*(player.name for player in seated), game.title))
    assert "http://" not in dom.replace("http://www.w3.org/", "")
    assert "https://" not in dom
    browse(page, tmp_path, f"--screenshot={tmp_path / 'page.png'}", "--window-size=1100,1600")
    assert (tmp_path / "page.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    browse(page, tmp_path, f"--print-to-pdf={tmp_path / 'page.pdf'}", "--no-pdf-header-footer")
    assert (tmp_path / "page.pdf").read_bytes()[:5] == b"%PDF-"
