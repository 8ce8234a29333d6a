"""A table at one point of its history: whose turn it is and why, what just happened, the drawing.

This is what changes with every step. The table and the replay show the same, and their modules put a new one in the
place of an old one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from events.core import Seat
from projections.drawing import Panel
from projections.fold import Table
from projections.words import count
from service.play.history import History
from service.play.listing import outlook, stands
from service.shell.answers.match import told
from service.shell.web.drawing_svg import panel_svg


class DrawnPanel(NamedTuple):
    """A panel of a table with its caption."""

    part: str
    seat: Seat
    """Whose it is; 0 for everybody's."""
    look: str
    """Its classes besides `panel`."""
    title: str
    who: str
    score: int
    svg: Markup


class DrawnTable(NamedTuple):
    """A table as it stands."""

    match: str
    head: int
    step: int
    status: str
    turn: Sequence[Seat]
    stands: str
    """Whose turn it is, or what is waited for, or how it ended."""
    situation: str
    """Why; empty where that says nothing."""
    told: Sequence[str]
    """What happened in the last step: for those who were not looking for a moment."""
    panels: Sequence[DrawnPanel]


def drawn_table(history: History) -> DrawnTable:
    """The table as it stands at the end of this history."""
    table, last = history.table, history.envelopes[-1]
    projection, is_playing = history.game.projection, table.status == "playing"
    free = table.opened.seats - len(table.nonces)
    where = f"waits for {count(free, 'player')}" if free else stands(outlook(history), history.names)
    return DrawnTable(
        history.id,
        last.seq,
        last.step,
        table.status,
        projection.to_act(table.state) if is_playing else (),
        where[:1].upper() + where[1:],
        projection.situation(table.state) if is_playing else "",
        [told(history, entry) for entry in history.step_entries(last.step)],
        drawn_panels(history, table),
    )


def drawn_panels(history: History, table: Table, *, is_still: bool = False) -> list[DrawnPanel]:
    """The panels of a table, those of seats with their names and scores.

    Still ones show what was scored: the panels of the seats where there are any, with no part marked to be touched and
    nobody on turn.
    """
    projection, state = history.game.projection, table.state
    scores = projection.scores(state)
    on_turn = projection.to_act(state) if table.status == "playing" and not is_still else ()
    panels = projection.board(state)
    if is_still and any(panel.seat for panel in panels):
        panels = tuple(panel for panel in panels if panel.seat)
    drawn = []
    for panel in panels:
        who = history.names[panel.seat] if panel.seat else ""
        look = " ".join(filter(None, ["on-turn" if panel.seat in on_turn else "", _format(panel)]))
        image = panel_svg(panel, f"{who}: {panel.title}" if who else "", is_still=is_still)
        score = scores[panel.seat - 1] if panel.seat else 0
        drawn.append(DrawnPanel(panel.key, panel.seat, look, panel.title, who, score, image))
    return drawn


def _format(panel: Panel) -> str:
    """What its place in the grid depends on: a tall panel takes two rows, a flat one a row of its own."""
    ratio = panel.height / panel.width
    return "tall" if ratio > 0.8 else "flat" if ratio < 0.2 else ""
