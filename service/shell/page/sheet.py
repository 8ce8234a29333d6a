"""The score sheet round by round: every line with its rule, and where it is wanted the table as it stood then."""

from collections.abc import Callable, Sequence
from typing import Final

from projections.scoresheet import SheetLine, added_up
from projections.words import gained, total
from service.play.history import History, ScoredPoint, chapters
from service.shell.page.escape import escape
from service.shell.page.pieces import WITHIN, Links, attempt, event_link, rule_link, table
from service.shell.page.svg import table_drawing

DRAWN: Final = 1_000_000
"""Characters of drawings on one page. Only matches that would not end come near; their first tables are left out."""


def score_sheet(
    history: History,
    links: Links = WITHIN,
    *,
    is_drawn: bool = True,
    more: Callable[[SheetLine], str] | None = None,
) -> str:
    """Every round with its lines; with the table after its last points, and with what a page adds to each line."""
    parted = list(chapters(history))
    pictures = _pictures(history, [scored[-1].sheet.seq for _, scored in parted]) if is_drawn else [""] * len(parted)
    heads = ["#event", "who", "#points", "#total", "rule", "reason", *([""] if more else [])]
    parts = [
        f"<h3>{heading}</h3>\n{picture}\n{table(heads, [_row(history, point, links, more) for point in scored])}"
        for (heading, scored), picture in zip(parted, pictures, strict=True)
    ]
    totals = history.game.projection.scores(history.table_after(len(history.envelopes)).state)
    sums = ", ".join(f"{escape(history.names[seat])} {total(score)}" for seat, score in enumerate(totals, start=1))
    return "\n".join(parts) + f"\n<p><strong>Sum of all lines:</strong> {sums}</p>"


def _pictures(history: History, events: Sequence[int]) -> list[str]:
    """The tables after these events, drawn from the last to the first as long as there is room."""
    pictures: list[str] = []
    room = DRAWN
    for seq in reversed(events):
        caption = f"The table after event {seq}"
        if room <= 0:
            pictures.append(f'<p class="quiet">{caption} is not drawn here, to keep this page small.</p>')
            continue
        drawn = attempt(lambda seq=seq: table_drawing(history, history.table_after(seq), is_still=True))  # type: ignore[misc]
        pictures.append(f'<p class="quiet">{caption}</p>{drawn}')
        room -= len(drawn)
    return pictures[::-1]


def _row(history: History, point: ScoredPoint, links: Links, more: Callable[[SheetLine], str] | None) -> str:
    entry = point.sheet
    added = added_up(history.game.projection, point.line)
    aside = f' <span class="quiet">({escape(added)})</span>' if added else ""
    return (
        f'<tr><td class="number">{event_link(entry.seq, links)}</td>'
        f'<td class="who">{escape(history.names[entry.seat])}</td>'
        f'<td class="number">{gained(entry.applied, entry.requested)}</td><td class="number">{total(entry.total)}</td>'
        f'<td class="tight">{rule_link(entry.rule, links)}</td><td class="why">{escape(entry.reason)}{aside}</td>'
        f"{f'<td class=more>{more(entry)}</td>' if more else ''}</tr>"
    )
