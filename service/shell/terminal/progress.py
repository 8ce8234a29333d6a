"""The bar that anything longer than a second shows."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from service.shell.terminal.paint import console

T = TypeVar("T")


def tracked(items: Iterable[T], total: int, what: str, *, is_quiet: bool = False) -> Iterator[T]:
    """The items, with a bar on the error stream while they pass; a pipe gets none."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out, transient=True, disable=is_quiet or not out.is_terminal) as bar:
        yield from bar.track(items, total, description=what)
