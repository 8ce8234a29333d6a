"""Folding a match: the events in effect, written down one after the other."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final, get_args

from msgspec import Struct, field

from events.codec import Recorded, event_of
from events.core import Event, Seat
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
from projections.core import Projection, State
from projections.timeline import effective


class UndoRequest(Struct):
    """An undo that waits for the other seats."""

    seat: Seat
    step: int
    accepted: set[Seat] = field(default_factory=set)


class Table(Struct):
    """A match as it stands: what was agreed, who sits where, and the state of the game."""

    opened: MatchOpened
    state: State
    nonces: dict[Seat, str] = field(default_factory=dict)
    """The seats taken, each with its share in the draws."""
    draws: int = 0
    """How many requests chance has answered along the effective timeline."""
    request: UndoRequest | None = None
    closed: MatchClosed | None = None

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.nonces) == self.opened.seats

    @property
    def status(self) -> str:
        """`open` while seats are free, `playing`, or `closed`."""
        if self.closed is not None:
            return "closed"
        return "playing" if self.is_full else "open"


def seat_down(projection: Projection, opened: MatchOpened) -> Table:
    """The table right after the match was opened."""
    return Table(opened=opened, state=projection.lay_out(opened.seats, opened.options))


def fold(projection: Projection, facts: Sequence[Recorded]) -> Table:
    """The table after these facts, the first of which opened the match."""
    table = fold_straight(projection, list(map(event_of, facts)))
    if table is not None:
        return table
    events = list(map(event_of, effective(facts)))
    table = seat_down(projection, _opening(events))
    for event in events:
        advance(projection, table, event)
    return table


def fold_straight(projection: Projection, events: Sequence[Event]) -> Table | None:
    """The same for the events alone; None where any is about undo, since only facts tell which steps it is about."""
    table = seat_down(projection, _opening(events))
    state, moves, draws = table.state, _moves(projection), 0
    for event in events:
        kind = type(event)
        move = moves[kind]
        if move is not None:
            move(state, event)
        elif kind.by_chance:
            projection.apply[kind](state, event)
            draws += 1
        elif kind in _STRAIGHT_APPLY:
            _STRAIGHT_APPLY[kind](table, event)
        else:
            return None
    table.draws = draws
    return table


@cache
def _moves(projection: Projection) -> dict[type[Event], Callable[[State, Any], None] | None]:
    """The handlers of what seats did and of what followed, which is most of a match; None for every other fact.

    To ask of every event whether chance had drawn it took a fold 6 % longer.
    """
    played = {kind: None if kind.by_chance else handler for kind, handler in projection.apply.items()}
    return {**dict.fromkeys(MATCH_APPLY), **played}


def _opening(events: Sequence[Event]) -> MatchOpened:
    opened = events[0]
    assert isinstance(opened, MatchOpened)
    return opened


def advance(projection: Projection, table: Table, event: Event) -> None:
    """Write one more event down. Undo and redo change the past and need a new fold instead."""
    handler = projection.apply.get(type(event))
    if handler is not None:
        handler(table.state, event)
        table.draws += event.by_chance
        table.request = None
    else:
        MATCH_APPLY[type(event)](table, event)


def after(projection: Projection, table: Table, events: Iterable[Event]) -> Table:
    """The table as it would be after these events; the one given stays as it is."""
    later = Table(
        table.opened,
        projection.copy(table.state),
        dict(table.nonces),
        table.draws,
        table.request and UndoRequest(table.request.seat, table.request.step, set(table.request.accepted)),
        table.closed,
    )
    for event in events:
        advance(projection, later, event)
    return later


def _nothing(table: Table, event: Event) -> None:
    """The fact changes nothing at the table: other projections read it."""


def _seat_taken(table: Table, event: SeatTaken) -> None:
    table.nonces[event.seat] = event.nonce


def _request_settled(table: Table, event: Event) -> None:
    table.request = None


def _undo_requested(table: Table, event: UndoRequested) -> None:
    table.request = UndoRequest(seat=event.seat, step=event.step)


def _undo_accepted(table: Table, event: UndoAccepted) -> None:
    if table.request is not None:
        table.request.accepted.add(event.seat)


def _closed(table: Table, event: MatchClosed) -> None:
    table.closed = event


MATCH_APPLY: dict[type[Event], Callable[[Table, Any], None]] = {
    MatchOpened: _nothing,
    SeatTaken: _seat_taken,
    StepUndone: _request_settled,
    StepRedone: _request_settled,
    UndoRequested: _undo_requested,
    UndoAccepted: _undo_accepted,
    UndoDeclined: _request_settled,
    SeatResigned: _nothing,
    MoveForfeited: _nothing,
    MatchClosed: _closed,
    **dict.fromkeys(get_args(DisputeEvent), _nothing),
}
_STRAIGHT_APPLY: Final = {
    kind: apply
    for kind, apply in MATCH_APPLY.items()
    if kind not in (StepUndone, StepRedone, UndoRequested, UndoAccepted, UndoDeclined)
}
"""What happens around play where nobody asks to take anything back."""
