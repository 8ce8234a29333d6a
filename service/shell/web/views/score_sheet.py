"""The score sheet round by round: every line with its rule, and where it is wanted the table as it stood then."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from projections.scoresheet import SheetLine, added_up
from service.play.history import History, ScoredPoint, chapters
from service.shell.web.views.attempts import Unshown, attempt
from service.shell.web.views.drawn_table import DrawnPanel, drawn_panels

DRAWN: Final = 1_000_000
"""Characters of drawings on one page. Only matches that would not end come near; their first tables are left out."""


class ScoreRow(NamedTuple):
    """A line of the sheet."""

    line: SheetLine
    who: str
    added: str
    """How the points add up; empty where there is nothing to add."""


class Chapter(NamedTuple):
    """A round, or what the end of the game brought."""

    heading: str
    rows: Sequence[ScoreRow]
    last: int
    """The event of its last points."""
    table: Sequence[DrawnPanel] | Unshown | None
    """The table after them; None where it is not drawn."""


class ScoreSheet(NamedTuple):
    """Every point, and what they come to."""

    chapters: Sequence[Chapter]
    sums: Sequence[tuple[str, int]]
    is_drawn: bool


def score_sheet(history: History, *, is_drawn: bool = False) -> ScoreSheet:
    """Every round with its lines; drawn, with the table after its last points."""
    parts = []
    room = DRAWN if is_drawn else 0
    for heading, scored in reversed(list(chapters(history))):
        last = scored[-1].sheet.seq
        table = _table_after(history, last) if room > 0 else None
        if table is not None and not isinstance(table, Unshown):
            room -= sum(len(panel.svg) for panel in table)
        parts.append(Chapter(heading, [_row(history, point) for point in scored], last, table))
    totals = history.game.projection.scores(history.table_after(len(history.envelopes)).state)
    sums = [(history.names[seat], score) for seat, score in enumerate(totals, start=1)]
    return ScoreSheet(parts[::-1], sums, is_drawn)


def _table_after(history: History, seq: int) -> Sequence[DrawnPanel] | Unshown:
    return attempt(lambda: drawn_panels(history, history.table_after(seq), is_still=True))


def _row(history: History, point: ScoredPoint) -> ScoreRow:
    added = added_up(history.game.projection, point.line)
    return ScoreRow(point.sheet, history.names[point.sheet.seat], added)
