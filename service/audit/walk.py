"""Going through a match again, step by step, with the rules beside the record: what was done must be what they say."""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, NoReturn, get_args

import msgspec

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
from projections.core import State
from projections.fold import MATCH_APPLY, Table, fold
from projections.running import Running, Tangled
from projections.timeline import Steps, Timeline
from projections.words import count
from service.audit.draws import Draws
from service.audit.report import Findings
from service.audit.words import difference, in_json
from service.errors import IllegalAction, LedgerError
from service.games.game import Game
from service.limits import MAX_SAID, has_large_number
from service.play.appending import Entry
from service.play.matches import MAX_NONCE, resigned_standings
from service.play.undo import decide_answer, decide_redo, decide_undo

_UNDOING: Final = (StepUndone, StepRedone, UndoRequested, UndoAccepted, UndoDeclined)
_MATCH_FACTS: Final = frozenset(MATCH_APPLY)
_DISPUTING: Final = frozenset(get_args(DisputeEvent))


class Lost(Exception):
    """The record left the rules so far behind that nothing after this event can be judged."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Step(list[Envelope]):
    """The events of one step, and the place of the first one in the match."""

    first: int
    number: int

    def seq(self, index: int) -> int:
        """The place of an event in the match, counted from 1."""
        return self.first + index


def steps_of(envelopes: Sequence[Envelope]) -> Iterator[Step]:
    """The events that belong together, in order."""
    first = 1
    for number, group in groupby(envelopes, key=attrgetter("step")):
        step = Step(group)
        step.first, step.number = first, number
        first += len(step)
        yield step


class Walk:
    """One audit's way through a match. Only what the rules decide is ever applied; the record is compared with it."""

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
        self._constant = dict(game.projection.invariants(table.state))
        self._totals = list(game.projection.scores(table.state))
        self._decided: list[tuple[int, Event]] = []
        """What the rules decided in the step at hand, each event with its place in the match."""
        self._sound = (True, True)
        """Whether counts and sums were right after the step before; if not, an event has been named."""
        self._actions = self._events = self._undone = self._redone = 0

    def go(self) -> None:
        """Walk to the end, or to the event after which nothing can be judged. Raises Lost there."""
        for step in steps_of(self._envelopes):
            try:
                self._take(step)
            except IllegalAction as refusal:
                self._lose("actions", step.first, f"{refusal.message} ({refusal.rule})")
            self._steps[step.number] = step
            self._walked += len(step)
        if self.table.closed is None:
            self._findings.skip(["result"], "the match is open")
        self._findings.passed("actions", f"{self._actions} actions")
        self._findings.passed("facts", f"{count(self._events, 'event')} of play")
        self._findings.passed("invariants", f"{count(len(self._constant), 'count')}, the same after every step")
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
        return self._steps[step]

    def actor_of(self, step: int) -> Actor:
        """Who took an earlier step."""
        return self._steps[step][0].actor

    # ------------------------------------------------------------------------------------------------------------ steps

    def _take(self, step: Step) -> None:
        kind = type(step[0].event)
        if self.table.closed is not None and kind not in _DISPUTING:
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
            self._write_down(step.number, step[0].event)
        else:
            self._note_dispute(step)

    def _only(self, step: Step, size: int) -> None:
        """Refuse a step with more in it than belongs there."""
        if len(step) != size:
            why = f"Step {step.number} has {count(len(step), 'event')}, not {size}: it does not belong there."
            self._lose("actions", step.seq(size), why)

    def _note_dispute(self, step: Step) -> None:
        for index, envelope in enumerate(step):
            if type(envelope.event) not in _DISPUTING:
                self._lose("actions", step.seq(index), f"{tag(envelope.event)!r} is no part of a dispute.")
            self._write_down(step.number, envelope.event)

    def _sit_down(self, step: Step) -> None:
        self._only(step, 1)
        event = step[0].event
        assert isinstance(event, SeatTaken)
        if not 1 <= event.seat <= self.table.opened.seats or event.seat in self.table.nonces:
            self._lose("actions", step.first, f"Seat {event.seat} was not free.")
        if len(event.nonce) > MAX_NONCE:
            self._findings.fail("actions", step.first, f"Its nonce has more than {MAX_NONCE} characters.")
        self._write_down(step.number, event)

    def _forfeit(self, step: Step) -> None:
        self._only(step, 1)
        event, state = step[0].event, self.table.state
        assert isinstance(event, MoveForfeited)
        is_on = self.table.is_full and self._rules.request(state) is None
        if not is_on or event.seat not in self._projection.to_act(state):
            self._lose("actions", step.first, f"Seat {event.seat} had no move to forfeit.")
        if len(event.said) > MAX_SAID:
            self._findings.fail("actions", step.first, f"What it said has more than {MAX_SAID} characters.")
        self._forfeited = event
        self._write_down(step.number, event)

    def _check_forfeited(self, step: Step, event: MoveForfeited) -> None:
        """Hold the step after a forfeited move to what was to follow."""
        kind = type(step[0].event)
        is_due = kind is SeatResigned if event.follows == "resignation" else kind not in _MATCH_FACTS
        if not is_due or step[0].actor != event.seat:
            what = "resigns" if event.follows == "resignation" else "has greedy move for it"
            self._lose(
                "actions", step.first, f"Seat {event.seat} has forfeited its move and {what} before anything else."
            )
        self._forfeited = None

    def _play(self, step: Step) -> None:
        if not self.table.is_full:
            self._lose("actions", step.first, "It was played before every seat was taken.")
        is_taken_over = self._draws.is_taken_over(step.first, self.table.draws)
        self._decided.clear()
        position = 0
        if step[0].actor != CHANCE:
            position = self._act(step)
        answered = position
        while position < len(step) and step[position].actor == CHANCE:
            position = self._answer(step, position)
        self._check_table()
        if position < len(step) and type(step[position].event) is MatchClosed:
            self._finish(step, position)
            position += 1
        elif self._projection.standings(self.table.state):
            self._findings.fail("result", step.seq(position), "The game was over here, and the match was not closed.")
        if position < len(step):
            self._lose("actions", step.seq(position), f"It does not belong in step {step.number}, which ended before.")
        if not is_taken_over:
            self._check_owed(step, answered)

    def _check_owed(self, step: Step, answered: int) -> None:
        """Chance answers at once, unless the table agreed that somebody says when, or enters the answers by hand."""
        opened = self.table.opened
        if opened.chance == "recorded" or self.table.closed is not None:
            return
        waits = opened.confirm_reveals and answered > 0
        if waits and answered < len(step):
            self._findings.fail("actions", step.seq(answered), "It was drawn before anybody had said so.")
        if not waits and (wanted := self._rules.request(self.table.state)) is not None:
            self._findings.fail("actions", step.seq(len(step)), f"The {wanted.purpose} was due and is not there.")

    def _act(self, step: Step) -> int:
        seat = step[0].actor
        wanted = self._rules.request(self.table.state)
        if wanted is not None:
            self._lose("actions", step.first, f"The {wanted.purpose} was due before anybody could act.")
        own = [envelope.event for envelope in step if envelope.actor == seat]
        try:
            action = self._notation.recall(self.table.state, own)
            decided = self._rules.decide(self.table.state, seat, action)
        except IllegalAction:
            raise
        except Exception:
            self._lose("actions", step.first, f"No action there can be leads to it: {in_json(step[0].event)}.")
        self._actions += 1
        if self._agree(step, 0, seat, decided):
            return len(decided)
        return next((index for index, entry in enumerate(step) if entry.actor != seat), len(step))

    def _answer(self, step: Step, position: int) -> int:
        table, event, seq = self.table, step[position].event, step.seq(position)
        wanted = self._rules.request(table.state)
        if wanted is None:
            self._lose("actions", seq, f"Nothing was to be drawn: {in_json(event)}.")
        try:
            outcome = self._notation.recall_outcome(event)
        except Exception:
            self._lose("actions", seq, f"Chance answers nothing like it: {in_json(event)}.")
        self._draws.check(seq, table, wanted, outcome)
        try:
            decided = self._rules.decide(table.state, CHANCE, outcome)
        except IllegalAction as refusal:
            self._lose("draws", seq, f"{refusal.message} ({refusal.rule})")
        except Exception:
            self._lose("draws", seq, f"No draw there can be leads to it: {in_json(event)}.")
        self._agree(step, position, CHANCE, decided)
        return min(position + len(decided), len(step))

    def _agree(self, step: Step, position: int, actor: Actor, decided: Sequence[Event]) -> bool:
        """Hold the record to what the rules decided, and go on from the latter."""
        agrees = True
        for index, event in enumerate(decided, start=position):
            if index >= len(step) or step[index].event != event or step[index].actor != actor:
                agrees = False
                self._note_difference(step, index, actor, event)
                break
        self._running.play(step.number, decided)
        self._decided += enumerate(decided, start=step.seq(position))
        return agrees

    def _note_difference(self, step: Step, index: int, actor: Actor, decided: Event) -> None:
        seq = step.seq(index)
        if index >= len(step):
            self._findings.fail("facts", seq, f"It is missing: the rules say {in_json(decided)}.")
            return
        found = step[index]
        if found.event == decided:
            self._findings.fail("facts", seq, f"It was {actor!r} who did this, not {found.actor!r}.")
            return
        self._findings.fail("facts", seq, f"The rules say {difference(decided, found.event)}.")
        self._check_recorded_invariants(seq, found.event)

    def _check_recorded_invariants(self, seq: int, event: Event) -> None:
        """What the recorded fact would do to the invariants, tried on a copy, for facts the rules did not decide."""
        # A number made up to exhaust memory is not worth the try.
        if has_large_number(msgspec.json.encode(event)):
            return
        try:
            after = self._projection.copy(self.table.state)
            self._projection.apply[type(event)](after, event)
            counts = dict(self._projection.invariants(after))
        except Exception:  # what cannot be applied changes nothing; that it is wrong has been said
            return
        self._compare_invariants(seq, counts)

    def _write_down(self, step: int, event: Event) -> None:
        self._running.add(Fact(step, event))

    def _check_table(self) -> None:
        """Hold the table to its counts and sums, once for all that was decided in a step."""
        self._events += len(self._decided)
        for _, event in self._decided:
            self._add_up(event)
        state = self.table.state
        sound = (self._projection.invariants(state) == self._constant, self._adds_up(state))
        if sound != self._sound and not all(sound):
            # What is missing now may have gone missing on the way: each table there is made once more.
            facts = self._running.facts
            known = len(facts) - len(self._decided)
            self._totals = list(self._projection.scores(fold(self._projection, facts[:known]).state))
            for seq, event in self._decided:
                known += 1
                self._add_up(event)
                self._check_state(seq, fold(self._projection, facts[:known]).state)
        self._sound = sound

    def _check_state(self, seq: int, state: State) -> None:
        self._compare_invariants(seq, self._projection.invariants(state))
        if not self._adds_up(state):
            self._findings.fail("sums", seq, "The scores at the table are not the sums of their lines.")

    def _add_up(self, event: Event) -> None:
        for line in event.scores:
            self._totals[line.seat - 1] += line.applied

    def _adds_up(self, state: State) -> bool:
        return list(self._projection.scores(state)) == self._totals

    def _compare_invariants(self, seq: int, counts: Mapping[str, int]) -> None:
        for name, number in self._constant.items():
            if counts.get(name) != number:
                self._findings.fail("invariants", seq, f"{name}: {counts.get(name, 0)} after it, not {number}.")

    # ---------------------------------------------------------------------------------------------------- undo and redo

    def _undo(self, step: Step) -> None:
        for index, envelope in enumerate(step):
            if not isinstance(envelope.event, _UNDOING):
                self._lose("undo", step.seq(index), f"{tag(envelope.event)!r} does not belong in a step of undoing.")
        # What is refused for so many events is refused for more: it is the first one too many that is named.
        sizes = range(1, len(step) + 1)
        size = 1 + bisect(sizes, False, key=lambda size: isinstance(self._undoing(step, size), str))
        wanted = self._undoing(step, min(size, len(step)))
        if isinstance(wanted, str):
            self._findings.fail("undo", step.seq(size - 1), wanted)
        else:
            self._compare_undoing(step, wanted)
        for envelope in step:
            self._undone += isinstance(envelope.event, StepUndone)
            self._redone += isinstance(envelope.event, StepRedone)
            try:
                self._write_down(step.number, envelope.event)
            except Tangled as error:
                self._lose("undo", step.first, f"Nobody can follow it: {error}.")
        self._totals = list(self._projection.scores(self.table.state))

    def _undoing(self, step: Step, size: int) -> list[Entry] | str:
        """What the policy makes of the request that so many events of this step record, or why it refuses it."""
        try:
            return self._decide_undoing(step, size)
        except LedgerError as refusal:
            return refusal.message
        except Exception:
            return f"It makes no sense here: {in_json(step[0].event)}."

    def _decide_undoing(self, step: Step, size: int) -> list[Entry]:
        seat, event = step[0].actor, step[0].event
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
        for index in range(max(len(step), len(wanted))):
            found = (step[index].actor, step[index].event) if index < len(step) else None
            due = wanted[index] if index < len(wanted) else None
            if found != due:
                words = f"{in_json(due[1])} by seat {due[0]}" if due is not None else "nothing more"
                self._findings.fail("undo", step.seq(index), f"Undo is {policy} here, which makes it {words}.")
                return

    # ---------------------------------------------------------------------------------------------------------- closing

    def _finish(self, step: Step, position: int) -> None:
        event = step[position].event
        assert isinstance(event, MatchClosed)
        standings = tuple(self._projection.standings(self.table.state))
        seq = step.seq(position)
        if event.reason != "finished" or not standings:
            self._findings.fail("result", seq, f"The match was closed as {event.reason}, but the game was not over.")
        elif event.standings != standings:
            self._findings.fail("result", seq, f"The rules say {difference(standings, event.standings)}.")
        self._write_down(step.number, event)

    def _resign(self, step: Step) -> None:
        seat, event = step[0].actor, step[1].event if len(step) > 1 else None
        if not self.table.is_full or not isinstance(seat, int):
            self._lose("actions", step.first, "Nobody resigns before every seat is taken.")
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
        self._write_down(step.number, step[0].event)
        self._write_down(step.number, event)

    def _abandon(self, step: Step) -> None:
        self._only(step, 1)
        event = step[0].event
        assert isinstance(event, MatchClosed)
        if event.reason != "abandoned" or event.standings:
            what = "a result" if event.standings else f"the reason {event.reason!r}"
            self._findings.fail("result", step.first, f"The match was closed in the middle of play, yet with {what}.")
        self._write_down(step.number, event)

    def _lose(self, check: str, seq: int, why: str) -> NoReturn:
        self._findings.fail(check, seq, why)
        raise Lost(seq)
