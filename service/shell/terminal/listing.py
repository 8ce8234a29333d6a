"""The matches of a ledger, each with how it stands."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from service.errors import Damaged
from service.games.shelf import GAMES
from service.play.listing import Listed, ago, state_of
from service.shell.terminal.rows import print_plainly
from service.visible import visible

_HEADS: Final = ("match", "game", "players", "state", "moved")
_WIDEST: Final = 200
"""Characters that the players of one match may take in a listing; more than any table's, less than a screen."""


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

    from service.shell.terminal.grid import grid
    from service.shell.terminal.paint import console, say

    if not rows:
        begin = f"No matches yet. Open one with: matchledger new {GAMES[0].key} Ann Ben"
        say("No match fits these filters." if is_filtered else begin, "dim")
        return
    table = grid(*_HEADS)
    for match, game, players, state, moved in rows:
        table.add_row(match, game, Text(players), state, moved)
    console().print(table)
