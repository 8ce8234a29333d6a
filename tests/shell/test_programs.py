"""Bots from outside and the arena at the command line: nothing that a program says reaches the terminal as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.trust.folder import key_folder_at
from tests.bots.scripts import moving, script, sitting_in
from tests.shell.terminal import ESCAPE, Matchledger, on_empty_ledger

SCREAMS = moving("sys.stderr.write('\\x1b[2J\\x1b]0;gone\\x07\\n')\nsys.stderr.flush()\nprint('\\x1b[31m', flush=True)")
WRONG = "say(number=message['number'], index=-1)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with sitting_in(tmp_path, monkeypatch) as place:
        yield place


@pytest.fixture
def matchledger(tmp_path: Path, folder: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


def test_nothing_it_says_reaches_the_terminal_raw(matchledger: Matchledger, folder: Path) -> None:
    match = matchledger("new", "azul", f"mine=bot:exec:{script(folder, SCREAMS)}", "bot:greedy", "--quiet").strip()
    for command in ("log", "show", "export", "audit", "scores"):
        text = matchledger(command, match)
        assert ESCAPE not in text
    assert (
        r"mine forfeited a move, because its program sent an answer that cannot be used (“\x1b[31m”): greedy"
        in " ".join(matchledger("log", match).split())
    )
    text = matchledger("simulate", "azul", "-n", "1", "-b", f"exec:{script(folder, SCREAMS)}", "-b", "greedy")
    assert ESCAPE not in text
    assert "nonsense. The first one: \\x1b[31m" in " ".join(text.split())


def test_a_simulation_tells_programs_what_was_forfeited(matchledger: Matchledger, folder: Path) -> None:
    bad = f"exec:resign:{script(folder, moving('sys.exit(4)'))}"
    (result,) = matchledger.json("simulate", "azul", "-n", "1", "-b", bad, "-b", "greedy")["results"]
    (fact,) = result["forfeits"]
    assert (fact["seat"], fact["why"], fact["follows"], fact["said"]) == (1, "died", "resignation", "exit code 4")
    assert result["winners"] == [2]


def test_a_name_that_is_too_long_is_shortened_and_its_kind_kept(matchledger: Matchledger, folder: Path) -> None:
    command = f"exec:{script(folder)} --an-option that --makes it --quite long"
    match = matchledger("new", "azul", f"bot:{command}", "Ann", "--quiet").strip()
    players = matchledger.json("list")[0]["players"]
    name = players[0]["name"]
    assert (players[0]["kind"], name[-1]) == (f"bot:{command}", "…")
    assert command.startswith(name[:-1])
    # A space before the cut is dropped, and where that is depends on the folder the tests run in.
    assert len(name) in {39, 40}
    assert match


def test_a_stranger_plays_when_told_to(matchledger: Matchledger, folder: Path, tmp_path: Path) -> None:
    """An imported match, or one of somebody else's keys, starts nothing by itself."""
    command = script(folder, 'open("started", "w").close()')
    seats = ("Ann", f"mine=bot:exec:{command}")
    fixed = ("--chance", "recorded", "-o", "firstPlayer=seat:1", "--quiet")
    match = matchledger("new", "azul", *seats, *fixed).strip()
    matchledger("deal", match, "BBBB YYYY RRRR KKKK WWWW")
    (folder / "started").unlink()  # it was, where it was seated
    with key_folder_at(tmp_path / "another user"):
        text = matchledger("act", match, "1B4")
        assert "It is the turn of mine, a program, which moves where it was seated" in " ".join(text.split())
        assert "(bot/stranger)" in matchledger("play", match, code=1)
        assert not (folder / "started").exists()
        matchledger.run("play", match, "--run-programs", stdin="quit\n")
    assert (folder / "started").exists()
    assert "mine took" in matchledger("log", match)


LONG_NAME = "exec:{} --an-option that --makes it --quite long"


@pytest.mark.parametrize(
    "words", [("simulate", "azul", "-n", "1", "-b"), ("arena", "azul", "-n", "2", "--bots", "random", "-b")]
)
def test_no_heading_is_clipped_beside_a_long_name(
    matchledger: Matchledger, folder: Path, words: tuple[str, ...]
) -> None:
    text = matchledger(*words, LONG_NAME.format(script(folder)), "--jobs", "1")
    assert max(map(len, text.splitlines())) <= 80
    heads = {tuple(line.split()) for line in text.splitlines()}
    if words[0] == "simulate":
        assert ("seat", "bot", "wins", "shared", "win", "rate", "mean", "median", "lowest", "highest") in heads
    else:
        assert {("bot", "rating", "±", "score", "matches")} <= heads
        assert ("pair", "won", "shared", "lost", "score", "95", "of", "100", "points") in heads


class TestArena:
    """Bots against each other."""

    def test_it_is_told_in_tables(self, matchledger: Matchledger) -> None:
        text = matchledger("arena", "azul", "--bots", "greedy,random", "-n", "4", "--jobs", "1", "--save")
        assert text.startswith("1 pair at Azul, 2 seats, 4 matches each, seeds 0–1\n")
        best, worst = text.splitlines()[2:4]
        assert best.startswith("greedy ")
        assert worst.startswith("random ")
        assert "greedy – random    4       0     0  100.0%" in text
        assert "4 matches: all clean." in matchledger("audit", "--all")

    def test_programs_are_told_the_same(self, matchledger: Matchledger, folder: Path) -> None:
        bad = f"exec:{script(folder, moving(WRONG))}"
        words = ("arena", "azul", "--bots", "random", "-b", bad, "-n", "2", "--jobs", "1", "--seed", "3")
        answer = matchledger.json(*words)
        assert (answer["game"], answer["seats"], answer["seed"], answer["matches"]) == ("azul", 2, 3, 2)
        assert {bot["bot"] for bot in answer["bots"]} == {"random", bad}
        (forfeits,) = (bot["forfeits"] for bot in answer["bots"] if bot["bot"] == bad)
        assert set(forfeits) == {"illegal"}
        (met,) = answer["meetings"]
        assert met["bots"] == ["random", bad]
        assert met["wins"] + met["shared"] + met["losses"] == 2

    def test_it_says_what_it_cannot_hold(self, matchledger: Matchledger) -> None:
        assert "(arena/bots)" in matchledger("arena", "azul", "--bots", "greedy", code=2)
        assert "not 3." in matchledger("arena", "azul", "--bots", "greedy,random", "-n", "3", code=2)
        assert "exec:COMMAND" in matchledger("arena", "azul", "--bots", "greedy,clever", code=2)
