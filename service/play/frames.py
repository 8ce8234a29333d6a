"""A match cut into its steps, each with the state it left, folded once however often one goes back and forth."""

from collections.abc import Sequence
from typing import Final

from events.core import Envelope
from events.match import StepRedone, StepUndone, UndoAccepted, UndoDeclined, UndoRequested
from projections.core import State
from projections.running import Running
from projections.timeline import is_play, undone_steps
from service.play.history import History

_ABOUT_UNDO: Final = (StepUndone, StepRedone, UndoRequested, UndoAccepted, UndoDeclined)


class Frames:
    """Some steps of a match, to be looked at in any order."""

    def __init__(self, history: History, steps: Sequence[int]) -> None:
        self.history = history
        self._entries: dict[int, list[Envelope]] = {}
        for envelope in history.envelopes:
            self._entries.setdefault(envelope.step, []).append(envelope)
        self.steps = [step for step in self._entries if step in steps]
        self.undone = undone_steps(history.envelopes)
        """Steps of play that are not in effect in the end."""
        self.standing = [step for step in self.steps if step not in self.undone and not self._is_about_undo(step)]
        """What is left when everything that was undone, and every word about undoing, is passed over."""
        self.rounds = [step for step in self.steps if any(entry.event.round for entry in self.entries(step))]
        """Steps that began a round."""
        self.scores = [step for step in self.steps if any(entry.event.scores for entry in self.entries(step))]
        """Steps that brought points."""
        self._running = Running(history.game.projection, history.opened)
        self._ahead = iter(self._entries.items())
        self._states: dict[int, State | None] = {}
        self._latest: State | None = None

    def entries(self, step: int) -> Sequence[Envelope]:
        """The events of a step."""
        return self._entries[step]

    def state(self, step: int) -> State | None:
        """The state a step left; None before anything was played. It is not to be changed."""
        while step not in self._states:
            reached, entries = next(self._ahead)
            for envelope in entries:
                self._running.add(envelope)
            if any(is_play(envelope) or isinstance(envelope.event, StepUndone | StepRedone) for envelope in entries):
                self._latest = self.history.game.projection.copy(self._running.table.state)
            self._states[reached] = self._latest
        return self._states[step]

    def _is_about_undo(self, step: int) -> bool:
        return all(isinstance(entry.event, _ABOUT_UNDO) for entry in self.entries(step))
