"""What a person at `play` sees: plain lines one after the other, or a screen that is drawn anew before every prompt."""

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from typing import Final

from rich.text import Text

from projections.core import SMALL, Room, width_of
from service.shell.terminal.paint import console, painted, say, show_table
from service.shell.terminal.playing.sitting import Ask, Sitting
from service.shell.terminal.views import show_fairness
from service.visible import visible

AROUND: Final = 5
"""Lines that the board leaves: news, a remark, and the prompt."""
BACK: Final = "press Enter to go back to the table> "


def is_screen() -> bool:
    """Whether a person sits at a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not console().is_dumb_terminal


class View:
    """How a sitting is shown: here as plain lines, for pipes and for terminals that know no more."""

    def greet(self, sitting: Sitting, words: str) -> None:
        """Say what is played, and how."""
        say(words, "dim")
        show_fairness(sitting.live)

    def table(self, sitting: Sitting) -> None:
        """Show the table and what is new, because something has changed."""
        if sitting.told_before:
            say("")
            for sentence in sitting.news:
                say("  " + sentence, "dim", indent=4)
        say("")
        self.board(sitting)

    def ready(self, sitting: Sitting) -> str | None:
        """Have everything in view before the prompt; a line if one was typed already."""
        return None

    def forget(self) -> None:
        """Something else was typed: a remark has had its time."""

    def board(self, sitting: Sitting) -> None:
        """Show the table because somebody asked for it."""
        live = sitting.live
        show_table(live.game.projection, live.table.state, live.names)
        if sitting.awaited:
            say("")
            say(sitting.awaited)

    def aside(self, show: Callable[[], None], *, from_end: bool = False) -> None:
        """Show something beside the table, the end of it first where that matters more."""
        show()

    def confirms(self, sitting: Sitting, question: str) -> bool:
        """Whether the person says yes; nobody who sends lines is asked."""
        return True


class _Caught(StringIO):
    """Takes what is printed as a terminal would."""

    def isatty(self) -> bool:
        return True


def caught(show: Callable[[], None]) -> list[Text]:
    """The lines that would be printed, none wider than the terminal."""
    out = console()
    taken = _Caught()
    with redirect_stdout(taken), redirect_stderr(taken):
        show()
    printed = Text.from_ansi(taken.getvalue().rstrip("\n")).split("\n", allow_blank=True)
    return [part for line in printed for part in (line.wrap(out, out.width, no_wrap=False) if line.plain else [line])]


class Redrawn(View):
    """A screen: the board on top, below it what is new, a remark and the prompt, whatever the size of the terminal."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._remark: Callable[[], None] | None = None
        self._aside: Callable[[], None] | None = None
        """What is shown beside a remark where there is room."""
        self._room = AROUND - 1
        """Lines beside the board and the prompt, when they were last drawn."""
        self._typed: str | None = None
        """A line that was typed where only Enter was asked for."""

    def greet(self, sitting: Sitting, words: str) -> None:
        self._remark = lambda: say(words, "dim")
        self._aside = partial(show_fairness, sitting.live)

    def table(self, sitting: Sitting) -> None:
        pass  # it is shown before every prompt

    def forget(self) -> None:
        self._remark = self._aside = None

    def ready(self, sitting: Sitting) -> str | None:
        typed, self._typed = self._typed, None
        if typed is None:
            _show(self.frame(sitting))
        return typed

    def board(self, sitting: Sitting) -> None:
        """The whole board; one that is in view already needs no page."""
        live, out = sitting.live, console()
        lines = [painted(line) for line in live.game.projection.draw(live.table.state, live.names, Room(out.width))]
        if len(lines) > len(_board(sitting, 0)):
            self._pages(lines)

    def aside(self, show: Callable[[], None], *, from_end: bool = False) -> None:
        lines = caught(show)
        if len(lines) <= self._room:
            self._remark = show
        else:
            self._pages(lines, from_end=from_end)

    def remark(self, show: Callable[[], None]) -> None:
        """Have something below the table, even if the table has to be cut for it."""
        self._remark = show

    def confirms(self, sitting: Sitting, question: str) -> bool:
        self._remark = lambda: say(question, "bold")
        answer = None
        while answer is None:
            _show(self.frame(sitting))
            answer = self._ask("yes or no> ", None)
        self._remark = None
        return answer.strip().lower() in ("y", "yes")

    def frame(self, sitting: Sitting) -> list[Text]:
        """Everything above the prompt: never more lines than there is room for."""
        out = console()
        must = caught(lambda: say(sitting.awaited)) if sitting.awaited else []
        must += caught(self._remark) if self._remark is not None else []
        board = _board(sitting, len(must))
        self._room = max(AROUND, out.height - len(board)) - 1
        free = max(0, out.height - 1 - len(board) - len(must))
        news = _news(sitting.news, free)
        free -= len(news)
        key = painted(sitting.live.game.projection.colour_key(sitting.live.table.state))
        note = [key] if free and key.plain and key.cell_len <= out.width else []
        free -= len(note)
        more = caught(self._aside) if self._aside is not None else []
        must += more if len(more) <= free else []
        free -= len(more)
        gap = [Text()] if free > 0 and (must or news or note) else []
        lines = [*board, *gap, *note, *news, *must]
        for line in lines:
            line.truncate(out.width, overflow="ellipsis")
        return lines

    def _pages(self, lines: Sequence[Text], *, from_end: bool = False) -> None:
        """Show lines a screen at a time, until the person wants the table back; what else is typed is obeyed there."""
        size = max(1, console().height - 2)
        pages = [lines[first : first + size] for first in range(0, len(lines), size)]
        at = len(pages) - 1 if from_end else 0
        while True:
            _show([*pages[at], Text()])
            many = f"page {at + 1} of {len(pages)} · " + "b: back, " * (at > 0) if len(pages) > 1 else ""
            prompt = BACK if at == len(pages) - 1 else "Enter: next page, q: the table> "
            line = self._ask(many + prompt, None)
            typed = "" if line is None else line.strip()
            if line is None:
                continue  # the terminal has another size
            if typed == "b" and at:
                at -= 1
            elif not typed and at < len(pages) - 1:
                at += 1
            else:
                self._typed = typed if typed not in ("", "b", "q") else None
                return


