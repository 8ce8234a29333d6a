"""Replaying a match step by step: with keys in a terminal, or printed one step after the other."""

import sys
import time
from collections.abc import Sequence

import typer

from projections.timeline import is_play
from projections.words import count
from service.errors import NotFound
from service.play.history import History
from service.shell.answers.match import told
from service.shell.terminal.paint import console, say, show_table

_BACK = ("\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA", "b", "p", "\x7f")
_FIRST = ("\x1b[H", "\x1bOH", "g", "0")
_LAST = ("\x1b[F", "\x1bOF", "G", "$")
_QUIT = ("q", "Q", "\x1b", "\x03", "\x04")


def watch(live: History, steps: Sequence[int], delay: float) -> None:
    """Show these steps one after the other; at a keyboard, as its keys say."""
    try:
        if console().is_terminal and sys.stdin.isatty() and not delay:
            _with_keys(live, steps)
        else:
            _by_itself(live, steps, delay)
    except (KeyboardInterrupt, EOFError):
        say("")


def steps_between(live: History, first: int | None, last: int | None) -> Sequence[int]:
    """The steps from one to another, the first and the last of the match unless said otherwise."""
    end = live.envelopes[-1].step
    first, last = 1 if first is None else first, end if last is None else last
    if not 1 <= first <= last <= end:
        raise NotFound("replay/step", f"Steps {first}–{last} are not in this match; it has steps 1–{end}.")
    return range(first, last + 1)


def _by_itself(live: History, steps: Sequence[int], delay: float) -> None:
    for index, step in enumerate(steps):
        if index and delay:
            time.sleep(delay)
        if delay and console().is_terminal:
            console().clear()
        _show(live, step)
        say("")


def _with_keys(live: History, steps: Sequence[int]) -> None:
    position = 0
    while True:
        console().clear()
        _show(live, steps[position])
        say("")
        say("→ next   ← back   g first   G last   q quit", "dim")
        key = typer.getchar()
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


def _show(live: History, step: int) -> None:
    then = live.at(f"s{step}")
    entries = then.step_entries(step)
    undone = "" if _stands(live, step) else ", undone later"
    say(f"Step {step} of {live.envelopes[-1].step}  ({count(len(entries), 'event')}{undone})", "bold")
    for envelope in entries:
        say("  " + told(live, envelope), indent=4)
    if any(is_play(envelope) for envelope in then.envelopes):
        say("")
        show_table(live.game.projection, then.table.state, live.names)


def _stands(live: History, step: int) -> bool:
    """Whether a step is in effect in the end; what is not play cannot be undone."""
    return step in live.timeline.done or not any(is_play(envelope) for envelope in live.step_entries(step))
