"""Bots that think, at the command line: they are named while they do, and offered wherever a bot is."""

from pathlib import Path

import pytest

from service.bots.kinds import kind_of, offered
from service.games.azul import AZUL
from service.shell.web.environment import render
from service.shell.web.views.new_match import new_match_view
from tests.shell.terminal import Matchledger, finish, on_empty_ledger, plain

SLOW = "Ada=bot:search:2s"


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


def against(matchledger: Matchledger, bot: str) -> str:
    """A match in which Ann begins."""
    return matchledger("new", "azul", "Ann", bot, "-o", "firstPlayer=seat:1", "--quiet").strip()


def test_a_person_at_a_terminal_is_told_who_thinks(matchledger: Matchledger) -> None:
    match = against(matchledger, SLOW)
    with matchledger.at_terminal("act", match, matchledger.moves(match)[0], "--brief") as child:
        child.expect("Ada thinks…")
        said, code = finish(child)
    assert code == 0
    assert "Ada took" in plain(said)


def test_whoever_plays_on_a_screen_is_told_too(matchledger: Matchledger) -> None:
    match = against(matchledger, SLOW)
    move = matchledger.moves(match)[0]
    with matchledger.at_terminal("play", match) as child:
        child.expect("Ann> ")
        child.send(f"{move}\r")
        child.expect("Ada thinks…")
        child.expect("Ann> ")
        child.send("quit\r")
        assert finish(child)[1] == 0


def test_a_pipe_gets_nothing_but_the_answer(matchledger: Matchledger) -> None:
    match = against(matchledger, SLOW)
    done = matchledger.process("act", match, matchledger.moves(match)[0], "--brief")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "thinks" not in done.stdout


def test_a_match_with_every_bot_that_is_offered(matchledger: Matchledger) -> None:
    for name in offered():
        match = against(matchledger, f"bot:{name}")
        matchledger("act", match, matchledger.moves(match)[0])
        assert matchledger.json("show", match)["players"][1]["name"] == name


def test_a_level_there_is_not_is_refused_wherever_a_bot_is_named(matchledger: Matchledger) -> None:
    for words in (("new", "azul", "Ann", "bot:search:9"), ("simulate", "azul", "-b", "search:9", "-n", "1")):
        said = " ".join(matchledger(*words, code=2).split())
        assert "'search:9' is not a bot; choose from: greedy, search:1" in said, said


def test_the_page_offers_the_levels_in_words() -> None:
    page = render("new_match.html", page=new_match_view(AZUL, {"seat2": "search:4"}), room="/new")
    assert '<option value="search:4" selected>a bot: search, level 4</option>' in page
    assert '<option value="greedy">a bot: greedy</option>' in page
    assert kind_of("search:4").summary in page
