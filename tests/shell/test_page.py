"""The page: whole, self-contained, the same for the same evidence, and made even from evidence that lies."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from importlib.metadata import version
from random import Random

import pytest

from events.chain import Row
from events.codec import encode
from projections.words import signed
from service.audit.report import Report, Verdict
from service.disputes import cases as disputes
from service.games.azul import AZUL
from service.games.game import Game
from service.games.shelf import find_game
from service.play.evidence import Evidence, from_store
from service.play.history import History, points
from service.play.ledger import LocalLedger
from service.questions.inquiry import Inquiry
from service.shell.web.audit_file import html_report
from tests.disputes.people import CLEO, DORA, closed_match, played
from tests.pebbles import PEBBLES
from tests.shelf import each_game

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")
VOID = {"meta", "br", "rect", "hr", "img", "input"}


class Page(HTMLParser):
    """Every element opened is closed, and what was met on the way."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        if "id" in values:
            self.ids.append(values["id"] or "")
        if (values.get("href") or "").startswith("#"):
            self.targets.append((values["href"] or "")[1:])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def evidence_of(history: History, names: dict[int, str] | None = None) -> Evidence:
    rows = [Row(envelope.seq, encode(envelope), b"") for envelope in history.envelopes]
    return Evidence(history.id, history.id, rows, len(rows), "", names or {1: "Ann", 2: "Ben"})


CLEAN = Report(
    "a file", "x", 107, [Verdict("chain", "passed", why="107 links"), Verdict("signature", "skipped", why="no key")]
)


@each_game
def test_a_page_for_every_game(game: Game) -> None:
    history = played(game, 3)
    text = html_report(CLEAN, evidence_of(history))
    page = Page(text)
    assert text == html_report(CLEAN, evidence_of(history)), "the same evidence, the same page"
    assert len(page.ids) == len(set(page.ids))
    assert set(page.targets) <= set(page.ids), "a link leads nowhere"
    moments = {(point.sheet.round, point.is_end) for point in points(history)}
    assert text.count('<div class="panels">') == len(moments)
    assert {"script", "img", "link", "iframe", "object"}.isdisjoint(page.tags)
    elsewhere = re.findall(r"https?://[^\"' ]+", text)
    assert set(elsewhere) == {"http://www.w3.org/2000/svg"}, "only the name of the SVG language looks like an address"
    assert "url(" not in text
    assert "@import" not in text
    for envelope in history.envelopes:
        assert f'id="e{envelope.seq}"' in text
    for point in points(history):
        assert f'<dt id="{point.line.rule}">' in text
    assert "cannot be shown" not in text
    headings = re.findall("<h3>(.*?)</h3>", text)
    assert ("Play" in headings) == (not game.has_rounds and not all(point.is_end for point in points(history)))


def test_a_game_without_rounds_is_told_in_one_piece() -> None:
    text = html_report(CLEAN, evidence_of(played(PEBBLES, 3)))
    assert re.findall("<h3>(.*?)</h3>", text) == ["Play", "End of the game"]
    assert "ound" not in "".join(re.findall("<h[123]>(.*?)</h[123]>", text))


def test_findings_stand_out_and_point_to_their_event() -> None:
    report = Report(
        "x", "x", 107, [Verdict("facts", "failed", 40, "it <is> wrong"), Verdict("sums", "failed", 12, "so is this")]
    )
    text = html_report(report, evidence_of(played(AZUL, 3)))
    Page(text)
    assert '2 checks failed, first at event <a href="#e12">12</a>' in text
    assert "it &lt;is&gt; wrong" in text
    assert "✗ failed" in text


def test_names_and_words_of_people_stay_words(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    ledger.store.rename(live.id, 1, "<script>alert(1)</script>")
    disputes.open_dispute(ledger, live, 1, "<b>mine</b> & 'yours'")
    disputes.rule(ledger, live, 1, CLEO, rules=["AZ-46"], reason="</td>", adjust=[(1, 4, "AZ-46")])
    text = html_report(CLEAN, from_store(ledger.store, live.id))
    Page(text)
    assert "<script>" not in text
    assert "<b>mine" not in text
    assert "&lt;b&gt;mine&lt;/b&gt; &amp;" in text
    assert "Ruled result" in text
    assert "By ruling, beside the score of play" in text


def test_evidence_that_lies_still_makes_a_page() -> None:
    """Bytes changed at random: the page says what cannot be shown and never fails."""
    rng = Random(1)
    evidence = evidence_of(played(AZUL, 3))
    broken = 0
    for _ in range(60):
        rows = list(evidence.rows)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(rows))
            data = bytearray(rows[place].data)
            digits = [index for index, byte in enumerate(data) if chr(byte).isdigit()]
            data[rng.choice(digits)] = rng.choice(b"0123456789")
            rows[place] = Row(place + 1, bytes(data), b"")
        text = html_report(CLEAN, Evidence("x", evidence.match, rows, len(rows), "", {1: "Ann"}))
        Page(text)
        broken += "cannot be shown" in text
    assert broken > 5, "nothing ever broke: this tested nothing"
    Page(html_report(CLEAN, Evidence("x", "x", [], 0, "")))
    Page(html_report(CLEAN, Evidence("x", "x", [Row(1, b"\xff{", b"")], 1, "")))


