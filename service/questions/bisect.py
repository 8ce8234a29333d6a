"""Comparing two matches: the first event and the first score line in which they differ."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from events.core import Envelope
from projections.scoresheet import SheetLine
from projections.timeline import effective, is_play
from service.errors import UsageError
from service.play.history import History

NOTHING: Final = "(nothing)"
"""Stands where only the other side has something."""


class Difference(NamedTuple):
    """A value that is not the same on both sides."""

    path: str
    """Where in the event, such as `displays[2][0]`."""
    a: Any
    b: Any


class Divergence(Struct, frozen=True):
    """Where two matches begin to differ."""

    opening: list[Difference]
    """What was agreed differently before play."""
    seq_a: int
    """The first event that differs, 0 when none does; one past the end where this side has no more."""
    seq_b: int
    fields: list[Difference]
    line_a: SheetLine | None
    """The first score line that differs; None when none does, or when this side has no more."""
    line_b: SheetLine | None

    @property
    def is_same(self) -> bool:
        """Whether the matches are the same but for their ids and times."""
        return not self.opening and not self.seq_a and self.line_a is None and self.line_b is None


def bisect(a: History, b: History, *, in_effect: bool = False) -> Divergence:
    """Compare event by event, leaving ids and times aside; `in_effect` compares only play that was not undone."""
    if a.game.key != b.game.key:
        raise UsageError(
            "bisect/games", f"{a.source} is {a.game.key} and {b.source} is {b.game.key}; compare one game."
        )
    opening = list(_differences(_plain(a.envelopes[0], in_effect), _plain(b.envelopes[0], in_effect), ""))
    rest = [_events(history, in_effect) for history in (a, b)]
    seq_a = seq_b = 0
    fields: list[Difference] = []
    for one, other in zip_longest(*rest):
        found = list(_differences(_plain(one, in_effect), _plain(other, in_effect), ""))
        if found:
            seq_a, seq_b = _seq(a, one), _seq(b, other)
            fields = found
            break
    line_a, line_b = _first_line(a, b)
    return Divergence(opening, seq_a, seq_b, fields, line_a, line_b)


def _events(history: History, in_effect: bool) -> Sequence[Envelope]:
    if not in_effect:
        return history.envelopes[1:]
    return [envelope for envelope in effective(history.envelopes) if is_play(envelope)]


def _seq(history: History, envelope: Envelope | None) -> int:
    return envelope.seq if envelope is not None else len(history.envelopes) + 1


def _plain(envelope: Envelope | None, in_effect: bool) -> Any:
    if envelope is None:
        return None
    place = {} if in_effect else {"step": envelope.step}
    return {**place, "actor": envelope.actor, **msgspec.to_builtins(envelope.event)}


def _differences(a: Any, b: Any, path: str) -> Iterator[Difference]:
    """Every value in which two plain structures differ, by its path."""
    if isinstance(a, dict) and isinstance(b, dict):
        if a.get("type") != b.get("type"):
            yield Difference(f"{path}.type".lstrip("."), a.get("type", NOTHING), b.get("type", NOTHING))
            return
        for key in dict.fromkeys([*a, *b]):
            yield from _differences(a.get(key, NOTHING), b.get(key, NOTHING), f"{path}.{key}".lstrip("."))
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
        for index, (one, other) in enumerate(zip_longest(a, b, fillvalue=NOTHING)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif a != b:
        yield Difference(path or "event", NOTHING if a is None else a, NOTHING if b is None else b)


def _first_line(a: History, b: History) -> tuple[SheetLine | None, SheetLine | None]:
    sheets = [history.scoresheet for history in (a, b)]
    for one, other in zip_longest(*sheets):
        if one is None or other is None or _content(one) != _content(other):
            return one, other
    return None, None


def _content(entry: SheetLine) -> tuple[object, ...]:
    return entry.round, entry.seat, entry.rule, entry.reason, entry.requested, entry.applied, entry.total
