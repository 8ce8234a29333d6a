"""A stored step in words: its parts as a record writes them, with the points beside them."""

from collections.abc import Iterator, Sequence

import msgspec

from events.core import Actor, Event, type_field
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
from projections.fold import Table
from service.games.game import Game
from service.play.appending import Entry
from service.records.course import Course
from service.records.grammar import Part, quote, write_fields
from service.records.points import scored, write_points
from service.records.seats import who


class Untellable(Exception):
    """There are no words for this step."""


def parts_of(course: Course, entries: Sequence[Entry]) -> tuple[Part, ...]:
    """The parts of the next step. Raises Untellable, or whatever the rules raise on facts that are not theirs."""
    table = course.table
    parts = []
    groups = list(_groups(course, entries))
    for n, (actor, events) in enumerate(groups):
        parts.append(_part(course, table, actor, events))
        if n + 1 < len(groups):
            table = course.after(table, [(actor, event) for event in events])
    return tuple(parts)


def _groups(course: Course, entries: Sequence[Entry]) -> Iterator[tuple[Actor, list[Event]]]:
    """Entries that one part tells: what one decision of a seat led to, one answer of chance, undone steps together."""
    group: list[Event] = []
    last: Actor | None = None
    for actor, event in entries:
        is_play = course.game is not None and type(event) in course.game.projection.apply
        joins = last == actor and (
            (is_play and not event.by_chance and type(group[-1]) in course.game.projection.apply)  # type: ignore[union-attr]
            or (isinstance(event, StepUndone | StepRedone) and type(event) is type(group[-1]))
        )
        if group and not joins:
            assert last is not None
            yield last, group
            group = []
        group.append(event)
        last = actor
    if last is not None:
        yield last, group


def _part(course: Course, table: Table | None, actor: Actor, events: Sequence[Event]) -> Part:
    first = events[0]
    if isinstance(first, MatchOpened):
        return Part("open")
    if isinstance(first, MatchClosed):
        secret = f" secret {first.secret}" if first.secret else ""
        return Part(f"close {first.reason}{secret}" + (f" seed {first.seed}" if first.seed else ""))
    if isinstance(first, MoveForfeited):
        said = f" said {quote(first.said)}" if first.said else ""
        return Part(f"{_who(course, first.seat)} forfeits {first.why} to {first.follows}{said}")
    if table is None or course.game is None:
        raise Untellable
    if type(first) not in course.game.projection.apply:
        return Part(f"{_who(course, actor)} {_words(first, events)}")
    if first.by_chance:
        text = f"deal {_outcome(course.game, table.state, first)}"
    else:
        if not isinstance(actor, int):
            raise Untellable
        action = course.game.notation.recall(table.state, events)
        text = f"{_who(course, actor)} {course.game.notation.write(action)}"
    found = scored(events, course.game.projection.scores(table.state))
    return Part(text, write_points(found, course.names))


def _words(first: Event, events: Sequence[Event]) -> str:
    match first:
        case SeatTaken(nonce=nonce):
            return f"joins nonce {quote(nonce)}" if nonce else "joins"
        case StepUndone() | StepRedone():
            verb = "undo" if isinstance(first, StepUndone) else "redo"
            return " ".join([verb, *(str(event.step) for event in events)])  # type: ignore[attr-defined]
        case UndoRequested(step=step):
            return f"asks undo {step}"
        case UndoAccepted():
            return "accepts"
        case UndoDeclined():
            return "declines"
        case SeatResigned():
            return "resigns"
    fields = msgspec.to_builtins(first)
    return f"{fields.pop(type_field)} {write_fields(fields)}"


def _who(course: Course, actor: Actor) -> str:
    return who(actor, course.names) if isinstance(actor, int) else actor


def _outcome(game: Game, state: State, event: Event) -> str:
    request = game.rules.request(state)
    if request is None:
        raise Untellable
    return game.notation.write_outcome(request, game.notation.recall_outcome(event))
