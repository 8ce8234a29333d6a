"""Undo and redo, resolved before any reducer runs: which steps are in effect, and which a redo would bring back."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeVar, get_args

from events.codec import Recorded, event_of
from events.core import Event
from events.dispute import DisputeEvent
from events.match import MatchEvent, StepRedone, StepUndone

_MATCH_TYPES: Final = frozenset((*get_args(MatchEvent), *get_args(DisputeEvent)))
"""Facts about the match itself; undo does not touch them."""


RecordedT = TypeVar("RecordedT", bound=Recorded)


class Timeline(NamedTuple):
    """The steps of play in effect, oldest first, and those undone, the next to redo last."""

    done: tuple[int, ...]
    undone: tuple[int, ...]


def resolve(facts: Iterable[Recorded]) -> Timeline:
    """The timeline after these facts; a fact that undoes what is not there changes nothing."""
    steps = Steps()
    for fact in facts:
        steps.add(fact)
    return steps.timeline


class Steps:
    """The timeline of a match that grows: every fact is looked at once, however often steps come and go."""

    def __init__(self) -> None:
        self._done: dict[int, None] = {}
        self._undone: dict[int, None] = {}
        self._timeline: Timeline | None = None

    @property
    def timeline(self) -> Timeline:
        """The steps as they stand now."""
        if self._timeline is None:
            self._timeline = Timeline(tuple(self._done), tuple(self._undone))
        return self._timeline

    def add(self, fact: Recorded) -> None:
        """Add one more fact."""
        event = fact.event
        if type(event) not in _MATCH_TYPES:
            if next(reversed(self._done), None) != fact.step:
                self._undone.clear()
                self._put(fact.step, self._done)
        elif isinstance(event, StepUndone):
            if event.step in self._done:
                del self._done[event.step]
                self._put(event.step, self._undone)
        elif isinstance(event, StepRedone) and event.step in self._undone:
            del self._undone[event.step]
            self._put(event.step, self._done)

    def _put(self, step: int, steps: dict[int, None]) -> None:
        steps.pop(step, None)
        steps[step] = None
        self._timeline = None


def has_undone(events: Iterable[Event]) -> bool:
    """Whether anything was ever taken back; where nothing was, all events are in effect."""
    return StepUndone in set(map(type, events))


def undone_steps(facts: Sequence[Recorded]) -> frozenset[int]:
    """The steps of play that are not in effect."""
    if not has_undone(map(event_of, facts)):
        return frozenset()
    return frozenset(fact.step for fact in facts if is_play(fact)).difference(resolve(facts).done)


def effective(facts: Sequence[RecordedT]) -> Sequence[RecordedT]:
    """The facts a fold should see: everything about the match itself, and play as far as it is in effect."""
    undone = undone_steps(facts)
    return [fact for fact in facts if fact.step not in undone or not is_play(fact)] if undone else facts


def is_play(fact: Recorded) -> bool:
    """Whether the fact belongs to the game rather than to the match around it."""
    return type(fact.event) not in _MATCH_TYPES
