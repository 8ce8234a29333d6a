"""The interactive side at a real terminal: playing, replaying, colours, and leaving at any moment."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from service.games.azul.notation import read
from service.games.azul.rules import DraftTiles
from tests.shell.terminal import ESCAPE, ROOT, UNTIL_THE_DEAL, Matchledger, environment, finish, on_empty_ledger, plain

RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"
CTRL_C, CTRL_D, TAB = "\x03", "\x04", "\t"


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


class Person:
    """Somebody at the keyboard, who types when asked and reads what is on the screen."""

    def __init__(self, child: "pexpect.spawn[str]") -> None:
        self.child = child

    def asked(self, prompt: str) -> str:
        """Wait to be asked; what was on the screen before."""
        self.child.expect_exact(f"{prompt}> ")
        return plain(self.child.before)

    def types(self, line: str, prompt: str) -> str:
        """Type a line and wait for the next prompt; what was answered."""
        self.child.sendline(line)
        self.child.expect_exact("\r\n")  # the line itself, as the terminal shows it
        return self.asked(prompt)

    def leaves(self, line: str = "quit") -> str:
        """Type the last line; what is said in parting, with exit code 0."""
        self.child.sendline(line)
        said, code = finish(self.child)
        assert code == 0, said
        return plain(said)


@contextmanager
def playing(matchledger: Matchledger, *words: str) -> Iterator[Person]:
    with matchledger.at_terminal("play", *words, NO_COLOR="1") as child:
        yield Person(child)


def hot_seat(*options: str) -> tuple[str, ...]:
    return ("azul", "Ann", "Ben", "--seed", "3", "-o", "firstPlayer=seat:1", *options)


class TestPlaying:
    def test_a_whole_match_by_turns(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *hot_seat("-o", "maxRounds=1")) as person:
            screen = person.asked("Ann")
            assert "Type a move (" in screen
            assert "Ann to move" in screen
            turn = "Ann"
            for _ in range(40):
                person.child.sendline("#1")
                answer = person.child.expect_exact(["Ann> ", "Ben> ", "Enter to leave> "])
                said = plain(person.child.before)
                assert f"  {turn} took " in said
                if answer == 2:
                    break
                turn = ["Ann", "Ben"][answer]
            assert "The game ended: the agreed last round is over." in " ".join(said.split())
            assert "\n1. " in said
            assert "The match is kept; see: matchledger scores" in person.leaves("")
        view = matchledger.json("show", "last")
        assert (view["status"], view["closed"]["reason"]) == ("closed", "finished")

    def test_moves_by_notation_and_by_number(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            moves = matchledger.moves("last")
            listed = person.types("moves", "q: the table") + "\n" + person.types("", "go back to the table")
            words = listed.split()
            pairs = [(word, words[place + 1]) for place, word in enumerate(words) if word.startswith("#")]
            assert pairs == [(f"#{number}", move) for number, move in enumerate(moves, 1)]
            assert max(map(len, listed.splitlines())) <= 80
            assert "  Ann took " in person.types(moves[7].lower(), "Ben")  # what is typed on a page is obeyed
            moves = matchledger.moves("last")
            person.types("#3", "Ann")
            event, third = matchledger.json("log", "last")[-1]["event"], read(moves[2])
            assert isinstance(third, DraftTiles)
            assert (event["seat"], event["source"], event["colour"]) == (2, third.source, third.colour)
            assert event["line"] == third.line
            assert "'#999' is not in the list; choose #1–#" in person.types("#999", "Ann")
            assert "choose #1–#" in person.types("#x", "Ann")
            person.leaves()

    def test_a_typo_is_answered_with_near_misses(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            move = matchledger.moves("last")[0]
            answer = " ".join(person.types(move[:2] + "9", "Ann").split())
            assert f"expected a pattern line (1–5) or - for the floor after '{move[:2]}', but found '9'" in answer
            assert f"Legal and near: {move} " in answer
            assert "Not understood" not in person.types("", "Ann")
            person.leaves()
        assert matchledger.json("show", "last")["head"] == 4

    def test_the_tab_key_completes(self, matchledger: Matchledger) -> None:
        pytest.importorskip("readline")
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            person.child.send("sco" + TAB)
            person.child.expect_exact("scores")
            assert "No points yet." in person.types("", "Ann")
            person.leaves()

    def test_looking_around(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            assert "Round 1 was dealt" in person.types("log", "Ann")
            assert "No points yet." in person.types("scores", "Ann")
            assert "Ann to move" in person.types("board", "Ann")
            text = person.types("help", "Ann")
            for word in (matchledger.moves("last")[0], "moves", "undo", "redo", "scores", "quit"):
                assert f"  {word} " in text
            assert max(map(len, text.splitlines())) <= 80
            assert person.types("?", "Ann") == text
            person.leaves("EXIT")
        assert matchledger.json("show", "last")["head"] == 4

    def test_undo_and_redo_against_a_bot(self, matchledger: Matchledger) -> None:
        with playing(matchledger, "azul", "--seed", "4", "-o", "firstPlayer=seat:1") as person:
            person.asked("Player")
            before = matchledger.json("show", "last")["state"]
            said = person.types("#1", "Player")
            assert "  Player took " in said
            assert "  greedy took " in said
            after = matchledger.json("show", "last")["state"]
            said = person.types("undo", "Player")
            assert "was undone: greedy took" in " ".join(said.split())
            assert matchledger.json("show", "last")["state"] == before
            assert "There is nothing to undo." in person.types("undo", "Player")
            person.types("redo", "Player")
            assert matchledger.json("show", "last")["state"] == after
            assert "There is nothing to redo." in person.types("redo", "Player")
            person.leaves()

    def test_leaving_and_coming_back(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            person.types("#1", "Ben")
            said = person.leaves()
        match = matchledger.json("show", "last")["match"]
        assert f"The match is kept. Go on with: matchledger play {match}" in said
        with playing(matchledger, match[:6]) as person:
            assert "Ben to move" in person.asked("Ben")
            person.types("#1", "Ann")
            person.leaves()
        assert matchledger.json("show", match)["head"] == 6

    @pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["interrupt", "end of input"])
    def test_leaving_by_key(self, matchledger: Matchledger, key: str) -> None:
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            person.types("#1", "Ben")
            person.child.send(key)
            said, code = finish(person.child)
        assert code == 0
        assert "The match is kept. Go on with: matchledger play " in said
        assert "Traceback" not in said
        assert matchledger.json("show", "last")["head"] == 5

    def test_a_move_made_elsewhere_is_noticed(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *hot_seat()) as person:
            person.asked("Ann")
            elsewhere = matchledger.play("last")[0]
            said = person.types("#2", "Ben")
            assert "store/stale-head" in said
            assert "  Ann took " in said
            assert person.types(elsewhere, "Ben").count("Refused") == 1
            person.types("#1", "Ann")
            person.leaves()
        assert matchledger.json("show", "last")["head"] == 6

    def test_an_undo_by_consent(self, matchledger: Matchledger) -> None:
        match = matchledger.new("--undo", "consent")
        with playing(matchledger, match) as person:
            person.asked("Ann")
            person.types("#1", "Ben")
            assert "Ann asks to undo everything from step 5 on." in person.types("undo", "Ben, accept or decline")
            assert "Ben declined the undo." in person.types("decline", "Ben")
            person.types("undo", "Ben, accept or decline")
            assert "Step 5 was undone: Ann took" in person.types("accept", "Ann")
            person.leaves()

    def test_deals_are_confirmed_or_entered(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded")
        with playing(matchledger, "last") as person:
            assert "The starting seat is awaited: type what was drawn, such as " in person.asked("deal")
            assert "expected the number of the seat" in " ".join(person.types("x", "deal").split())
            person.types("2", "deal")
            person.types("BYRK YRKW RKWB KWBY WBYR", "Ben")
            person.leaves()
        match = matchledger.new("--confirm-reveals")
        matchledger.play(match, UNTIL_THE_DEAL)
        with playing(matchledger, match) as person:
            assert "The deal is awaited: type deal." in person.asked("deal")
            assert "'#1' cannot be played now: type deal first." in " ".join(person.types("#1", "deal").split())
            starter = ["Ann", "Ben"][matchledger.json("show", match)["state"]["marker"] - 1]
            assert "Round 2 was dealt" in person.types("deal", starter)
            person.leaves()


class TestReplaying:
    @pytest.fixture
    def match(self, matchledger: Matchledger) -> str:
        match = matchledger.new()
        matchledger.play(match, 4)
        return match

    def test_step_by_step_with_keys(self, matchledger: Matchledger, match: str) -> None:
        with matchledger.at_terminal("replay", match, NO_COLOR="1") as child:
            child.expect_exact("Step 1 of 8")
            child.expect_exact("q quit")
            for key, step in (
                (RIGHT, 2), (RIGHT, 3), (LEFT, 2), ("b", 1), (LEFT, 1), ("G", 8), (RIGHT, 8), ("g", 1), (END, 8),
                (HOME, 1), ("\x1bOC", 2),
            ):  # fmt: skip
                child.send(key)
                child.expect_exact(f"Step {step} of 8")
                child.expect_exact("q quit")
            child.send("q")
            assert finish(child)[1] == 0

    def test_a_part(self, matchledger: Matchledger, match: str) -> None:
        with matchledger.at_terminal("replay", match, "--from", "5", "--to", "6", NO_COLOR="1") as child:
            for key, step in (("", 5), (LEFT, 5), (RIGHT, 6), (RIGHT, 6), ("g", 5)):
                child.send(key)
                child.expect_exact(f"Step {step} of 8")
                child.expect_exact("q quit")
            child.send("q")
            assert finish(child)[1] == 0

    @pytest.mark.parametrize("key", [CTRL_C, CTRL_D, ESCAPE], ids=["interrupt", "end of input", "escape"])
    def test_leaving(self, matchledger: Matchledger, match: str, key: str) -> None:
        with matchledger.at_terminal("replay", match, NO_COLOR="1") as child:
            child.expect_exact("q quit")
            child.send(key)
            said, code = finish(child)
            assert (code, "Traceback" in said) == (0, False)

    def test_by_itself(self, matchledger: Matchledger, match: str) -> None:
        with matchledger.at_terminal("replay", match, "--delay", "0.001", NO_COLOR="1") as child:
            for step in range(1, 9):
                child.expect_exact(f"Step {step} of 8")
            assert finish(child)[1] == 0

    def test_leaving_what_runs_by_itself(self, matchledger: Matchledger, match: str) -> None:
        with matchledger.at_terminal("replay", match, "--delay", "600", NO_COLOR="1") as child:
            child.expect_exact("Step 1 of 8")
            child.send(CTRL_C)
            said, code = finish(child)
            assert (code, "Traceback" in said) == (0, False)


class TestPrinting:
    """What a terminal gets and what a pipe gets."""

    def test_colour_is_for_terminals_that_want_it(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        letters = plain(matchledger("show", match)).split()
        with matchledger.at_terminal("show", match) as child:
            coloured, _ = finish(child)
        assert "\x1b[1;" in coloured
        assert "48;" in coloured  # tiles have a ground of their own colour
        with matchledger.at_terminal("show", match, NO_COLOR="1") as child:
            bare, _ = finish(child)
        assert ESCAPE not in bare
        piped = matchledger.process("show", match)
        assert ESCAPE not in piped.stdout
        assert plain(coloured).split() == plain(bare).split() == piped.stdout.split() == letters

    def test_a_terminal_gets_whole_words_and_a_pipe_whole_lines(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        with matchledger.at_terminal("act", match, "hello", NO_COLOR="1") as child:
            said, code = finish(child)
        lines = plain(said).splitlines()
        assert (code, max(map(len, lines)) <= 80, len(lines)) == (2, True, 3)
        piped = matchledger.process("act", match, "hello")
        assert (piped.returncode, piped.stdout, piped.stderr.count("\n")) == (2, "", 2)
        assert said.split() == piped.stderr.split()
        with matchledger.at_terminal("log", match, NO_COLOR="1") as child:
            lines = plain(finish(child)[0]).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[1].startswith(" " * 12)  # the first sentence goes on below where it began
        assert len(matchledger.process("log", match).stdout.splitlines()) == 4

    def test_a_terminal_that_knows_few_letters(self, matchledger: Matchledger) -> None:
        match = matchledger.new()
        done = matchledger.process("show", match, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert (done.returncode, done.stderr) == (0, "")
        assert "Round 1 . drafting . Ann to move" in done.stdout
        assert "?" not in done.stdout

    def test_a_reader_that_has_enough(self, matchledger: Matchledger) -> None:
        matchledger("new", "azul", "bot:random", "bot:random")
        command = [sys.executable, "-m", "cli", "--database", str(matchledger.database), "log", "last", "--json"]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.close()
            assert child.stderr.read() == ""

    def test_a_simulation_shows_a_bar_and_can_be_interrupted(self, matchledger: Matchledger) -> None:
        words = ("simulate", "azul", "-n", "1000000", "-j", "1")
        with matchledger.at_terminal(*words) as child:
            child.expect_exact("simulating azul")
            child.expect(r"[1-9]\d*/1000000")
            os.kill(child.pid, signal.SIGINT)
            said, code = finish(child)
        assert (code, "Traceback" in said) == (130, False)
        piped = matchledger.process(*words[:2], "-n", "3", "-j", "1")
        assert (piped.returncode, piped.stderr) == (0, "")
        assert piped.stdout.startswith("3 matches of Azul")
