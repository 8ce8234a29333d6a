"""Replaying a match step by step: with keys in a terminal, or printed one step after the other."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from projections.core import Room
from projections.words import count, numbered
from service.errors import LedgerError, NotFound
from service.play.frames import Frames
from service.play.history import History
from service.shell.answers.match import told
from service.shell.terminal import keys
from service.shell.terminal.keys import Keys
from service.shell.terminal.paint import console, painted, say, show_table
from service.visible import visible

HELP: Final = """\
Replaying a match

  →  ↓  Enter    the next step            ←  ↑  Backspace    the one before
  Page Down      ten steps on             Page Up            ten steps back
  Home  g        the first step           End  G             the last step
  n              the next round           p                  the one before
  s              the next points          S                  the ones before
  :57            the step of event 57     :s12               step 12
  space          play, and pause          +  -               faster, slower
  u              hide what was undone, and show it again
  q  Escape      leave

Any key goes back to the match."""
KEY_LINE: Final = "← → step  n p round  s S points  space play  u undone  : go to  ? help  q quit"
PACES: Final = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)
"""Seconds a step is shown for while it plays."""
PAGE: Final = 10
"""Steps to a page."""
_AROUND: Final = 5
"""Lines beside the board in the smallest terminal: the heading, what happened, an empty line, the keys."""
_QUIT: Final = ("q", "Q", keys.ESCAPE, keys.CLOSED)
_MOVES: Final = {
    **dict.fromkeys((keys.RIGHT, keys.DOWN, keys.ENTER), 1),
    **dict.fromkeys((keys.LEFT, keys.UP, keys.BACKSPACE, "b"), -1),
    keys.PAGE_DOWN: PAGE,
    keys.PAGE_UP: -PAGE,
    **dict.fromkeys((keys.HOME, "g", "0"), -sys.maxsize),
    **dict.fromkeys((keys.END, "G", "$"), sys.maxsize),
}


def watch(live: History, steps: Sequence[int], delay: float, start: int) -> None:
    """Show these steps one after the other; at a keyboard, as its keys say, beginning with `start`."""
    frames = Frames(live, steps)
    out = console()
    try:
        if out.is_terminal and not out.is_dumb_terminal and sys.stdin.isatty() and not delay:
            _Show(frames, start).run(out)
        else:
            _by_itself(frames, start, delay)
    except (KeyboardInterrupt, EOFError):
        say("")


def steps_between(live: History, first: int | None, last: int | None) -> Sequence[int]:
    """The steps from one to another, the first and the last of the match unless said otherwise."""
    end = live.envelopes[-1].step
    first, last = 1 if first is None else first, end if last is None else last
    if not 1 <= first <= last <= end:
        raise NotFound("replay/step", f"Steps {first}–{last} are not in this match; it has steps 1–{end}.")
    return range(first, last + 1)


def step_at(live: History, steps: Sequence[int], place: str) -> int:
    """The step of an event (`57`) or a step (`s12`), if it is among these."""
    step = live.at(place).envelopes[-1].step
    if step not in steps:
        raise NotFound("replay/step", f"Step {step} is not among the steps {steps[0]}–{steps[-1]} that are shown.")
    return step


# --------------------------------------------------------------------------------------------------------- by itself


def _by_itself(frames: Frames, start: int, delay: float) -> None:
    for index, step in enumerate(step for step in frames.steps if step >= start):
        if index and delay:
            time.sleep(delay)
        if delay and console().is_terminal:
            console().clear()
        _print(frames, step)
        say("")


def _print(frames: Frames, step: int) -> None:
    live, entries = frames.history, frames.entries(step)
    undone = ", undone later" if step in frames.undone else ""
    say(f"Step {step} of {live.envelopes[-1].step}  ({count(len(entries), 'event')}{undone})", "bold")
    for envelope in entries:
        say("  " + told(live, envelope), indent=4)
    state = frames.state(step)
    if state is not None:
        say("")
        show_table(live.game.projection, state, live.names)


# --------------------------------------------------------------------------------------------------------- with keys


class _Show:
    """A screen with one step on it, and what the keys make of it."""

    def __init__(self, frames: Frames, step: int) -> None:
        self._frames = frames
        self._step = step
        self._shows_undone = True
        self._is_playing = False
        self._pace = PACES.index(1.0)
        self._helps = False
        self._place: str | None = None
        """Where to go, as far as it was typed behind a colon."""
        self._remark = ""

    def run(self, out: Console) -> None:
        """Show steps until somebody leaves."""
        with _whole_screen(out), Keys() as keyboard:
            while True:
                self._draw(out)
                key = keyboard.next(PACES[self._pace] if self._is_playing else None)
                if key is None:
                    self._play_on()
                elif self._place is None and not self._helps and key in _QUIT:
                    return
                else:
                    self._press(key)

    # ------------------------------------------------------------------------------------------------------------ keys

    @property
    def _steps(self) -> Sequence[int]:
        return self._frames.steps if self._shows_undone else self._frames.standing

    def _press(self, key: str) -> None:
        """Do what a key is for; one that is for nothing does nothing."""
        self._remark = ""
        if self._helps:
            self._helps = False
        elif self._place is not None:
            self._type(self._place, key)
        elif key in _MOVES:
            self._is_playing = False
            self._move(_MOVES[key])
        elif key in ("n", "p"):
            self._seek(self._frames.rounds, is_ahead=key == "n", what="round")
        elif key in ("s", "S"):
            self._seek(self._frames.scores, is_ahead=key == "s", what="step with points")
        elif key == " ":
            self._is_playing = not self._is_playing and self._step != self._steps[-1]
        elif key in ("+", "=", "-", "−", "_"):
            self._pace = min(max(self._pace + (1 if key in "+=" else -1), 0), len(PACES) - 1)
            self._remark = f"{PACES[self._pace]:g} s a step"
        elif key == "u":
            self._hide_or_show()
        elif key == ":":
            self._is_playing, self._place = False, ""
        elif key == "?":
            self._is_playing, self._helps = False, True

    def _move(self, by: int) -> None:
        place = self._steps.index(self._step) + by
        self._step = self._steps[min(max(place, 0), len(self._steps) - 1)]

    def _play_on(self) -> None:
        """A moment passed, or the window has another size."""
        if self._is_playing:
            self._move(1)
            self._is_playing = self._step != self._steps[-1]

    def _seek(self, wanted: Sequence[int], is_ahead: bool, what: str) -> None:
        self._is_playing = False
        found = [step for step in wanted if step in self._steps and step != self._step]
        found = [step for step in found if (step > self._step) == is_ahead]
        if found:
            self._step = found[0 if is_ahead else -1]
        else:
            self._remark = f"There is no {'later' if is_ahead else 'earlier'} {what}."

    def _hide_or_show(self) -> None:
        if not self._frames.standing:
            self._remark = "Nothing else would be left."
            return
        self._shows_undone = not self._shows_undone
        if self._step not in self._steps:
            before = [step for step in self._steps if step < self._step]
            self._step = before[-1] if before else self._steps[0]
        self._remark = "What was undone is shown." if self._shows_undone else "What was undone is hidden."

    def _type(self, place: str, key: str) -> None:
        if key == keys.ENTER and place:
            self._place = None
            self._go(place)
        elif key in (keys.ESCAPE, keys.CLOSED, keys.ENTER) or (key == keys.BACKSPACE and not place):
            self._place = None
        elif key == keys.BACKSPACE:
            self._place = place[:-1]
        elif key.isalnum() and len(place) < len(str(sys.maxsize)):
            self._place = place + key

    def _go(self, place: str) -> None:
        try:
            self._step = step_at(self._frames.history, self._frames.steps, place)
        except LedgerError as refusal:
            self._remark = refusal.message
        self._shows_undone = self._shows_undone or self._step not in self._steps

    # ---------------------------------------------------------------------------------------------------------- screen

    def _draw(self, out: Console) -> None:
        """Fill the screen: no line is longer than it is wide, and there are as many of them as it has."""
        width, height = out.size
        above = [Text(line) for line in HELP.split("\n")] if self._helps else self._picture(width, height)
        above = [*above[: height - 1], *(Text() for _ in range(height - 1 - len(above)))]
        with out:  # written at once, so that nothing flickers
            out.control(Control.home())
            for line in above:
                _put(out, line, width)
            _put(out, self._last_line(), width, end="")

    def _picture(self, width: int, height: int) -> list[Text]:
        """The heading, as much of what happened as there is room for, and the board."""
        live, state = self._frames.history, self._frames.state(self._step)
        board: list[Text] = []
        if state is not None:
            room = Room(width, height - _AROUND)
            board = [Text(), *map(painted, live.game.projection.draw(state, live.names, room))]
        happened = [Text("  " + visible(told(live, entry))) for entry in self._frames.entries(self._step)]
        left = max(1, height - 2 - len(board))
        if len(happened) > left:
            happened[left - 1 :] = [Text(f"  … and {len(happened) - left + 1} more", style="dim")]
        return [self._heading(), *happened, *board]

    def _heading(self) -> Text:
        live, entries = self._frames.history, self._frames.entries(self._step)
        first, last = entries[0].seq, entries[-1].seq
        said = [
            f"Step {self._step} of {live.envelopes[-1].step}",
            numbered("event", first, last),
            *(["undone later"] if self._step in self._frames.undone else []),
            *([f"playing, {PACES[self._pace]:g} s a step"] if self._is_playing else []),
            f"{live.game.title} {live.source}",
        ]
        return Text(visible(" · ".join(said)), style="bold")

    def _last_line(self) -> Text:
        if self._place is not None:
            return Text(f":{self._place}▏  an event such as 57 or a step such as s12, then Enter", style="bold")
        return Text(visible(self._remark) or KEY_LINE, style="dim")


def _put(out: Console, line: Text, width: int, end: str = "\n") -> None:
    """Put one line in place of what stood there."""
    line.truncate(width, overflow="ellipsis")
    out.control(Control((ControlType.ERASE_IN_LINE, 2)))
    out.print(line, end=end, soft_wrap=True)


@contextmanager
def _whole_screen(out: Console) -> Iterator[None]:
    """The screen without what stood on it, which comes back afterwards."""
    out.set_alt_screen(True)
    out.show_cursor(False)
    try:
        yield
    finally:
        out.show_cursor(True)
        out.set_alt_screen(False)
