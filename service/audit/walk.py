"""The replay of an audit: a match decided again by the rules, step by step, and compared with the record."""

from bisect import bisect
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NoReturn, get_args

from events.codec import Fact, tag
from events.core import CHANCE, Actor, Envelope, Event
from events.dispute import DisputeEvent
from events.match import (
    MatchClosed,
    MatchOpened,
    MoveForfeited,
    SeatResigned,
    SeatTaken,
    StepRedone,
    StepUndone,
    UndoAccepted,
    UndoDeclined,
    UndoRequested,
)
from projections.fold import MATCH_APPLY, Table
from projections.running import Running, Tangled
from projections.timeline import Steps, Timeline
from projections.words import count
from service.audit.balance import Balance
from service.audit.draws import Draws
from service.audit.report import Findings
from service.audit.steps import Step, steps_of
from service.audit.words import difference, in_json
from service.errors import IllegalAction, LedgerError
from service.games.game import Game
from service.limits import MAX_SAID
from service.play.appending import Entry
from service.play.matches import MAX_NONCE, resigned_standings
from service.play.undo import decide_answer, decide_redo, decide_undo

_UNDOING: Final = (StepUndone, StepRedone, UndoRequested, UndoAccepted, UndoDeclined)
_MATCH_FACTS: Final = frozenset(MATCH_APPLY)
_DISPUTING: Final = frozenset(get_args(DisputeEvent))


