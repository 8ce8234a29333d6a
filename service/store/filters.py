"""Filters of a listing: each has an index, or is applied when few matches are left."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, TypedDict

from service.store.columns import MATCH

_NEWEST_FIRST: Final = "ORDER BY moved_at DESC, id DESC"
_OFTEN: Final = 1_000
"""Seats by which a name is one that is met again and again."""
_COUNTED: Final = 10_000
"""Matches that are counted at the most, and seats of a name that are gone through for it."""
_SEATS_OF_NAME: Final = "SELECT count(*) FROM (SELECT 1 FROM seat WHERE name = ? LIMIT ?) AS seats"
_PLAYED_BY: Final = "EXISTS (SELECT 1 FROM seat WHERE seat.match_id = match.id AND seat.name = ?)"
_PLAYED_BY_SOMEBODY_RARE: Final = "id IN (SELECT match_id FROM seat WHERE name = ?)"
_UNFINISHED: Final = "status <> 'closed'"
"""As the index of those matches says it."""
_PUBLIC: Final = "NOT EXISTS (SELECT 1 FROM token WHERE token.match_id = match.id AND token.role = 'spectator')"


class Filters(TypedDict, total=False):
    """What listed matches have in common; whatever is not given, or None, is not asked."""

    game: str | Sequence[str] | None
    """Of several games, those of any."""
    status: str | None
    player: str | None
    parent: str | None
    limit: int | None
    before: tuple[datetime, str] | None
    """(moved_at, id) of the last one seen."""
    is_public: bool


Fetch = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]


def listed(fetch: Fetch, stamp: Callable[[datetime], object], filters: Filters) -> list[tuple[Any, ...]]:
    """The records, `MATCH.columns` each, of the matches that fit every filter, newest move first."""
    player, limit, before = filters.get("player"), filters.get("limit"), filters.get("before")
    is_rare = player is not None and _seats_of(fetch, player, _OFTEN) < _OFTEN
    conditions, parameters = _conditions(filters, is_rare)
    if before is not None:
        conditions.append("(moved_at, id) < (?, ?)")
        parameters += (stamp(before[0]), before[1])
    sql = f"SELECT {MATCH.columns} FROM match {_where(conditions)}{_NEWEST_FIRST}"
    if limit is not None:
        sql += " LIMIT ?"
        parameters.append(limit)
    return fetch(sql, parameters)


def counted(fetch: Fetch, filters: Filters) -> int | None:
    """How many matches fit every filter; None where counting them would take longer than listing some of them."""
    player = filters.get("player")
    if player is not None and _seats_of(fetch, player, _COUNTED) == _COUNTED:
        return None
    conditions, parameters = _conditions(filters, is_rare=player is not None)
    sql = f"SELECT count(*) FROM (SELECT 1 FROM match {_where(conditions)}LIMIT ?) AS fitting"
    ((found,),) = fetch(sql, (*parameters, _COUNTED + 1))
    return int(found) if found <= _COUNTED else None


def _seats_of(fetch: Fetch, player: str, most: int) -> int:
    ((seats,),) = fetch(_SEATS_OF_NAME, (player, most))
    return int(seats)


def _where(conditions: Sequence[str]) -> str:
    return f"WHERE {' AND '.join(conditions)} " if conditions else ""


def _conditions(filters: Filters, is_rare: bool) -> tuple[list[str], list[object]]:
    """What a match has to be, and the values for it; the seats of a player who is rare are gone through first."""
    game, status = filters.get("game"), filters.get("status")
    player, parent = filters.get("player"), filters.get("parent")
    conditions: list[str] = []
    parameters: list[object] = []
    is_unfinished = status is not None and status != "closed"
    # Where something else leaves few matches, the database is kept from going through all those of a game.
    of_game = "game || ''" if is_rare or is_unfinished or parent is not None else "game"
    for condition, value in (
        (f"{of_game} = ?", game if isinstance(game, str) else None),
        (f"status = ? AND {_UNFINISHED}" if is_unfinished else "status = ?", status),
        (_PLAYED_BY_SOMEBODY_RARE if is_rare else _PLAYED_BY, player),
        ("parent = ?", parent),
    ):
        if value is not None:
            conditions.append(condition)
            parameters.append(value)
    if game is not None and not isinstance(game, str):
        conditions.append(f"{of_game} IN ({', '.join('?' * len(game))})")
        parameters += game
    if filters.get("is_public"):
        conditions.append(_PUBLIC)
    return conditions, parameters
