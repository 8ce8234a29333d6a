"""`pad`: points of a game at a real table, asked for at the terminal or read from a file."""

from pathlib import Path

import pytest

from service.games.shelf import GAMES
from tests.shell.terminal import Matchledger, finish, on_empty_ledger, plain

EVENING = """\
round,seat,entry
1,Ann,1B 2R floor 2
1,Ben,"1Y, floor 0"

2,2,2K 3W floor 1
2,1,1R 3K done
"""


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "evening.csv"
    path.write_text(EVENING, encoding="utf-8")
    return path


class TestFiles:
    """A CSV file is entered as a whole."""

    def test_a_file_becomes_a_match_like_any_other(self, matchledger: Matchledger, sheet: Path) -> None:
        text = matchledger("pad", "azul", "--csv", str(sheet), "-o", "maxRounds=2")
        assert "11 entries from 4 lines" in text
        assert "1. Ann  2\n1. Ben  2" in text
        assert "2 floor spaces occupied" in matchledger("scores", "last")
        assert "Clean." in matchledger("audit", "last")
        assert "AZ-45" in matchledger("explain", "last", "5")
        said = matchledger("dispute", "open", "last", "One tile.", "--seat", "1", "--event", "6", "--claim", "Ann=-1")
        assert "Dispute 1: Ann disputed event 6" in said

    def test_claims_are_compared_with_it(self, matchledger: Matchledger, sheet: Path) -> None:
        matchledger("pad", "azul", "--csv", str(sheet), "-o", "maxRounds=2")
        text = matchledger("audit", "last", "--claim", "2=3", code=1)
        assert "one occupied floor space" in " ".join(text.split())

    def test_an_export_comes_back(self, matchledger: Matchledger, sheet: Path, tmp_path: Path) -> None:
        matchledger("pad", "azul", "--csv", str(sheet))
        record = tmp_path / "pad.mlr"
        matchledger("export", "last", "-o", str(record))
        assert "valid record" in matchledger("validate", str(record))

    def test_it_can_be_gone_on_with(self, matchledger: Matchledger, sheet: Path, tmp_path: Path) -> None:
        matchledger("pad", "azul", "--csv", str(sheet))
        more = tmp_path / "more.csv"
        more.write_text("3;Ben;4R floor 3\n3;Ann;done\n", encoding="utf-8")
        assert "3 entries from 2 lines" in matchledger("pad", "last", "--csv", str(more))
        assert "undone" in matchledger("undo", "last")

    def test_names_may_stand_on_the_command_line(self, matchledger: Matchledger, tmp_path: Path) -> None:
        path = tmp_path / "numbers.csv"
        path.write_text(",1,G6 Y4 R3 B2 J1 +2 done\n,2,Y5 +2x3 done\n", encoding="utf-8")
        matchledger("pad", "coloretto", "Eva", "Tom", "--csv", str(path), "-o", "finalDecisions=auto-optimal")
        assert "Eva 41   Tom 21" in matchledger("scores", "last")

    @pytest.mark.parametrize(
        "content, words, code",
        [
            ("1,Ann,1B 1B", ["azul-pad/order", "Line 1", "AZ-38"], 1),
            ("1,Ann,1B floor 0\n1,Cleo,1X", ["move/malformed", "Line 2"], 2),
            ("1,Ann,done\n2,Ben,done", ["pad/round", "'2'", "round 1", "Line 2"], 2),
            ("1,Ann,done\n1,9,done", ["pad/seat", "'9'", "1 Ann"], 2),
            ("1,Ann", ["pad/cells", "Line 1 has 2 cells", "1,Ann"], 2),
        ],
    )
    def test_a_file_that_is_refused_leaves_nothing_behind(
        self, matchledger: Matchledger, tmp_path: Path, content: str, words: list[str], code: int
    ) -> None:
        path = tmp_path / "wrong.csv"
        path.write_text(content, encoding="utf-8")
        text = matchledger("pad", "azul", "--csv", str(path), code=code)
        assert [word for word in words if word not in " ".join(text.split())] == []
        assert matchledger.json("list") == []

    def test_a_missing_file_and_a_match_that_is_no_pad(self, matchledger: Matchledger, tmp_path: Path) -> None:
        assert "pad/no-file" in matchledger("pad", "azul", "--csv", str(tmp_path / "none.csv"), code=2)
        match = matchledger.new()
        assert "pad/match" in matchledger("pad", match, code=2)


class TestTerminal:
    """A person is asked for one seat after the other."""

    def test_a_round_at_a_terminal(self, matchledger: Matchledger) -> None:
        with matchledger.at_terminal("pad", "azul", "Ann", "Ben") as child:
            child.expect("Round 1 · Ann and Ben to enter")
            child.expect("Ann> ")
            child.sendline("1B 2R 1Y floor 2")
            child.expect("azul-pad/order")
            child.expect("'1Y' that was refused; nothing was entered")
            child.expect("Ann> ")
            child.sendline("1B 2R floor 2")
            child.expect("Ann cleared the floor")
            child.expect("Ben> ")
            child.sendline("undo")
            child.expect("Ann> ")
            child.sendline("Ben: 1Y floor 0")
            child.expect("Ben had a clean floor")
            child.expect("Ann> ")
            child.sendline("floor 1")
            child.expect("Round 2 · Ann and Ben to enter")
            child.expect("Ann> ")
            child.sendline("end")
            child.expect("there is no further round")
            rest, code = finish(child)
        assert code == 0
        assert "1. Ann" in plain(rest)
        assert "Clean." in matchledger("audit", "last")

    def test_leaving_keeps_the_pad(self, matchledger: Matchledger) -> None:
        with matchledger.at_terminal("pad", "coloretto-pad", "Ann", "Ben") as child:
            for line in ("help", "moves", "scores", "log", "board", "G6"):
                child.expect("Ann> ")
                child.sendline(line)
            child.expect("Ann has 6 green cards")
            child.expect("Ann> ")
            child.sendline("quit")
            rest, code = finish(child)
        assert code == 0
        assert "Go on with: matchledger pad" in " ".join(plain(rest).split())

    @pytest.mark.parametrize("pad", [game for game in GAMES if game.pad_of], ids=lambda game: game.key)
    def test_every_pad_can_be_played_through_the_ordinary_commands(self, matchledger: Matchledger, pad: object) -> None:
        key = pad.key  # type: ignore[attr-defined]
        matchledger("new", key, "Ada=bot:greedy", "Bo=bot:random", "--seed", "3", "--quiet")
        assert "Clean." in matchledger("audit", "last")


def test_pads_stand_below_the_games(matchledger: Matchledger) -> None:
    text = matchledger("games")
    heading = text.index("Score pads, for games at a real table")
    assert all((text.index(f"{game.key}  ") > heading) == bool(game.pad_of) for game in GAMES)
