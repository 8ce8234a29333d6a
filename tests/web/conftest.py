"""A service and a real browser for the tests of pages; whatever the browser complains about fails the test."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize, sync_playwright

from tests.http.serving import Service, serving

CHROMIUM = shutil.which("chromium")
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
in_both_lights = pytest.mark.parametrize(
    "size, scheme", [(DESKTOP, "light"), (PHONE, "dark")], ids=["light-desktop", "dark-phone"]
)
"""Colours depend on the light and places on the size: two visits see both of each."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE = 20_000
"""Milliseconds a page may take on a busy machine before a test gives up."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: apt-get install chromium (.ci/run does)")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on an SQLite ledger, for all tests of pages: none of them minds what others have played there."""
    folder = tmp_path_factory.mktemp("web")
    with serving(str(folder / "ledger.db"), folder) as running:
        yield running


class Visitors:
    """Opens browsers that know nothing of each other, and writes down what went wrong in them."""

    def __init__(self, browser: Browser, service: Service, closing: ExitStack) -> None:
        self._browser, self._service, self._closing = browser, service, closing
        self.complaints: list[str] = []
        self.expected: list[str] = []
        """Pieces of complaints that a test provokes: the browser itself writes every failed request to its console."""

    def __call__(self, size: ViewportSize = DESKTOP, **options: Any) -> Page:
        context: BrowserContext = self._browser.new_context(
            base_url=self._service.url,
            viewport=size,
            **options,
        )
        context.set_default_timeout(PATIENCE)
        self._closing.callback(context.close)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self._asked)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self._service.url, "data:", "blob:")):
            self.complaints.append(f"a request to {request.url}")


@pytest.fixture
def visit(browser: Browser, service: Service) -> Iterator[Visitors]:
    """`visit()` opens a page in a browser of its own; `visit(PHONE)` one of another size."""
    with ExitStack() as closing:
        visitors = Visitors(browser, service, closing)
        yield visitors
        unexpected = [
            complaint for complaint in visitors.complaints if not any(known in complaint for known in visitors.expected)
        ]
        assert not unexpected


def check_reading(page: Page) -> None:
    """Nothing serious for those who use a page otherwise than by eye and mouse, and no scrolling sideways."""
    from axe_playwright_python.sync_playwright import Axe

    # Without this axe describes every element that is fine, too, and a board has thousands of them.
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [
        f"{one['id']}: {one['help']}: {[node['html'][:150] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join(serious)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
