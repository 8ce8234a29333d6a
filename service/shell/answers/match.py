"""A match as programs see it: where it stands, what may be done, what was done, and what has happened."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

from events.core import Actor, Envelope, Seat
from events.match import MatchClosed, Provenance, StepRedone, StepUndone
from projections.fold import UndoRequest
from projections.scoresheet import SheetLine
from projections.story import sentence
from projections.timeline import undone_steps
from service.games.actions import AnyAction
from service.play import fairness
from service.play.bots import is_bot
from service.play.history import History
from service.play.preview import choices, doubt


class Player(Struct, frozen=True):
    """Who sits where."""

    seat: Seat
    name: str
    bot: bool


class MatchAnswer(Struct, frozen=True):
    """Everything public about a match at one point of its history."""

    match: str
    game: str
    ruleset: str
    options: dict[str, str]
    undo: str
    chance: str
    derivation: int
    contributed: list[Seat]
    """The seats that have a share in the draws."""
    fairness: str
    """The same in words."""
    status: str
    """`open`, `playing` or `closed`."""
    head: int
    """Its last event."""
    step: int
    turn: list[Seat]
    """Who may act now; empty while seats are free or chance is awaited, and when it is over."""
    awaits: str
    """What chance is asked for and has not answered yet; empty when it owes nothing."""
    players: list[Player]
    scores: list[int]
    state: dict[str, Any]
    """What lies where, as everybody at the table may know it."""
    undo_request: UndoRequest | None
    closed: MatchClosed | None
    parent: Provenance | None


def match_answer(live: History) -> MatchAnswer:
    """A match as it stands."""
    table, projection = live.table, live.game.projection
    opened, is_on = table.opened, table.status == "playing"
    request = live.game.rules.request(table.state) if is_on else None
    return MatchAnswer(
        match=live.id,
        game=opened.game,
        ruleset=opened.ruleset,
        options=opened.options,
        undo=opened.undo,
        chance=opened.chance,
        derivation=opened.derivation,
        contributed=fairness.contributed(table),
        fairness=fairness.words(table),
        status=table.status,
        head=live.envelopes[-1].seq,
        step=live.envelopes[-1].step,
        turn=list(projection.to_act(table.state)) if is_on else [],
        awaits=request.purpose if request is not None else "",
        players=[Player(seat, live.names[seat], is_bot(live, seat)) for seat in range(1, opened.seats + 1)],
        scores=list(projection.scores(table.state)),
        state=projection.view(table.state),
        undo_request=table.request,
        closed=table.closed,
        parent=opened.parent,
    )


# ----------------------------------------------------------------------------------------------------- what may be done


class Move(Struct, frozen=True):
    """A legal action: as it is written, in words, as a value, and with the points it changes at once."""

    move: str
    words: str
    """The move in the imperative: `Take 2 blue from display 1 to line 2`."""
    action: AnyAction
    points: Annotated[
        int, Meta(description="What it changes in the seat's score at once; what depends on a draw is not counted.")
    ] = 0
    path: Annotated[list[str], Meta(description="The parts of the drawing that one touches for it, in order.")] = []
    doubt: Annotated[
        str, Meta(description="What to ask before a costly choice; empty where there is nothing to ask.")
    ] = ""


class LegalAnswer(Struct, frozen=True):
    """Every legal action of one seat."""

    match: str
    head: int
    turn: list[Seat]
    """Who may act now; empty when nobody has a move, as in a match that is over."""
    seat: Seat
    moves: list[Move]


def legal_answer(live: History, seat: Seat) -> LegalAnswer:
    """The legal actions of a seat; none when it is not its turn."""
    is_on = live.table.status == "playing" and live.game.rules.request(live.table.state) is None
    turn = list(live.game.projection.to_act(live.table.state)) if is_on else []
    legal = choices(live, seat) if seat in turn else []
    listed = [
        Move(choice.move, choice.words, choice.action, choice.points, list(choice.path), doubt(live, choice, legal))
        for choice in legal
    ]
    return LegalAnswer(live.id, live.envelopes[-1].seq, turn, seat, listed)


# --------------------------------------------------------------------------------------------------- what has happened


def told(live: History, envelope: Envelope) -> str:
    """What happened, in one sentence; an undo or a redo also says of what."""
    text = sentence(live.game.projection, envelope.event, live.names)
    if isinstance(envelope.event, StepUndone | StepRedone):
        what = sentence(live.game.projection, live.step_entries(envelope.event.step)[0].event, live.names)
        return f"{text.removesuffix('.')}: {what}"
    return text


class Told(Struct, frozen=True):
    """One event in a sentence."""

    seq: int
    step: int
    at: datetime
    actor: Actor
    sentence: str
    undone: bool
    """Whether its step was undone later, and not redone."""


def story_answer(live: History) -> list[Told]:
    """What happened, event by event."""
    return told_events(
        live, live.envelopes, lambda envelope: sentence(live.game.projection, envelope.event, live.names)
    )


def told_events(history: History, envelopes: Iterable[Envelope], tell: Callable[[Envelope], str]) -> list[Told]:
    """Some of the events of a match in sentences."""
    undone = undone_steps(history.envelopes)
    return [
        Told(envelope.seq, envelope.step, envelope.at, envelope.actor, tell(envelope), envelope.step in undone)
        for envelope in envelopes
    ]


class ScoresAnswer(Struct, frozen=True):
    """The score sheet: every point in effect, and what they come to."""

    match: str
    head: int
    lines: list[SheetLine]
    scores: list[int]


def scores_answer(live: History) -> ScoresAnswer:
    """The score sheet of a match."""
    scores = list(live.game.projection.scores(live.table.state))
    return ScoresAnswer(live.id, live.envelopes[-1].seq, live.scoresheet, scores)
