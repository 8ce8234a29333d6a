"""`make screenshots`: every page photographed for every game, desktop and phone, light and dark.

The few that documents show are kept in docs/pictures; all of them, to be looked at, go to a folder git ignores.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import httpx
from playwright.sync_api import Browser, sync_playwright

from service.games.game import Game
from service.games.shelf import GAMES
from service.shell.client import Client
from tests.http.serving import Service, serving
from tests.web.conftest import CHROMIUM, DESKTOP, FLAGS, PHONE

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
ALL: Final = PICTURES / "all"
PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dora", "Eve")
SIZES: Final = {"desktop": DESKTOP, "phone": PHONE}
SHOWN: Final = {
    "table-azul-desktop-light",
    "table-summer-pavilion-desktop-light",
    "table-master-chocolatier-desktop-dark",
    "table-coloretto-desktop-light",
    "table-azul-pad-phone-light",
    "table-coloretto-phone-dark",
    "replay-summer-pavilion-desktop-light",
    "review-azul-desktop-light",
    "audit-azul-desktop-light",
    "lobby-desktop-light",
    "new-azul-phone-dark",
}
"""What documents show."""


class Shot(NamedTuple):
    """A page to photograph: what it is called, and where it is."""

    name: str
    path: str


def play(service: Service, game: Game, seats: int, moves: int | None = None) -> tuple[str, dict[str, Any]]:
    """A match with so many random moves made and seat 1 to move, or played to its end; and its tokens."""
    body = {"game": game.key, "players": PEOPLE[:seats], "seed": 7, "arbiters": ["house"], "undo": "free"}
    opened = httpx.post(f"{service.api}/matches", json=body).raise_for_status().json()
    match, tokens = opened["match"]["match"], opened["tokens"]
    rng = random.Random(4)
    made = 0
    while turn := httpx.get(f"{service.api}/matches/{match}").raise_for_status().json()["turn"]:
        if moves is not None and made >= moves and 1 in turn:
            break
        seat = {"seat": rng.choice(turn)}
        legal = httpx.get(f"{service.api}/matches/{match}/legal", params=seat).raise_for_status().json()
        move = max(rng.sample(legal["moves"], min(6, len(legal["moves"]))), key=lambda found: int(found["points"]))
        bearer = {"Authorization": f"Bearer {tokens['seats'][str(legal['seat'])]}"}
        address = f"{service.api}/matches/{match}/actions"
        httpx.post(address, json={"move": move["move"]}, headers=bearer).raise_for_status()
        made += 1
    return match, tokens


def shots(service: Service) -> Iterator[Shot]:
    """Every page there is."""
    for game in GAMES:
        seats = min(3, game.rules.seats[-1])
        match, tokens = play(service, game, seats, 14)
        mine = httpx.QueryParams({"role": "seat", "seat": 1, "token": tokens["seats"]["1"]})
        yield Shot(f"table-{game.key}", f"/matches/{match}#{mine}")
        over, _ = play(service, game, game.rules.seats[0])
        yield Shot(f"replay-{game.key}", f"/matches/{over}/replay")
        yield Shot(f"over-{game.key}", f"/matches/{over}")
        yield Shot(f"audit-{game.key}", f"/matches/{over}/case")
        if not game.pad_of:
            with Client(service.url) as client:
                client.review(over, 2)
            yield Shot(f"review-{game.key}", f"/matches/{over}/review?level=2")
            yield Shot(f"new-{game.key}", f"/new?game={game.key}")
            yield Shot(f"rules-{game.key}", f"/rules/{game.key}")
    for name, path in (("lobby", "/"), ("new", "/new"), ("pads", "/pads"), ("read", "/read"), ("rules", "/rules")):
        yield Shot(name, path)


def photograph(browser: Browser, service: Service, shot: Shot) -> None:
    """One page in every size and light."""
    for size, viewport in SIZES.items():
        for scheme in ("light", "dark"):
            name = f"{shot.name}-{size}-{scheme}"
            context = browser.new_context(
                base_url=service.url,
                viewport=viewport,
                color_scheme="light" if scheme == "light" else "dark",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(shot.path)
            page.wait_for_load_state("load")
            page.evaluate("document.fonts.ready")
            data = page.screenshot(type="png", full_page=name not in SHOWN)
            (ALL / f"{name}.png").write_bytes(data)
            if name in SHOWN:
                (PICTURES / f"{name}.png").write_bytes(data)
            context.close()


def main() -> None:
    """Photograph everything."""
    if CHROMIUM is None:
        raise SystemExit("chromium is not installed: apt-get install chromium")
    ALL.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serving(str(Path(folder) / "ledger.db"), Path(folder)) as service,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for number, shot in enumerate(shots(service), start=1):
            photograph(browser, service, shot)
            print(f"{number:3} {shot.name}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
