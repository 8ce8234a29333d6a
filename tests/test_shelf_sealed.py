"""The shelf contract under a seal: whatever people ask about a match of any game, the answer is the same as before."""

from pathlib import Path

import pytest

from service.games.game import Game
from tests.shelf import EVERY_GAME, people
from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")

QUESTIONS = (
    "show {}",
    "show {} --json",
    "show {} --at 9",
    "log {}",
    "scores {}",
    "replay {} --json",
    "explain {} 9",
    "export {}",
    "export {} --format jsonl",
    "audit {}",
    "audit {} --json",
    "audit {} --claim 1=3",
    "bisect {} {}",
    "list --json",
)


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.key)
def test_a_sealed_match_answers_as_before(matchledger: Matchledger, game: Game, tmp_path: Path) -> None:
    names = people(game)
    match = matchledger("new", game.key, *names, "--quiet").strip()
    matchledger.play(match, TO_THE_END)
    if not matchledger.json("show", match)["closed"]:
        matchledger("abandon", match)
    # What is exported is stated in the journal once; the first question about it would change the next answer.
    matchledger("export", match)
    before = [_asked(matchledger, question, match) for question in QUESTIONS]
    assert matchledger.json("db", "seal", "--all")["matches"] == 1
    assert matchledger.json("db", "info")["groups"][0]["sealed"] == 1
    assert [_asked(matchledger, question, match) for question in QUESTIONS] == before
    record = tmp_path / "match.mlr"
    matchledger("export", match, "-o", str(record))
    assert "Dispute 1" in matchledger("dispute", "open", match, "I had more.", "--seat", "1")
    assert matchledger.json("audit", match)["clean"]
    matchledger("fork", match, "--step", str(1 + len(names)))  # as soon as everybody sits
    assert matchledger.json("audit", "last")["clean"]
    (tmp_path / "other").mkdir()
    other = on_empty_ledger(tmp_path / "other")
    other("import", str(record))
    assert other("db", "seal", "--all").startswith("Sealed 1 match with ")
    assert other.json("audit", match)["clean"]
    assert "is unsealed" in matchledger("db", "unseal", match)
    assert matchledger.json("audit", match)["clean"]
    disputed = matchledger.json("dispute", "list")
    assert [dispute["match"] for dispute in disputed] == [match]
    assert matchledger.json("db", "seal", "--all")["matches"] >= 1  # the dispute lies under the seal now
    assert matchledger.json("dispute", "list") == disputed


def _asked(matchledger: Matchledger, question: str, match: str) -> tuple[int, str]:
    result = matchledger.run_any(*question.format(match, match).split())
    return result.exit_code, result.output
