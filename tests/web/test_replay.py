"""The replay in a real browser: any way to any step, what made the points, forks, and records stored nowhere."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from service.shell.web import uploads
from service.shell.web.uploads import UploadCache
from tests.http.serving import Service
from tests.web.conftest import Visitors, check_reading, in_both_lights

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
AZUL = EXAMPLES / "azul.mlr"
COLORETTO = EXAMPLES / "coloretto.mlr"
DROP = """([text, name]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  for (const type of ['dragover', 'drop']) {
    const event = new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.querySelector('footer').dispatchEvent(event);
  }
}"""


@pytest.fixture(scope="module")
def match(service: Service) -> str:
    """A whole match of Azul in which a step was undone: 58 steps in five rounds."""
    answer = httpx.post(f"{service.api}/imports", content=AZUL.read_bytes()).json()
    return str(answer[0]["match"])


def at_step(page: Page, step: int) -> None:
    """Everything on the page is about a step: the words, the slider, the table, the list and the chart."""
    where = page.locator(".where output")
    expect(where).to_have_text(re.compile(rf"^Step {step} of "))
    expect(page.locator(f'.place .view[data-step="{step}"]')).to_be_visible()
    expect(page.get_by_label("Step", exact=True)).to_have_attribute("aria-valuetext", re.compile(rf"^Step {step} of "))
    expect(page.locator(".moves li.now")).to_have_attribute("data-step", str(step))
    expect(page.locator(".chart a.now")).to_have_attribute("data-step", str(step))


def score_sheet(page: Page) -> Locator:
    page.get_by_text("Score sheet", exact=True).click()
    return page.locator(".sheet a[data-parts]")


def test_every_way_leads_to_a_step(visit: Visitors, match: str) -> None:
    page = visit()
    page.goto(f"/matches/{match}/replay?at=s10")
    at_step(page, 10)
    page.keyboard.press("ArrowRight")
    at_step(page, 11)
    assert page.locator(".place .changed").count(), "nothing shows what changed"
    expect(page.locator("#tell")).to_have_text(page.locator(".place .told").inner_text())
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at_step(page, 9)
    page.keyboard.press("End")
    at_step(page, 58)
    expect(page.get_by_role("link", name="The next step")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    at_step(page, 1)
    page.keyboard.press("PageDown")
    at_step(page, 4)  # the first deal
    page.keyboard.press("]")
    scored = page.locator(".moves li.scored").first
    at_step(page, int(scored.get_attribute("data-step") or 0))
    page.keyboard.press("[")
    page.keyboard.press("PageUp")
    at_step(page, 4)
    page.get_by_label("Step", exact=True).fill("19")
    at_step(page, 20)
    page.locator('.chart a[data-step="40"] rect').click()
    at_step(page, 40)
    page.locator('.moves li[data-step="12"] a').first.click()
    at_step(page, 12)
    page.get_by_role("link", name="The next step").click()
    at_step(page, 13)
    event = page.locator(".place .view").get_attribute("data-head")
    expect(page).to_have_url(re.compile(rf"\?at={event}$"))
    page.reload()
    at_step(page, 13)
    page.goto("/read")
    page.go_back()
    at_step(page, 13)
    page.goto(f"/matches/{match}/replay?at=999")
    expect(page.get_by_text("There is no event 999; choose 1–111.")).to_be_visible()


def test_it_is_complete_without_script(visit: Visitors, match: str) -> None:
    page = visit(java_script_enabled=False)
    page.goto(f"/matches/{match}/replay?at=s10")
    page.get_by_role("link", name="The next step").click()
    expect(page.locator('.view[data-step="11"]')).to_be_visible()
    page.get_by_role("link", name="A round on").click()
    expect(page.locator(".turn")).to_contain_text("Round 2")
    page.locator('.chart a[data-step="40"] rect').click()
    expect(page.locator('.view[data-step="40"]')).to_be_visible()
    score_sheet(page).first.click()
    expect(page.locator(".moves li.now a[aria-current]")).to_contain_text("tiled")
    for made_by_script in (page.get_by_role("slider"), page.get_by_text("Fork from here"), page.get_by_text("Speed")):
        expect(made_by_script).to_be_hidden()


def test_it_plays_by_itself_until_it_is_paused_or_over(visit: Visitors, match: str) -> None:
    page = visit()
    page.goto(f"/matches/{match}/replay?at=s10")
    button = page.locator("[data-play]")
    page.get_by_label("Speed").select_option("8")
    button.click()
    expect(button).to_have_text("Pause")
    expect(page.locator(".place .view")).to_have_attribute("data-step", re.compile(r"^(1[3-9]|[2-5]\d)$"))
    page.locator(".where output").click()  # away from the button, which takes a space for itself
    page.keyboard.press(" ")
    expect(button).to_have_text("Play")
    stopped = int(page.locator(".moves li.now").get_attribute("data-step") or 0)
    at_step(page, stopped)
    assert 13 <= stopped < 58
    page.locator('.moves li[data-step="56"] a').first.click()
    page.keyboard.press(" ")
    at_step(page, 58)
    expect(button).to_have_text("Play")


def test_a_score_line_shows_the_parts_that_made_its_points(visit: Visitors, match: str, service: Service) -> None:
    page = visit()
    page.goto(f"/matches/{match}/replay")
    lines = score_sheet(page)
    sheet = httpx.get(f"{service.api}/matches/{match}/scores").json()["lines"]
    assert lines.count() == len(sheet)
    for number in (0, 7, len(sheet) - 1):
        line = lines.nth(number)
        line.click()
        expect(page.locator(".place .view")).to_have_attribute("data-head", str(sheet[number]["seq"]))
        parts = (line.get_attribute("data-parts") or "").split()
        assert parts
        for part in parts:
            expect(page.locator(f'.place .scored[data-part="{part}"]')).to_be_visible()
        assert page.locator(".place .scored").count() == len(parts)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".place .scored")).to_have_count(0)
    rule = page.locator(".sheet").get_by_role("link", name="AZ-45").first
    expect(rule).to_have_attribute("href", "/rules/azul#AZ-45")


def test_what_was_undone_is_struck_through_and_may_be_passed_over(visit: Visitors, match: str) -> None:
    page = visit()
    page.goto(f"/matches/{match}/replay")
    undone = page.locator(".moves li.undone")
    step = int(undone.get_attribute("data-step") or 0)
    expect(undone.locator("s")).to_have_text("Ann took 2 red from the centre, to pattern line 4.")
    expect(page.locator(".moves s")).to_have_count(1)
    undone.locator("a").first.click()
    at_step(page, step)
    expect(page.locator(".where output")).to_contain_text("undone later")
    page.get_by_label("Show what was undone").uncheck()
    at_step(page, step - 1)
    expect(undone).to_be_hidden()
    page.keyboard.press("ArrowRight")
    shown = page.locator(".moves li.now")
    expect(shown).not_to_have_class(re.compile("undone|aside"))
    assert int(shown.get_attribute("data-step") or 0) > step
    page.get_by_label("Show what was undone").check()
    expect(undone).to_be_visible()


def test_a_fork_goes_on_from_the_step_that_is_looked_at(visit: Visitors, match: str, service: Service) -> None:
    page = visit()
    visit.expected.append("409")
    page.goto(f"/matches/{match}/replay?at=s58")
    page.get_by_role("button", name="Fork from here").click()
    expect(page.get_by_role("alert")).to_contain_text("Step 58 closed the match")
    page.keyboard.press("ArrowLeft")
    at_step(page, 57)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.locator('.moves li[data-step="20"] a').first.click()
    at_step(page, 20)
    page.get_by_role("button", name="Fork from here").click()
    page.wait_for_url(re.compile(rf"/matches/(?!{match})[a-z0-9]+$"))
    fork = page.url.rpartition("/")[2]
    assert httpx.get(f"{service.api}/matches/{fork}").json()["parent"]["step"] == 20
    kept = page.evaluate("JSON.parse(localStorage.getItem('matchledger.tokens'))")[fork]
    assert kept["host"]
    assert set(kept["seats"]) == {"1", "2"}


def test_a_private_match_is_replayed_with_the_token_of_a_link(visit: Visitors, service: Service) -> None:
    body = {"game": "azul", "players": ["Ann", "Ben"], "private": True}
    opened = httpx.post(f"{service.api}/matches", json=body).json()
    private, token = opened["match"]["match"], opened["tokens"]["spectator"]
    page = visit()
    visit.expected.append("404")  # what a page answers that comes without its main part
    page.goto(f"/matches/{private}/replay")
    expect(page.get_by_role("heading", name="Nothing to see here")).to_be_visible()
    page.goto(f"/matches/{private}/replay?at=s1#role=spectator&token={token}")
    page.reload()  # another fragment alone is no other page
    at_step(page, 1)
    page.keyboard.press("End")
    expect(page.get_by_text("still on: load the page again")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_text("Download the record").click()
    assert download.value.path().read_text().startswith("[")
    page.get_by_role("button", name="Fork from here").click()
    page.wait_for_url(re.compile(rf"/matches/(?!{private})[a-z0-9]+$"))
    assert httpx.get(f"{service.api}{page.url.partition(service.url)[2]}").status_code == 404


# --------------------------------------------------------------------------------------------------------- records


def test_a_dropped_record_is_replayed_and_kept_only_when_asked_for(
    visit: Visitors, match: str, service: Service
) -> None:
    found = re.search(r'\[Match "(\w+)"\]', COLORETTO.read_text())
    assert found is not None
    stored = f"{service.api}/matches/{found[1]}"
    page = visit()
    page.goto(f"/matches/{match}/replay")
    page.evaluate(DROP, [COLORETTO.read_text(), "coloretto.mlr"])
    page.wait_for_url("**/read?match=1**")
    expect(page.locator(".verdict")).to_contain_text("Nothing is wrong with this record.")
    page.keyboard.press("End")
    last = int(page.locator(".moves li").last.get_attribute("data-step") or 0)
    at_step(page, last)
    page.keyboard.press("ArrowLeft")
    at_step(page, last - 1)
    event = page.locator(".place .view").get_attribute("data-head")
    expect(page).to_have_url(re.compile(rf"at={event}$"))
    page.reload()
    at_step(page, last - 1)
    assert httpx.get(stored).status_code == 404
    page.get_by_role("button", name="Keep it in this ledger").click()
    page.wait_for_url(f"**/matches/{found[1]}/replay?at={event}")
    at_step(page, last - 1)
    assert httpx.get(stored).status_code == 200


def test_a_record_says_what_is_wrong_with_it(visit: Visitors, tmp_path: Path) -> None:
    page = visit()
    visit.expected.append("409")
    page.goto("/read")
    both = tmp_path / "both.mlr"
    both.write_text(f"{AZUL.read_text()}\n{COLORETTO.read_text()}")
    page.set_input_files("input[type=file]", both)
    expect(page.get_by_role("heading", name="Replay: Azul")).to_be_visible()
    page.get_by_label("This file holds 2 matches").select_option("2")
    expect(page.get_by_role("heading", name="Replay: Coloretto")).to_be_visible()
    page.evaluate(DROP, ["no record at all", "words.txt"])
    expect(page.get_by_role("alert").first).to_contain_text("record, line 1")
    expect(page.get_by_role("heading", name="Replay: Coloretto")).to_be_visible()  # nothing is lost
    damaged = tmp_path / "damaged.mlr"
    damaged.write_text(AZUL.read_text().replace("59", "60"))
    page.set_input_files("input[type=file]", damaged)
    expect(page.locator(".verdict")).to_contain_text("Something is wrong with this record")
    expect(page.locator(".verdict")).to_contain_text("60")
    expect(page.get_by_role("alert").first).to_be_hidden()
    page.keyboard.press("End")
    at_step(page, 58)


def test_no_more_records_are_kept_in_memory_than_agreed(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    shelf, data = UploadCache(), AZUL.read_bytes()
    first = shelf.find(data)
    assert shelf.find(data) is first
    for number in range(uploads.KEPT):
        shelf.find(data + b"\n" * (number + 1))
    assert shelf.find(data) is not first
    monkeypatch.setattr(uploads, "KEPT_BYTES", 1)
    kept = shelf.find(data + b" ")
    assert shelf.find(data + b" ") is kept
    assert shelf.find(data + b"  ") is not shelf.find(data + b" ")
    address = f"{service.api}/records/view.html"
    assert httpx.post(address, params={"at": "999"}, content=data).json()["code"] == "replay/event"
    assert httpx.post(address, params={"match": 2}, content=data).json()["code"] == "record/match"
    broken = (EXAMPLES / "azul.jsonl").read_bytes().replace(b'"azul.', b'"azur.', 1)
    assert httpx.post(address, content=broken).status_code == 409
    said = httpx.post(f"{service.api}/records/replay.html", content=broken)
    assert "It cannot be replayed" in said.text


@in_both_lights
def test_it_reads_well(visit: Visitors, match: str, size: ViewportSize, scheme: str) -> None:
    page = visit(size, color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"/matches/{match}/replay?at=s30")
    page.keyboard.press("ArrowRight")
    at_step(page, 31)
    check_reading(page)
    score_sheet(page).nth(3).click()
    expect(page.locator(".place .scored").first).to_be_visible()
    check_reading(page)
    page.goto("/read")
    check_reading(page)
    page.set_input_files("input[type=file]", AZUL)
    expect(page.locator(".verdict")).to_be_visible()
    check_reading(page)
