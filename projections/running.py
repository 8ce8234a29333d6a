"""The running fold: a match that grows, folded step by step; an undo costs what it undoes, not a new fold."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from events.codec import Fact, Recorded
from events.core import Event
from events.match import MatchOpened, StepRedone, StepUndone
from projections.core import Projection, State
from projections.fold import MATCH_APPLY, advance, fold, seat_down
from projections.timeline import resolve

KEPT: Final = 512
"""States kept to go back to; going back further costs one fold from the start."""
TANGLES: Final = 100
"""How many undos and redos out of order are followed. No ledger writes any, and each costs a fold of everything."""


class Tangled(ValueError):
    """Steps were undone and redone out of order more often than the limit allows."""


class Running:
    """The table after every fact so far: at any time what `fold` makes of the same facts."""

    def __init__(self, projection: Projection, opened: MatchOpened) -> None:
        self.table = seat_down(projection, opened)
        self._projection = projection
        self._log: list[tuple[int, Sequence[Event]]] = []
        """Everything so far: events one after the other, with the step they belong to."""
        self._is_straight = True
        """Whether nothing was taken back so far, as in most matches: what follows is kept from the first undo on."""
        self._events: dict[int, list[Event]] = {}
        """The play of each step."""
        self._done: dict[int, None] = {}
        self._undone: dict[int, None] = {}
        """Steps of play, the latest last, and the next to redo last; used as ordered sets."""
        self._before: deque[tuple[State, int]] = deque(maxlen=KEPT)
        """State and draws before each of the latest steps in effect."""
        self._latest = 0
        """The highest step of play so far."""
        self._tangles = 0

    def add(self, fact: Recorded) -> None:
        """Add one more fact. Raises what a handler raises, and Tangled; do not use the fold after that."""
        event = fact.event
        if type(event) not in MATCH_APPLY:
            self.play(fact.step, (event,))
            return
        self._log.append((fact.step, (event,)))
        advance(self._projection, self.table, event)
        if isinstance(event, StepUndone):
            self._bend()
            if event.step in self._done:
                self._undo(event.step)
        elif isinstance(event, StepRedone) and event.step in self._undone:
            self._redo(event.step)

    @property
    def facts(self) -> list[Recorded]:
        """Every fact so far."""
        return [Fact(step, event) for step, events in self._log for event in events]

    def play(self, step: int, events: Sequence[Event]) -> None:
        """Add events of play, all of one step."""
        if self._is_straight and step >= self._latest:
            self._log.append((step, events))
            self._latest = step
            self._apply(events)
            return
        self._bend()
        self._log.append((step, events))
        if step != _last(self._done):
            if step <= self._latest:
                self._untangle()
                return
            self._latest = step
            self._undone.clear()
            self._begin(step)
        self._events.setdefault(step, []).extend(events)
        self._apply(events)

    def _bend(self) -> None:
        """Keep track of undo and redo from now on, beginning with the steps played so far."""
        if not self._is_straight:
            return
        self._is_straight = False
        for step, events in self._log:
            if events and type(events[0]) not in MATCH_APPLY:
                self._done[step] = None
                self._events.setdefault(step, []).extend(events)

    def _apply(self, events: Iterable[Event]) -> None:
        for event in events:
            advance(self._projection, self.table, event)

    def _begin(self, step: int) -> None:
        self._done[step] = None
        self._before.append((self._projection.copy(self.table.state), self.table.draws))

    def _undo(self, step: int) -> None:
        if self._tangles or step != _last(self._done):
            self._untangle()
            return
        if not self._before:
            self._walk_again()
        self._done.popitem()
        self._undone[step] = None
        self.table.state, self.table.draws = self._before.pop()

    def _redo(self, step: int) -> None:
        if self._tangles or step != _last(self._undone):
            self._untangle()
            return
        self._undone.popitem()
        self._begin(step)
        self._apply(self._events[step])

    def _walk_again(self) -> None:
        """Compute the states before the latest steps again."""
        opened, request = self.table.opened, self.table.request
        self.table.state, self.table.draws = seat_down(self._projection, opened).state, 0
        done, self._done = self._done, {}
        for step in done:
            self._begin(step)
            self._apply(self._events[step])
        self.table.request = request

    def _untangle(self) -> None:
        """Something is out of order: fold everything, and so again at every undo and redo from now on."""
        self._tangles += 1
        if self._tangles > TANGLES:
            raise Tangled(f"steps are undone and redone out of order more than {TANGLES} times")
        facts = self.facts
        self.table = fold(self._projection, facts)
        self._done, self._undone = map(dict.fromkeys, resolve(facts))
        self._before.clear()


def _last(steps: Mapping[int, None]) -> int | None:
    return next(reversed(steps), None)
