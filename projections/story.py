"""The log in words: every event as one plain English sentence."""

from collections.abc import Callable
from typing import Any, Final

from events.core import Event
from events.match import (
    MatchClosed,
    MatchOpened,
    SeatResigned,
    SeatTaken,
    StepRedone,
    StepUndone,
    UndoAccepted,
    UndoDeclined,
    UndoRequested,
)
from projections.core import Names, Projection
from projections.words import joined


def sentence(projection: Projection, event: Event, names: Names) -> str:
    """What happened, in one sentence."""
    tell = projection.story.get(type(event)) or MATCH_STORY[type(event)]
    return tell(event, names)


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


def _closed(event: MatchClosed, names: Names) -> str:
    secret = " The secret behind the draws is now public." if event.secret else ""
    if event.reason == "abandoned":
        return f"The match was abandoned without a result.{secret}"
    best = [place for place in event.standings if place.rank == 1]
    winners = joined([names[place.seat] for place in best])
    verb = "share the victory" if len(best) > 1 else "won"
    scores = ", ".join(f"{names[place.seat]} {place.score}" for place in event.standings)
    return f"{winners} {verb} ({scores}).{secret}"


MATCH_STORY: Final[dict[type[Event], Callable[[Any, Names], str]]] = {
    MatchOpened: _opened,
    SeatTaken: _seat_taken,
    StepUndone: lambda event, names: f"Step {event.step} was undone.",
    StepRedone: lambda event, names: f"Step {event.step} was redone.",
    UndoRequested: lambda event, names: f"{names[event.seat]} asked to undo everything from step {event.step} on.",
    UndoAccepted: lambda event, names: f"{names[event.seat]} agreed to the undo.",
    UndoDeclined: lambda event, names: f"{names[event.seat]} declined the undo.",
    SeatResigned: lambda event, names: f"{names[event.seat]} resigned.",
    MatchClosed: _closed,
}
