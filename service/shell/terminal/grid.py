"""Plain aligned tables for a terminal."""

from collections.abc import Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table

from service.visible import visible

PROSE: Final = ("reason", "meaning", "players", "state", "values (default first)")
"""Columns of words, which wrap wherever they stand."""


class Grid(Table):
    """A table whose cells are lines of plain text, whoever wrote them."""

    def add_row(self, *cells: RenderableType | None, **keywords: Any) -> None:
        """Add a row; a cell that is text of rich's own kind is taken as it is."""
        super().add_row(*(visible(cell) if isinstance(cell, str) else cell for cell in cells), **keywords)


def grid(*columns: str, right: Sequence[str] = (), wraps: Sequence[str] = ()) -> Grid:
    """A table without lines; numbers to the right, and only columns of words may wrap."""
    table = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in columns:
        is_number, is_prose = column in right, column in wraps or column in PROSE
        table.add_column(
            visible(column), justify="right" if is_number else "left", no_wrap=not is_prose, overflow="fold"
        )
    return table
