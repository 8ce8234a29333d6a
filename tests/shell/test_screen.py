"""`play` as a screen of 80×24: the table, whose turn it is and the prompt in view, whatever is typed."""

import os
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pexpect
import pytest

from projections.core import SMALL
from service.games.game import Game
from service.games.shelf import GAMES
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.store.connect import open_store
from tests.shell.glass import Glass
from tests.shell.terminal import Matchledger, finish, on_empty_ledger

TOO_SMALL = "… more below"
BACK = "press Enter to go back to the table> "


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


class Looker:
    """Somebody who sees the glass as it is whenever a prompt stands on it."""

    def __init__(self, child: "pexpect.spawn[str]", glass: Glass) -> None:
        self.child, self.glass = child, glass

    @property
    def text(self) -> str:
        return "\n".join(self.glass.text)

    @property
    def prompt(self) -> str:
        return self.glass.text[-1]

    def sees(self, prompt: str) -> str:
        """Wait for the prompt; what is on the glass then, all of it within its lines."""
        self.child.expect(re.escape(prompt) + "$")
        assert self.glass.scrolled == 0, self.text
        assert self.prompt.endswith(prompt.rstrip()), self.text
        return self.text

    def types(self, line: str, prompt: str) -> str:
        self.child.send(line + "\r")
        return self.sees(prompt)


@contextmanager
def playing(matchledger: Matchledger, *words: str, variables: Mapping[str, str] | None = None) -> Iterator[Looker]:
    with matchledger.at_terminal("play", *words, lines=24, columns=80, **variables or {}) as child:
        glass = Glass(80, 24)
        child.logfile_read = glass
        yield Looker(child, glass)


def picture(matchledger: Matchledger, seat: int) -> list[str]:
    """The table of the last match as a seat is shown it on a small screen."""
    with open_store(str(matchledger.database)) as store:
        live = load(LocalLedger(store), "last")
    drawn = live.game.projection.draw(live.table.state, live.names, SMALL._replace(seat=seat))
    return ["".join(span.text for span in line).rstrip() for line in drawn]


GAMES_PLAYED = [game for game in GAMES if not game.pad_of]


@pytest.mark.parametrize("game", GAMES_PLAYED, ids=lambda game: game.key)
@pytest.mark.parametrize("table", ["fewest", "most"])
def test_everything_is_in_view_after_every_move(matchledger: Matchledger, game: Game, table: str) -> None:
    seats = game.rules.seats[0 if table == "fewest" else -1]
    players = ["Ann", "Ben", *["bot:greedy"] * (seats - 2)]
    colours = {} if table == "fewest" else {"NO_COLOR": "1"}
    with playing(matchledger, game.key, *players, "--seed", "3", variables=colours) as looker:
        for turn in range(12):
            looker.child.expect(r"(Ann|Ben|or no)> $")
            name = looker.child.match[1]
            assert looker.glass.scrolled == 0
            assert TOO_SMALL not in looker.text
            if name == "or no":
                looker.child.send("yes\r")
                continue
            drawn = picture(matchledger, ["Ann", "Ben"].index(name) + 1)
            assert looker.glass.text[: len(drawn)] == drawn
            assert f"{name} to " in looker.glass.text[0] or f"{name} drew" in looker.text
            assert looker.prompt == f"{name}>"
            looker.child.send(f"#{1 + turn % 2 * (len(matchledger.moves('last')) - 1)}\r")
        looker.child.expect(r"> $")


def azul(*words: str) -> tuple[str, ...]:
    return ("azul", "Ann", "bot:greedy", "--seed", "3", "-o", "firstPlayer=seat:1", *words)


