"""A terminal's glass: what a person sees after a program has written to it, and how much of it went off the top."""

import re
from typing import Final

_PIECE: Final = re.compile(
    r"\x1b\[([0-9;?]*)([a-zA-Z])|\x1b[=>]|\x1b\][^\x07]*\x07|([\x00-\x1a\x1c-\x1f\x7f])|([^\x00-\x1f\x7f]+)", re.S
)


class Glass:
    """So many lines of so many columns. Give it to pexpect as `logfile_read`."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.columns, self.lines = columns, lines
        self.scrolled = 0
        """Lines that went off the top since everything was cleared."""
        self.frames = 0
        """How often everything was cleared."""
        self._rest = ""
        self._clear()

    def _clear(self) -> None:
        self._rows = [[" "] * self.columns for _ in range(self.lines)]
        self._row = self._column = 0

    def write(self, text: str) -> None:
        """Show what a program has written; a sequence that is not complete yet waits for its rest."""
        text = self._rest + text
        cut = text.rfind("\x1b")
        is_open = cut >= 0 and not _PIECE.match(text[cut:])
        self._rest = text[cut:] if is_open else ""
        for piece in _PIECE.finditer(text[:cut] if is_open else text):
            numbers, letter, control, plain = piece.groups()
            if letter:
                self._obey(numbers, letter)
            elif control:
                self._control(control)
            for character in plain or "":
                self._put(character)

    def flush(self) -> None:
        """Nothing waits."""

    @property
    def text(self) -> list[str]:
        """The lines as they are seen, without the empty ones at the end."""
        rows = ["".join(row).rstrip() for row in self._rows]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def _put(self, character: str) -> None:
        if self._column == self.columns:
            self._column = 0
            self._feed()
        self._rows[self._row][self._column] = character
        self._column += 1

    def _feed(self) -> None:
        if self._row < self.lines - 1:
            self._row += 1
            return
        self.scrolled += 1
        self._rows = [*self._rows[1:], [" "] * self.columns]

    def _control(self, control: str) -> None:
        if control == "\n":
            self._feed()
        elif control == "\r":
            self._column = 0
        elif control == "\b":
            self._column = max(0, self._column - 1)

    def _obey(self, numbers: str, letter: str) -> None:
        given = [int(number) for number in numbers.strip("?").split(";") if number]
        if letter == "H":
            self._row, self._column = (given[0] - 1, given[1] - 1) if given else (0, 0)
        elif letter == "J" and given == [2]:
            row, column = self._row, self._column
            self._clear()
            self._row, self._column = row, column
            self.scrolled = 0
            self.frames += 1
        elif letter == "J":
            self._blank(self._column)
            for row in range(self._row + 1, self.lines):
                self._rows[row] = [" "] * self.columns
        elif letter == "K":
            self._blank(self._column)
        elif letter == "C":
            self._column = min(self.columns - 1, self._column + (given or [1])[0])
        elif letter == "D":
            self._column = max(0, self._column - (given or [1])[0])
        elif letter == "A":
            self._row = max(0, self._row - (given or [1])[0])

    def _blank(self, first: int) -> None:
        self._rows[self._row][first:] = [" "] * (self.columns - first)
