"""Plain aligned tables for a terminal."""

from collections.abc import Sequence

from rich.table import Table


def grid(*columns: str, right: Sequence[str] = (), wraps: Sequence[str] = ()) -> Table:
    """A table without lines; numbers to the right, and only columns of words may wrap."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(
            column, justify="right" if column in right else "left", no_wrap=column not in wraps, overflow="fold"
        )
    return table
