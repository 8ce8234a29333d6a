"""The commands as people type them, through a root put together like the real one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from typer.testing import CliRunner

from cli import app
from service.audit.judge import own_notary
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.simulate import make_plan, simulate
from service.questions.inquiry import compared
from service.shell.answers.questions import comparison_answer
from service.shell.commands.audit import ask
from service.shell.terminal.rulings import show_comparison
from service.store.columns import sound
from service.store.connect import open_store
from service.trust.arbiters import Arbiter
from tests.disputes.people import CLEO, DORA, EVE, closed_match, private_key
from tests.play.test_older_rulesets import past_dead

Run = Callable[..., str]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def live(database: Path) -> Live:
    with open_store(str(database)) as store:
        return closed_match(LocalLedger(store, notary=own_notary()))


@pytest.fixture
def run(database: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("MATCHLEDGER_ARBITERS", raising=False)

    def run_command(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, ["--database", str(database), *words])
        assert done.exit_code == code, done.output
        return done.output

    return run_command


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, str]:
    return {who.name: str(write_key(tmp_path / f"{who.name}.pem", who)) for who in (CLEO, DORA, EVE)}


def write_key(path: Path, who: Arbiter) -> Path:
    private = private_key(who.name)
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path


def error(output: str) -> Any:
    return json.loads(output)["error"]["code"]


def test_a_dispute_from_the_first_word_to_the_last(run: Run, live: Live, keys: dict[str, str]) -> None:
    assert live.table.closed is not None
    score = next(place.score for place in live.table.closed.standings if place.seat == 2)
    out = run("dispute", "open", "last", "A run was missed.", "--seat", "2", "--event", "40", "--claim", "Ben=5")
    assert "Dispute 1: Ben disputed event 40, claiming +5 there for Ben: “A run was missed”." in out
    assert "Pending: dispute 1 (opened)." in out
    for claim, of in (("5", "2"), ("Ben=5", "1")):
        words = ("open", "last", "Once more.", "--seat", "2", "--event", "41", "--claim", claim, "--of", of)
        assert "claim/" in run("dispute", *words, code=2)
    out = run(
        "dispute", "rule", "last", "1", "--key", keys["Cleo"], "--rule", "az46", "--adjust", "Ben=+3",
        "--reason", "Right",
    )  # fmt: skip
    assert "Cleo ruled under AZ-46: Ben +3. Reason: “Right”." in out
    assert f"Ben {score + 3}" in out
    assert "Ann appealed" in run("dispute", "appeal", "last", "1", "No run.", "--seat", "1")
    out = run(
        "dispute", "decide", "last", "1", "--key", keys["Dora"], "--as", "Committee", "--overturn", "--rule", "AZ-47",
        "--adjust", "2=+1:AZ-46", "--reason", "A gap",
    )  # fmt: skip
    assert "Committee overturned the ruling under AZ-47 and AZ-46: Ben +1." in out
    out = run("dispute", "show", "last", "1")
    assert [line.split("  ")[-1].split(":")[0] for line in out.splitlines()[:4]] == ["Dispute 1"] * 4
    assert out.endswith("Status: overturned.\n")
    assert "final by Cleo" in run("dispute", "final", "last", "--key", keys["Cleo"])
    out = run("dispute", "show", "last")
    assert "By ruling, beside the score of play:" in out
    assert "overturned" in out
    view = json.loads(run("dispute", "show", "last", "--json"))
    assert view["is_final"] is True
    assert view["disputes"][0]["status"] == "overturned"
    assert {place["seat"]: place["score"] for place in view["ruled"]}[2] == score + 1
    assert {place["seat"]: place["score"] for place in view["computed"]}[2] == score
    assert live.id in run("dispute", "list")
    assert "No dispute waits" in run("dispute", "list", "--pending")
    assert error(run("dispute", "open", "last", "More", "--seat", "1", "--json", code=1)) == "dispute/final"


def test_refusals_have_codes_and_exit_codes(run: Run, live: Live, keys: dict[str, str], tmp_path: Path) -> None:
    run("dispute", "open", "last", "Words", "--seat", "1")
    rule = ("dispute", "rule", "last", "1", "--rule", "AZ-46", "--reason", "Because", "--json")
    assert error(run(*rule, "--key", keys["Eve"], code=1)) == "dispute/not-arbiter"
    assert error(run(*rule, "--key", str(tmp_path / "none.pem"), code=2)) == "keys/missing"
    assert error(run(*rule, "--key", str(tmp_path / "ledger.db"), code=1)) == "keys/damaged"
    Path(keys["Dora"]).chmod(0o644)
    assert error(run(*rule, "--key", keys["Dora"], code=1)) == "keys/readable"
    for adjust in ("3", "3=1", "1=x", "1=+-2", "1="):
        assert error(run(*rule, "--key", keys["Cleo"], "--adjust", adjust, code=2)) == "dispute/adjustment"
    assert error(run("dispute", "show", "last", "9", "--json", code=1)) == "dispute/unknown"
    assert error(run("explain", "last", "999", "--json", code=1)) == "replay/event"
    assert error(run("rules", "XX-1", "--json", code=2)) == "rules/unknown"
    assert error(run("rescore", "--ruleset", "azul/1", "--json", code=2)) == "rescore/what"
    assert error(run("rescore", "--all", "--ruleset", "azul/9", "--json", code=2)) == "game/ruleset"


def test_nothing_is_made_where_there_is_no_ledger(run: Run, database: Path) -> None:
    run("dispute", "open", "last", "Words", "--seat", "1", code=2)
    assert not database.exists()


def test_registered_arbiters_for_matches_that_pin_none(
    run: Run, database: Path, keys: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(str(database)) as store:
        closed_match(LocalLedger(store, notary=own_notary()), arbiters=())
    run("dispute", "open", "last", "Words", "--seat", "1")
    rule = ("dispute", "rule", "last", "1", "--key", keys["Eve"], "--rule", "AZ-46", "--reason", "Because")
    assert error(run(*rule, "--json", code=1)) == "dispute/no-arbiter"
    listed = tmp_path / "arbiters"
    listed.write_text(f"# of this club\n\n{EVE.key.public.upper()} Eve, since 2020\n", encoding="utf-8")
    monkeypatch.setenv("MATCHLEDGER_ARBITERS", str(listed))
    assert "Eve ruled under AZ-46: no adjustment." in run(*rule)
    listed.write_text("not a key\n", encoding="utf-8")
    assert error(run("dispute", "final", "last", "--key", keys["Eve"], "--json", code=2)) == "match/arbiter"


def test_explain_and_rules(run: Run, live: Live) -> None:
    seq = str(next(envelope.seq for envelope in live.envelopes if envelope.event.scores))
    out = run("explain", "last", seq)
    for part in (f"Event {seq}, step", "Before", "After", "AZ-4", "→"):
        assert part in out
    view = json.loads(run("explain", "last", seq, "--json"))
    assert view["before"] != view["after"]
    assert set(view["rules"]) >= {view["lines"][0]["rule"]}
    assert run("rules", "az-45").startswith("AZ-45  Scoring a tile\nA tile with no neighbour")
    assert "103" in run("rules")
    assert run("rules", "azul").startswith("# Azul")
    assert json.loads(run("rules", "AZ-45", "AZ-46", "--json"))[1]["id"] == "AZ-46"
    assert "AZ-51" in run("rules", "--find", "floor marker")


def test_rescore_and_bisect(run: Run, live: Live, database: Path) -> None:
    assert "Every line and the result stay as they are." in run("rescore", "last", "--ruleset", "azul/1")
    plan = make_plan("azul", 2, {}, ["greedy"], 0)
    list(simulate(plan, 3, database=str(database)))
    out = run("rescore", "--all", "--ruleset", "azul/1")
    assert "0 of 4 matches would change, 0 of them in the result; nothing was changed." in out
    assert json.loads(run("rescore", "--all", "--ruleset", "azul/1", "--json"))["matches"] == 4
    assert "They are the same" in run("bisect", "last", "last")
    with open_store(str(database)) as store:
        others = [row.id for row in sound(store.matches()) if row.id != live.id]
    out = run("bisect", others[0], others[1], code=1)
    for part in ("The first event that differs", "displays[", "The first score line that differs", "after event"):
        assert part in out
    view = json.loads(run("bisect", others[0], others[1], "--json", code=1))
    assert view["is_same"] is False
    assert view["fields"]


def test_rescore_says_where_the_other_ruleset_ends_the_game(run: Run, database: Path) -> None:
    with open_store(str(database)) as store:
        older = past_dead(LocalLedger(store, notary=own_notary()), "azul/1").id
    list(simulate(make_plan("azul", 2, {"boardSide": "grey"}, [], 6649), 1, database=str(database)))
    out = run("rescore", older, "--ruleset", "azul/2")
    for part in (
        "By azul/2 the game would have been over with event 435, in round 26; the match went on to event 484.\n",
        "The game ended: no tile fits any wall any more. Bonuses: random +10 for all five yellow;",
        "6 score lines after that would not be there (--json lists all).\n",
        "Every place in the result stays the same.\n",
    ):
        assert part in out
    view = json.loads(run("rescore", older, "--ruleset", "azul/2", "--json"))
    assert (view["earlier_end"]["seq"], view["earlier_end"]["round"], view["goes_on"]) == (435, 26, False)
    assert len(view["lines"]) == 6
    out = run("rescore", "--all", "--ruleset", "azul/1")
    for part in (
        "By azul/1 the game would not be over: it would have gone on from its last move.\n",
        "  436  random   +7         –  AZ-62  complete column 5",
        "Result: 1. random 17   2. random 10\n     →  none yet\n",
        "1 of 2 matches would change, 1 of them in the result; nothing was changed.",
    ):
        assert part in out
    [changed] = json.loads(run("rescore", "--all", "--ruleset", "azul/1", "--json"))["changed"]
    assert (changed["earlier_end"], changed["goes_on"]) == (None, True)


def test_claims_for_the_audit(live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = live
    assert live.table.closed is not None
    totals = {place.seat: place.score for place in live.table.closed.standings}
    right = [f"{seat}={total}" for seat, total in totals.items()]
    (agreed,) = compared(history, ask(history, right, None))
    assert agreed.agrees
    show_comparison(history, agreed)
    assert "Claim and ledger agree in every number written (2)" in capsys.readouterr().out
    (parted,) = compared(history, ask(history, [f"Ann={totals[1] - 500}"], None))
    assert not parted.agrees
    show_comparison(history, parted)
    out = capsys.readouterr().out
    assert "Ann, the final total" in out
    assert "No single line explains it." in out
    paper = tmp_path / "scores.csv"
    paper.write_text(f"round,Ann,Ben\nend,{totals[1] + 1},{totals[2]}\n", encoding="utf-8")
    both = compared(history, ask(history, right, paper))
    assert [(found.source, found.agrees) for found in both] == [("claim", True), ("paper", False)]
    view = comparison_answer(history, both[1])
    assert (view.agrees, view.findings[0].round) == (False, "end")
    assert view.findings[0].causes
