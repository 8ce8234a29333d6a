"""Seats by the names of those who sit on them, wherever a seat is asked for."""

from pathlib import Path

import pytest

from tests.shell.terminal import Matchledger, on_empty_ledger


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    """The program on a ledger without matches."""
    return on_empty_ledger(tmp_path)


def last_actor(matchledger: Matchledger, match: str) -> object:
    """Who did what was done last."""
    return matchledger.json("log", match)[-1]["actor"]


@pytest.mark.parametrize("name", ["Ann", "ann", "AN", "1", "seat 1"])
def test_a_seat_is_known_by_its_name(matchledger: Matchledger, name: str) -> None:
    match = matchledger.new("--undo", "free")
    assert list(matchledger.json("legal", match, "--seat", name)) == ["1"]
    matchledger("act", match, matchledger.moves(match)[0], "--seat", name)
    assert last_actor(matchledger, match) == 1
    matchledger("undo", match, "--seat", name)
    matchledger("redo", match, "--seat", name)
    assert last_actor(matchledger, match) == 1
    matchledger("dispute", "open", match, "Too few", "--seat", name, "--of", name)
    opened = matchledger.json("log", match)[-1]["event"]
    assert (opened["seat"], opened["of"]) == (1, 1)
    matchledger("dispute", "withdraw", match, "1", "--seat", name)
    matchledger("resign", match, "--seat", name)
    assert matchledger.json("show", match)["closed"]["reason"] == "resigned"


@pytest.mark.parametrize("name", ["Zoe", "a", "An", "", "9999999999999999999999"])
def test_a_name_nobody_has_or_two_have_is_refused_with_the_choices(matchledger: Matchledger, name: str) -> None:
    match = matchledger("new", "azul", "Ann", "Anna", "--quiet").strip()
    said = " ".join(matchledger("legal", match, "--seat", name, code=2).split())
    assert "(match/seat)" in said
    assert "choose from: 1 (Ann), 2 (Anna)." in said


def test_a_whole_name_is_no_beginning_of_another(matchledger: Matchledger) -> None:
    match = matchledger("new", "azul", "Ann", "Anna", "--quiet").strip()
    assert list(matchledger.json("legal", match, "--seat", "ann")) == ["1"]


def test_somebody_is_renamed_by_name(matchledger: Matchledger) -> None:
    match = matchledger.new()
    assert "Seat 1 of match" in matchledger("rename", match, "ann", "Anna")
    assert [player["name"] for player in matchledger.json("list")[0]["players"]] == ["Anna", "Ben"]
    assert "(match/seat)" in matchledger("rename", match, "Zoe", "Eve", code=2)


def test_the_lot_falls_on_somebody_by_name(matchledger: Matchledger) -> None:
    match = matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded", "--quiet").strip()
    assert "choose from: 1 (Ann), 2 (Ben)" in matchledger("deal", match, "Zoe", code=2)
    matchledger("deal", match, "ben")
    assert matchledger.json("log", match)[-1]["event"]["seat"] == 2


def test_the_host_names_the_first_player(matchledger: Matchledger) -> None:
    match = matchledger("new", "azul", "Ann", "Ben", "-o", "firstPlayer=host-choice", "--quiet").strip()
    matchledger("act", match, "first", "Ben")
    assert "Ben" in matchledger("legal", match)


class TestRecording:
    """Names and several entries at the prompt of `record`."""

    DEAL = "BBBB YYYY RRRR KKKK WWWW"

    def test_names_and_several_entries_on_one_line(self, matchledger: Matchledger) -> None:
        with matchledger.at_terminal("record", "azul", "Ann", "Ben") as child:
            child.expect("starting seat> ")
            child.sendline(f"ben & {self.DEAL} & 1B1 & Ann 2Y2 ; and a remark & 3R3")
            child.expect("Ben> ")
            child.sendline("3R3 & quit & 4K4")
            child.expect("The match is kept as")
        assert [entry["actor"] for entry in matchledger.json("log", "last")][-3:] == [2, 1, 2]

    def test_what_follows_a_refusal_is_left_out(self, matchledger: Matchledger) -> None:
        with matchledger.at_terminal("record", "azul", "Ann", "Ben") as child:
            child.expect("starting seat> ")
            child.sendline(f"Ann & {self.DEAL} & 1B1 & 9X9 & 2Y2 & 3R3")
            child.expect("Left out, because 9X9 was refused: 2Y2 & 3R3")
            child.expect("Ben> ")
            child.sendline("quit")
            child.expect("The match is kept as")
        assert matchledger.json("log", "last")[-1]["actor"] == 1
