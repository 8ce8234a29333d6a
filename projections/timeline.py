"""Undo and redo, resolved before any reducer runs: which steps are in effect, and which a redo would bring back."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar, get_args

from events.codec import Recorded, event_of
from events.dispute import DisputeEvent
from events.match import MatchEvent, StepRedone, StepUndone

_MATCH_TYPES: Final = frozenset((*get_args(MatchEvent), *get_args(DisputeEvent)))
"""Facts about the match itself; undo does not touch them."""


RecordedT = TypeVar("RecordedT", bound=Recorded)


class Timeline(NamedTuple):
    """The steps of play in effect, oldest first, and those undone, the next to redo last."""

    done: tuple[int, ...]
    undone: tuple[int, ...]


def resolve(facts: Sequence[Recorded]) -> Timeline:
    """The timeline after these facts; a fact that undoes what is not there changes nothing."""
    done: list[int] = []
    undone: list[int] = []
    for fact in facts:
        event = fact.event
        kind = type(event)
        if kind not in _MATCH_TYPES:
            if not done or done[-1] != fact.step:
                done.append(fact.step)
                undone.clear()
        elif isinstance(event, StepUndone):
            if event.step in done:
                done.remove(event.step)
                undone.append(event.step)
        elif isinstance(event, StepRedone) and event.step in undone:
            undone.remove(event.step)
            done.append(event.step)
    return Timeline(tuple(done), tuple(undone))


def undone_steps(facts: Sequence[Recorded]) -> frozenset[int]:
    """The steps of play that are not in effect."""
    if StepUndone not in set(map(type, map(event_of, facts))):
        return frozenset()
    return frozenset(fact.step for fact in facts if is_play(fact)).difference(resolve(facts).done)


def effective(facts: Sequence[RecordedT]) -> Sequence[RecordedT]:
    """The facts a fold should see: everything about the match itself, and play as far as it is in effect."""
    undone = undone_steps(facts)
    return [fact for fact in facts if fact.step not in undone or not is_play(fact)] if undone else facts


def is_play(fact: Recorded) -> bool:
    """Whether the fact belongs to the game rather than to the match around it."""
    return type(fact.event) not in _MATCH_TYPES