class TestWords:
    def test_of_the_prompt(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *azul()) as looker:
            assert "Type a move (" in looker.sees("Ann> ")
            assert "page 1 of " in looker.types("moves", "q: the table> ")
            assert "#1   1R1  line 1" in looker.text
            assert "page 2 of " in looker.types("", "> ")
            assert "page 1 of " in looker.types("b", "q: the table> ")
            looker.types("q", "Ann> ")
            assert "#3" not in looker.types("moves 1R1", "Ann> ")
            assert "No legal move begins with 'X9'" in looker.types("moves X9", "Ann> ")
            assert "Ann (seat 1), the best moves found at level 1:" in looker.types("hint 1", "Ann> ")
            assert "'9' is not a level; choose from: 1, 2, 3, 4, 5." in looker.types("hint 9", "Ann> ")
            assert matchledger.json("show", "last")["head"] == 4
            assert "No points yet." in looker.types("explain", "Ann> ")
            assert "page 1 of " in looker.types("explain 4", "> ")
            looker.types("q", "Ann> ")
            assert "'x' is not an event" in looker.types("explain x", "Ann> ")
            assert "There is no event 99; choose 1–4." in looker.types("explain 99", "Ann> ")
            assert "AZ-46  " in looker.types("rules az46", "Ann> ")
            assert "'AZ-999' is not a rule; the nearest ids are:" in looker.types("rules AZ-999", "Ann> ")
            assert "# Azul" in looker.types("rules", "q: the table> ")
            looker.types("q", "Ann> ")
            assert "B  blue   Y  yellow" in looker.types("key", "Ann> ")
            assert "nothing can follow scores." in looker.types("scores 3", "Ann> ")
            said = looker.types("scoers", "Ann> ")
            assert "'scoers' is not a move or a word of this prompt; choose from: moves, hint, undo," in said.replace(
                "\n", " "
            )
            assert "Did you mean 'scores'?" in said
            assert "resign" in looker.types("help", BACK)
            looker.types("board", "Ann> ")  # what is typed on a page is obeyed

    def test_undo_goes_back_as_far_as_it_is_told(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *azul()) as looker:
            looker.sees("Ann> ")
            before = matchledger.json("show", "last")["state"]
            looker.types("#1", "Ann> ")
            looker.types("#1", "Ann> ")
            assert "was undone: " in looker.types("undo 4", "Ann> ")
            assert matchledger.json("show", "last")["state"] == before
            assert "was redone: " in looker.types("redo 2", "Ann> ")
            assert "'x' is not a number of steps" in looker.types("undo x", "Ann> ")
            assert "'0' is not a number of steps" in looker.types("undo 0", "Ann> ")

    def test_undo_as_the_table_agreed(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *azul("--undo", "strict")) as looker:
            looker.sees("Ann> ")
        assert matchledger.json("show", "last")["undo"] == "strict"
        assert "'never' is not" in matchledger("play", "azul", "--undo", "never", code=2)

    def test_only_letters_of_this_edition(self, matchledger: Matchledger) -> None:
        with playing(matchledger, "master-chocolatier", "Ann", "Ben") as looker:
            looker.child.expect(r"(Ann|Ben)> $")
            text = looker.types("help", BACK)
        assert "brown" in text
        assert "yellow" not in text

    def test_a_resignation_is_asked_about(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *azul()) as looker:
            looker.sees("Ann> ")
            assert "Does Ann resign?" in looker.types("resign", "yes or no> ")
            looker.types("no", "Ann> ")
            looker.types("resign", "yes or no> ")
            assert "The match is closed (resigned)." in looker.types("yes", "Enter to leave> ")
            assert "1. greedy" in looker.text

    def test_a_costly_move_is_asked_about(self, matchledger: Matchledger) -> None:
        words = ("summer-pavilion", "Ann", "Ben", "--seed", "4", "-o", "firstPlayer=seat:1")
        with playing(matchledger, *words) as looker:
            looker.sees("Ann> ")
            looker.types("#1", "Ben> ")
            costly = next(move for move in matchledger.moves("last") if move.startswith("C"))
            said = looker.types(costly, "yes or no> ")
            assert f"{costly} would cost " in said
            assert f"would cost none. Play {costly} all the same?" in said.replace("\n", " ")
            looker.types("no", "Ben> ")
            assert matchledger.json("show", "last")["turn"] == [2]
            looker.types(costly, "yes or no> ")
            assert "start-player marker" in looker.types("y", "Ann> ")


