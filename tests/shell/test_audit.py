"""`audit` with everything it can be asked besides: claims, papers, a page, receipts and keys, on every game."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli import app
from service.games.game import Game
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from tests.conftest import TWO, finish
from tests.pebbles import PEBBLES
from tests.shelf import EVERY_GAME, players
from tests.signing import STRANGER

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


def run(ledger: LocalLedger, *words: object, code: int = 0) -> Result:
    database = ledger.store.where.strip("'")
    result = CliRunner().invoke(app, ["--database", database, *map(str, words)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(params=EVERY_GAME, ids=lambda game: game.key)
def closed(ledger: LocalLedger, request: pytest.FixtureRequest) -> Live:
    """A finished match of every game."""
    return finished(ledger, request.param, seed=3)


def finished(ledger: LocalLedger, game: Game, seed: int) -> Live:
    seated = players(game.rules.seats[0])
    return finish(ledger, open_match(ledger, game.key, len(seated), players=seated), seed=seed)


def totals(live: Live) -> list[int]:
    return list(live.game.projection.scores(live.table.state))


def test_true_claims_agree_and_false_ones_are_located(ledger: LocalLedger, closed: Live) -> None:
    one, *others = totals(closed)
    claims = [f"1={one}", *(f"{closed.names[seat]}={total}" for seat, total in enumerate(others, start=2))]
    assert "agree" in run(ledger, "audit", closed.id, *(word for claim in claims for word in ("--claim", claim))).stdout
    wrong = run(ledger, "audit", closed.id, "--claim", f"1={one + 1}", code=1).stdout
    assert f"{one + 1} claimed, {one} in the ledger" in wrong
    view = json.loads(run(ledger, "audit", closed.id, "--claim", f"1={one + 1}", "--json", code=1).stdout)
    assert view["claims"]["agrees"] is False


def test_a_paper_is_compared_round_by_round(ledger: LocalLedger, tmp_path: Path) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=3)
    sheet = json.loads(run(ledger, "scores", live.id, "--json").stdout)
    rounds = range(1, max(entry["round"] for entry in sheet) + 1)
    after = {
        number: [sum(e["applied"] for e in sheet if e["seat"] == seat and e["round"] <= number) for seat in (1, 2)]
        for number in rounds
    }
    paper = tmp_path / "paper.csv"
    paper.write_text("round,Ann,Ben\n" + "".join(f"{n},{a},{b}\n" for n, (a, b) in after.items()), encoding="utf-8")
    assert "agree" in run(ledger, "audit", live.id, "--paper", paper).stdout
    lines = paper.read_text(encoding="utf-8").splitlines()
    first = int(lines[2].split(",")[1])
    lines[2] = lines[2].replace(f",{first},", f",{first + 3},", 1)
    paper.write_text("\n".join(lines), encoding="utf-8")
    assert "round 2" in run(ledger, "audit", live.id, "--paper", paper, code=1).stdout
    run(ledger, "audit", live.id, "--paper", tmp_path / "none.csv", code=2)


def test_claim_and_paper_are_asked_together(ledger: LocalLedger, tmp_path: Path) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=3)
    one, two = totals(live)
    paper, page = tmp_path / "paper.csv", tmp_path / "page.html"
    paper.write_text(f"round,Ann,Ben\nend,{one},{two + 1}\n", encoding="utf-8")
    words = ["audit", live.id, "--claim", f"Ann={one}", "--paper", paper, "--html", page]
    out = run(ledger, *words, code=1).stdout
    assert "Claim and ledger agree" in out
    assert f"Ben, the final total: {two + 1} on paper, {two} in the ledger" in out
    view = json.loads(run(ledger, *words, "--json", code=1).stdout)
    assert (view["claims"]["agrees"], view["paper"]["agrees"]) == (True, False)
    text = page.read_text(encoding="utf-8")
    assert "Open: the paper differs from what the rules give." in text
    assert f"Claimed: Ann {one}." in text


@pytest.mark.parametrize(
    "claim, paper, code",
    [("Zoe=3", "", "claim/seat"), ("54", "", "claim/form"), ("1=3", "round,Ann,Ben\n99,1,1\n", "paper/round")],
)
def test_what_is_asked_is_refused_before_the_audit(
    ledger: LocalLedger, claim: str, paper: str, code: str, tmp_path: Path
) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=3)
    file = tmp_path / "paper.csv"
    file.write_text(paper or "round,1\nend,3\n", encoding="utf-8")
    refused = run(ledger, "audit", live.id, "--claim", claim, "--paper", file, code=2)
    assert code in refused.stderr
    assert refused.stdout == "", "no audit was made for a question that makes no sense"


def test_a_table_record_is_audited_and_imported_with_the_numbers_in_dispute(
    ledger: LocalLedger, tmp_path: Path
) -> None:
    record = tmp_path / "friday.mlr"
    text = Path("docs/examples/azul-table.mlr").read_text(encoding="utf-8")
    record.write_text(text.replace("Ann =6", "Ann =8").replace("Ann 6", "Ann 8"), encoding="utf-8")
    audited = run(ledger, "audit", record, code=1).stdout
    imported = run(ledger, "import", record).stdout
    assert "is not what the rules give" in " ".join(imported.split())
    again = run(ledger, "audit", "last", code=1).stdout
    for out in (audited, again):
        assert "The table's own numbers and the rules differ:" in out
        assert "Ann, after event 44: 8 written, 6 in the ledger" in out
        assert "✗ record" in out
    view = json.loads(run(ledger, "audit", "last", "--json", code=1).stdout)
    assert [finding["event"] for finding in view["written"]["findings"]] == [44]


def test_a_paper_for_a_game_without_rounds(ledger: LocalLedger, tmp_path: Path) -> None:
    live = finished(ledger, PEBBLES, seed=3)
    paper = tmp_path / "paper.csv"
    paper.write_text("round,Ann,Ben,Cleo\nend," + ",".join(map(str, totals(live))), encoding="utf-8")
    assert "agree" in run(ledger, "audit", live.id, "--paper", paper).stdout
    paper.write_text("round,Ann,Ben,Cleo\n2,1,1,1", encoding="utf-8")
    refused = run(ledger, "audit", live.id, "--paper", paper, code=2).stderr
    assert "The paper has a round 2; Pebbles has none, only `end`." in " ".join(refused.split())


def test_scores_have_a_column_of_rounds_where_there_are_rounds(ledger: LocalLedger, closed: Live) -> None:
    heading = run(ledger, "scores", closed.id).stdout.splitlines()[0].split()
    assert ("round" in heading) == closed.game.has_rounds
    assert set(heading) | {"round"} == {"event", "round", "who", "points", "total", "rule", "reason"}


def test_a_page_is_written(ledger: LocalLedger, closed: Live, tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    assert f"Wrote {page}." in run(ledger, "audit", closed.id, "--html", page).stdout.replace("\n", " ")
    assert closed.game.title in page.read_text(encoding="utf-8")
    run(ledger, "audit", closed.id, "--html", tmp_path / "no" / "such" / "folder.html", code=2)


def test_a_receipt_proves_what_was_there(ledger: LocalLedger, closed: Live, tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.json"
    run(ledger, "receipt", closed.id, "-o", receipt)
    assert "receipt" in run(ledger, "audit", closed.id, "--receipt", receipt).stdout
    other = finished(ledger, closed.game, seed=4)
    run(ledger, "audit", other.id, "--receipt", receipt, code=1)


def test_what_is_about_one_match_is_not_for_all(ledger: LocalLedger, closed: Live, tmp_path: Path) -> None:
    for words in (["--claim", "1=3"], ["--paper", "x.csv"], ["--html", "x.html"]):
        assert "audit/one" in run(ledger, "audit", "--all", *words, code=2).stderr
    assert "audit/target" in run(ledger, "audit", code=2).stderr
    assert "all clean" in run(ledger, "audit", "--all", "--jobs", "1").stdout


def test_since_passes_over_what_did_not_change_and_says_so(ledger: LocalLedger) -> None:
    live = finish(ledger, open_match(ledger, "azul", 2, players=TWO), seed=3)
    first = run(ledger, "audit", "--all", "--since").stdout
    assert "1 match: all clean." in first
    assert "This version has not signed a clean audit of this ledger yet, so every match was audited." in first
    again = " ".join(run(ledger, "audit", "--all", "--since").stdout.split())
    assert "1 match: all clean. 0 matches audited; 1 unchanged since the clean audit of" in again
    assert "Signed as entry 5 of the journal" in again
    view = json.loads(run(ledger, "audit", "--all", "--since", "--json").stdout)
    assert (view["matches"], view["unchanged"], view["clean"]) == (0, 1, 0)
    assert (view["rests_on"]["place"], view["stated"]["place"], view["stated"]["covers"]) == (5, 6, 5)
    view = json.loads(run(ledger, "audit", "--all", "--full", "--json").stdout)
    assert (view["matches"], view["unchanged"], view["rests_on"], view["stated"]["place"]) == (1, 0, None, 7)
    view = json.loads(run(ledger, "audit", "--all", "--json").stdout)
    assert (view["matches"], view["rests_on"], view["stated"]) == (1, None, None)
    assert len(ledger.store.entries("")) == 5, "a key, and an audit for each but the last"
    other = STRANGER.public
    for words in (["--since", "--full"], ["--since", "--key", other], ["--full", "--arbiter", other]):
        assert "audit/since" in run(ledger, "audit", "--all", *words, code=2).stderr
    for word in ("--since", "--full"):
        refused = " ".join(run(ledger, "audit", live.id, word, code=2).stderr.split())
        assert f"--since and --full are for --all; {live.id!r} is always audited whole." in refused


def test_an_audit_that_fails_states_nothing(ledger: LocalLedger, tmp_path: Path) -> None:
    record = tmp_path / "friday.mlr"
    text = Path("docs/examples/azul-table.mlr").read_text(encoding="utf-8")
    record.write_text(text.replace("Ann =6", "Ann =8").replace("Ann 6", "Ann 8"), encoding="utf-8")
    run(ledger, "import", record)
    out = " ".join(run(ledger, "audit", "--all", "--since", code=1).stdout.split())
    assert "1 match: 1 not clean." in out
    assert "Nothing was signed; the next `audit --all --since` starts from the same audit as this one." in out
    assert json.loads(run(ledger, "audit", "--all", "--full", "--json", code=1).stdout)["stated"] is None
