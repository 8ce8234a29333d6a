"""The page of a match: the table, and what those at it may do.

The page is the same for everybody. What is for some only stands in it hidden, with the seats it is for, and the module
shows it to whoever has the token of one of them; so a step is one answer for all who watch.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from events.core import Seat
from events.match import UndoRequested
from projections.story import sentence
from projections.timeline import undone_steps
from projections.words import joined, total
from service.errors import LedgerError
from service.play import fairness
from service.play.commands import OpenMatch
from service.play.history import History
from service.play.listing import outlook
from service.play.moves import (
    outcome_example,
    redo_depth,
    seat_to_play_again,
    seat_to_take_back,
    seats_to_answer,
    undo_depth,
)
from service.play.undo import decide_redo, decide_undo
from service.shell.answers.match import told
from service.shell.page.escape import escape
from service.shell.page.sheet import score_sheet
from service.shell.web.audit_page import links_of
from service.shell.web.view import view
from service.store.shapes import PERSON

HOST: Final = "host"
_LAST_STEPS: Final = 25
"""Steps of the story that stand beside the table; the replay has all of them."""
_UNDO_WORDS: Final = {
    "strict": "undo of one's own last move, while it showed nothing new",
    "consent": "undo when everybody agrees",
    "free": "undo at any time",
}

_SITTING_DOWN: Final = (
    '<form class="join" data-do="join" hidden><h2>Sit down</h2><p class="quiet"></p>'
    '<label>Your name <input name="name" required maxlength="40" autocomplete="nickname"></label>'
    '<button class="main">Sit down</button></form>'
)


def table_page(history: History) -> str:
    """The main part of the page."""
    last = history.envelopes[-1]
    names = [history.names[seat] for seat in _seats(history)]
    free = ",".join(map(str, _free(history)))
    # An ETag without the names at the table: a move is no worse for a name that was changed.
    tag = f"{last.seq}-{history.hashes[-1].hex()[:16]}"
    return (
        f'<article class="table" data-etag="{tag}" data-title="{escape(title(history))}" data-free="{free}"'
        f' data-rules="/rules/{escape(history.game.pad_of or history.game.key)}"'
        f' data-names="{_attribute(names)}">'
        f"<h1>{escape(title(history))}</h1>"
        '<p class="me" id="me">You are watching.<noscript> Playing takes JavaScript; looking does not.</noscript></p>'
        f'<div class="sides"><div class="place" id="place" tabindex="-1">{view(history)}</div>'
        '<div class="aside"><details class="moves" id="moves" hidden><summary>Moves</summary></details>'
        f'{_SITTING_DOWN}<details class="share" id="share" hidden{" open" if free else ""}>'
        f'<summary>Seats and links</summary><div id="rows">{_rows(history)}</div></details>'
        f'<div class="about" id="about">{_about(history)}</div></div></div>'
        '<div class="foot"><div class="says problem" id="says" role="alert" hidden></div>'
        '<div class="bar"><span id="hint"></span><span id="connection" role="status"></span></div></div></article>'
    )


def title(history: History) -> str:
    """What a match is called: its game and who sits there."""
    names = [history.names[seat] for seat in _seats(history) if seat in history.seats]
    return f"{history.game.title}: {', '.join(names)}" if names else history.game.title


def _about(history: History) -> str:
    """What changes with the match beside the drawing."""
    pieces = (_asked, _result, _dealing, _doing, _log, _points, _links)
    return "".join(piece(history) for piece in pieces)


def _seats(history: History) -> range:
    return range(1, history.opened.seats + 1)


def _free(history: History) -> list[Seat]:
    return [seat for seat in _seats(history) if seat not in history.table.nonces]


def _attribute(value: object) -> str:
    return escape(msgspec.json.encode(value).decode())


def _listed(seats: Iterable[object]) -> str:
    return ",".join(map(str, seats))


def _button(what: str, words: str, seats: Iterable[object], *, body: str = "{}", ask: str = "", why: str = "") -> str:
    """A button for the holders of these seats; `ask` is what is asked before, `why` says why it cannot be pressed."""
    question = f' data-ask="{escape(ask)}"' if ask else ""
    refused = f' disabled title="{escape(why)}"' if why else ""
    send = f' data-body="{escape(body)}"' if body else ""
    return (
        f'<button type="button" data-do="{what}" data-seats="{_listed(seats)}"{send}{question}{refused} hidden>'
        f"{escape(words)}</button>"
    )


# ----------------------------------------------------------------------------------------------------------- the pieces


def _asked(history: History) -> str:
    """A request to undo, for those who have not answered it."""
    request = history.table.request
    if request is None:
        return ""
    what = UndoRequested(seat=request.seat, step=request.step)
    waiting = seats_to_answer(history)
    last = [told(history, entry) for entry in history.step_entries(history.timeline.done[-1])[:1]]
    return (
        '<section class="asked" aria-label="A request to undo">'
        f"<p><strong>{escape(sentence(history.game.projection, what, history.names))}</strong>"
        f' <span class="quiet">The last move: {escape(" ".join(last))}'
        f" {escape(joined([history.names[seat] for seat in waiting]))} may answer.</span></p>"
        f"<p>{_button('undo/accept', 'Agree', waiting, body='')} "
        f"{_button('undo/decline', 'Decline', waiting, body='')}</p></section>"
    )


def _result(history: History) -> str:
    """How it ended, and what one does then."""
    if history.table.closed is None:
        return ""
    rows = "".join(
        f"<tr><td>{place.rank}.</td><td>{escape(history.names[place.seat])}</td>"
        f'<td class="number">{total(place.score)}</td></tr>'
        for place in outlook(history).standings
    )
    head = '<tr><th scope="col">Rank</th><th scope="col">Player</th><th class="number" scope="col">Points</th></tr>'
    again = _attribute(_rematch(history))
    return (
        '<section class="result"><h2>Result</h2>'
        + (f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else "<p>There is no result.</p>")
        + f'<p><a class="button" href="/matches/{history.id}/replay">Replay</a> {_reviewing(history, "button")}'
        f'<a class="button" href="/matches/{history.id}/case">Audit</a> '
        f'<button type="button" class="main" data-open="/matches" data-body="{again}" hidden>Rematch</button></p>'
        "</section>"
    )


def _reviewing(history: History, look: str = "") -> str:
    """A link to the review, where something was chosen that could be reviewed."""
    is_over = history.table.closed is not None and not history.game.pad_of
    return f'<a class="{look}" href="/matches/{history.id}/review">Review</a> ' if is_over else ""


def _rematch(history: History) -> OpenMatch:
    """The same game with the same agreements and players; a seed would only bring the same draws again."""
    opened = history.opened
    rows = [history.seats[seat] for seat in _seats(history) if seat in history.seats]
    return OpenMatch(
        game=opened.game,
        players=[history.names[row.seat] if row.kind == PERSON else f"{row.name}={row.kind}" for row in rows],
        seats=opened.seats,
        options=opened.options,
        undo=opened.undo,
        chance=None if opened.chance == "seeded" else opened.chance,
        confirm_reveals=opened.confirm_reveals,
        arbiters=list(opened.arbiters),
        dispute_within=opened.dispute_within,
        appeal_within=opened.appeal_within,
    )


def _dealing(history: History) -> str:
    """What chance owes, where somebody has to say what it was, or that the time has come."""
    table = history.table
    request = history.game.rules.request(table.state) if table.status == "playing" else None
    if request is None:
        return ""
    who = [*_seats(history), HOST]
    example = outcome_example(history)
    if not example:
        return f'<p class="deal">{_button("deal", "Deal", who)}</p>'
    return (
        f'<form class="deal" data-do="deal" data-seats="{_listed(who)}" hidden><h2>What was drawn?</h2>'
        f'<label>{escape(request.purpose.capitalize())} <input name="outcome" required autocomplete="off"'
        f' aria-describedby="such-as"></label><p class="quiet" id="such-as">Such as: {escape(example)}</p>'
        '<button class="main">Record it</button></form>'
    )


def _doing(history: History) -> str:
    """Taking back, giving up."""
    if history.table.status == "closed":
        return ""
    buttons = []
    if history.table.status == "playing":
        asks = "Ask to undo" if history.opened.undo == "consent" else "Undo"
        buttons += [
            _taking_back(history, "undo", asks, lambda seat: decide_undo(history, seat, undo_depth(history))),
            _taking_back(history, "redo", "Redo", lambda seat: decide_redo(history, seat, redo_depth(history))),
            _button(
                "resign",
                "Resign",
                _seats(history),
                body="",
                ask="Resign? The match ends at once, and your seat is ranked last.",
            ),
        ]
    ask = "Abandon the match? It is closed for everybody and has no result."
    buttons.append(_button("abandon", "Abandon", [HOST], body="", ask=ask))
    return f'<p class="doing">{_hinting(history)}{" ".join(buttons)}</p>'


def _hinting(history: History) -> str:
    """A button that marks what a search would play, for those who are to move, and a place for its words."""
    on_turn = history.game.projection.to_act(history.table.state) if history.table.status == "playing" else ()
    if history.game.pad_of or not on_turn:
        return ""
    return (
        f'<button type="button" data-hint data-seats="{_listed(on_turn)}" hidden>Hint</button>'
        '<span class="quiet" id="hinted" role="status"></span>'
    )


def _taking_back(history: History, what: str, words: str, decide: Callable[[Seat], object]) -> str:
    """A button for the seats that may, and a dead one that says why where none may."""
    may, why = [], ""
    for seat in _seats(history):
        try:
            decide(seat)
            may.append(seat)
        except LedgerError as refusal:
            why = why or refusal.message
    if not may:
        return _button(what, words, _seats(history), why=why)
    # With several seats in one hand, the one whose move it was acts.
    whose = seat_to_take_back(history, None) if what == "undo" else seat_to_play_again(history)
    return _button(what, words, sorted(may, key=lambda seat: seat != whose))


def _log(history: History) -> str:
    """The last steps in words; the module shows on top what happened since one's own last move."""
    undone = undone_steps(history.envelopes)
    first = history.envelopes[-1].step - _LAST_STEPS
    lines = []
    for entry in history.envelopes:
        if entry.step > first:
            words = escape(told(history, entry))
            shown = f"<s>{words}</s>" if entry.step in undone else words
            lines.append(f'<li data-step="{entry.step}" data-actor="{entry.actor}">{shown}</li>')
    return (
        '<section class="story"><h2 id="story">What happened</h2>'
        f'<ol class="log" tabindex="0" role="list" aria-labelledby="story">{"".join(lines)}</ol></section>'
    )


