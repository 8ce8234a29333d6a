"""Replaying a match step by step: with keys in a terminal, or printed one step after the other."""

import sys
import time
from collections.abc import Sequence

import typer

from events.core import Envelope
from projections.fold import fold
from projections.story import sentence
from projections.words import count
from service.errors import NotFound
from service.replay import Live
from service.terminal.paint import console, say, show_picture

_BACK = ("\x1b[D", "\x1b[A", "b", "p", "\x7f")
_FIRST = ("\x1b[H", "g", "0")
_LAST = ("\x1b[F", "G", "$")
_QUIT = ("q", "\x1b", "\x03", "\x04")


def watch(live: Live, first: int | None, last: int | None, delay: float) -> None:
    """Step through a match from one step to another; without a keyboard every step is printed."""
    steps = _steps(live, first, last)
    if console().is_terminal and sys.stdin.isatty() and not delay:
        _with_keys(live, steps)
        return
    for index, step in enumerate(steps):
        if index and delay:
            time.sleep(delay)
        _show(live, step, steps)
        say("")


def _steps(live: Live, first: int | None, last: int | None) -> Sequence[int]:
    end = live.envelopes[-1].step
    first, last = first or 1, last or end
    if not 1 <= first <= last <= end:
        raise NotFound("replay/step", f"Steps {first}–{last} are not in this match; it has steps 1–{end}.")
    return range(first, last + 1)


def _with_keys(live: Live, steps: Sequence[int]) -> None:
    position = 0
    while True:
        console().clear()
        _show(live, steps[position], steps)
        say("\n→ next   ← back   g first   G last   q quit", "dim")
        try:
            key = typer.getchar()
        except (KeyboardInterrupt, EOFError):
            return
        if key in _QUIT:
            return
        if key in _BACK:
            position = max(0, position - 1)
        elif key in _FIRST:
            position = 0
        elif key in _LAST:
            position = len(steps) - 1
        else:
            position = min(len(steps) - 1, position + 1)


def _show(live: Live, step: int, steps: Sequence[int]) -> None:
    prefix = [envelope for envelope in live.envelopes if envelope.step <= step]
    entries = [envelope for envelope in prefix if envelope.step == step]
    undone = "" if _stands(live, step) else ", undone later"
    say(f"Step {step} of {steps[-1]}  ({count(len(entries), 'event')}{undone})", "bold")
    for envelope in entries:
        say("  " + sentence(live.game.projection, envelope.event, live.names))
    if any(isinstance(envelope.actor, int) or envelope.actor == "chance" for envelope in prefix):
        say("")
        show_picture(live.game.projection.draw(_table(live, prefix), live.names))


def _table(live: Live, prefix: Sequence[Envelope]) -> object:
    return fold(live.game.projection, prefix).state


def _stands(live: Live, step: int) -> bool:
    undone = {envelope.step for envelope in live.envelopes if type(envelope.event) in live.game.projection.apply}
    return step not in undone or step in live.timeline.done