class TestComingAndGoing:
    def test_news_of_the_bots_on_return(self, matchledger: Matchledger) -> None:
        words = ("azul", "Ann", "bot:greedy", "bot:greedy", "--seed", "3", "-o", "firstPlayer=seat:2")
        with playing(matchledger, *words) as looker:
            first = looker.sees("Ann> ")
            assert re.search(r"  greedy 1 took .*\n(?:    .*\n)?  greedy 2 took ", first)
            looker.types("#1", "Ann> ")
        with playing(matchledger, "last") as looker:
            again = looker.sees("Ann> ")
            assert re.search(r"  greedy 1 took .*\n(?:    .*\n)?  greedy 2 took ", again)
            assert "  Ann took " not in again
            assert again != first

    def test_the_end_offers_a_replay_and_a_rematch(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *azul("-o", "maxRounds=1")) as looker:
            looker.sees("Ann> ")
            for _ in range(20):
                looker.child.send("#1\r")
                looker.child.expect(r"(> )$")
                if looker.prompt.startswith("yes"):
                    looker.types("yes", "> ")
                if looker.prompt.endswith("leave>"):
                    break
            assert looker.prompt == "replay, rematch, or Enter to leave>"
            assert "\n1. " in looker.text
            looker.types("log", "the table> ")  # always more than a remark, whatever the bot has played
            assert "\n1. " in looker.types("q", "Enter to leave> ")
            assert "'foo' is not offered here; choose from: replay," in looker.types("foo", "leave> ")
            looker.child.send("r\r")
            looker.child.expect_exact("Step 1 of ")
            looker.child.send("q")
            looker.sees("Enter to leave> ")
            first = matchledger.json("show", "last")
            assert "Ann to move" in looker.types("rematch", "Ann> ")
            looker.child.send("quit\r")
            assert "Go on with: matchledger play" in finish(looker.child)[0]
        second = matchledger.json("show", "last")
        assert second["match"] != first["match"]
        assert second["players"] == first["players"]
        assert second["options"] == {**first["options"], "firstPlayer": "seat:2"}
        assert (second["undo"], second["chance"]) == (first["undo"], "fair")

    def test_news_that_comes_with_enter_loses_no_line(self, matchledger: Matchledger) -> None:
        """Knocks without end, as the news of others would give them: whatever is typed is obeyed all the same."""
        is_over = Event()

        def wake(process: int) -> None:
            while not is_over.wait(0.003):
                os.kill(process, signal.SIGUSR1)

        with playing(matchledger, *azul()) as looker:
            looker.sees("Ann> ")
            looker.child.delaybeforesend = None
            waking = Thread(target=wake, args=(looker.child.pid,))
            waking.start()
            try:
                for number in range(1, 81):
                    looker.child.send(f"rules az{number}\r")
                    looker.child.expect_exact(f"AZ-{number}  ")
            finally:
                is_over.set()
                waking.join()

    def test_another_size(self, matchledger: Matchledger) -> None:
        with playing(matchledger, *azul()) as looker:
            looker.sees("Ann> ")
            looker.child.send("half a m")
            looker.child.expect_exact("half a m")
            looker.glass = looker.child.logfile_read = Glass(60, 16)
            looker.child.setwinsize(16, 60)
            assert TOO_SMALL in looker.sees("Ann> half a m")
            looker.glass = looker.child.logfile_read = Glass(120, 40)
            looker.child.setwinsize(40, 120)
            assert TOO_SMALL not in looker.sees("Ann> half a m")

    def test_a_narrow_window(self, matchledger: Matchledger) -> None:
        """Boards stand below each other, so that rows are whole; what is too long is broken between words."""
        with matchledger.at_terminal("play", *azul(), lines=40, columns=40) as child:
            child.logfile_read = glass = Glass(40, 40)
            text = Looker(child, glass).sees("Ann> ")
        assert "…" not in text.split("Type a move")[0]
        assert len(re.findall(r"\w+  0 points\n1 +· +▸ +b +y +r +k +w\n", text)) == 2

    def test_stars_in_a_narrow_window(self, matchledger: Matchledger) -> None:
        """A board of Summer Pavilion is 49 columns wide: here it has a line for each star."""
        with matchledger.at_terminal("play", "summer-pavilion", "Ann", "Ben", lines=60, columns=40) as child:
            child.logfile_read = glass = Glass(40, 60)
            text = Looker(child, glass).sees("> ")
        assert text.count("NW  o1  o2  o3  o4  o5  o6   +1 +2 +3") == 2
        assert "too narrow" not in text

    def test_a_window_that_is_too_narrow_says_so(self, matchledger: Matchledger) -> None:
        with matchledger.at_terminal("play", "summer-pavilion", "Ann", "Ben", lines=60, columns=36) as child:
            child.logfile_read = glass = Glass(36, 60)
            text = Looker(child, glass).sees("> ")
        assert "… too narrow: this table takes 37" in text

    @pytest.mark.parametrize("is_dumb", [True, False], ids=["dumb", "piped"])
    def test_plain_lines(self, matchledger: Matchledger, is_dumb: bool) -> None:
        """No screen, no question, nothing offered at the end."""
        if is_dumb:
            with matchledger.at_terminal("play", *azul("-o", "maxRounds=1"), TERM="dumb") as child:
                for _ in range(12):
                    child.sendline("#1")
                said, code = finish(child)
        else:
            done = matchledger.run("play", *azul("-o", "maxRounds=1"), stdin="#1\n" * 12)
            said, code = done.output, done.exit_code
        assert code == 0
        assert "\x1b[2J" not in said
        assert "rematch" not in said
        assert "The match is kept; see: matchledger scores" in said
