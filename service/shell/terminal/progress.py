"""The bar that anything longer than a second shows."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from service.shell.terminal.paint import console

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")


def tracked(items: Iterable[T], total: int, what: str, *, is_quiet: bool = False) -> Iterator[T]:
    """The items, with a bar on the error stream while they pass; a pipe gets none."""
    with _bar(is_quiet) as bar:
        yield from bar.track(items, total, description=what)


@contextmanager
def counting(what: str, *, is_quiet: bool = False) -> Iterator[tuple[Callable[[int], object], Callable[[int], object]]]:
    """The same for work that tells by itself how much there is to do, once or part by part, and how much is done."""
    with _bar(is_quiet) as bar:
        task = bar.add_task(what, total=None)
        yield lambda total: bar.reset(task, total=total), lambda done: bar.advance(task, done)


def _bar(is_quiet: bool) -> "Progress":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=out, transient=True, disable=is_quiet or not out.is_terminal)