class Lost(Exception):
    """The record departs from the rules so far that nothing after this event can be judged."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Walk:
    """The replay of one match. Only what the rules decide is applied; the record is compared with it."""

    def __init__(
        self, game: Game, table: Table, envelopes: Sequence[Envelope], draws: Draws, findings: Findings
    ) -> None:
        self._running = Running(game.projection, table.opened)
        self._recorded, self._walked, self._noted = Steps(), 0, 0
        self._rules, self._projection, self._notation = game.rules, game.projection, game.notation
        self._envelopes = envelopes
        self._findings = findings
        self._draws = draws
        self._steps: dict[int, Step] = {}
        self._forfeited: MoveForfeited | None = None
        """A move that was forfeited right before the step at hand."""
        self._balance = Balance(game.projection, self._running, findings)
        self._actions = self._events = self._undone = self._redone = 0

    def go(self) -> None:
        """Walk to the end, or to the event after which nothing can be judged. Raises Lost there."""
        for step in steps_of(self._envelopes):
            try:
                self._take(step)
            except IllegalAction as refusal:
                self._lose("actions", step.first, f"{refusal.message} ({refusal.rule})")
            self._steps[step.number] = step
            self._walked += len(step.events)
        if self.table.closed is None:
            self._findings.skip(["result"], "the match is open")
        self._findings.passed("actions", count(self._actions, "action"))
        self._findings.passed("facts", f"{count(self._events, 'event')} of play")
        self._findings.passed("invariants", f"{count(len(self._balance.constant), 'count')}, the same after every step")
        self._findings.passed("undo", f"{count(self._undone, 'step')} undone, {self._redone} redone")
        self._findings.passed("result", self._result_words())

    def _result_words(self) -> str:
        closed = self.table.closed
        places = closed.standings if closed is not None else ()
        words = ", ".join(f"{place.rank}. seat {place.seat} with {place.score}" for place in places)
        return f"{closed.reason}: {words or 'no result'}" if closed is not None else ""

    # ------------------------------------------------------------------------------- the past, as undo policies see it

    @property
    def table(self) -> Table:
        """The table as the rules have it so far."""
        return self._running.table

    @property
    def timeline(self) -> Timeline:
        """Which steps of play are in effect before the step at hand; most matches are over before anybody asks."""
        for envelope in self._envelopes[self._noted : self._walked]:
            self._recorded.add(envelope)
        self._noted = self._walked
        return self._recorded.timeline

    def step_entries(self, step: int) -> Sequence[Envelope]:
        """The events of an earlier step."""
        start = self._steps[step].first - 1
        return self._envelopes[start : start + len(self._steps[step].events)]

    def actor_of(self, step: int) -> Actor:
        """Who took an earlier step."""
        return self._steps[step].actors[0]

    # ------------------------------------------------------------------------------------------------------------ steps

    def _take(self, step: Step) -> None:
        kind = type(step.events[0])
        if self._running.table.closed is not None and kind not in _DISPUTING:
            self._lose("result", step.first, "It comes after the closing, which only disputes may.")
        if self._forfeited is not None:
            self._check_forfeited(step, self._forfeited)
        if kind not in _MATCH_FACTS:
            self._play(step)
        elif kind in _UNDOING:
            self._undo(step)
        elif kind is SeatTaken:
            self._sit_down(step)
        elif kind is SeatResigned:
            self._resign(step)
        elif kind is MoveForfeited:
            self._forfeit(step)
        elif kind is MatchClosed:
            self._abandon(step)
        elif kind is MatchOpened:
            self._only(step, 1)
            if step.first > 1:
                self._lose("actions", step.first, "A match is opened once.")
            self._write_down(step.number, step.events[0])
        else:
            self._note_dispute(step)

    def _only(self, step: Step, size: int) -> None:
        """Refuse a step with more in it than belongs there."""
        if len(step.events) != size:
            why = f"Step {step.number} has {count(len(step.events), 'event')}, not {size}: it does not belong there."
            self._lose("actions", step.seq(size), why)

    def _note_dispute(self, step: Step) -> None:
        for index, event in enumerate(step.events):
            if type(event) not in _DISPUTING:
                self._lose("actions", step.seq(index), f"{tag(event)!r} is not an event of a dispute.")
            self._write_down(step.number, event)

    def _sit_down(self, step: Step) -> None:
        self._only(step, 1)
        event = step.events[0]
        assert isinstance(event, SeatTaken)
        if not 1 <= event.seat <= self.table.opened.seats or event.seat in self.table.nonces:
            self._lose("actions", step.first, f"Seat {event.seat} was not free.")
        if len(event.nonce) > MAX_NONCE:
            self._findings.fail("actions", step.first, f"Its nonce has more than {MAX_NONCE} characters.")
        self._write_down(step.number, event)

    def _forfeit(self, step: Step) -> None:
        self._only(step, 1)
        event, state = step.events[0], self.table.state
        assert isinstance(event, MoveForfeited)
        is_on = self.table.is_full and self._rules.request(state) is None
        if not is_on or event.seat not in self._projection.to_act(state):
            self._lose("actions", step.first, f"Seat {event.seat} had no move to forfeit.")
        if len(event.said) > MAX_SAID:
            self._findings.fail("actions", step.first, f"What it said has more than {MAX_SAID} characters.")
        self._forfeited = event
        self._write_down(step.number, event)

    def _check_forfeited(self, step: Step, event: MoveForfeited) -> None:
        """Check that the step after a forfeited move is the one that was agreed."""
        kind = type(step.events[0])
        is_due = kind is SeatResigned if event.follows == "resignation" else kind not in _MATCH_FACTS
        if not is_due or step.actors[0] != event.seat:
            what = "the seat resigns" if event.follows == "resignation" else "greedy moves for the seat"
            self._lose(
                "actions", step.first, f"Seat {event.seat} forfeited its move; next, {what}, before anything else."
            )
        self._forfeited = None

    def _play(self, step: Step) -> None:
        table, actors, events = self._running.table, step.actors, step.events
        if not table.is_full:
            self._lose("actions", step.first, "It was played before every seat was taken.")
        is_taken_over = self._draws.is_taken_over(step.first, table.draws)
        size, position = len(events), 0
        if actors[0] != CHANCE:
            position = self._act(step)
        answered = position
        while position < size and actors[position] == CHANCE:
            position = self._answer(step, position)
        self._balance.check()
        if position < size and type(events[position]) is MatchClosed:
            self._finish(step, position)
            position += 1
        elif self._projection.standings(self._running.table.state):
            self._findings.fail("result", step.seq(position), "The game was over here, and the match was not closed.")
        if position < size:
            self._lose("actions", step.seq(position), f"It does not belong in step {step.number}, which ended before.")
        if not is_taken_over:
            self._check_owed(step, answered)

    def _check_owed(self, step: Step, answered: int) -> None:
        """Chance answers at once, unless the table agreed that somebody says when, or enters the answers by hand."""
        table = self._running.table
        opened, size = table.opened, len(step.events)
        if opened.chance == "recorded" or table.closed is not None:
            return
        waits = opened.confirm_reveals and answered > 0
        if waits and answered < size:
            self._findings.fail("actions", step.seq(answered), "It was drawn before anybody asked for the deal.")
        if not waits and (wanted := self._rules.request(table.state)) is not None:
            self._findings.fail("actions", step.seq(size), f"The {wanted.purpose} was due and is not there.")

    def _act(self, step: Step) -> int:
        state, actors = self._running.table.state, step.actors
        seat = actors[0]
        wanted = self._rules.request(state)
        if wanted is not None:
            self._lose("actions", step.first, f"The {wanted.purpose} was due before anybody could act.")
        own = step.events
        if actors.count(seat) < len(actors):
            own = [event for actor, event in zip(actors, own, strict=True) if actor == seat]
        try:
            decided = self._rules.decide(state, seat, self._notation.recall(state, own))
        except IllegalAction:
            raise
        except Exception:
            self._lose("actions", step.first, f"No possible action leads to it: {in_json(step.events[0])}.")
        self._actions += 1
        if self._agree(step, 0, seat, decided):
            return len(decided)
        return next((index for index, actor in enumerate(actors) if actor != seat), len(actors))

    def _answer(self, step: Step, position: int) -> int:
        table, event, seq = self._running.table, step.events[position], step.seq(position)
        wanted = self._rules.request(table.state)
        if wanted is None:
            self._lose("actions", seq, f"Nothing was to be drawn: {in_json(event)}.")
        try:
            outcome = self._notation.recall_outcome(event)
        except Exception:
            self._lose("actions", seq, f"It is no answer that chance could give: {in_json(event)}.")
        self._draws.check(seq, table, wanted, outcome)
        try:
            decided = self._rules.decide(table.state, CHANCE, outcome)
        except IllegalAction as refusal:
            self._lose("draws", seq, f"{refusal.message} ({refusal.rule})")
        except Exception:
            self._lose("draws", seq, f"No possible draw leads to it: {in_json(event)}.")
        self._agree(step, position, CHANCE, decided)
        return min(position + len(decided), len(step.events))

    def _agree(self, step: Step, position: int, actor: Actor, decided: Sequence[Event]) -> bool:
        """Compare the record with what the rules decided, and go on from the latter."""
        end = position + len(decided)
        # Nearly always all of them agree; which one does not is asked only then.
        agrees = step.events[position:end] == decided and step.actors[position:end] == [actor] * len(decided)
        if not agrees:
            self._note_difference(step, position, actor, decided)
        self._running.play(step.number, decided)
        self._balance.note(step.first + position, decided)
        self._events += len(decided)
        return agrees

    def _note_difference(self, step: Step, position: int, actor: Actor, decided: Sequence[Event]) -> None:
        """Name the first event that is not what the rules decided."""
        for index, due in enumerate(decided, start=position):
            seq = step.seq(index)
            if index >= len(step.events):
                self._findings.fail("facts", seq, f"It is missing: the rules say {in_json(due)}.")
                return
            if step.events[index] != due:
                self._findings.fail("facts", seq, f"The rules say {difference(due, step.events[index])}.")
                self._balance.try_out(seq, step.events[index])
                return
            if step.actors[index] != actor:
                self._findings.fail("facts", seq, f"It was {actor!r} who did this, not {step.actors[index]!r}.")
                return

    def _write_down(self, step: int, event: Event) -> None:
        self._running.add(Fact(step, event))

    # ---------------------------------------------------------------------------------------------------- undo and redo

    def _undo(self, step: Step) -> None:
        for index, event in enumerate(step.events):
            if not isinstance(event, _UNDOING):
                self._lose("undo", step.seq(index), f"{tag(event)!r} does not belong in a step that undoes or redoes.")
        # What is refused for so many events is refused for more: it is the first one too many that is named.
        sizes = range(1, len(step.events) + 1)
        size = 1 + bisect(sizes, False, key=lambda size: isinstance(self._undoing(step, size), str))
        wanted = self._undoing(step, min(size, len(step.events)))
        if isinstance(wanted, str):
            self._findings.fail("undo", step.seq(size - 1), wanted)
        else:
            self._compare_undoing(step, wanted)
        for event in step.events:
            self._undone += isinstance(event, StepUndone)
            self._redone += isinstance(event, StepRedone)
            try:
                self._write_down(step.number, event)
            except Tangled as error:
                self._lose("undo", step.first, f"It cannot be checked: {error}.")
        self._balance.begin_again()

    def _undoing(self, step: Step, size: int) -> list[Entry] | str:
        """What the policy makes of the request that so many events of this step record, or why it refuses it."""
        try:
            return self._decide_undoing(step, size)
        except LedgerError as refusal:
            return refusal.message
        except Exception:
            return f"It makes no sense here: {in_json(step.events[0])}."

    def _decide_undoing(self, step: Step, size: int) -> list[Entry]:
        seat, event = step.actors[0], step.events[0]
        if not isinstance(seat, int) or not self.table.is_full:
            raise ValueError(seat)
        if isinstance(event, UndoAccepted | UndoDeclined):
            return decide_answer(self, seat, isinstance(event, UndoAccepted))
        if isinstance(event, StepRedone):
            return decide_redo(self, seat, size)
        if isinstance(event, UndoRequested):
            return decide_undo(self, seat, sum(done >= event.step for done in self.timeline.done))
        return decide_undo(self, seat, size)

    def _compare_undoing(self, step: Step, wanted: Sequence[Entry]) -> None:
        policy = self.table.opened.undo
        recorded = zip(step.actors, step.events, strict=True)
        for index, (found, due) in enumerate(zip_longest(recorded, wanted)):
            if found != due:
                words = f"{in_json(due[1])} by seat {due[0]}" if due is not None else "nothing more"
                self._findings.fail("undo", step.seq(index), f"Undo is {policy} here, and that leads to {words}.")
                return

    # ---------------------------------------------------------------------------------------------------------- closing

    def _finish(self, step: Step, position: int) -> None:
        event = step.events[position]
        assert isinstance(event, MatchClosed)
        standings = tuple(self._projection.standings(self.table.state))
        seq = step.seq(position)
        if event.reason != "finished" or not standings:
            self._findings.fail("result", seq, f"The match was closed as {event.reason}, but the game was not over.")
        elif event.standings != standings:
            self._findings.fail("result", seq, f"The rules say {difference(standings, event.standings)}.")
        self._write_down(step.number, event)

    def _resign(self, step: Step) -> None:
        seat, event = step.actors[0], step.events[1] if len(step.events) > 1 else None
        if not self.table.is_full or not isinstance(seat, int):
            self._lose("actions", step.first, "A seat cannot resign before every seat is taken.")
        if not 1 <= seat <= self.table.opened.seats:
            self._lose("actions", step.first, f"Seat {seat} is not at this table.")
        if not isinstance(event, MatchClosed):
            self._lose("actions", step.seq(1), "A resignation closes the match in the same step.")
        self._only(step, 2)
        standings = resigned_standings(self._rules.rank(self.table.state), seat)
        if event.reason != "resigned":
            self._findings.fail("result", step.seq(1), f"The match was closed as {event.reason}, but a seat resigned.")
        elif event.standings != standings:
            self._findings.fail("result", step.seq(1), f"The rules say {difference(standings, event.standings)}.")
        self._write_down(step.number, step.events[0])
        self._write_down(step.number, event)

    def _abandon(self, step: Step) -> None:
        self._only(step, 1)
        event = step.events[0]
        assert isinstance(event, MatchClosed)
        if event.reason != "abandoned" or event.standings:
            what = "a result" if event.standings else f"the reason {event.reason!r}"
            self._findings.fail("result", step.first, f"The match was closed in the middle of play, yet with {what}.")
        self._write_down(step.number, event)

    def _lose(self, check: str, seq: int, why: str) -> NoReturn:
        self._findings.fail(check, seq, why)
        raise Lost(seq)
