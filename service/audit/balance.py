"""The conservation check: pieces and score sums of the table, once a step."""

from collections.abc import Mapping, Sequence

from events.core import Event
from projections.core import Projection, State
from projections.fold import fold
from projections.running import Running
from service.audit.report import Findings


class Balance:
    """The pieces and points of one match, compared with what the rules decided so far."""

    def __init__(self, projection: Projection, running: Running, findings: Findings) -> None:
        self._projection, self._running, self._findings = projection, running, findings
        self.constant = dict(projection.invariants(running.table.state))
        """Every count that stays the same from the opening on."""
        self._totals = list(projection.scores(running.table.state))
        self._scoring = {kind for kind in projection.apply if kind.scores is not Event.scores}
        """The kinds of event that may bring points; most kinds never do."""
        self._decided: list[tuple[int, Sequence[Event]]] = []
        """What the rules decided in the step at hand: events one after the other, with the place of the first."""
        self._sound = (True, True)
        """Whether counts and sums were right after the step before; if not, an event has been named."""

    def note(self, seq: int, decided: Sequence[Event]) -> None:
        """Let the rules have decided these events, the first of them in this place, and the table have them."""
        self._decided.append((seq, decided))

    def begin_again(self) -> None:
        """Start again from the table as it is: an undo takes its points back."""
        self._totals = list(self._projection.scores(self._running.table.state))

    def check(self) -> None:
        """Check counts and sums of the table, once for all that was decided in a step."""
        decided, self._decided = self._decided, []
        for _, events in decided:
            self._add_up(events)
        state = self._running.table.state
        sound = (self._projection.invariants(state) == self.constant, self._adds_up(state))
        if sound != self._sound and not all(sound):
            self._find([(seq, event) for first, events in decided for seq, event in enumerate(events, start=first)])
        self._sound = sound

    def _find(self, decided: Sequence[tuple[int, Event]]) -> None:
        """Name the first event after which a count or a sum is wrong."""
        facts = self._running.facts
        known = len(facts) - len(decided)
        self._totals = list(self._projection.scores(fold(self._projection, facts[:known]).state))
        for seq, event in decided:
            known += 1
            self._add_up((event,))
            state = fold(self._projection, facts[:known]).state
            self._compare(seq, self._projection.invariants(state))
            if not self._adds_up(state):
                self._findings.fail("sums", seq, "The scores at the table are not the sums of their lines.")

    def try_out(self, seq: int, event: Event) -> None:
        """What a recorded fact that the rules did not decide would do to the counts, tried on a copy."""
        try:
            after = self._projection.copy(self._running.table.state)
            self._projection.apply[type(event)](after, event)
            counts = dict(self._projection.invariants(after))
        except Exception:  # what cannot be applied changes nothing; that it is wrong has been said
            return
        self._compare(seq, counts)

    def _add_up(self, events: Sequence[Event]) -> None:
        for event in events:
            if type(event) not in self._scoring:
                continue
            for line in event.scores:
                self._totals[line.seat - 1] += line.applied

    def _adds_up(self, state: State) -> bool:
        return list(self._projection.scores(state)) == self._totals

    def _compare(self, seq: int, counts: Mapping[str, int]) -> None:
        for name, number in self.constant.items():
            if counts.get(name) != number:
                self._findings.fail("invariants", seq, f"{name}: {counts.get(name, 0)} after it, not {number}.")
