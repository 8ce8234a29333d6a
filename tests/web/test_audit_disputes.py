"""The audit page of a match in a real browser: its audit, questions about scores, and a dispute to its final ruling."""

import re
from datetime import UTC, datetime
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Page, expect

from events.chain import Row
from service.games.azul import AZUL
from service.play.evidence import Evidence
from service.shell.web.environment import render
from service.shell.web.views.audit import PageQuery, audit_view
from tests.disputes.people import played
from tests.http.serving import Service
from tests.shell.test_page import CLEAN, evidence_of
from tests.shell.test_page import Page as Markup
from tests.web.conftest import DESKTOP, PHONE, Visitors, check_reading

EXPECTED_REFUSALS = ["409 (Conflict)", "404 (Not Found)"]


class Finished(NamedTuple):
    """A match that is over, with everything that was given out for it."""

    id: str
    tokens: dict[str, Any]
    sheet: list[dict[str, Any]]
    scores: list[int]

    def link(self, role: str, seat: int = 0) -> str:
        """The link that gives somebody a role on the page."""
        token = self.tokens["seats"][str(seat)] if seat else self.tokens[role]
        return f"/matches/{self.id}/case#role={role}&seat={seat or ''}&token={token}"

    @property
    def page(self) -> str:
        return f"/matches/{self.id}/case"


def finish(service: Service, **wishes: Any) -> Finished:
    """Play a match of Azul to its end, always the move that scores most."""
    with httpx.Client(base_url=service.api) as client:
        opened = client.post("/matches", json={"game": "azul", "players": ["Ann", "Ben"], "seed": 5, **wishes}).json()
        match, tokens = opened["match"]["match"], opened["tokens"]
        client.headers["Authorization"] = f"Bearer {tokens['host']}"
        while moves := (legal := client.get(f"/matches/{match}/legal").json()).get("moves"):
            best = max(moves, key=lambda move: (move["points"] or 0, move["move"]))
            by = {"Authorization": f"Bearer {tokens['seats'][str(legal['seat'])]}"}
            client.post(f"/matches/{match}/actions", json={"move": best["move"]}, headers=by)
        sheet = client.get(f"/matches/{match}/scores").json()
        return Finished(match, tokens, sheet["lines"], sheet["scores"])


@pytest.fixture(scope="module")
def finished(service: Service) -> Finished:
    return finish(service, arbiters=["house"])


def heard(page: Page, words: str) -> None:
    """What those are told who listen to the page."""
    expect(page.locator("#tell")).to_contain_text(words)


def unfold(page: Page, heading: str) -> Any:
    """The form under a heading, opened."""
    folded = page.locator("details.act").filter(has=page.locator("summary", has_text=heading))
    folded.locator("summary").click()
    return folded


