"""A match in its steps: what was appended together is judged together."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from msgspec import Struct

from events.codec import event_of
from events.core import Actor, Envelope, Event

_actor_of: Final = attrgetter("actor")
_step_of: Final = attrgetter("step")


class Step(Struct, frozen=True, gc=False):
    """What was appended together: its number, the place of its first event in the match, and who did what."""

    number: int
    first: int
    actors: list[Actor]
    events: list[Event]

    def seq(self, index: int) -> int:
        """The place of an event in the match, counted from 1."""
        return self.first + index


def steps_of(envelopes: Sequence[Envelope]) -> Iterator[Step]:
    """The events that belong together, in order."""
    actors, events = list(map(_actor_of, envelopes)), list(map(event_of, envelopes))
    start = 0
    for number, group in groupby(map(_step_of, envelopes)):
        end = start + len(list(group))
        yield Step(number, start + 1, actors[start:end], events[start:end])
        start = end
