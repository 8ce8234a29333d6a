"""The keys of a terminal one by one, whatever sequence of characters it sends for them."""

import os
import re
import sys
import time
from codecs import getincrementaldecoder
from typing import Any, Final, Self

import typer

if sys.platform != "win32":
    import termios
    import tty
    from select import select

UP, DOWN, LEFT, RIGHT = "<up>", "<down>", "<left>", "<right>"
HOME, END, PAGE_UP, PAGE_DOWN = "<home>", "<end>", "<page up>", "<page down>"
ESCAPE, ENTER, BACKSPACE, CLOSED = "<escape>", "<enter>", "<backspace>", "<closed>"
UNKNOWN: Final = "<unknown>"

_BY_LETTER: Final = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT, "H": HOME, "F": END, "G": PAGE_DOWN, "I": PAGE_UP}
"""After `ESC [`, and after `ESC O` in application mode; the last two are of BSD's console."""
_BY_NUMBER: Final = {"1": HOME, "7": HOME, "4": END, "8": END, "5": PAGE_UP, "6": PAGE_DOWN}
"""`ESC [ 1 ~` of vt220, Linux, tmux and screen, `ESC [ 7 ~` of rxvt."""
_BY_KEYPAD: Final = {
    "w": HOME, "x": UP, "y": PAGE_UP, "t": LEFT, "v": RIGHT, "q": END, "r": DOWN, "s": PAGE_DOWN,
    "M": ENTER, "k": "+", "m": "-",
    "a": UP, "b": DOWN, "c": RIGHT, "d": LEFT,
}  # fmt: skip
"""After `ESC O` for a keypad in application mode; the last row is rxvt's arrows with the control key."""
_BY_CHARACTER: Final = {"\r": ENTER, "\n": ENTER, "\x7f": BACKSPACE, "\b": BACKSPACE, "\x04": CLOSED, "\x03": CLOSED}
_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[\[.|\[(?P<number>[0-9]*)[0-?]*[ -/]*(?P<final>[@-~])|O[0-9;]*(?P<single>[ -:<-~]))"
)
_REST_OF_A_SEQUENCE: Final = 0.1
"""Seconds in which what follows an escape character comes, if it was not the escape key."""
_LOOK_AT_SIZE: Final = 0.25
"""Seconds after which somebody sees a window that they resized drawn anew."""


class Keys:
    """The keyboard while nobody types lines. Outside POSIX a key is waited for however long it takes."""

    def __init__(self) -> None:
        self._typed = ""
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._size = _size()
        self._before: list[Any] = []

    def __enter__(self) -> Self:
        if sys.platform != "win32":
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSADRAIN)  # what was typed before counts
        return self

    def __exit__(self, *raised: object) -> None:
        if sys.platform != "win32":
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def next(self, seconds: float | None = None) -> str | None:
        """The next key: its character or its name; None after so many seconds, and when the window changed its size."""
        if sys.platform == "win32":
            return key_of(typer.getchar())
        until = None if seconds is None else time.monotonic() + seconds
        while not self._typed:
            left = _LOOK_AT_SIZE if until is None else max(0.0, min(_LOOK_AT_SIZE, until - time.monotonic()))
            if not self._more(left):
                size, self._size = self._size, _size()
                if size != self._size or (until is not None and time.monotonic() >= until):
                    return None
        while _is_begun(self._typed) and self._more(_REST_OF_A_SEQUENCE):
            pass
        found = _SEQUENCE.match(self._typed)
        length = found.end() if found else len(self._typed) if _is_begun(self._typed) else 1
        if not found and self._typed[0] == "\x1b" and len(self._typed) > 1:
            length = max(length, 2)  # a key together with Alt
        key, self._typed = self._typed[:length], self._typed[length:]
        return key_of(key)

    def _more(self, seconds: float) -> bool:
        """Whether anything was typed within so many seconds."""
        stream = sys.stdin.fileno()
        if not select([stream], [], [], seconds)[0]:
            return False
        data = os.read(stream, 1024)
        self._typed += self._decoder.decode(data) if data else "\x04"
        return True


def key_of(typed: str) -> str:
    """What one key is called, from what a terminal sends for it."""
    if typed == "\x1b":
        return ESCAPE
    found = _SEQUENCE.fullmatch(typed)
    if found is None:
        known = _BY_CHARACTER.get(typed, typed)
        return known if len(typed) == 1 and (typed.isprintable() or known != typed) else UNKNOWN
    if single := found["single"]:
        return _BY_LETTER.get(single) or _BY_KEYPAD.get(single, UNKNOWN)
    final = found["final"] or ""
    return _BY_NUMBER.get(found["number"], UNKNOWN) if final in "~^$@" else _BY_LETTER.get(final.upper(), UNKNOWN)


def _is_begun(typed: str) -> bool:
    """Whether this is the beginning of what one key sends, or the escape key."""
    return typed == "\x1b" or (typed[:2] in ("\x1b[", "\x1bO") and _SEQUENCE.match(typed) is None)


def _size() -> os.terminal_size | None:
    try:
        return os.get_terminal_size()
    except OSError:
        return None