def test_a_dispute_from_claim_to_final_ruling(service: Service, visit: Visitors) -> None:
    visit.expected = EXPECTED_REFUSALS
    match = finish(service, arbiters=["house"])
    player, opponent, arbiter, stranger = visit(), visit(PHONE), visit(DESKTOP, color_scheme="dark"), visit()
    line = next(line for line in match.sheet if line["seat"] == 1 and line["applied"] > 0)

    stranger.goto(match.page)
    expect(stranger.locator(".banner")).to_have_text("Clean: no check found anything wrong.")
    expect(stranger.locator(".files .print")).to_be_visible()
    assert stranger.locator(".act:visible, .pick:visible").count() == 0

    player.goto(match.link("seat", 1))
    assert "token" not in player.url
    player.get_by_label(f"Dispute event {line['seq']}", exact=True).first.click()
    form = player.locator("#act-dispute")
    expect(form.get_by_label("In your words")).to_be_focused()
    assert form.locator("[name=event]").input_value() == str(line["seq"])
    form.get_by_label("What would be right").fill(str(line["applied"] + 3))
    form.get_by_label("In your words").fill("My row\ngave more.")
    check_reading(player)
    form.get_by_role("button", name="Open a dispute").click()
    expect(player.locator("#dispute-1")).to_be_focused()
    heard(player, "Dispute 1: Ann disputed event")
    expect(player.locator(".disputes q")).to_have_text("My row gave more.")
    assert player.locator("#act-rule-disputes-1-ruling").is_hidden(), "a player rules on nothing"

    # What is refused stays as it was typed, with the service's reason beside it.
    player.get_by_label(f"Dispute event {line['seq']}", exact=True).first.click()
    form.get_by_label("In your words").fill("Once more.")
    form.get_by_role("button", name="Open a dispute").click()
    expect(form.locator(".answer")).to_contain_text("has disputed this already: it is dispute 1")
    assert form.get_by_label("In your words").input_value() == "Once more."

    opponent.goto(match.page)
    expect(opponent.locator("#dispute-1")).to_be_visible()
    assert opponent.locator(".act:visible").count() == 0, "a browser without a token has no forms"

    arbiter.goto(match.link("arbiter"))
    expect(arbiter.locator("#rules option[value='AZ-46']")).to_have_count(1)
    assert arbiter.locator("#act-dispute, .pick").locator("visible=true").count() == 0, "an arbiter disputes nothing"
    ruling = unfold(arbiter, "Rule on it")
    ruling.get_by_label("The reason").fill("It was a run of more.")
    ruling.get_by_label("Signed as").fill("Cleo")
    ruling.get_by_role("button", name="Rule on it").click()
    expect(ruling.locator(".answer")).to_contain_text("A ruling cites at least one rule.")
    assert ruling.get_by_label("The reason").input_value() == "It was a run of more."
    ruling.locator("input.rule").fill("az-45")
    ruling.locator("input.rule").press("Enter")
    ruling.locator("input.rule").fill("AZ-46")
    ruling.get_by_role("button", name="Cite it").click()
    expect(ruling.locator(".rules li")).to_have_count(2)
    expect(ruling.locator(".rules li").last).to_contain_text("AZ-46 ")
    ruling.get_by_role("button", name="Remove AZ-45").click()
    ruling.get_by_label("Ann").fill("3")
    check_reading(arbiter)
    ruling.get_by_role("button", name="Rule on it").click()
    heard(arbiter, "Cleo ruled")
    expect(arbiter.locator(".disputes")).to_contain_text("Ann +3, by Cleo under AZ-46")

    opponent.goto(match.link("seat", 2))
    appeal = unfold(opponent, "Appeal against the ruling")
    appeal.get_by_label("Why the ruling is wrong").fill("It was not.")
    check_reading(opponent)
    appeal.get_by_role("button", name="Appeal against the ruling").click()
    heard(opponent, "Ben appealed")

    arbiter.reload()
    expect(arbiter.locator(".disputes")).to_contain_text("The result is not final while disputes are pending")
    decision = unfold(arbiter, "Decide the appeal")
    decision.get_by_label("upheld").check()
    expect(decision.locator(".adjust")).to_be_hidden()
    decision.get_by_label("overturned").check()
    decision.locator("input.rule").fill("AZ-45")
    decision.get_by_label("Ben").fill("-1")
    decision.get_by_label("The reason").fill("No neighbour.")
    decision.get_by_label("Signed as").fill("Dora")
    decision.get_by_role("button", name="Decide the appeal").click()
    heard(arbiter, "Dora overturned")
    final = unfold(arbiter, "Declare the result final")
    final.get_by_label("Signed as").fill("Dora")
    final.get_by_label("This cannot be undone.").check()
    final.get_by_role("button", name="Declare the result final").click()
    expect(arbiter.locator(".banner")).to_have_text("Settled: Dora declared the result final.")
    assert arbiter.locator(".act:visible").count() == 0
    ruled = arbiter.locator(".facts").first
    expect(ruled).to_contain_text("Ruled result (final)")
    expect(ruled).to_contain_text(f"Ben {match.scores[1] - 1}".replace("-", "−"))
    player.reload()
    expect(player.locator(".disputes")).to_contain_text("nothing more can be disputed")
    docket = httpx.get(f"{service.api}/matches/{match.id}/disputes").json()
    assert docket["is_final"]
    assert httpx.get(f"{service.api}/matches/{match.id}/audit").json()["clean"]


@pytest.mark.parametrize("scripted", [True, False], ids=["with-script", "without-script"])
def test_claims_and_papers_are_answered_with_the_likely_cause(
    finished: Finished, visit: Visitors, scripted: bool
) -> None:
    page = visit(PHONE if scripted else DESKTOP, java_script_enabled=scripted)
    lines = [line for line in finished.sheet if line["seat"] == 1]
    biggest = max(lines, key=lambda line: line["applied"])
    page.goto(finished.page)
    page.locator("#ask-totals summary").click()
    page.get_by_label("Ann, total").fill(str(finished.scores[0] - biggest["applied"]))
    page.locator("#ask-totals button").click()
    asked = page.locator(".asked")
    expect(asked).to_contain_text("Claim and ledger differ")
    expect(asked.locator("tr.suspect").first).to_contain_text(biggest["reason"])
    expect(page.locator(".banner")).to_contain_text("the claim differs")
    replayed = asked.locator("tr.suspect a").first.get_attribute("href") or ""
    assert re.fullmatch(rf"/matches/{finished.id}/replay\?at=\d+", replayed)
    assert asked.locator("tr.suspect a").nth(1).get_attribute("href") == f"/rules/azul#{biggest['rule']}"
    if scripted:
        heard(page, "claimed")
        check_reading(page)
        page.reload()
        expect(asked).to_contain_text("Claim and ledger differ")
        page.go_back()
        expect(asked).to_have_count(0)
        assert page.get_by_label("Ann, total").input_value() == ""

    first = [line for line in finished.sheet if line["round"] == 1 and line["seat"] == 2]
    page.locator("#ask-paper summary").click()
    page.get_by_label("Ben, round 1", exact=True).fill(str(first[-1]["total"] + 40))
    page.get_by_label("Ann, end, with all bonuses").fill(str(finished.scores[0]))
    page.locator("#ask-paper button").click()
    expect(asked).to_contain_text("Paper and ledger differ")
    expect(asked).to_contain_text(
        f"Ben, round 1: {first[-1]['total'] + 40} on paper, {first[-1]['total']} in the ledger"
    )
    assert page.get_by_label("Ben, round 1", exact=True).input_value() == str(first[-1]["total"] + 40)

    page.locator("#ask-csv summary").click()
    sheet = f"round,Ann,Ben\nend,{finished.scores[0]},{finished.scores[1]}\n"
    if scripted:
        paper = {"name": "paper.csv", "mimeType": "text/csv", "buffer": sheet.encode()}
        page.get_by_label("A file").set_input_files(paper)  # type: ignore[arg-type]
        expect(page.locator("textarea[name=sheet]")).to_have_value(sheet)
    else:
        page.locator("textarea[name=sheet]").fill(sheet)
    page.locator("#ask-csv button").click()
    expect(asked).to_contain_text("Paper and ledger agree in every number written (2)")
    page.locator("textarea[name=sheet]").fill("round,Ann,Zoe\n1,2,3")
    page.locator("#ask-csv button").click()
    expect(page.locator("#ask-csv .problem")).to_contain_text("'Zoe' is not a seat of this match")
    expect(page.locator("textarea[name=sheet]")).to_have_value("round,Ann,Zoe\n1,2,3")


