"""The page of a match: the table, and what those at it may do.

The page is the same for everybody. What is for some only stands in it hidden, with the seats it is for, and the module
shows it to whoever has the token of one of them; so a step is one answer for all who watch.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from events.core import Seat
from events.match import UndoRequested
from projections.story import sentence
from projections.words import joined
from service.errors import LedgerError
from service.play import fairness
from service.play.history import History
from service.play.listing import outlook
from service.play.matches import rematch
from service.play.moves import (
    outcome_example,
    redo_depth,
    seat_to_play_again,
    seat_to_take_back,
    seats_to_answer,
    undo_depth,
)
from service.play.undo import decide_redo, decide_undo
from service.shell.answers.match import Told, told, told_events
from service.shell.web.views.drawn_table import DrawnTable, drawn_table
from service.shell.web.views.links import Links, links_of
from service.shell.web.views.score_sheet import ScoreSheet, score_sheet

HOST: Final = "host"
_LAST_STEPS: Final = 25
"""Steps of the story that stand beside the table; the replay has all of them."""
_UNDO_WORDS: Final = {
    "strict": "undo of one's own last move, while it showed nothing new",
    "consent": "undo when everybody agrees",
    "free": "undo at any time",
}


class Button(NamedTuple):
    """A button for the holders of some seats."""

    what: str
    words: str
    seats: Sequence[Seat | str]
    body: str = "{}"
    """What is sent; empty for nothing."""
    ask: str = ""
    """What is asked before."""
    why: str = ""
    """Why it cannot be pressed; empty where it can."""


class UndoQuestion(NamedTuple):
    """A request to undo, for those who have not answered it."""

    words: str
    last: str
    """The last move."""
    waiting: Sequence[Seat]
    who: str


class MatchResult(NamedTuple):
    """How it ended."""

    places: Sequence[tuple[int, str, int]]
    """Rank, name, points."""
    rematch: str
    """What opens the same match again."""


class OwedDraw(NamedTuple):
    """What chance owes, where somebody has to say what it was, or that the time has come."""

    seats: Sequence[Seat | str]
    purpose: str
    example: str
    """How an outcome is written; empty where nobody has to write one."""


class TableView(Struct, frozen=True):
    """The page."""

    match: str
    etag: str
    """Without the names at the table: a move is no worse for a name that was changed."""
    title: str
    free: Sequence[Seat]
    rules: str
    """The game whose rules are read."""
    names: str
    """The names of the seats as JSON, for the module."""
    view: DrawnTable
    seats: Sequence[tuple[Seat, str]]
    question: UndoQuestion | None
    result: MatchResult | None
    is_reviewable: bool
    draw: OwedDraw | None
    hint: Sequence[Seat]
    """Who may ask what a search would play."""
    buttons: Sequence[Button]
    story: Sequence[Told]
    points: ScoreSheet | None
    links: Links
    agreed: str
    is_full: bool


def table_view(history: History) -> TableView:
    """The page of a match."""
    table, game, last = history.table, history.game, history.envelopes[-1]
    seats = range(1, history.opened.seats + 1)
    on_turn = game.projection.to_act(table.state) if table.status == "playing" else ()
    return TableView(
        match=history.id,
        etag=f"{last.seq}-{history.hashes[-1].hex()[:16]}",
        title=title(history),
        free=[seat for seat in seats if seat not in table.nonces],
        rules=game.pad_of or game.key,
        names=_json(history.players),
        view=drawn_table(history),
        seats=list(enumerate(history.players, start=1)),
        question=_question(history),
        result=_result(history),
        is_reviewable=table.closed is not None and not game.pad_of,
        draw=_draw(history),
        hint=() if game.pad_of else on_turn,
        buttons=list(_buttons(history)),
        story=_story(history),
        # On a score pad every point with its rule: that is what people keep it for.
        points=score_sheet(history) if game.pad_of and history.scoresheet else None,
        links=links_of(history.id),
        agreed=_agreed(history),
        is_full=table.is_full,
    )


def title(history: History) -> str:
    """What a match is called: its game and who sits there."""
    names = [history.names[seat] for seat in range(1, history.opened.seats + 1) if seat in history.seats]
    return f"{history.game.title}: {', '.join(names)}" if names else history.game.title


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _question(history: History) -> UndoQuestion | None:
    request = history.table.request
    if request is None:
        return None
    waiting = seats_to_answer(history)
    return UndoQuestion(
        sentence(history.game.projection, UndoRequested(seat=request.seat, step=request.step), history.names),
        " ".join(told(history, entry) for entry in history.step_entries(history.timeline.done[-1])[:1]),
        waiting,
        joined([history.names[seat] for seat in waiting]),
    )


def _result(history: History) -> MatchResult | None:
    if history.table.closed is None:
        return None
    places = [(place.rank, history.names[place.seat], place.score) for place in outlook(history).standings]
    return MatchResult(places, _json(rematch(history)))


def _draw(history: History) -> OwedDraw | None:
    table = history.table
    request = history.game.rules.request(table.state) if table.status == "playing" else None
    if request is None:
        return None
    who = [*range(1, history.opened.seats + 1), HOST]
    return OwedDraw(who, request.purpose.capitalize(), outcome_example(history))


def _buttons(history: History) -> Sequence[Button]:
    """Taking back, giving up."""
    seats, buttons = range(1, history.opened.seats + 1), []
    if history.table.status == "closed":
        return ()
    if history.table.status == "playing":
        asks = "Ask to undo" if history.opened.undo == "consent" else "Undo"
        resigned = "Resign? The match ends at once, and your seat is ranked last."
        buttons += [
            _taking_back(history, "undo", asks, lambda seat: decide_undo(history, seat, undo_depth(history))),
            _taking_back(history, "redo", "Redo", lambda seat: decide_redo(history, seat, redo_depth(history))),
            Button("resign", "Resign", seats, body="", ask=resigned),
        ]
    abandoned = "Abandon the match? It is closed for everybody and has no result."
    return [*buttons, Button("abandon", "Abandon", [HOST], body="", ask=abandoned)]


def _taking_back(history: History, what: str, words: str, decide: Callable[[Seat], object]) -> Button:
    """A button for the seats that may, and a dead one that says why where none may."""
    seats, may, why = range(1, history.opened.seats + 1), [], ""
    for seat in seats:
        try:
            decide(seat)
            may.append(seat)
        except LedgerError as refusal:
            why = why or refusal.message
    if not may:
        return Button(what, words, seats, why=why)
    # With several seats in one hand, the one whose move it was acts.
    whose = seat_to_take_back(history, None) if what == "undo" else seat_to_play_again(history)
    return Button(what, words, sorted(may, key=lambda seat: seat != whose))


def _story(history: History) -> list[Told]:
    """The last steps; the module shows on top what happened since one's own last move."""
    first = history.envelopes[-1].step - _LAST_STEPS
    shown = (entry for entry in history.envelopes if entry.step > first)
    return told_events(history, shown, lambda entry: told(history, entry))


def _agreed(history: History) -> str:
    opened = history.opened
    usual = {option.name: option.default for option in history.game.rules.options}
    options = ", ".join(f"{name} {value}" for name, value in opened.options.items() if usual.get(name) != value)
    return "; ".join(
        filter(None, [options or "the usual options", _UNDO_WORDS[opened.undo], fairness.words(history.table)])
    )
