"""Rows of plain words, printed without rich: by rich, `list` takes 35 % longer, because rich has to be loaded.

Nearly all lists are short words that fit the screen. Those are printed here, and as rich prints them; whatever else
comes, and wherever somebody wants more than a terminal tells by itself, goes on to rich.
"""

import os
import sys
from collections.abc import Sequence
from typing import Final

_GAP: Final = "  "
_SIGNS: Final = "–−…"
"""What our own words are written with beside letters; each is one column wide."""
_COMBINING: Final = "\u0300"
"""Where letters end that are one character and one column each."""


def print_plainly(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Print these rows under their heads if they are plain and fit; whether they were.

    What `visible` would write out is not plain, so nothing passes here that it would have stopped.
    """
    is_terminal = sys.stdout.isatty()
    if not all(_is_plain(cell) for row in rows for cell in row) or not _is_plain_screen(is_terminal):
        return False
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) > _width():
        return False
    pieces = [piece for head, width in zip(heads, widths, strict=True) for piece in (_GAP, head.ljust(width))][1:]
    if is_terminal and not os.environ.get("NO_COLOR"):
        pieces = [f"\x1b[2m{piece}\x1b[0m" for piece in pieces]
    lines = [_GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    sys.stdout.write("\n".join(["".join(pieces), *lines, ""]))
    sys.stdout.flush()  # what is wrong with a match follows on the other stream
    return True


def _is_plain(cell: str) -> bool:
    return cell.isprintable() and all(one < _COMBINING or one in _SIGNS for one in cell)


def _is_plain_screen(is_terminal: bool) -> bool:
    is_dumb = is_terminal and os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    is_told = os.environ.get("FORCE_COLOR") is not None or os.environ.get("TTY_COMPATIBLE") is not None
    return os.name == "posix" and not is_dumb and not is_told


def _width() -> int:
    """Columns: what somebody says, or else those of the terminal that any stream leads to."""
    if (said := os.environ.get("COLUMNS", "")).isdigit():
        return int(said)
    for stream in range(3):
        try:
            return os.get_terminal_size(stream).columns or 80
        except OSError:
            continue
    return 80
