"""Moves, undo and redo from the command line; what is left out, and what is sent twice."""

from pathlib import Path

import pytest

from service.audit.judge import own_notary
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.moves import replied
from service.play.players import NewPlayer
from service.play.replay import load
from service.store.connect import open_store
from tests.shell.terminal import UNTIL_THE_DEAL, Matchledger, on_empty_ledger

DEAL = ("BYRK", "YRKW", "RKWB", "KWBY", "WBYR")


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


class TestMoving:
    def test_a_move_is_told_and_the_table_shown(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        move = matchledger.moves(match)[0]
        text = matchledger("act", match, move)
        assert text.startswith("Ann took ")
        assert "Ben to move" in text
        assert matchledger("act", match, matchledger.moves(match)[0], "--brief").count("\n") == 1

    def test_a_move_may_be_written_in_words(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        move = next(move for move in matchledger.moves(match) if move[1:] == "B-")
        assert "blue from display" in matchledger("act", match, move[0], "blue", "floor", "--brief")

    def test_for_programs(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        view = matchledger.json("act", match, matchledger.moves(match)[0], "--expect", "4")
        assert view["done"] == {"first": 5, "last": 5, "repeated": False}
        assert (view["head"], view["state"]["turn"]) == (5, 2)

    def test_bots_reply(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "Ann", "bot:greedy", "Bo=bot:random", "-o", "firstPlayer=seat:1", "--quiet")
        lines = matchledger("act", "last", matchledger.moves("last")[0], "--brief").splitlines()
        assert [line.split()[0] for line in lines] == ["Ann", "greedy", "Bo"]

    def test_bots_moved_by_two_processes_at_once_move_once(self, matchledger: Matchledger) -> None:
        with open_store(str(matchledger.database)) as store:
            ledger = LocalLedger(store, notary=own_notary())
            players = (NewPlayer("Ann"), NewPlayer("Bo", "bot:random"), NewPlayer("Cy", "bot:random"))
            live = open_match(ledger, "azul", 3, players=players, options={"firstPlayer": "seat:2"})
            one, other = load(ledger, live.id), load(ledger, live.id)
            moved = replied(ledger, one)
            assert moved.table.state.turn == 1
            assert replied(ledger, other).envelopes == moved.envelopes == load(ledger, live.id).envelopes

    def test_matches_by_first_letters_and_by_last(self, matchledger: Matchledger) -> None:
        first, second = matchledger.new(), matchledger.new()
        matchledger.play(first)
        assert matchledger.json("show", "last")["match"] == first
        length = next(length for length in range(1, 11) if first[:length] != second[:length])
        assert matchledger.json("show", second[:length])["match"] == second


class TestUndoing:
    def test_what_was_undone_is_told(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        before = matchledger.json("show", match)["state"]
        told = matchledger("act", match, matchledger.moves(match)[0], "--brief").strip()
        after = matchledger.json("show", match)["state"]
        assert matchledger("undo", match).startswith(f"Step 5 was undone: {told}\n")
        assert matchledger.json("show", match)["state"] == before
        assert matchledger("redo", match).startswith(f"Step 5 was redone: {told}\n")
        assert matchledger.json("show", match)["state"] == after

    def test_with_bots_it_is_a_persons_turn_again(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "Ann", "bot:greedy", "--undo", "free", "--seed", "4", "-o", "firstPlayer=seat:2")
        assert "Only bots have moved so far" in matchledger("undo", "last", code=1)
        before = matchledger.json("show", "last")["state"]
        matchledger.play("last")
        after = matchledger.json("show", "last")["state"]
        view = matchledger.json("undo", "last")
        assert view["done"]["last"] - view["done"]["first"] == 1
        assert (view["state"], view["state"]["turn"]) == (before, 1)
        assert matchledger.json("redo", "last")["state"] == after

    def test_a_number_of_steps_is_taken_at_its_word(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "Ann", "bot:greedy", "--undo", "free", "--seed", "4", "-o", "firstPlayer=seat:1")
        matchledger.play("last")
        text = matchledger("undo", "last", "-n", "1")
        assert "It is the turn of greedy, a bot" in text
        assert matchledger.json("redo", "last", "--steps", "1")["state"]["turn"] == 1

    def test_by_consent(self, matchledger: Matchledger) -> None:
        match = matchledger.new("--undo", "consent")
        matchledger.play(match, 2)
        text = matchledger("undo", match, "--seat", "1")
        assert text.startswith("Ann asked to undo everything from step 6 on.")
        assert f"matchledger undo {match} --accept (or --decline)" in text
        assert matchledger("undo", match, "--decline").startswith("Ben declined the undo.")
        matchledger("undo", match, "--seat", "1", "-n", "2")
        text = matchledger("undo", match, "--accept")
        assert text.startswith("Ben agreed to the undo.\nStep 6 was undone: Ben took ")
        assert "\nStep 5 was undone: Ann took " in text

    def test_by_consent_of_several(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "Ann", "Ben", "Cleo", "--undo", "consent", "-o", "firstPlayer=seat:1")
        matchledger.play("last")
        matchledger("undo", "last")
        assert "2 (Ben), 3 (Cleo)" in matchledger("undo", "last", "--accept", code=1)
        matchledger("undo", "last", "--accept", "--seat", "2")
        assert "Step 6 was undone" in matchledger("undo", "last", "--accept")


class TestDealing:
    def test_reveals_wait_to_be_confirmed(self, matchledger: Matchledger) -> None:
        match = matchledger.new("--confirm-reveals")
        matchledger.play(match, UNTIL_THE_DEAL)
        assert f"The deal is awaited: matchledger deal {match}" in matchledger("show", match)
        assert "The deal is awaited; use `deal`." in matchledger("legal", match)
        assert matchledger("deal", match).startswith("Round 2 was dealt: ")

    def test_draws_of_a_real_table_are_entered(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded")
        refusal = matchledger("deal", "last", code=1)
        assert "say what the starting seat was" in refusal
        assert matchledger("deal", "last", "2").startswith("The lot fell on Ben to start.")
        example = matchledger("deal", "last", code=1).splitlines()[-1].removeprefix("Such as: ")
        assert matchledger("deal", "last", example).startswith(f"Round 1 was dealt: {example}.")
        assert "Step 5 was undone: Round 1 was dealt" in matchledger("undo", "last")
        assert matchledger("deal", "last", *DEAL).startswith(f"Round 1 was dealt: {' '.join(DEAL)}.")


class TestSentTwice:
    """A command id makes a repetition harmless, whatever has happened since."""

    def repeat(self, matchledger: Matchledger, *words: str) -> None:
        """Send a command again: it gives its first outcome, and nothing is stored."""
        before = matchledger.rows()
        done = matchledger.json(*words)["done"]
        assert done["repeated"] is True
        text = matchledger(*words)
        assert text.startswith(("Done already, as event ", "Done already, as events "))
        story = matchledger("log", words[1]).splitlines()[done["first"] - 1 : done["last"]]
        told = text.splitlines()[1 : 2 + done["last"] - done["first"]]
        assert all(sentence[12:].removesuffix(".") in line for sentence, line in zip(story, told, strict=True))
        assert matchledger.rows() == before

    def test_a_move(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        send = ("act", match, matchledger.moves(match)[0], "--command-id", "a1")
        matchledger(*send)
        self.repeat(matchledger, *send)
        self.repeat(matchledger, *send, "--expect", "4")
        matchledger.play(match, 5)
        self.repeat(matchledger, *send)
        matchledger("resign", match, "--seat", "2")
        self.repeat(matchledger, *send)

    def test_a_move_against_bots(self, matchledger: Matchledger) -> None:
        match = matchledger("new", "azul", "Ann", "bot:random", "--quiet").strip()
        send = ("act", match, matchledger.moves(match)[0], "--command-id", "a1")
        matchledger(*send)
        self.repeat(matchledger, *send)

    def test_an_id_is_good_for_one_request(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        one, other = matchledger.moves(match)[:2]
        matchledger("act", match, one, "--command-id", "a1")
        before = matchledger.rows()
        others = (["act", match, other], ["act", match, "?"], ["undo", match], ["deal", match])
        for words in (*others, ["act", match, one, "--seat", "2"], ["act", match, one, "--seat", "1"]):
            error = matchledger.json(*words, "--command-id", "a1", code=1)["error"]
            assert error["code"] == "store/command-reused"
        assert matchledger.rows() == before

    def test_undo_and_redo(self, matchledger: Matchledger) -> None:
        match = matchledger.new("--undo", "free")
        matchledger.play(match, 4)
        undo, redo = ("undo", match, "--command-id", "u1"), ("redo", match, "--command-id", "r1")
        matchledger(*undo)
        self.repeat(matchledger, *undo)
        matchledger(*redo)
        self.repeat(matchledger, *redo)
        self.repeat(matchledger, *undo)
        several = ("undo", match, "-n", "3", "--command-id", "u3")
        matchledger(*several)
        self.repeat(matchledger, *several)

    def test_an_answer(self, matchledger: Matchledger) -> None:
        match = matchledger.new("--undo", "consent")
        matchledger.play(match)
        matchledger("undo", match)
        accept = ("undo", match, "--accept", "--command-id", "y1")
        matchledger(*accept)
        self.repeat(matchledger, *accept)

    def test_deals(self, matchledger: Matchledger) -> None:
        match = matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded", "--quiet").strip()
        start = ("deal", match, "1", "--command-id", "d1")
        tiles = ("deal", match, *DEAL, "--command-id", "d2")
        matchledger(*start)
        self.repeat(matchledger, *start)
        matchledger(*tiles)
        self.repeat(matchledger, *tiles)
        matchledger.play(match)
        self.repeat(matchledger, *tiles)
        self.repeat(matchledger, *start)

    def test_a_confirmed_deal(self, matchledger: Matchledger) -> None:
        match = matchledger.new("--confirm-reveals")
        matchledger.play(match, UNTIL_THE_DEAL)
        send = ("deal", match, "--command-id", "d1")
        matchledger(*send)
        self.repeat(matchledger, *send)
