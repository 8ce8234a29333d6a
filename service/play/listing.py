"""Matches as a list shows them: who sits where, whose turn it is, and how those that are over ended."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import Struct

from events.core import Seat, Standing
from projections.core import Names
from projections.disputes import docket_of
from projections.words import count, total
from service.errors import Damaged, Unavailable, unknown
from service.play.history import History
from service.play.replay import live_of, readable
from service.store.columns import each, sound
from service.store.shapes import MatchRow, SeatRow
from service.store.store import Store

STATUSES: Final = ("open", "playing", "closed")


class Outlook(Struct, frozen=True):
    """Where a match stands, as far as a list tells."""

    turn: list[Seat]
    """Who may act now; empty while seats are free or chance is awaited, and when it is over."""
    awaits: str = ""
    """What chance is asked for and has not answered yet; empty when it owes nothing."""
    ended: str = ""
    """`finished`, `resigned` or `abandoned`; empty while the match is on."""
    standings: list[Standing] = []
    """The result, rulings included, best first; empty while the match is on and when it was abandoned."""


NOT_KNOWN: Final = Outlook([])
"""For a match that waits for players, and for one whose rules this program lacks."""


class Listed(NamedTuple):
    """A match of the ledger with who sits where and how it stands."""

    row: MatchRow
    seats: Sequence[SeatRow]
    outlook: Outlook


def listing(store: Store, rows: Sequence[MatchRow | Damaged]) -> list[Listed | Damaged]:
    """A line for each of these matches; Damaged where a cell of it or its events cannot be read."""
    seats = store.seats_of([row.id for row in rows if not isinstance(row, Damaged)])

    def line(row: MatchRow | Damaged) -> Listed:
        (sound_row,) = sound([row])
        seated = sound(seats[sound_row.id])
        if sound_row.status == "open":
            return Listed(sound_row, seated, NOT_KNOWN)
        try:
            live = live_of(readable(store.chain(sound_row.id, sound_row.head.hash)), seated)
        except Unavailable:  # its rules are those of a newer program, and the list goes on
            return Listed(sound_row, seated, NOT_KNOWN)
        return Listed(sound_row, seated, outlook(live))

    return [each(line, row) for row in rows]


def outlook(live: History) -> Outlook:
    """Where a match stands."""
    table = live.table
    if table.closed is not None:
        return Outlook([], ended=table.closed.reason, standings=list(docket_of(live.envelopes).ruled))
    request = live.game.rules.request(table.state)
    awaits = request.purpose if request is not None else ""
    return Outlook(list(live.game.projection.to_act(table.state)), awaits)


def state_of(line: Listed) -> str:
    """`Ann to move`, `Ben won 54–41`, `waits for 1 player`: how a match stands in a few words."""
    row, seats, now = line
    if row.status == "open":
        return f"waits for {count(row.seats - len(seats), 'player')}"
    return stands(now, Names({seat.seat: seat.name for seat in seats})) or row.status


def stands(now: Outlook, names: Names) -> str:
    """The same of a match at which everybody sits."""
    if now.standings:
        winners = [names[place.seat] for place in now.standings if place.rank == 1]
        points = "–".join(total(place.score) for place in now.standings)
        how = "" if now.ended == "finished" else f" ({now.ended})"
        return f"{' and '.join(winners)} {'won' if len(winners) == 1 else 'tied'} {points}{how}"
    if now.ended or now.awaits:
        return now.ended or f"waits for the {now.awaits}"
    return f"{' or '.join(names[seat] for seat in now.turn)} to move" if now.turn else ""


def ago(moment: datetime, now: datetime) -> str:
    """`3 min ago`, `2 days ago`: when something was, for whoever looks now."""
    seconds = int((now - moment).total_seconds())
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "min")):
        if seconds >= size:
            return f"{count(seconds // size, unit) if unit != 'min' else f'{seconds // size} min'} ago"
    return "just now"


def read_status(word: str | None) -> str | None:
    """A status to list matches by."""
    if word is not None and word not in STATUSES:
        raise unknown("list/status", "a status", word, STATUSES)
    return word
