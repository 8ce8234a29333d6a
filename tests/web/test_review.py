"""Hints at the table and the review of a match that is over, in a real browser."""

import re

import httpx
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from service.games.shelf import find_game
from service.play.commands import Resign
from service.shell.client import Client
from tests.http.serving import Service
from tests.web.conftest import Visitors, check_reading, in_both_lights
from tests.web.screenshots import play
from tests.web.touching import hand_over, legal, open_match

PLAYED = {"azul": 2, "coloretto": 3}
MOVES = 24


@pytest.fixture(scope="module")
def over(service: Service) -> dict[str, str]:
    """A match of some games, given up after some moves: a review takes as long as there are decisions."""
    found = {}
    for key, seats in PLAYED.items():
        match, tokens = play(service, find_game(key), seats, MOVES)
        with Client(service.url, tokens["seats"]["1"]) as client:
            client.carry_out(match, Resign())
        found[key] = match
    return found


def wait_for_review(page: Page) -> None:
    expect(page.get_by_role("heading", name="The expected lead")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("game", PLAYED)
def test_a_review_from_the_question_to_the_worst_mistake(
    visit: Visitors, service: Service, over: dict[str, str], game: str
) -> None:
    match = over[game]
    page = visit()
    page.goto(f"/matches/{match}")
    page.get_by_role("link", name="Review").first.click()
    expect(page).to_have_url(re.compile(rf"/matches/{match}/review$"))
    page.get_by_role("button", name="Review it").click()
    expect(page).to_have_url(re.compile(r"review\?level=2$"))
    wait_for_review(page)
    with Client(service.url) as client:
        known = client.review(match, 2)
    expect(page.locator(".course")).to_have_text(known.course)
    mistakes = page.locator(".worst li")
    assert mistakes.count() == len(known.worst) == 3
    for shown, one in zip(mistakes.all(), known.worst, strict=True):
        expect(shown).to_contain_text(f"lost {one.lost:.1f} points")
        expect(shown.locator(".better")).to_have_text(f"Better: {one.best_words}")
    assert page.locator(".chart .mistake").count() == len(known.worst)
    assert page.locator(".chart .line").count() == (1 if PLAYED[game] == 2 else PLAYED[game]) * 2  # and its key
    page.get_by_text("Every decision", exact=True).click()
    assert page.locator(".sheet tbody tr").count() == len(known.decisions)
    mistakes.first.get_by_role("link").click()
    expect(page.locator(".where output")).to_contain_text(f"event {known.worst[0].seq}")


def test_a_point_of_the_chart_leads_to_the_replay(visit: Visitors, service: Service, over: dict[str, str]) -> None:
    with Client(service.url) as client:
        known = client.review(over["azul"], 2)
    page = visit()
    page.goto(f"/matches/{over['azul']}/review?level=2")
    wait_for_review(page)
    some = known.decisions[10]
    page.locator(f'.chart a[href="replay?at={some.seq}"] rect').click()
    expect(page.locator(".where output")).to_contain_text(f"Step {some.step} of ")


def test_without_script_one_comes_back_by_hand(visit: Visitors, service: Service, over: dict[str, str]) -> None:
    page = visit(java_script_enabled=False)
    page.goto(f"/matches/{over['azul']}/review?level=3")
    with Client(service.url) as client:
        known = client.review(over["azul"], 3)
    link = page.get_by_role("link", name="See how far it is")
    if link.count():  # unless it was there already
        link.click()
    expect(page.locator(".course")).to_have_text(known.course)


@in_both_lights
@pytest.mark.parametrize("game", PLAYED)
def test_everybody_can_read_it(
    visit: Visitors, over: dict[str, str], game: str, size: ViewportSize, scheme: str
) -> None:
    page = visit(size, color_scheme=scheme)
    page.goto(f"/matches/{over[game]}/review")
    check_reading(page)
    page.goto(f"/matches/{over[game]}/review?level=2")
    wait_for_review(page)
    page.get_by_text("Every decision", exact=True).click()
    check_reading(page)


def test_where_there_is_nothing_to_review(visit: Visitors, service: Service) -> None:
    opened = open_match(service, players=["Ann", "Ben"])
    page = visit()
    page.goto(f"/matches/{opened['match']['match']}")
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    expect(page.get_by_role("link", name="Review")).to_have_count(0)
    page.goto(f"/matches/{opened['match']['match']}/review?level=2")
    expect(page.locator(".problem")).to_contain_text("is still being played; it is reviewed when it is over.")
    pad = open_match(service, game="azul-pad", players=["Ann", "Ben"])
    page.goto(f"/matches/{pad['match']['match']}/review")
    expect(page.locator(".problem")).to_contain_text("is a score pad")


def test_a_private_match_is_reviewed_for_those_who_may_see_it(visit: Visitors, service: Service) -> None:
    opened = open_match(service, players=["Ann", "bot:greedy"], private=True, seed=3)
    match, token = opened["match"]["match"], opened["tokens"]["seats"]["1"]
    bearer = {"Authorization": f"Bearer {token}"}
    with Client(service.url, token) as client:
        for _ in range(3):
            while not client.legal(match, 1).moves:  # the bot is about to move
                pass
            move = client.legal(match, 1).moves[0].move
            httpx.post(f"{service.api}/matches/{match}/actions", json={"move": move}, headers=bearer).raise_for_status()
        client.carry_out(match, Resign())
    visit.expected = ["404 (Not Found)"]
    page = visit()
    page.goto(f"/matches/{match}/review?level=2")
    expect(page.get_by_role("heading")).to_have_text("Nothing to see here")
    page.goto("about:blank")
    page.goto(f"/matches/{match}/review?level=2#role=seat&seat=1&token={token}")
    wait_for_review(page)


# ----------------------------------------------------------------------------------------------------- at the table


@pytest.mark.parametrize("game", ["azul", "coloretto", "summer-pavilion", "master-chocolatier"])
def test_a_hint_marks_the_move_and_goes_with_it(visit: Visitors, service: Service, game: str) -> None:
    opened = open_match(service, game=game, players=["Ann", "Ben"], seed=3)
    page = visit()
    page.goto(hand_over(page, opened, 1, 2))
    hint = page.get_by_role("button", name="Hint", exact=True)
    hint.click()
    words = page.locator("#hinted")
    expect(words).to_contain_text("The best found: ")
    (turn,) = httpx.get(f"{service.api}/matches/{opened['match']['match']}").json()["turn"]
    found = words.inner_text()
    moves = legal(service, opened["match"]["match"], turn)
    (best,) = [move for move in moves if found.startswith(f"The best found: {move['words']}")]
    marked = page.evaluate("[...document.querySelectorAll('.hinted')].map(part => part.dataset.part)")
    assert set(marked) == set(best["path"])
    expect(hint).to_be_enabled()
    check_reading(page)
    bearer = {"Authorization": f"Bearer {opened['tokens']['seats'][str(turn)]}"}
    address = f"{service.api}/matches/{opened['match']['match']}/actions"
    httpx.post(address, json={"move": best["move"]}, headers=bearer).raise_for_status()
    expect(page.locator(".hinted")).to_have_count(0)
    expect(words).to_have_text("")


def test_a_hint_is_for_who_is_to_move(visit: Visitors, service: Service) -> None:
    opened = open_match(service, players=["Ann", "Ben"], seed=3, options={"firstPlayer": "seat:1"})
    pad = open_match(service, game="azul-pad", players=["Ann", "Ben"])
    for game, seats, is_there in ((opened, [1], True), (opened, [2], False), (opened, [], False), (pad, [1], False)):
        page = visit()
        page.goto(hand_over(page, game, *seats))
        expect(page.locator("#connection")).to_have_text("")
        expect(page.locator(".place")).to_have_attribute("data-head", re.compile(r"\d+"))
        expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(int(is_there))