def _show(lines: Sequence[Text]) -> None:
    out = console()
    out.clear()
    for line in lines:
        out.print(line)


def _board(sitting: Sitting, below: int) -> list[Text]:
    """The table in the room there is beside so many lines that must be seen; the last line says what had to go."""
    out, live = console(), sitting.live
    room = out.height - max(AROUND, below + 1)
    draw = live.game.projection.draw
    height = max(room, SMALL.height or 0)
    picture = draw(live.table.state, live.names, Room(out.width, height, sitting.viewer))
    if out.width < SMALL.width and any(width_of(line) > out.width for line in picture):
        # In a narrow window boards stand below each other: some may have to go, but those in view can be read.
        picture = draw(live.table.state, live.names, Room(out.width, None, sitting.viewer))
    lines = [painted(line) for line in picture]
    most, widest = max(1, room), max(line.cell_len for line in lines)
    if len(lines) > most:
        return [*lines[: most - 1], Text("… more below: type board to see it all", "dim")]
    if widest > out.width:
        return [*lines[: most - 1], Text(f"… too narrow: this table takes {widest} columns", "dim")]
    return lines


def _news(sentences: Sequence[str], most: int) -> list[Text]:
    """What is new in so many lines: whole sentences, or else how each begins and how many are left."""
    whole = [line for text in sentences for line in caught(partial(say, "  " + text, "dim", indent=4))]
    if len(whole) <= most or not most:
        return whole[:most]
    left = 0 if len(sentences) <= most else len(sentences) - most + 1
    shown = [Text("  " + visible(text), "dim") for text in sentences[: len(sentences) - left]]
    return [*shown, *([Text(f"  … and {left} more: log", "dim")] if left else [])]
