"""Waiting for bots that think."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final

from service.bots.kinds import maybe_kind
from service.play.bots import bot_to_act
from service.play.history import Live
from service.play.players import PREFIX
from service.shell.backend.backend import Backend
from service.shell.terminal.paint import console
from service.store.shapes import Appended
from service.visible import visible

MOMENT: Final = 0.5
"""Seconds that may pass before anything is said."""


def replied(backend: Backend, live: Live, appended: Appended | None = None) -> Live:
    """The match after the bots have replied; who thinks for longer than a moment is named meanwhile."""
    seat = bot_to_act(live)
    kind = None if seat is None else maybe_kind(live.seats[seat].kind.removeprefix(PREFIX))
    if seat is None or kind is None or not kind.thinks:
        return backend.replied(live, appended)
    with _named(live.names[seat]):
        return backend.replied(live, appended)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """`Ada thinks…` on the error stream, from a moment on; a pipe gets nothing."""
    out = console(stderr=True)
    if not out.is_terminal:
        yield
        return
    status = out.status(f"{visible(name)} thinks…", spinner_style="dim")
    soon = Timer(MOMENT, status.start)
    soon.start()
    try:
        yield
    finally:
        soon.cancel()
        soon.join()
        status.stop()
