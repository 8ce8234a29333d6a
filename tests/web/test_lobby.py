"""The lobby, opening a match, score pads and the rules in a real browser."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from service.games.shelf import GAMES
from tests.http.serving import Service, serving
from tests.shelf import people
from tests.web.conftest import PHONE, Visitors, check_reading, in_both_lights

KEPT = "JSON.parse(localStorage.getItem('matchledger.tokens') || '{}')"


@pytest.fixture
def newcomer(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Somebody at a service whose ledger is empty."""
    with serving(str(tmp_path / "empty.db"), tmp_path) as empty, ExitStack() as closing:
        visitors = Visitors(browser, empty, closing)
        yield visitors()
        assert not visitors.complaints


def match_of(page: Page) -> str:
    """The match whose table the page shows, as soon as it does."""
    page.wait_for_url(re.compile(r"/matches/\w+$"))
    return page.url.rpartition("/")[2]


def test_one_click_in_an_empty_lobby_plays_a_bot(newcomer: Page) -> None:
    newcomer.goto("/")
    expect(newcomer.get_by_text("No match yet: start one")).to_be_visible()
    check_reading(newcomer)
    newcomer.get_by_role("button", name="Azul", exact=True).click()
    match = match_of(newcomer)
    expect(newcomer.locator(".turn")).to_contain_text("Player to move")
    newcomer.goto("/")
    mine = newcomer.locator(f'#mine [data-match="{match}"]')
    expect(mine).to_have_class(re.compile("my-turn"))
    expect(mine).to_contain_text("Player and Ada")
    expect(mine).to_contain_text("Your turn")
    expect(newcomer).to_have_title(re.compile(r"^\(1\) Matches"))
    expect(newcomer.locator(f'#playing [data-match="{match}"]')).to_contain_text("Player to move")
    newcomer.get_by_label("Player").fill("Nobody")
    newcomer.get_by_role("button", name="Show", exact=True).click()
    expect(newcomer.locator("#playing")).to_contain_text("No match fits.")
    newcomer.get_by_role("link", name="Show all").click()
    mine.get_by_role("link").click()
    assert match_of(newcomer) == match


def test_whoever_is_invited_has_a_link_of_their_own(service: Service, visit: Visitors) -> None:
    host = visit()
    host.goto("/new")
    host.get_by_role("link", name="Choose Azul", exact=True).click()
    host.get_by_label("Seats").select_option("3")
    expect(host.locator(".sitter")).to_have_count(3)
    expect(host.get_by_label("Seats")).to_be_focused()
    host.get_by_label("Seat 1").select_option("invite")
    expect(host.locator("[name=name1]")).to_have_count(0)
    host.get_by_label("Seat 2").select_option("me")
    expect(host.locator("[name=name2]")).to_have_value("")
    host.locator("[name=name2]").fill("Ann")
    host.get_by_label("Private").check()
    host.reload()
    expect(host.locator("[name=name2]")).to_have_value("Ann")
    expect(host.get_by_label("Private")).to_be_checked()
    host.get_by_label("Seat 3").select_option("invite")
    expect(host.locator("[name=name3]")).to_have_count(0)
    host.get_by_role("button", name="Start the match").click()
    links = host.locator(".invitations input")
    expect(links).to_have_count(3)  # two seats, and one for those who watch
    check_reading(host)
    match = host.url.rpartition("=")[2]
    host.reload()
    expect(links).to_have_count(3)
    for asked in (match, match[:-1], "last"):
        assert httpx.get(f"{service.api}/matches/{asked}/line.html").status_code == 404, "it is private"
    for number, seat in enumerate((1, 3)):
        guest = visit()
        visit.expected.append("404")  # a private match is not there before its token is
        guest.goto(links.nth(number).input_value())
        guest.wait_for_function(f"({KEPT})['{match}']")
        token = guest.evaluate(f"({KEPT})['{match}'].seats[{seat}]")
        held = httpx.get(f"{service.api}/matches/{match}/access", headers={"Authorization": f"Bearer {token}"}).json()
        assert [(grant["role"], grant["seat"]) for grant in held] == [("seat", seat)]
    token = host.evaluate(f"({KEPT})['{match}'].host")
    players = httpx.get(f"{service.api}/matches/{match}", headers={"Authorization": f"Bearer {token}"}).json()[
        "players"
    ]
    assert players[1]["name"] == "Ann"
    host.goto("/")
    expect(host.locator("#mine")).to_contain_text("waits for 2 players")
    expect(host.locator(f'[data-match="{match}"]')).to_have_count(1)  # in no public list


