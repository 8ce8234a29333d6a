"""Plain aligned tables for a terminal."""

from collections.abc import Sequence
from typing import Final

from rich.table import Table

PROSE: Final = ("reason", "meaning", "players", "values (default first)")
"""Columns of words, which wrap wherever they stand."""


def grid(*columns: str, right: Sequence[str] = (), wraps: Sequence[str] = ()) -> Table:
    """A table without lines; numbers to the right, and only columns of words may wrap."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        is_number, is_prose = column in right, column in wraps or column in PROSE
        table.add_column(column, justify="right" if is_number else "left", no_wrap=not is_prose, overflow="fold")
    return table