def _points(history: History) -> str:
    """On a score pad every point with its rule: that is what people keep it for."""
    if not history.game.pad_of or not history.scoresheet:
        return ""
    sheet = score_sheet(history, links_of(history.id), is_drawn=False)
    return (
        '<section class="story points"><h2 id="points">Points</h2>'
        f'<div class="sheet" tabindex="0" role="group" aria-labelledby="points">{sheet}</div></section>'
    )


def _links(history: History) -> str:
    opened, place = history.opened, f"/matches/{history.id}"
    chance = "".join(f"; {words}" for words in [fairness.words(history.table)] if words)
    fork = (
        f'<button type="button" class="link" data-open="{place}/fork" data-body="{{}}" hidden>'
        "Fork: a match of your own</button>"
    )
    usual = {option.name: option.default for option in history.game.rules.options}
    options = ", ".join(f"{name} {value}" for name, value in opened.options.items() if usual.get(name) != value)
    return (
        '<nav class="links" aria-label="About this match">'
        f'<a href="{place}/replay">Replay</a> {_reviewing(history)}<a href="{place}/case">Audit and disputes</a> '
        f'<a href="/api/v1{place}/record" download="{history.id}.mlr">Download the record</a> '
        f'<a href="/rules/{escape(history.game.pad_of or history.game.key)}">Rules</a> '
        f"{fork if history.table.is_full else ''}</nav>"
        f'<p class="quiet agreed">Agreed: {escape(options or "the usual options")}; '
        f"{escape(_UNDO_WORDS[opened.undo])}{escape(chance)}.</p>"
    )


def _rows(history: History) -> str:
    """A row for each link one could hand on; the module writes the links of which it has the tokens."""
    free = _free(history)
    rows = []
    for seat in _seats(history):
        name = history.names[seat]
        here = f'<label class="here"><input type="checkbox" data-here="{seat}"> I play for {escape(name)} here</label>'
        words = f"Seat {seat}, free" if seat in free else f"{name}’s seat"
        rows.append(_row(words, "seat", str(seat), "" if seat in free else here))
    return "".join([*rows, _row("For the arbiter", "arbiter"), _row("To watch", "spectator")])


def _row(words: str, role: str, seat: str = "", more: str = "") -> str:
    return (
        f'<div class="link-row" data-role="{role}" data-seat="{seat}" hidden><label>{escape(words)} <input readonly>'
        f'</label><button type="button" data-copy aria-label="Copy: {escape(words)}">Copy</button>{more}</div>'
    )