def test_what_is_refused_is_said_at_the_field(visit: Visitors) -> None:
    visit.expected.append("400")
    page = visit()
    page.goto("/new?game=coloretto&seats=4")
    page.get_by_text("Options of the game").click()
    colours = page.get_by_label("Removed colours")
    expect(colours).to_have_count(0)  # four leave no colour out
    page.get_by_label("Seats").select_option("2")
    expect(colours.locator("option")).to_have_count(22)
    page.goto("/new?game=azul&o.maxRounds=soon")
    page.get_by_role("button", name="Start the match").click()
    field = page.get_by_label("Max rounds")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text(
        "'soon' is not a value of maxRounds; choose from: none, 1 to 999."
    )
    check_reading(page)
    field.fill("3")
    page.get_by_role("button", name="Start the match").click()
    match_of(page)


def test_a_pad_is_begun_and_found_again(visit: Visitors) -> None:
    phone = visit(PHONE)
    phone.goto("/pads")
    phone.get_by_role("link", name="Keep a pad for Azul", exact=True).click()
    phone.get_by_label("Player 1").fill("Zoe")
    check_reading(phone)
    phone.get_by_role("button", name="Start the pad").click()
    match = match_of(phone)
    assert set(phone.evaluate(f"({KEPT})['{match}'].seats")) == {"1", "2"}
    phone.goto("/pads")
    expect(phone.locator("#mine")).to_contain_text("Zoe and Player 2")
    phone.goto("/")
    expect(phone.locator("#pads")).to_contain_text("Zoe and Player 2")
    expect(phone.locator("#mine")).to_be_hidden()


def test_a_match_that_is_gone_can_be_forgotten(visit: Visitors) -> None:
    visit.expected += ["401", "404"]
    page = visit()
    page.goto("/rules")
    page.evaluate(
        f"localStorage.setItem('matchledger.tokens', {json.dumps(json.dumps({'gone': {'seats': {'1': 'x'}}}))})"
    )
    page.goto("/")
    page.get_by_role("button", name="Forget match gone").click()
    expect(page.locator("#mine")).to_be_hidden()
    assert page.evaluate(KEPT) == {}


def test_every_rule_of_a_score_line_has_its_place(service: Service, visit: Visitors) -> None:
    page = visit()
    for game in [game for game in GAMES if not game.pad_of]:
        wish = {"game": game.key, "players": [f"{name}=bot:greedy" for name in people(game)], "seed": 5}
        opened = httpx.post(f"{service.api}/matches", json=wish, timeout=60).json()
        rules = {
            line["rule"]
            for line in httpx.get(f"{service.api}/matches/{opened['match']['match']}/scores").json()["lines"]
        }
        for rule in sorted(rules):
            page.goto(f"/rules/{game.key}#{rule}")
            expect(page.locator(":target")).to_contain_text(rule)
            expect(page.locator(":target")).to_be_in_viewport()
    page.goto("/rules?words=surplus+falls")
    page.locator(".found").get_by_role("link", name="AZ-32").click()
    expect(page.locator(":target")).to_contain_text("the surplus falls to your floor line")
    visit.expected.append("404")
    missing = page.goto("/rules/chess")
    assert missing is not None
    assert missing.status == 404
    expect(page.get_by_text("'chess' is neither a game nor a rule here.")).to_be_visible()
    page.goto("/nothing")
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    check_reading(page)
    assert httpx.get(f"{service.url}/nothing").json()["code"] == "http/404"


@in_both_lights
def test_the_pages_are_made_to_be_read(service: Service, visit: Visitors, size: ViewportSize, scheme: str) -> None:
    for number in range(11):  # more than a list of the lobby shows
        httpx.post(f"{service.api}/matches", json={"game": "azul", "players": [f"Ann {number}"], "seats": 2})
    page = visit(size, color_scheme=scheme)
    page.goto("/")
    page.locator("#open").get_by_role("link", name="Older").click()
    expect(page.locator("#open")).to_contain_text("Latest")
    addresses = ["/", "/new", "/new?game=coloretto&o.scoringSide=violet&chance=seeded", "/pads", "/rules"]
    for address in [*addresses, "/rules?words=floor", "/rules/master-chocolatier#MC-18"]:
        page.goto(address)
        for folded in page.locator("details:not([open])").all():
            folded.locator("summary").click()
        check_reading(page)
