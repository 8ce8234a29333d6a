"""Playing with the mouse: parts of a drawing are clicked along the path of a move, whatever the game is."""

import json
from random import Random
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.http.serving import Service

SETTLED = """seats => {
    const view = document.querySelector('.view')?.dataset;
    const isThere = view && view.head === document.getElementById('place').dataset.head;
    return isThere && (view.status === 'closed' || view.turn.split(',').some(seat => seats.includes(seat)));
}"""
"""Whether the page shows everything about its match, and one of some seats is to act or it is over."""
_POINT = """part => {
    const element = document.querySelector(`[data-part="${CSS.escape(part)}"]`);
    element.scrollIntoView({block: 'center'});
    const around = shape => {
        const {x, y, width, height} = shape.getBoundingClientRect();
        return [[.5, .5], [.2, .2], [.8, .8], [.5, .1]].map(([right, down]) => [x + right * width, y + down * height]);
    };
    const points = [element, ...element.querySelectorAll('*')].flatMap(around);
    const hit = ([x, y]) => document.elementFromPoint(x, y);
    const own = points.find(point => hit(point)?.closest('[data-part]') === element);
    return own ?? points.find(point => element.contains(hit(point))) ?? null;
}"""
"""A point of the page where somebody who clicks hits a part, and if possible none within it."""


def open_match(service: Service, **wish: Any) -> dict[str, Any]:
    """A match opened by a program; the answer has its tokens."""
    answer = httpx.post(f"{service.api}/matches", json={"game": "azul", **wish})
    assert answer.status_code == 201, answer.text
    opened: dict[str, Any] = answer.json()
    return opened


def hand_over(page: Page, opened: dict[str, Any], *seats: int, is_host: bool = False) -> str:
    """Put tokens into a browser, as the page that opens matches does; gives the address of the match."""
    match, tokens = opened["match"]["match"], opened["tokens"]
    kept = {"seats": {str(seat): tokens["seats"][str(seat)] for seat in seats}}
    if is_host:
        kept |= {"host": tokens["host"], "arbiter": tokens["arbiter"]}
    # Only once: what the page writes there later is to survive a reload.
    page.add_init_script(
        f"localStorage.getItem('matchledger.tokens') ||"
        f" localStorage.setItem('matchledger.tokens', {json.dumps(json.dumps({match: kept}))})"
    )
    return f"/matches/{match}"


def legal(service: Service, match: str, seat: int) -> list[dict[str, Any]]:
    """The legal moves of a seat of a public match."""
    moves: list[dict[str, Any]] = httpx.get(f"{service.api}/matches/{match}/legal", params={"seat": seat}).json()[
        "moves"
    ]
    return moves


def act(service: Service, opened: dict[str, Any], seat: int, move: str) -> None:
    """Make a move as a program does."""
    token = opened["tokens"]["seats"][str(seat)]
    where = f"{service.api}/matches/{opened['match']['match']}/actions"
    answer = httpx.post(where, json={"move": move}, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text


def settle(page: Page, *seats: int) -> bool:
    """Wait until one of these seats is to act, and tell whether that is so: otherwise the match is over."""
    page.wait_for_function(SETTLED, arg=[str(seat) for seat in seats])
    return page.locator(".view").get_attribute("data-status") != "closed"


def touch(page: Page, part: str) -> None:
    """Click a part."""
    point = page.evaluate(_POINT, part)
    assert point, f"nothing of {part} can be clicked"
    page.mouse.click(*point)


def click_move(page: Page, move: dict[str, Any], moves: list[dict[str, Any]]) -> None:
    """Click the parts of a move one after the other, and answer what is asked then."""
    for part in move["path"]:
        touch(page, part)
    if any(
        other["path"][: len(move["path"])] == move["path"] for other in moves if len(other["path"]) > len(move["path"])
    ):
        touch(page, move["path"][-1])
    if sum(other["path"] == move["path"] for other in moves) > 1:
        field = page.get_by_role("dialog").get_by_role("searchbox")
        if field.is_visible():
            field.fill(move["words"])
        page.get_by_role("dialog").locator(f"[data-move={json.dumps(move['move'])}]").click()
    if move["doubt"]:
        expect(page.get_by_role("dialog")).to_contain_text(move["doubt"])
        page.get_by_role("button", name="Play it").click()


def play_to_the_end(page: Page, service: Service, match: str, seat: int, random: Random) -> int:
    """Play a seat by clicking until the match is over; gives the number of moves."""
    made = 0
    while settle(page, seat):
        moves = legal(service, match, seat)
        before = page.locator(".view").get_attribute("data-head")
        click_move(page, random.choice(moves), moves)
        page.wait_for_function("head => document.querySelector('.view').dataset.head !== head", arg=before)
        made += 1
    return made
