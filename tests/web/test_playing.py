"""Matches played in real browsers: by mouse, touch and keyboard, against bots and each other, and watched."""

import re
from random import Random

import httpx
import pytest
from playwright.sync_api import Page, expect

from service.games.game import Game
from service.games.shelf import GAMES
from tests.http.playing import BY_TURNS
from tests.http.serving import Service
from tests.web.conftest import DESKTOP, PHONE, Visitors, check_reading
from tests.web.touching import act, click_move, hand_over, legal, open_match, play_to_the_end, settle

YOUR_TURN = re.compile("^● Your turn")
ANN_STARTS = {"firstPlayer": "seat:1"}


@pytest.mark.parametrize("game", BY_TURNS, ids=lambda game: game.key)
def test_a_whole_match_is_played_by_clicking(service: Service, visit: Visitors, game: Game) -> None:
    others = ["Ada=bot:random"] * (game.rules.seats[0] - 1)
    short = {option.name: "2" for option in game.rules.options if option.name == "maxRounds"}
    opened = open_match(service, game=game.key, players=["Ann", *others], seed=11, options=short)
    match = opened["match"]["match"]
    page = visit()
    page.goto(hand_over(page, opened, 1, is_host=True))
    expect(page).to_have_title(YOUR_TURN)
    assert play_to_the_end(page, service, match, 1, Random(4)) > 5
    answer = httpx.get(f"{service.api}/matches/{match}").json()
    assert answer["closed"]["reason"] == "finished"
    points = [str(place["score"]) for place in answer["closed"]["standings"]]
    assert [text.replace("−", "-") for text in page.locator(".result td:last-child").all_inner_texts()] == points
    expect(page).not_to_have_title(YOUR_TURN)
    check_reading(page)
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".view")).not_to_have_attribute("data-match", match)
    expect(page.locator("#me")).to_have_text("You are Ann.")


