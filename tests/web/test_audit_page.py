"""The audit's page in a real browser: it renders by itself, asks nobody for anything, and fits on paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from service.audit import audit
from service.games.game import Game
from service.play.evidence import from_store
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.shell.web.audit_file import html_report
from tests.conftest import finish
from tests.shelf import each_game, players

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@each_game
def test_the_page_renders_and_prints(browser: Browser, ledger: LocalLedger, tmp_path: Path, game: Game) -> None:
    seated = players(game.rules.seats[0])
    live = finish(ledger, open_match(ledger, game.key, len(seated), players=seated))
    evidence = from_store(ledger.store, live.id)
    file = tmp_path / "audit.html"
    file.write_text(html_report(audit(evidence), evidence), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1100, "height": 1600})
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(file.as_uri())
    shown = page.locator("body").inner_text()
    assert "Clean: no check found anything wrong." in shown
    assert all(name in shown for name in (*(player.name for player in seated), game.title))
    assert page.locator("svg.board").count() >= len(seated)
    boxes = page.locator("svg.board").evaluate_all("boards => boards.map(board => board.getBoundingClientRect().width)")
    assert min(boxes) > 200, "a board is too small to be read"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    assert page.pdf()[:5] == b"%PDF-"
    assert asked == [file.as_uri()]
    assert not complaints
    page.close()
