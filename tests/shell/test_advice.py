"""`hint` and `review`: what they print for people and for programs, and what they refuse."""

from pathlib import Path

import pytest

from service.store.shapes import LAST
from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PLAYED = ("azul", "master-chocolatier", "summer-pavilion", "coloretto")


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


class TestHint:
    def test_the_best_moves_in_words_and_for_programs(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        answer = matchledger.json("hint", match, "--level", "1")
        assert (answer["match"], answer["seat"], answer["level"]) == (match, 1, 1)
        assert 1 <= len(answer["moves"]) <= 3
        assert {move["move"] for move in answer["moves"]} <= set(matchledger.moves(match))
        text = matchledger("hint", match, "--level", "1")
        lines = text.splitlines()
        assert lines[0] == "Ann (seat 1), the best moves found at level 1:"
        assert [line.split()[0] for line in lines[2:-1]] == [move["move"] for move in answer["moves"]]
        lead = lines[2].split()[1].replace("−", "-").replace("±", "")
        assert float(lead) == round(answer["moves"][0]["expected"], 1)
        assert matchledger("hint", match, "--level", "1", "--seat", "Ann") == text

    def test_changes_nothing(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        before = matchledger.rows()
        matchledger("hint", match, "-l", "1")
        assert matchledger.rows() == before

    def test_at_any_point_of_a_record(self, matchledger: Matchledger) -> None:
        record = str(EXAMPLES / "azul.mlr")
        assert "Ben (seat 2), the best" in matchledger("hint", record, "--at", "s12", "--level", "1")

    def test_what_is_refused(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        refusals = {
            ("hint", match, "--seat", "2"): (1, "hint/turn"),
            ("hint", match, "--level", "6"): (2, "search/level"),
            ("review", str(EXAMPLES / "azul.mlr"), "--level", "much"): (2, "search/level"),
            ("hint", str(EXAMPLES / "azul.mlr")): (1, "hint/over"),
            ("hint", str(EXAMPLES / "azul-pad.mlr")): (1, "search/pad"),
            ("review", match): (1, "review/nothing"),
            ("review", str(EXAMPLES / "coloretto-pad.mlr")): (1, "search/pad"),
            ("review", str(EXAMPLES / "missing.mlr")): (2, "record/file"),
        }
        for words, (code, refusal) in refusals.items():
            assert matchledger.json(*words, code=code)["error"]["code"] == refusal, words
        assert "'6' is not a level; choose from: 1, 2, 3, 4, 5." in matchledger("hint", match, "-l", "6", code=2)


class TestReview:
    @pytest.mark.parametrize("game", PLAYED)
    def test_every_game(self, matchledger: Matchledger, game: str) -> None:
        record = str(EXAMPLES / f"{game}.mlr")
        answer = matchledger.json("review", record, "--level", "1", "--jobs", "2")
        assert answer["game"] == game
        assert answer["worst"] == sorted(answer["decisions"], key=lambda one: -one["lost"])[: len(answer["worst"])]
        assert [one["seq"] for one in answer["decisions"]] == sorted(one["seq"] for one in answer["decisions"])
        for player in answer["players"]:
            own = [one["lost"] for one in answer["decisions"] if one["seat"] == player["seat"]]
            assert (player["decisions"], player["lost"]) == (len(own), pytest.approx(sum(own), abs=0.01))
        text = matchledger("review", record, "--level", "1", "--jobs", "1")
        worst = answer["worst"][0]
        who = answer["players"][worst["seat"] - 1]["name"]
        assert f"1. step {worst['step']}, {who} {worst['move']}: {worst['lost']:.1f} points" in text
        assert answer["course"] in " ".join(text.split())
        assert text.index("The worst mistakes") < text.index(answer["course"][:20]) < text.index("event  step")
        assert len(text.partition("event  step")[2].splitlines()) == len(answer["decisions"]) + 3

    def test_what_there_is_of_a_match(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        matchledger.play(match, 4)
        answer = matchledger.json("review", LAST, "--level", "1")
        assert len(answer["decisions"]) == 4
        assert (answer["turning"], answer["course"]) == (None, "There is no result, and so no turning point.")
        matchledger.play(match, TO_THE_END)
        over = matchledger.json("review", match, "--level", "1")
        assert over["decisions"][:4] == answer["decisions"]

    def test_changes_nothing_and_is_always_the_same(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        matchledger.play(match, 10)
        before = matchledger.rows()
        assert matchledger("review", match, "-l", "2") == matchledger("review", match, "-l", "2", "-j", "1")
        assert matchledger.rows() == before

    def test_a_bar_shows_how_far_it_is(self, matchledger: Matchledger) -> None:
        with matchledger.at_terminal("review", str(EXAMPLES / "coloretto.mlr"), "--level", "2") as child:
            child.expect("looking through")
            child.expect("The worst mistakes")
            child.expect("The lead is by how many")
