"""The matches of a ledger, each with how it stands, printed without rich where that is possible.

By rich, `list` takes 35 % longer, because rich has to be loaded. Nearly all lists are short words that fit the screen.
Those are printed as rich prints them; whatever else comes, and wherever somebody wants more than a terminal tells by
itself, goes on to rich.
"""

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from service.errors import Damaged
from service.games.shelf import GAMES
from service.play.listing import Listed, ago, state_of
from service.visible import visible

_HEADS: Final = ("match", "game", "players", "state", "moved")
_WIDEST: Final = 200
"""Characters that the players of one match may take in a listing; more than any table's, less than a screen."""
_GAP: Final = "  "
_SIGNS: Final = "–−…"
"""What our own words are written with beside letters; each is one column wide."""
_COMBINING: Final = "\u0300"
"""Where letters end that are one character and one column each."""


def show_matches(lines: Sequence[Listed | Damaged], is_filtered: bool) -> None:
    """Matches, the one moved last on top; below them what is wrong with those that are damaged."""
    rows = list(map(_row, lines))
    if not rows or not print_plainly(_HEADS, rows):
        _paint(rows, is_filtered)
    for line in lines:
        if isinstance(line, Damaged):
            from service.shell.terminal.paint import show_error

            show_error(line, as_json=False)


def _row(line: Listed | Damaged) -> tuple[str, ...]:
    """The cells of a match; its players on one line, and whose fork it is on another."""
    if isinstance(line, Damaged):
        return line.match, "–", "–", "damaged", "–"
    row = line.row
    players = ", ".join(seat.name or f"Seat {seat.seat}" for seat in line.seats) or "–"
    origin = f"\n{visible(f'fork of {row.parent}')}" if row.parent else ""
    shown = visible(players[:_WIDEST]) + "…" * (len(players) > _WIDEST) + origin
    return row.id, row.game, shown, state_of(line), ago(row.moved_at, datetime.now(UTC))


def _paint(rows: Sequence[tuple[str, ...]], is_filtered: bool) -> None:
    """The same where it takes more than plain words: long names, other scripts, forks, and a word where is nothing."""
    from rich.text import Text  # only those who need it wait for it

    from service.shell.terminal.paint import console, grid, say

    if not rows:
        begin = f"No matches yet. Open one with: matchledger new {GAMES[0].key} Ann Ben"
        say("No match fits these filters." if is_filtered else begin, "dim")
        return
    table = grid(*_HEADS)
    for match, game, players, state, moved in rows:
        table.add_row(match, game, Text(players), state, moved)
    console().print(table)


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
