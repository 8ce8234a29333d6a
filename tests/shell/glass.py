"""A terminal's glass: what a person sees after a program has written to it, and how much of it went off the top."""

from typing import Any

import pyte


class Glass(pyte.Screen):
    """So many lines of so many columns. Give it to pexpect as `logfile_read`."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.scrolled = 0
        """Lines that went off the top since everything was cleared."""
        super().__init__(columns, lines)
        self._stream = pyte.Stream(self)

    def write(self, text: str) -> None:
        """Show what a program has written."""
        self._stream.feed(text)

    def flush(self) -> None:
        """Nothing waits."""

    def index(self) -> None:
        """Go down a line."""
        self.scrolled += self.cursor.y == self.lines - 1
        super().index()

    def erase_in_display(self, how: int = 0, *rest: Any, **others: Any) -> None:
        """Clear the glass, or a part of it."""
        super().erase_in_display(how, *rest, **others)
        if how == 2:
            self.scrolled = 0

    @property
    def text(self) -> list[str]:
        """The lines as they are seen, without the empty ones at the end."""
        rows = [row.rstrip() for row in self.display]
        while rows and not rows[-1]:
            rows.pop()
        return rows