def test_two_play_and_take_back_while_a_third_watches(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann"], seats=2, undo="consent", seed=7, options=ANN_STARTS)
    match = opened["match"]["match"]
    ann, ben, guest = visit(DESKTOP), visit(PHONE, has_touch=True), visit(DESKTOP, color_scheme="dark")
    ann.goto(hand_over(ann, opened, 1, 2, is_host=True))
    guest.goto(f"/matches/{match}")
    expect(guest.get_by_text("One seat is free.")).to_be_visible()

    # Ben follows the link of the free seat that the host sees, and sits down.
    expect(ann.locator(".view .turn")).to_contain_text("Waits for 1 player")
    ben.goto(ann.get_by_role("textbox", name="Seat 2, free").input_value())
    assert "token" not in ben.url
    expect(ben.get_by_text("Seat 2 is kept for you.")).to_be_visible()
    check_reading(ben)
    ben.get_by_label("Your name").fill("Ben <b>")
    ben.get_by_role("button", name="Sit down").click()
    expect(ben.locator("#me")).to_have_text("You are Ben <b>.")
    expect(ann.locator("#me")).to_have_text("You are Ann.")
    expect(guest.locator("#me")).to_have_text("You are watching.")
    assert ben.locator(".panel").nth(1).get_attribute("data-seat") == "2", "one's own board comes first"

    # Ann plays, asks to take it back, and Ben agrees.
    first = _move(ann, service, match, 1)
    expect(ben).to_have_title(YOUR_TURN)
    expect(ben.locator(".told")).to_contain_text(first)
    expect(guest.locator(".told")).to_contain_text(first)
    expect(guest.locator("#tell")).to_contain_text(first)
    expect(guest.locator(".board .changed").first).to_be_attached()
    ann.get_by_role("button", name="Ask to undo").click()
    banner = ben.get_by_role("region", name="A request to undo")
    expect(banner).to_contain_text("Ann asked to undo")
    expect(guest.get_by_role("region", name="A request to undo")).to_be_visible()
    expect(guest.get_by_role("button", name="Agree")).to_be_hidden()
    check_reading(ben)
    banner.get_by_role("button", name="Agree").click()
    expect(ann.locator(".told")).to_contain_text("was undone")
    expect(guest.locator(".log s").first).to_be_attached()
    expect(ann).to_have_title(YOUR_TURN)

    # The next request is declined; then both go on, and the guest sees it all.
    for page, seat in [(ann, 1), (ben, 2), (ann, 1), (ben, 2)]:
        _move(page, service, match, seat)
    settle(ann, 1)
    ben.get_by_role("button", name="Ask to undo").click()
    ann.get_by_role("button", name="Decline").click()
    expect(ben.get_by_role("region", name="A request to undo")).to_have_count(0)
    head = str(httpx.get(f"{service.api}/matches/{match}").json()["head"])
    for page in (ann, ben, guest):
        expect(page.locator(f'.view[data-head="{head}"]')).to_be_visible()
        check_reading(page)

    # Reloading keeps the place; giving up is asked about.
    ben.reload()
    expect(ben.locator("#me")).to_have_text("You are Ben <b>.")
    ben.get_by_role("button", name="Resign").click()
    ben.get_by_role("dialog").get_by_role("button", name="Back").click()
    ben.get_by_role("button", name="Resign").click()
    ben.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page in (ann, ben, guest):
        expect(page.get_by_role("heading", name="Result")).to_be_visible()


def _move(page: Page, service: Service, match: str, seat: int) -> re.Pattern[str]:
    """Make the first legal move by clicking; gives how it is told then."""
    assert settle(page, seat)
    moves = legal(service, match, seat)
    click_move(page, moves[0], moves)
    page.wait_for_function("() => !document.querySelector('.taken')")
    return _told(moves[0]["words"])


def _told(words: str) -> re.Pattern[str]:
    """How a draft of Azul is told that was offered in these words."""
    pattern = r"Take (?P<tiles>\d \w+)(?P<marker> and .+)? from (?P<source>.+?) to (?:line (?P<line>\d)|the floor)"
    offered = re.match(pattern, words)
    assert offered, words
    marker = " and the starting-player marker.*" if offered["marker"] else ""
    target = f"pattern line {offered['line']}" if offered["line"] else "the floor"
    return re.compile(f"took {offered['tiles']} from {offered['source']}{marker}, to {target}")


@pytest.mark.parametrize("game", [game for game in GAMES if game.pad_of], ids=lambda game: game.key)
def test_on_a_pad_one_writes_on_the_board_one_touches(service: Service, visit: Visitors, game: Game) -> None:
    names = ["Ann", "Ben", "Cleo"][: game.rules.seats[-1]]
    opened = open_match(service, game=game.key, players=names)
    match, random = opened["match"]["match"], Random(2)
    seats = range(1, len(names) + 1)
    page = visit(PHONE)
    page.goto(hand_over(page, opened, *seats, is_host=True))
    for _ in range(4):
        assert settle(page, *seats)
        answers = {seat: legal(service, match, seat) for seat in seats}
        offered = [move for moves in answers.values() for move in moves]
        expect(page.locator(".moves summary")).to_have_text(f"Moves ({len(offered)})")
        move = random.choice([move for moves in answers.values() for move in moves[:40]])
        before = str(page.locator(".view").get_attribute("data-head"))
        click_move(page, move, offered)
        expect(page.locator(".view")).not_to_have_attribute("data-head", before)
    check_reading(page)


def test_the_keyboard_alone_will_do(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann", "Ben"], seed=7, options=ANN_STARTS, undo="free")
    page = visit()
    page.goto(hand_over(page, opened, 1, 2))
    settle(page, 1)
    page.locator(".told").focus()
    page.keyboard.press("Tab")
    focus = page.locator(":focus")
    expect(focus).to_have_attribute("role", "button")
    expect(focus).to_have_attribute("data-part", re.compile(r"^display-1\."))
    started = str(focus.get_attribute("data-part"))
    page.keyboard.press("ArrowRight")
    expect(focus).not_to_have_attribute("data-part", started)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".taken")).to_have_attribute("data-part", started)
    expect(focus).to_have_attribute("data-part", "seat-1.line-1")
    expect(page.locator('[data-part="seat-2.line-1"]')).not_to_have_attribute("tabindex", "0")
    page.keyboard.press("Escape")
    expect(page.locator(".taken")).to_have_count(0)
    expect(focus).to_have_attribute("data-part", started)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(focus).to_have_attribute("data-part", "seat-1.line-2")
    expect(page.locator("#hint")).to_contain_text("to line 2")
    page.keyboard.press("Space")
    expect(page.locator(".told")).to_contain_text("to pattern line 2")

    # Now it is Ben's turn, at the same keyboard, from the list; then it is taken back and played again.
    settle(page, 2)
    page.get_by_role("searchbox", name="Look for a move").focus()
    page.keyboard.type("display 2 floor")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    words = focus.locator("span").first.inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_contain_text(_told(words))
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".told")).to_contain_text("was undone")
    page.get_by_role("button", name="Redo").press("Enter")
    expect(page.locator(".told")).to_contain_text("was redone")
    check_reading(page)


