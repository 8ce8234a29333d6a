"""Events in words: each as one sentence about the past, and each legal action as an imperative."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from events.core import Event, ScoreLine, Standing
from events.dispute import (
    AppealDecided,
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    ResultFinalised,
)
from events.match import (
    ForfeitReason,
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
from projections.core import Names, Projection
from projections.words import joined, points, signed


def with_round(tell: Callable[[Any, Names], str]) -> Callable[[Any, Names], str]:
    """What is told of an event that may begin a round, with the round in front."""
    return lambda event, names: (f"Round {event.round} began. " if event.round else "") + tell(event, names)


def sentence(projection: Projection, event: Event, names: Names) -> str:
    """What happened, in one sentence."""
    tell = projection.story.get(type(event)) or MATCH_STORY[type(event)]
    return tell(event, names)


def imperative(projection: Projection, event: Event, names: Names) -> str:
    """An action that is offered, told from the first event it would lead to: `Take 2 blue from display 1 to line 2`."""
    return projection.imperatives[type(event)](event, names)


def _opened(event: MatchOpened, names: Names) -> str:
    origin = ""
    if event.parent is not None:
        origin = f", forked from {event.parent.match} after step {event.parent.step}"
    chance = f"{event.chance} chance"
    if event.commitment:
        chance += f" committed as {event.commitment[:12]}…"
    return f"A match of {event.ruleset} for {event.seats} was opened{origin}: {event.undo} undo, {chance}."


def _seat_taken(event: SeatTaken, names: Names) -> str:
    nonce = " and added a nonce to the draws" if event.nonce else ""
    return f"{names[event.seat]} took seat {event.seat}{nonce}."


def _forfeited(event: MoveForfeited, names: Names) -> str:
    said = f" ({_quoted(event.said)})" if event.said else ""
    follows = "greedy moves in its place" if event.follows == "greedy" else "it resigns, as was agreed"
    return f"{names[event.seat]} forfeited a move, because its program {_FORFEITS[event.why]}{said}: {follows}."


_FORFEITS: Final[dict[ForfeitReason, str]] = {
    "died": "ended",
    "late": "took too long",
    "nonsense": "sent an answer that cannot be used",
    "illegal": "named a move that was not legal",
}


def _closed(event: MatchClosed, names: Names) -> str:
    secret = " The secret behind the draws is now public." if event.secret else ""
    if event.reason == "abandoned":
        return f"The match was abandoned without a result.{secret}"
    return f"{_victory(event.standings, names)}.{secret}"


def _victory(standings: Sequence[Standing], names: Names) -> str:
    best = [place for place in standings if place.rank == 1]
    winners = joined([names[place.seat] for place in best])
    verb = "share the victory" if len(best) > 1 else "won"
    scores = ", ".join(f"{names[place.seat]} {place.score}" for place in standings)
    return f"{winners} {verb} ({scores})"


def _dispute_opened(event: DisputeOpened, names: Names) -> str:
    whose = "their own" if event.of == event.seat else f"{names[event.of]}'s"
    if event.about:
        about = f"event {event.about}"
        claim = f", claiming {signed(event.claim)} there for {names[event.of]}" if event.claim is not None else ""
    else:
        about = f"{whose} total"
        claim = f", claiming {event.claim}" if event.claim is not None else ""
    return f"Dispute {event.number}: {names[event.seat]} disputed {about}{claim}: {_quoted(event.words)}."


def _ruled(event: DisputeRuled, names: Names) -> str:
    return (
        f"Dispute {event.number}: {event.arbiter} ruled under {joined(event.rules)}: "
        f"{_adjustments(event.scores, names)}. Reason: {_quoted(event.reason)}."
    )


def _appealed(event: DisputeAppealed, names: Names) -> str:
    return f"Dispute {event.number}: {names[event.seat]} appealed: {_quoted(event.words)}."


def _decided(event: AppealDecided, names: Names) -> str:
    outcome = f"{'upheld' if event.upheld else 'overturned'} the ruling under {joined(event.rules)}"
    instead = "" if event.upheld else f": {_adjustments(event.scores, names)}"
    return f"Dispute {event.number}: {event.arbiter} {outcome}{instead}. Reason: {_quoted(event.reason)}."


def _finalised(event: ResultFinalised, names: Names) -> str:
    return f"{event.arbiter} declared the result final: {_victory(event.standings, names)}."


def _adjustments(lines: Sequence[ScoreLine], names: Names) -> str:
    return joined([f"{names[line.seat]} {points(line)}" for line in lines]) or "no adjustment"


def _quoted(words: str) -> str:
    return f"“{words.rstrip('.')}”"


MATCH_STORY: Final[dict[type[Event], Callable[[Any, Names], str]]] = {
    MatchOpened: _opened,
    SeatTaken: _seat_taken,
    StepUndone: lambda event, names: f"Step {event.step} was undone.",
    StepRedone: lambda event, names: f"Step {event.step} was redone.",
    UndoRequested: lambda event, names: f"{names[event.seat]} asked to undo everything from step {event.step} on.",
    UndoAccepted: lambda event, names: f"{names[event.seat]} agreed to the undo.",
    UndoDeclined: lambda event, names: f"{names[event.seat]} declined the undo.",
    SeatResigned: lambda event, names: f"{names[event.seat]} resigned.",
    MoveForfeited: _forfeited,
    MatchClosed: _closed,
    DisputeOpened: _dispute_opened,
    DisputeRuled: _ruled,
    DisputeAppealed: _appealed,
    AppealDecided: _decided,
    DisputeWithdrawn: lambda event, names: f"Dispute {event.number}: {names[event.seat]} withdrew it.",
    ResultFinalised: _finalised,
}
