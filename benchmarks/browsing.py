"""The replay in a real browser: from a key to the next step on the page, against a request for next to nothing."""

import shutil
from pathlib import Path
from statistics import median

import httpx
from playwright.sync_api import Page, sync_playwright

from benchmarks.serving import running
from service.shell.http.app import API

RECORD = Path(__file__).parents[1] / "docs" / "examples" / "azul.mlr"
"""A match of 58 steps."""
STEPS = 56
"""As many as there are behind the first deal."""
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

STEPPING = """async ([key, steps]) => {
  const place = document.querySelector('.place');
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    const there = new Promise((resolve) => {
      const watching = new MutationObserver(() => { watching.disconnect(); resolve(performance.now()); });
      watching.observe(place, { childList: true });
    });
    const started = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    times.push(await there - started);
    await frame();
    await frame();
  }
  return times;
}"""
"""Milliseconds from a key to the new view, step by step, with a moment in between in which it is painted."""
ASKING = """async (times) => {
  const found = [];
  for (let time = 0; time < times; time += 1) {
    const started = performance.now();
    await (await fetch('/healthz', { cache: 'no-store' })).text();
    found.push(performance.now() - started);
  }
  return found;
}"""


def measure(folder: Path) -> dict[str, float]:
    """How long a step takes on a warm match; nothing where there is no browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is not installed, so that pages are not measured: apt-get install chromium")
        return {}
    own = folder / "browsing"
    own.mkdir()
    with running(own) as (host, port), sync_playwright() as playwright:
        address = f"http://{host}:{port}"
        match = httpx.post(f"{address}{API}/imports", content=RECORD.read_bytes(), timeout=60).json()[0]["match"]
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        page.goto(f"{address}/matches/{match}/replay?at=s2", wait_until="networkidle")
        results = _measured(page)
        browser.close()
    return results


def _measured(page: Page) -> dict[str, float]:
    # Backwards what was seen is kept; forwards it was fetched a few steps ahead.
    steps = [*page.evaluate(STEPPING, ["ArrowRight", STEPS]), *page.evaluate(STEPPING, ["ArrowLeft", STEPS])]
    empty = page.evaluate(ASKING, STEPS)
    return {
        "web.step_median_ms": median(steps),
        "web.step_worst_ms": max(steps),
        "web.step_vs_empty_request": median(steps) / median(empty),
    }
