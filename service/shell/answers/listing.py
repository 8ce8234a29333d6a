"""Matches in a listing, as programs see them."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict

from events.core import Seat, Standing
from service.errors import Damaged
from service.play.listing import Listed


class ListedPlayer(Struct, frozen=True):
    """Who sits where, in a listing."""

    seat: Seat
    name: str
    kind: str
    """`person`, or `bot:` and the name of the bot."""


class ListedMatch(Struct, frozen=True):
    """One match as a listing shows it."""

    id: str
    game: str
    ruleset: str
    seats: int
    status: str
    undo: str
    chance: str
    parent: str | None
    opened_at: datetime
    moved_at: datetime
    head: int
    players: list[ListedPlayer]
    turn: list[Seat] = []
    """Who may act now; empty while seats are free or chance is awaited, and when it is over."""
    awaits: str = ""
    """What chance is asked for and has not answered yet; empty when it owes nothing."""
    ended: str = ""
    """`finished`, `resigned` or `abandoned`; empty while the match is on."""
    standings: list[Standing] = []
    """The result, rulings included, best first; empty while the match is on and when it was abandoned."""


class DamagedMatch(Struct, frozen=True):
    """In a listing, a match that does not read."""

    id: str
    damaged: str


def listed_answer(line: Listed | Damaged) -> ListedMatch | DamagedMatch:
    """A match as a program lists it; of a damaged one its id, and what is wrong with it."""
    if isinstance(line, Damaged):
        return DamagedMatch(line.match, line.message)
    row, seats, outlook = line
    players = [ListedPlayer(**asdict(seat)) for seat in seats]
    return ListedMatch(**asdict(row) | {"head": row.head.seq}, players=players, **asdict(outlook))