def test_a_private_audit_page_is_shown_saved_and_printed_with_a_token(service: Service, visit: Visitors) -> None:
    visit.expected = EXPECTED_REFUSALS
    match = finish(service, private=True)
    page = visit()
    page.goto(match.page)
    expect(page.locator("h1")).to_have_text("Nothing to see here")
    page.goto(match.link("spectator"))
    expect(page.locator("h1")).to_have_text("Azul: Ann and Ben")
    expect(page.locator(".disputes")).to_contain_text("opened without an arbiter, so nobody can rule in it")
    assert page.locator(".act:visible").count() == 0
    page.locator("#everything-that-happened summary").click()
    page.locator("#every-check summary").click()
    check_reading(page)
    for words, begins in (
        ("Audit as a page", "<!DOCTYPE html>"),
        ("Record as text", "["),
        ("Record as JSON lines", "{"),
    ):
        with page.expect_download() as saving:
            page.get_by_role("link", name=words).click()
        assert saving.value.suggested_filename.startswith(match.id)
        assert saving.value.path().read_text(encoding="utf-8").startswith(begins)

    page.emulate_media(media="print")
    expect(page.locator(".on-paper .signing li").first).to_be_visible()
    for hidden in (".top", ".files", ".asking", ".where"):
        expect(page.locator(hidden)).to_be_hidden()
    long = page.pdf(prefer_css_page_size=True)
    page.locator("#everything-that-happened").evaluate("part => { part.open = false; }")
    short = page.pdf(prefer_css_page_size=True)
    assert short.startswith(b"%PDF-")
    assert 2 <= pages(short) < pages(long), "what is folded is not printed"


def pages(pdf: bytes) -> int:
    """How many pages a document has that a browser printed."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_evidence_that_lies_still_has_a_page() -> None:
    rng = Random(2)
    sound = evidence_of(played(AZUL, 3))
    broken = 0
    for _ in range(60):
        rows = list(sound.rows)
        for place in rng.choices(range(len(rows)), k=2):
            data = bytearray(rows[place].data)
            digits = [index for index, byte in enumerate(data) if chr(byte).isdigit()]
            data[rng.choice(digits)] = rng.choice(b"0123456789")
            rows[place] = Row(place + 1, bytes(data), b"")
        broken += "cannot be shown" in told(Evidence("x", sound.match, rows, len(rows), "", {1: "Ann"}))
    assert broken > 5, "nothing ever broke: this tested nothing"
    assert "The match cannot be shown" in told(Evidence("x", "x", [Row(1, b"\xff{", b"")], 1, ""))
    assert "cannot be shown" not in told(sound)


def told(evidence: Evidence) -> str:
    """The main part of the page, every element of which is closed, with something asked."""
    typed = {"claim-1": "40", "1-2": "7"}
    view = audit_view(CLEAN, evidence, datetime(2026, 1, 3, tzinfo=UTC), query=PageQuery(typed, (), ""))
    main = render("audit.html", page=view)
    Markup(main)
    return main


def test_an_arbiter_with_a_key_of_their_own_is_told_where_to_rule(service: Service, visit: Visitors) -> None:
    wishes = {"game": "azul", "players": ["Ann", "<b>Ben</b>"], "arbiters": ["0" * 62 + "05"]}
    opened = httpx.post(f"{service.api}/matches", json=wishes)
    assert opened.is_success, opened.text
    match, tokens = opened.json()["match"]["match"], opened.json()["tokens"]
    page = visit()
    page.goto(f"/matches/{match}/case#role=arbiter&token={tokens['arbiter']}")
    expect(page.locator("h1")).to_have_text("Azul: Ann and <b>Ben</b>")
    expect(page.locator(".disputes")).to_contain_text("signs at home with matchledger dispute rule")
    expect(page.locator(".files .print")).to_be_visible()
    assert page.locator(".act:visible").count() == 0
