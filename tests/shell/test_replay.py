"""`replay` at a terminal of 80×24: every key in the encodings terminals have, and a screen that always fits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from string import ascii_uppercase

import pexpect
import pytest

from projections.core import SMALL, Room
from service.games.game import Game
from service.games.shelf import GAMES
from service.play.frames import Frames
from service.play.history import of_evidence
from service.records import read_evidence
from service.shell.terminal.watch import KEY_LINE
from tests.shell.glass import Glass
from tests.shell.terminal import ROOT, Matchledger, finish, on_empty_ledger

AZUL = ROOT / "docs" / "examples" / "azul.mlr"
"""58 steps, some of them undone."""
NAMES = ("right", "left", "up", "down", "home", "end", "page_up", "page_down")
ARROWS = ("\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B")
PAGES = ("\x1b[5~", "\x1b[6~")
KEYS = {
    "xterm": (*ARROWS, "\x1b[H", "\x1b[F", *PAGES),
    "application mode": ("\x1bOC", "\x1bOD", "\x1bOA", "\x1bOB", "\x1bOH", "\x1bOF", *PAGES),
    "vt220, Linux, tmux, screen": (*ARROWS, "\x1b[1~", "\x1b[4~", *PAGES),
    "rxvt": (*ARROWS, "\x1b[7~", "\x1b[8~", *PAGES),
    "keypad": ("\x1bOv", "\x1bOt", "\x1bOx", "\x1bOr", "\x1bOw", "\x1bOq", "\x1bOy", "\x1bOs"),
    "modifiers": (
        "\x1b[1;5C", "\x1b[1;2D", "\x1b[1;3A", "\x1b[1;5B", "\x1b[1;5H", "\x1b[1;5F", "\x1b[5;5~", "\x1b[6;5~",
    ),
    "BSD, and letters": ("\r", "b", "\x7f", "\n", "g", "G", "\x1b[I", "\x1b[G"),
}  # fmt: skip


class Screen:
    """What a person at the terminal sees."""

    def __init__(self, child: "pexpect.spawn[str]", glass: Glass) -> None:
        self._child, self._glass = child, glass

    def shows(self, words: str, last: str = "q quit") -> list[str]:
        """Wait until the screen is drawn to its end, has these words and ends with those; its lines."""
        while not self._is_drawn or words not in "\n".join(self._glass.text) or last not in self._glass.text[-1]:
            self._child.expect(r".+")
        assert len(self._glass.text) <= 24
        assert self._glass.scrolled == 0
        return self._glass.text

    @property
    def _is_drawn(self) -> bool:
        """Whether the writing stands behind the last line; what is above may be of two screens until then."""
        cursor, text = self._glass.cursor, self._glass.text
        return len(text) == self._glass.lines == cursor.y + 1 and cursor.x >= len(text[-1])

    def press(self, key: str, words: str, last: str = "q quit") -> list[str]:
        """The same after a key."""
        self._child.send(key)
        return self.shows(words, last)

    def leave(self) -> None:
        """Leave as people do."""
        self._child.send("q")
        said, code = finish(self._child)
        assert (code, "Traceback" in said) == (0, False)


@contextmanager
def replaying(matchledger: Matchledger, *words: str) -> Iterator[Screen]:
    glass = Glass(80, 24)
    with matchledger.at_terminal("replay", *words, lines=24, NO_COLOR="1") as child:
        child.logfile_read = glass
        screen = Screen(child, glass)
        yield screen
        screen.leave()


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


def at(step: int) -> str:
    return f"Step {step} of 58 ·"


@pytest.mark.parametrize("terminal", KEYS)
def test_the_keys_of_every_terminal(matchledger: Matchledger, terminal: str) -> None:
    key = dict(zip(NAMES, KEYS[terminal], strict=True))
    with replaying(matchledger, str(AZUL)) as screen:
        screen.shows(at(1))
        for name, step in (
            ("right", 2), ("down", 3), ("left", 2), ("up", 1), ("up", 1), ("page_down", 11), ("page_up", 1),
            ("end", 58), ("right", 58), ("page_up", 48), ("home", 1),
        ):  # fmt: skip
            screen.press(key[name], at(step))


def test_keys_that_are_for_nothing_do_nothing(matchledger: Matchledger) -> None:
    """Function keys, Alt with a letter, a mouse, letters of other alphabets; what is typed at once counts each."""
    with replaying(matchledger, str(AZUL)) as screen:
        for key in (
            "x",
            "é",
            "\t",
            "\x1b[11~",
            "\x1b[[A",
            "\x1b[2~",
            "\x1bx",
            "\x1bOP",
            "\x1b[<0;3;4M",
            "\x1b[Z",
            "\0",
        ):
            screen.press(key + "\x1b[C", at(2))
            screen.press("g", at(1))
        screen.press("\x1b[C" * 7, at(8))


def test_rounds_and_points(matchledger: Matchledger) -> None:
    events = matchledger.json("log", str(AZUL))
    scoring = sorted({one["step"] for one in events if one["event"].get("scores")})
    rounds = sorted({one["step"] for one in events if one["event"].get("round")})
    with replaying(matchledger, str(AZUL)) as screen:
        for step in rounds:
            screen.press("n", at(step))
        screen.press("n", at(rounds[-1]), last="There is no later round.")
        for step in reversed(rounds[:-1]):
            screen.press("p", at(step))
        screen.press("p", at(rounds[0]), last="There is no earlier round.")
        for step in scoring:
            screen.press("s", at(step))
        for step in reversed(scoring[:-1]):
            screen.press("S", at(step))
        screen.press("S", at(scoring[0]), last="There is no earlier step with points.")


def test_going_to_a_place(matchledger: Matchledger) -> None:
    seq = 57
    step = matchledger.json("log", str(AZUL))[seq - 1]["step"]
    with replaying(matchledger, str(AZUL)) as screen:
        screen.press(f":{seq}", at(1), last=f":{seq}")
        screen.press("\r", at(step))
        screen.press(":s12\r", at(12))
        screen.press(":s99\r", at(12), last="There is no step 99; choose s1–s58.")
        screen.press(":999\r", at(12), last="There is no event 999")
        screen.press(":x\r", at(12), last="'x' is not a place in a match; give an event (57) or a step (s12).")
        screen.press(":s13\x1b", at(12))  # thought better of it
        screen.press(":s1\x7f\x7f\x7f", at(12))
        screen.press(":q", at(12), last=":q")  # is typed, and leaves nothing
        screen.press("\x1b", at(12))


def test_help(matchledger: Matchledger) -> None:
    with replaying(matchledger, str(AZUL)) as screen:
        text = "\n".join(screen.press("?", "Any key goes back"))
        assert all(
            key in text for key in ("space", ":57", ":s12", "Page Up", "Home", "End", " u ", " n ", " S ", " q ")
        )
        screen.press("q", at(1))  # leaves the help


def test_playing_and_pausing(matchledger: Matchledger) -> None:
    with replaying(matchledger, str(AZUL), "--at", "s50") as screen:
        screen.shows(at(50))
        screen.press("----", at(50), last="4 s a step")
        assert "playing, 4 s a step" in screen.press(" ", "playing")[0]
        screen.press(" +", at(50), last="2 s a step")  # the remark is there once the pause is
        assert "playing" not in screen.press("++++++++", at(50), last="0.1 s a step")[0]
        screen.press(" ", at(58))
        screen.press(" ", at(58))  # it is over: there is nothing to play
        screen.press("g", at(1))


def test_undone_steps_are_shown_and_hidden(matchledger: Matchledger) -> None:
    history = of_evidence(read_evidence(AZUL)[0])
    frames = Frames(history, range(1, 59))
    (first, *_) = sorted(frames.undone)
    after = next(step for step in frames.standing if step > first)
    with replaying(matchledger, str(AZUL), "--at", f"s{first}") as screen:
        assert "undone later" in screen.shows(at(first))[0]
        screen.press("u", at(first - 1), last="What was undone is hidden.")
        screen.press("\x1b[C", at(after))
        screen.press("\x1b[D", at(first - 1))
        screen.press("u", at(first - 1), last="What was undone is shown.")
        screen.press("\x1b[C", at(first))
        screen.press("u", at(first - 1), last="hidden.")
        screen.press(f":s{first}\r", at(first))  # whoever asks for it sees it


def test_a_part_of_a_match(matchledger: Matchledger) -> None:
    with replaying(matchledger, str(AZUL), "--from", "10", "--to", "20", "--at", "s15") as screen:
        screen.shows(at(15))
        screen.press("g", at(10))
        screen.press("G", at(20))
        screen.press(":s30\r", at(20), last="Step 30 is not among the steps 10–20 that are shown.")


def test_the_window_may_change(matchledger: Matchledger) -> None:
    with replaying(matchledger, str(AZUL)) as screen:
        screen.press("G", at(58))
        screen._child.setwinsize(12, 60)
        screen._glass.resize(12, 60)
        assert screen.shows(at(58), last="← → step")
        assert len(screen._glass.text) == 12


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_game_fits_at_most_seats_with_the_longest_names(matchledger: Matchledger, game: Game) -> None:
    """The heading, what happened, the whole board and the keys; nothing wraps, nothing is pushed out."""
    seats = max(game.rules.seats)
    file = matchledger.database.with_suffix(".mlr")
    match = _played(matchledger, game, seats)
    matchledger("export", match, "-o", str(file))
    history = of_evidence(read_evidence(file)[0])
    end = history.envelopes[-1].step
    frames = Frames(history, range(1, end + 1))
    with replaying(matchledger, match) as screen:
        for step in {end, *frames.rounds[:2], *frames.scores[-2:], end // 2, end // 3}:
            text = screen.press(f":s{step}\r", f"Step {step} of {end} ·")
            state = frames.state(step)
            drawn = game.projection.draw(state, history.names, Room(80, SMALL.height)) if state is not None else []
            assert text[-1] == KEY_LINE
            assert text[-1 - len(drawn) - _blank(text) : -1 - _blank(text)] == [_plain(line) for line in drawn]
            assert text[1].startswith("  ")


def _blank(text: list[str]) -> int:
    """Empty lines above the keys."""
    return next(number for number, line in enumerate(reversed(text[:-1])) if line)


def _plain(line: object) -> str:
    return "".join(span.text for span in line).rstrip()  # type: ignore[attr-defined]


def _played(matchledger: Matchledger, game: Game, seats: int) -> str:
    names = [letter * 38 for letter in ascii_uppercase[:seats]]
    if game.pad_of:
        match = matchledger("new", game.key, *names, "--quiet").strip()
        matchledger.play(match, 60)
        return match
    return matchledger("new", game.key, *(f"{name}=bot:random" for name in names), "--seed", "3", "--quiet").strip()


def test_a_step_is_folded_once() -> None:
    """Going back and forth looks up what was kept; it is what a fold of everything before gives."""
    history = of_evidence(read_evidence(AZUL)[0])
    frames = Frames(history, range(1, 59))
    view: Callable[..., object] = history.game.projection.view
    walked = [frames.state(step) for step in range(1, 59)]
    assert [frames.state(step) for step in range(58, 0, -1)] == walked[::-1]
    for step, state in enumerate(walked, start=1):
        assert state is None or view(state) == view(history.at(f"s{step}").table.state)
        assert frames.state(step) is state
