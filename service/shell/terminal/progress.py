"""The bar that anything longer than a second shows."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from service.shell.terminal.paint import console

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

_EVERY: Final = 0.1
"""Seconds between two drawings of a bar."""


def tracked(items: Iterable[T], total: int, what: str, *, is_quiet: bool = False) -> Iterator[T]:
    """The items, with a bar on the error stream while they pass; a pipe gets none."""
    with advancing(total, what, is_quiet=is_quiet) as advance:
        for item in items:
            yield item
            advance(1)


@contextmanager
def advancing(total: int, what: str, *, unit: str = "", is_quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar for so much work, which is told how much more is done; with a unit it shows how many a second.

    It is drawn when it is told, and not by a thread: a process with threads cannot be copied (`play.workers`).
    """
    started = time.monotonic()
    done, drawn = 0, 0.0
    with _bar(is_quiet, unit, is_threaded=False) as bar:
        task = bar.add_task(what, total=total, rate="–")

        def advance(more: int) -> None:
            nonlocal done, drawn
            done += more
            now = time.monotonic()
            if now > drawn + _EVERY:
                bar.update(task, completed=done, rate=f"{done / (now - started):,.0f}", refresh=True)
                drawn = now

        yield advance


@contextmanager
def counting(what: str, *, is_quiet: bool = False) -> Iterator[tuple[Callable[[int], object], Callable[[int], object]]]:
    """The same for work that tells by itself how much there is to do, once or part by part, and how much is done."""
    with _bar(is_quiet) as bar:
        task = bar.add_task(what, total=None)
        yield lambda total: bar.reset(task, total=total), lambda done: bar.advance(task, done)


def _bar(is_quiet: bool, unit: str = "", *, is_threaded: bool = True) -> "Progress":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    out = console(stderr=True)
    rate = [TextColumn(f"{{task.fields[rate]}} {unit}/s")] if unit else []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *rate, TimeRemainingColumn())
    is_hidden = is_quiet or not out.is_terminal
    return Progress(*columns, console=out, transient=True, disable=is_hidden, auto_refresh=is_threaded)
