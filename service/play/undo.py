"""Undo policies: who may take back what, each refusal with a code and its reason."""

from collections.abc import Sequence
from typing import Protocol

from events.core import CHANCE, Actor, Envelope, Seat
from events.match import StepRedone, StepUndone, UndoAccepted, UndoDeclined, UndoRequested
from projections.fold import Table
from projections.timeline import Timeline
from projections.words import count
from service.errors import Refused, UsageError
from service.play.appending import ANY_HEAD, Call, Decided, Entry, carry_out, check_seat, refuse_unplayable
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.store.shapes import Appended


class Past(Protocol):
    """What a policy looks at: a match in hand, or the part of one that an audit has come through."""

    @property
    def table(self) -> Table: ...

    @property
    def timeline(self) -> Timeline: ...

    def step_entries(self, step: int) -> Sequence[Envelope]: ...

    def actor_of(self, step: int) -> Actor: ...


def undo(ledger: LocalLedger, live: Live, seat: Seat, steps: int = 1, call: Call = ANY_HEAD) -> Appended:
    """Take back the latest steps as the policy of the match allows; under `consent` this only asks."""
    request = ("undo", seat, steps)
    return carry_out(
        ledger, live, call, request, refuse_unplayable, lambda at: Decided([decide_undo(live, seat, steps)])
    )


def answer(ledger: LocalLedger, live: Live, seat: Seat, accepts: bool, call: Call = ANY_HEAD) -> Appended:
    """Accept or decline the open request; the last seat to accept carries the undo out in the same step."""
    request = ("answer", seat, accepts)
    return carry_out(
        ledger, live, call, request, refuse_unplayable, lambda at: Decided([decide_answer(live, seat, accepts)])
    )


def redo(ledger: LocalLedger, live: Live, seat: Seat, steps: int = 1, call: Call = ANY_HEAD) -> Appended:
    """Play undone steps again as they were. Unless undo is free, only the seat whose move it was may do so."""
    request = ("redo", seat, steps)
    return carry_out(
        ledger, live, call, request, refuse_unplayable, lambda at: Decided([decide_redo(live, seat, steps)])
    )


# ------------------------------------------------------------------- what each request leads to, or why it is refused


def decide_undo(past: Past, seat: Seat, steps: int) -> list[Entry]:
    """The entries of an undo, or of the request for one."""
    check_seat(past.table.opened, seat)
    targets = _undoable(past, steps)
    policy = past.table.opened.undo
    if policy == "strict":
        _check_strict(past, seat, targets)
    if policy != "consent":
        return [(seat, StepUndone(step=step)) for step in targets]
    if past.table.request is not None:
        raise Refused("undo/pending", f"Seat {past.table.request.seat} has asked already; answer that request first.")
    return [(seat, UndoRequested(seat=seat, step=targets[-1]))]


def decide_answer(past: Past, seat: Seat, accepts: bool) -> list[Entry]:
    """The entries of an answer, with the undo itself once everybody has agreed."""
    check_seat(past.table.opened, seat)
    request = past.table.request
    if request is None:
        raise Refused("undo/no-request", "Nobody has asked for an undo.")
    if seat == request.seat:
        raise Refused("undo/own-request", f"Seat {seat} asked for this undo; the others answer it.")
    if seat in request.accepted:
        raise Refused("undo/answered", f"Seat {seat} has accepted already.")
    if not accepts:
        return [(seat, UndoDeclined(seat=seat))]
    entries: list[Entry] = [(seat, UndoAccepted(seat=seat))]
    if len(request.accepted) + 2 == past.table.opened.seats:
        targets = [step for step in reversed(past.timeline.done) if step >= request.step]
        entries += [(seat, StepUndone(step=step)) for step in targets]
    return entries


def decide_redo(past: Past, seat: Seat, steps: int) -> list[Entry]:
    """The entries of a redo."""
    check_seat(past.table.opened, seat)
    undone = past.timeline.undone
    _check_depth(steps, len(undone), "redo")
    targets = undone[-steps:][::-1]
    for step in targets:
        actor = past.actor_of(step)
        if past.table.opened.undo != "free" and actor not in (seat, CHANCE):
            raise Refused("redo/not-yours", f"Step {step} was seat {actor}'s; only that seat may redo it.")
    return [(seat, StepRedone(step=step)) for step in targets]


def _undoable(past: Past, steps: int) -> Sequence[int]:
    """The latest steps of play, newest first."""
    done = past.timeline.done
    inherited = past.table.opened.parent is not None
    # The opening deal is chance's alone; where chance answers by itself, undoing it would only bring the same deal.
    if done and not inherited and past.table.opened.chance != "recorded" and past.actor_of(done[0]) == CHANCE:
        done = done[1:]
    _check_depth(steps, len(done), "undo")
    return done[-steps:][::-1]


def _check_strict(past: Past, seat: Seat, targets: Sequence[int]) -> None:
    if len(targets) > 1:
        raise Refused("undo/depth", f"A strict match undoes one step at a time, not {len(targets)}.")
    step = targets[0]
    actor = past.actor_of(step)
    if any(envelope.event.reveals for envelope in past.step_entries(step)):
        raise Refused("undo/revealed", f"Step {step} showed something new; a strict match never goes back past that.")
    if actor != seat:
        raise Refused(
            "undo/not-yours", f"The last step ({step}) was seat {actor}'s; a strict match undoes only one's own."
        )


def _check_depth(steps: int, possible: int, verb: str) -> None:
    if steps < 1:
        raise UsageError(f"{verb}/steps", f"{steps} is not a number of steps to {verb}; give 1 or more.")
    if not possible:
        raise Refused(f"{verb}/nothing", f"There is nothing to {verb}.")
    if steps > possible:
        raise Refused(
            f"{verb}/nothing",
            f"Only {count(possible, 'step')} can be {'undone' if verb == 'undo' else 'redone'}, not {steps}.",
        )