def test_a_dropped_connection_heals(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann", "Ben"], seed=7, options=ANN_STARTS)
    match = opened["match"]["match"]
    visit.expected += ["ERR_INTERNET_DISCONNECTED", "412"]
    page = visit()
    page.goto(hand_over(page, opened, 1))
    settle(page, 1)
    before = page.evaluate("document.documentElement.scrollHeight")
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_have_text("offline, trying again…")
    assert page.evaluate("document.documentElement.scrollHeight") == before, "nothing may shift"

    # What one does meanwhile is kept, and done once the connection is back.
    moves = legal(service, match, 1)
    click_move(page, moves[0], moves)
    expect(page.get_by_role("alert")).to_contain_text("is kept and sent")
    page.context.set_offline(False)
    expect(page.locator(".told")).to_contain_text(_told(moves[0]["words"]))
    expect(page.locator("#connection")).to_have_text("")
    expect(page.get_by_role("alert")).to_be_hidden()

    # What others did meanwhile is shown.
    page.context.set_offline(True)
    expect(page.locator("#connection")).not_to_have_text("")
    (reply, *_) = legal(service, match, 2)
    act(service, opened, 2, reply["move"])
    page.context.set_offline(False)
    expect(page.locator(".told")).to_contain_text(_told(reply["words"]))

    # What one did elsewhere is not done twice.
    settle(page, 1)
    page.context.set_offline(True)
    expect(page.locator("#connection")).not_to_have_text("")
    moves = legal(service, match, 1)
    click_move(page, moves[0], moves)
    expect(page.get_by_role("alert")).to_be_visible()
    act(service, opened, 1, moves[-1]["move"])
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_contain_text("Nothing was done.")
    expect(page.locator(".told")).to_contain_text(_told(moves[-1]["words"]))


def test_a_costly_choice_is_questioned(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann", "Ben"], seed=1)
    match, random = opened["match"]["match"], Random(1)
    page = visit(PHONE)
    page.goto(hand_over(page, opened, 1, 2))
    while True:
        answer = httpx.get(f"{service.api}/matches/{match}/legal").json()
        seat, moves = answer["seat"], answer["moves"]
        costly = next((move for move in moves if move["doubt"]), None)
        if costly is not None:
            break
        neat = [move for move in moves if "floor" not in move["words"] and "marker" not in move["words"]]
        act(service, opened, seat, random.choice(neat or moves)["move"])
    expect(page.locator(f'#place[data-head="{answer["head"]}"]')).to_be_visible()
    page.get_by_text(re.compile(r"Moves \(\d+\)")).click()
    listed = page.locator(f'.moves [data-move="{costly["move"]}"]')
    expect(listed.locator(".points")).to_have_text(f"−{-costly['points']}")
    listed.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(costly["doubt"])
    check_reading(page)
    dialog.get_by_role("button", name="Back").click()
    assert httpx.get(f"{service.api}/matches/{match}").json()["head"] == answer["head"]
    click_move(page, costly, moves)
    expect(page.locator(".log")).to_contain_text(_told(costly["words"]))


def test_a_private_match_is_there_for_those_with_its_link(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann", "Ada=bot:random"], private=True)
    match, tokens = opened["match"]["match"], opened["tokens"]
    visit.expected += ["404"]
    page = visit()
    page.goto(f"/matches/{match}")
    expect(page.get_by_role("heading", name="Nothing to see here")).to_be_visible()
    assert "Ann" not in page.content()
    page.goto(f"/matches/{match}#role=seat&seat=1&token={tokens['seats']['1']}")
    expect(page.locator("#me")).to_have_text("You are Ann.")
    assert "token" not in page.url
    assert settle(page, 1)
    page.locator(".moves [data-move]").first.click()
    expect(page.locator(".log")).to_contain_text("Ann")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download the record").click()
    assert match in waiting.value.path().read_text()


def test_what_was_drawn_is_entered_and_what_is_wrong_refused(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann", "Ben"], chance="recorded", options=ANN_STARTS)
    visit.expected += ["400", "422", "409"]
    page = visit(PHONE)
    page.goto(hand_over(page, opened, 1, 2, is_host=True))
    field = page.get_by_label("Deal", exact=True)
    field.fill("nonsense")
    page.get_by_role("button", name="Record it").click()
    expect(page.get_by_role("alert")).to_contain_text("nonsense", ignore_case=True)
    expect(field).to_have_value("nonsense")
    check_reading(page)
    field.fill(page.locator("#such-as").inner_text().removeprefix("Such as: "))
    page.get_by_role("button", name="Record it").click()
    expect(page).to_have_title(YOUR_TURN)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Abandon").click()
    page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    expect(page.get_by_text("There is no result.")).to_be_visible()


def test_the_page_is_complete_without_script(service: Service, visit: Visitors) -> None:
    opened = open_match(service, players=["Ann", "Ben"], seed=7)
    page = visit(java_script_enabled=False)
    page.goto(f"/matches/{opened['match']['match']}")
    assert "Playing takes JavaScript" in page.locator("noscript").inner_html()
    expect(page.locator(".log")).to_contain_text("Round 1 was dealt")
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    assert page.locator("svg.board").count() == 3
    expect(page.get_by_role("button")).to_have_count(0)
