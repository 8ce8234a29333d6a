"""Change notifications: how one process learns of the steps that others append."""

import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Final, NamedTuple

from service.errors import LedgerError


class Moved(NamedTuple):
    """A match has this many events now, or more."""

    match: str
    seq: int


EVERYTHING: Final = Moved("", 0)
"""Any match may have moved: the database does not say which, or nobody was listening for a while."""

RENAMED: Final = 0
"""In place of a number of events: nothing was appended, but a player was renamed."""

_GLANCE: Final = 0.05
"""Seconds after which whoever waits looks whether it was closed, and a file whether it was written to."""
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 1.0
"""Seconds between two attempts to reach a database that does not answer."""


class StoreNews:
    """What one thread waits for. The first news is `EVERYTHING`, and so is the first after the database was gone."""

    def __init__(self, changes: Callable[[float], Iterator[list[Moved]]]) -> None:
        """`changes` connects, then gives what moved within each so many seconds, until the database fails."""
        self._listen = changes
        self._changes = changes(_GLANCE)
        self._pause = _FIRST_PAUSE
        self._is_closed = Event()

    def wait(self, timeout: float) -> list[Moved] | None:
        """What moved, as soon as something did; nothing after so many seconds without news; None once closed.

        Never raises for what the database does: it tries until it is closed. One that does not answer may keep it
        waiting beyond `timeout`, until the attempt is given up.
        """
        deadline = time.monotonic() + timeout
        while not self._is_closed.is_set():
            moved = self._next()
            if moved or time.monotonic() >= deadline:
                return moved
        self._changes = iter(())  # and with it goes the connection, in the thread that used it
        return None

    def _next(self) -> list[Moved]:
        try:
            moved = next(self._changes)
        except LedgerError:
            self._changes = self._listen(_GLANCE)
            self._is_closed.wait(self._pause)
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            return []
        self._pause = _FIRST_PAUSE
        return moved

    def close(self) -> None:
        """Notify whoever waits, from any thread, without blocking."""
        self._is_closed.set()


def payload(match: str, seq: int) -> str:
    """A step as a notification carries it."""
    return f"{match} {seq}"


def moved(payload: str) -> Moved:
    """The step that a notification tells of. Anybody may send one: what cannot be read may mean anything."""
    match, _, seq = payload.rpartition(" ")
    try:
        return Moved(match, int(seq)) if match else EVERYTHING
    except ValueError:
        return EVERYTHING