def headings(text: str) -> list[str]:
    return re.findall("<h2>(.*?)</h2>", text)


def test_people_come_first_and_the_verdicts_last() -> None:
    history = played(AZUL, 3)
    totals = history.game.projection.scores(history.table.state)
    text = html_report(CLEAN, evidence_of(history), Inquiry({1: totals[0] + 2}), datetime(2026, 1, 31, tzinfo=UTC))
    Page(text)
    assert headings(text) == [
        "What was asked", "Score sheet", "To sign", "What happened", "Rules cited", "The record", "Verdicts",
    ]  # fmt: skip
    first = text[: text.index("<h2>")]
    for said in ("Ann and Ben", "2 January 2026", "Azul", f"Claimed: Ann {totals[0] + 2}.", "by the rules, not"):
        assert said in first, said
    assert "Open: the claim differs from what the rules give." in first
    assert "Clean" not in text
    assert "counter(page)" in text, "pages are numbered in print"
    assert f"Made by matchledger {version('matchledger')} on 31 January 2026" in text
    assert re.findall(r"<li>(\w*) <span>(.*?)</span></li>", text) == [
        ("Ann", "seat 1, date"), ("Ben", "seat 2, date"), ("", "arbiter, date"),
    ]  # fmt: skip


def test_a_claim_that_is_right_leaves_the_page_clean() -> None:
    history = played(AZUL, 3)
    totals = dict(enumerate(history.game.projection.scores(history.table.state), start=1))
    text = html_report(CLEAN, evidence_of(history), Inquiry(totals))
    assert "Clean: no check found anything wrong." in text
    assert "Claim and ledger agree in every number written (2)" in text


def test_the_likely_line_is_marked_and_no_other_line_of_its_event() -> None:
    history = played(find_game("coloretto"), 3)
    seen = [point for point in points(history) if point.sheet.seat == 1]
    wrong = next(point for point in seen if point.line.reason == "colour-minus")
    total = seen[-1].sheet.total - 2 * wrong.line.applied
    text = html_report(CLEAN, evidence_of(history), Inquiry({1: total}))
    asked = text[text.index("What was asked") : text.index("Score sheet")]
    marked = re.findall(r'<tr class="suspect">.*?<td>([^<]*)</td></tr>', asked)
    assert wrong.sheet.reason in marked
    assert len(marked) < len(re.findall(r"<tr", asked)) - 1
    assert f"{wrong.sheet.reason} ({signed(wrong.line.applied)} written as" in asked


def test_a_dispute_is_told_in_full_and_open_until_it_is_final(ledger: LocalLedger) -> None:
    live = closed_match(ledger)
    match = live.id

    def page() -> str:
        return html_report(CLEAN, from_store(ledger.store, match))

    disputes.open_dispute(ledger, live, 1, "A run was missed.", claim=99)
    assert "Open: dispute 1 not decided yet." in page()
    disputes.rule(ledger, live, 1, CLEO, rules=["AZ-46"], reason="So it was.", adjust=[(1, 4, "AZ-46")])
    assert "Open: ruled, but not declared final yet." in page()
    disputes.appeal(ledger, live, 1, 2, "It was not.")
    assert "Open: dispute 1 not decided yet." in page()
    disputes.decide(ledger, live, 1, DORA, upholds=False, rules=["AZ-45"], reason="No neighbour.", adjust=[])
    disputes.finalise(ledger, live, DORA)
    text = page()
    Page(text)
    assert "Settled: Dora declared the result final." in text
    assert "Clean" not in text
    told = text[text.index("<h2>Disputes") : text.index("<h2>To sign")]
    for said in (
        "Ann disputes the total of Ann; right would be 99 for Ann", "<q>A run was missed.</q>", "Ann +4, by Cleo under",
        "<q>So it was.</q>", "Ben: <q>It was not.</q>", "the ruling is overturned: no adjustment, by Dora under",
        "<q>No neighbour.</q>", "overturned", "Declared final by Dora.",
    ):  # fmt: skip
        assert said in told, said
    assert tuple(re.findall(r"<li>(\w+) <span>arbiter, date", text)) == ("Cleo", "Dora")


def test_findings_stand_above_everything_that_was_asked() -> None:
    report = Report("x", "x", 107, [Verdict("record", "failed", 0, "it is wrong")])
    text = html_report(report, evidence_of(played(AZUL, 3)), Inquiry({1: 999}))
    assert '<p class="banner findings">1 check failed.</p>' in text
